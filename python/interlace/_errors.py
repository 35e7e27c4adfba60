# Interlace: exceptions
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the package."""

from __future__ import annotations

from typing import Any, Optional


class InputError(ValueError):
    """Invalid input. ``str()`` is one line: the problem, its place and the expected value.

    An attribute is None where it does not apply:

    file: file with the invalid value
    line: line of the file, from 1
    key: key of the value, as in ``packets``
    expected: valid values, as in ``16, 32 or 64``
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
    """Valid input whose run failed: a deadlock, engines that disagree, a file that cannot be written."""
