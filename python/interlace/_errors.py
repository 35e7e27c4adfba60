# Interlace: what is said to a user
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the package."""

from __future__ import annotations

from typing import Any, Optional


class InputError(ValueError):
    """What was asked for is wrong; ``str()`` says what, where and what was expected, in one line.

    Attributes are None where they are not known:

    file: name of the file that has the wrong value
    line: of the file, from 1
    key: of the value, as in ``packets``
    expected: what would have been right, as in ``16, 32 or 64``
    """

    def __init__(
        self,
        message: str,
        file: Optional[str] = None,
        line: Optional[int] = None,
        key: Optional[str] = None,
        expected: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.key = key
        self.expected = expected

    def __reduce__(self) -> tuple[type[InputError], tuple[Any, ...]]:
        return InputError, (str(self), self.file, self.line, self.key, self.expected)


class FellShort(RuntimeError):
    """What was asked for was right, but it did not come about: a run that is stuck, engines that disagree."""
