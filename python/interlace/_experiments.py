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

#: Called during a long run with its stage and the share of it that is complete, 0 to 1.
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
    """Runs an experiment and returns its result: the object that ``interlace run --json`` prints, without the speed of
    this machine.

    configuration: the contents of a configuration file (docs/configuration.md) as a dictionary, in which ``schema`` is
        optional, or the path of a YAML file. Relative file names in it refer to the current folder.
    overrides: values that replace those of the configuration, by path: ``{"node.vc_depth": 16}``
    progress: called as ``progress(stage, share)``, share from 0 to 1, at most about twenty times a second. A short run
        may not call it. An exception that it raises ends the run.
    own_process: run in a forked process. This costs milliseconds and reports no progress, but Ctrl-C ends it at any
        time, and a crash becomes an exception. Runs with SystemC nodes always use it.
    details: add each link's use, and the time at which each node had each packet, for ``interlace report``.
    trace: write every packet's path to this file: FILE.json for Perfetto or Chrome, or FILE.vcd, a waveform of the
        output pins of ``trace_nodes`` ("0,5,17").
    packet_log: write each packet's birth, injection, hops and arrival to this CSV file.
    queue_use: write each queue's mean, maximum and stall cycles to this CSV file.

    ``details``, ``trace``, ``packet_log`` and ``queue_use`` apply to broadcasts, traffic and collectives over links
    under one seed. Names in the result carry their units: ``steps``, ``cycles``, ``seconds``; loads are in
    flits/node/cycle. The same configuration and seed give the same result. Notes are issued as warnings.

    Other Python threads continue during a run, but only one run executes at a time; :func:`sweep` runs many. Ctrl-C
    ends a run within a second, except where an engine reports no progress (docs/python.md).

    Raises InputError for an invalid configuration, FellShort for a run that fails (a deadlock), MemoryError, and
    RuntimeError for a fault of interlace itself.
    """
    file, text = file_and_text(configuration)
    files = (fspath(trace), trace_nodes, fspath(packet_log), fspath(queue_use))
    result: dict[str, Any] = json.loads(
        _native.run(file, text, assignments(overrides), details, *files, own_process, progress)
    )
    return result
