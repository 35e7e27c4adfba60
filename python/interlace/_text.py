# Interlace: values of Python as configuration files have them
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""From dictionaries and paths to texts and names of files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any, Optional, Union

#: A configuration, or the path of its YAML file.
Configuration = Union[Mapping[str, Any], str, "os.PathLike[str]"]

#: Texts that YAML reads as they are.
_plain = re.compile(r"[A-Za-z][\w./:,=+-]*[\w/]|[A-Za-z]")


def _plain_value(value: Any) -> Any:
    """Of what JSON has not: scalars and arrays of numpy, paths."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{value!r}: a {type(value).__name__}; expected numbers, texts, lists and dictionaries")


def to_text(value: Any) -> str:
    """YAML on one line (JSON, which is YAML)."""
    return json.dumps(value, default=_plain_value, ensure_ascii=False)


def file_and_text(configuration: Configuration, **defaults: Any) -> tuple[str, Optional[str]]:
    """The name of a file, and None; or no name and a text, with `defaults` for keys that it has not."""
    if isinstance(configuration, Mapping):
        return "", to_text({"schema": 1, **defaults, **configuration})
    return os.fspath(configuration), None


def assignments(overrides: Optional[Mapping[str, Any]]) -> list[str]:
    """As ``--set`` takes them: ``path=value``."""
    result = []
    for path, value in (overrides or {}).items():
        is_plain = isinstance(value, str) and _plain.fullmatch(value) is not None
        result.append(f"{path}={value if is_plain else to_text(value)}")
    return result
