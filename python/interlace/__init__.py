# Interlace: torus, interlaced-bypass-torus and cluster networks, and the collectives that run on them
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""Torus, interlaced-bypass-torus and cluster networks, and the collectives that run on them.

    import interlace
    result = interlace.run({"network": "torus:8x8", "broadcast": {"packets": 32}})
    result["steps"], result["lower_bound"]

run() takes any experiment of docs/configuration.md; Network, schedule(), collective_schedule() and check() give and
take numpy arrays; sweep() runs many points into a file and load() reads it as a pandas.DataFrame. docs/python.md has
more.
"""

from ._errors import FellShort, InputError
from ._experiments import run
from ._native import version as __version__
from ._networks import Network, check, collective_schedule, schedule
from ._sweeps import load, sweep

__all__ = [
    "FellShort",
    "InputError",
    "Network",
    "__version__",
    "check",
    "collective_schedule",
    "load",
    "run",
    "schedule",
    "sweep",
]
