# Interlace: the C++ module that the package is made of
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence
from typing import Callable, Optional

version: str

def run(
    file: str,
    text: Optional[str],
    overrides: Sequence[str],
    own_process: bool,
    progress: Optional[Callable[[str, float], object]],
) -> str: ...
