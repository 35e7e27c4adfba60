# Interlace: the C++ module that the package is made of
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence
from typing import Any, Callable, Optional

import numpy as np
import numpy.typing as npt

version: str

def run(
    file: str,
    text: Optional[str],
    overrides: Sequence[str],
    details: bool,
    trace: str,
    trace_nodes: str,
    packet_log: str,
    queue_use: str,
    own_process: bool,
    progress: Optional[Callable[[str, float], object]],
) -> str: ...

class Network:
    def __init__(self, specification: str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def nodes(self) -> int: ...
    @property
    def links(self) -> int: ...
    def edges(self) -> npt.NDArray[np.int32]: ...
    def coordinates(self) -> npt.NDArray[np.int32]: ...
    def measure(self, seed: int) -> dict[str, Any]: ...

def schedule(
    broadcast: str, progress: Optional[Callable[[str, float], object]]
) -> npt.NDArray[np.int32]: ...
def collective_schedule(
    collective: str, progress: Optional[Callable[[str, float], object]]
) -> npt.NDArray[np.int32]: ...
def check(broadcast: str, schedule: npt.NDArray[np.int64]) -> str: ...
def sweep(
    file: str,
    text: Optional[str],
    overrides: Sequence[str],
    database: str,
    jobs: int,
    retry_failed: bool,
    progress: Optional[Callable[[str, float], object]],
) -> dict[str, Any]: ...
def load(database: str, sweep: Optional[str]) -> list[tuple[str, str, list[Any]]]: ...
