#!/usr/bin/env python3
# Interlace: what a call from Python costs beyond the same call from C++
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: PYTHONPATH=build/release/python /usr/bin/python3 bench/python_bench.py [build/release/bin/interlace_call_bench]
"""Rounds of C++ and Python alternate, so that both see the same machine; medians of all calls."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

import interlace

EXPERIMENTS: dict[str, dict[str, Any]] = {
    "a line of 3, in steps": {"network": "mesh:3", "broadcast": {"packets": 5, "algorithm": "optimal"}},
    "torus:8x8, in steps": {"network": "torus:8x8", "broadcast": {}},
    "torus:4x4, in cycles": {"network": "torus:4x4", "broadcast": {}, "engine": "native"},
    "ibt:16x16:b=4, in steps": {"network": "ibt:16x16:b=4", "broadcast": {}},
}
ROUNDS, CALLS = 10, 20


def from_cpp(program: str, file: str) -> list[float]:
    """Microseconds of each call."""
    printed = subprocess.run([program, file, str(CALLS)], capture_output=True, text=True, check=True)
    return [float(line) for line in printed.stdout.split()]


def from_python(experiment: dict[str, Any]) -> list[float]:
    """Likewise."""
    times = []
    for _ in range(CALLS):
        start = time.perf_counter()
        interlace.run(experiment)
        times.append((time.perf_counter() - start) * 1e6)
    return times


def main(program: str) -> None:
    print(f"{'experiment':26}{'C++':>10}{'Python':>10}{'more':>10}   microseconds, medians of {ROUNDS * CALLS} calls")
    for name, experiment in EXPERIMENTS.items():
        cpp: list[float] = []
        python: list[float] = []
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            json.dump({"schema": 1, **experiment}, file)
            file.flush()
            for _ in range(ROUNDS):
                cpp += from_cpp(program, file.name)
                python += from_python(experiment)
        medians = statistics.median(cpp), statistics.median(python)
        print(f"{name:26}{medians[0]:10.0f}{medians[1]:10.0f}{medians[1] - medians[0]:10.0f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/interlace_call_bench")
