# Interlace: experiments
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""Experiments of any kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any, Callable, Optional, Union

from . import _native
from ._text import Configuration, assignments, file_and_text

#: Hears of a long run: the stage that it is in, and the share of it that is done, 0 to 1.
Progress = Callable[[str, float], object]


def run(
    configuration: Configuration,
    overrides: Optional[Mapping[str, Any]] = None,
    *,
    progress: Optional[Progress] = None,
    own_process: bool = False,
    details: bool = False,
    trace: Union[str, PathLike[str]] = "",
    trace_nodes: str = "0",
    packet_log: Union[str, PathLike[str]] = "",
    queue_use: Union[str, PathLike[str]] = "",
) -> dict[str, Any]:
    """Runs an experiment and returns its result: what ``interlace run --json`` prints but for this machine's speed.

    configuration: what a configuration file says (docs/experiments.md), as a dictionary (``schema`` may be left
        out) or as the path of a YAML file. Files that it names are looked for in the current folder.
    overrides: values by their path, in place of those in the configuration: ``{"node.vc_depth": 16}``
    progress: called some twenty times a second at most as ``progress(stage, share)``, share from 0 to 1; not by
        what is over sooner. What it raises ends the run.
    own_process: run in a process that is forked for it. It costs milliseconds and tells nothing of progress, but
        Ctrl-C ends it wherever it is, and a crash is an exception. Where SystemC nodes take part, it is always so.
    details: put each link's use, and when each node had each packet, into the result, for ``interlace report``.
    trace: write every packet's path to this file, FILE.json for Perfetto or Chrome, or FILE.vcd, a waveform of the
        output pins of ``trace_nodes`` ("0,5,17").
    packet_log: write each packet's birth, injection, hops and arrival to this CSV file.
    queue_use: write each queue's mean, maximum and stall cycles to this CSV file.

    These are for broadcasts and traffic, and for one seed. The result has the units of its names: ``steps``, ``cycles``, ``seconds``, loads in flits/node/cycle. The
    same configuration and seed give the same result. Notes come as warnings.

    Other Python threads go on meanwhile, but runs take turns: for many at a time see :func:`sweep`. Ctrl-C ends a
    run within a second, except where an engine tells nothing of its progress (docs/python.md).

    Raises InputError where the configuration is wrong, FellShort where it cannot come about (a run that is stuck),
    MemoryError, and RuntimeError for a fault of interlace itself.
    """
    file, text = file_and_text(configuration)
    files = (fspath(trace), trace_nodes, fspath(packet_log), fspath(queue_use))
    result: dict[str, Any] = json.loads(
        _native.run(file, text, assignments(overrides), details, *files, own_process, progress)
    )
    return result
