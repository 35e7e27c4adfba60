# Interlace: sweeps
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""Many points into one file, and the file as a table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native
from ._experiments import Progress
from ._text import Configuration, assignments, file_and_text

if TYPE_CHECKING:
    import pandas as pd


def sweep(
    configuration: Configuration,
    database: Union[str, "os.PathLike[str]"],
    overrides: Optional[Mapping[str, Any]] = None,
    *,
    jobs: int = 1,
    retry_failed: bool = False,
    progress: Optional[Progress] = None,
) -> dict[str, Any]:
    """Runs an experiment for every combination of values, as ``interlace sweep`` does (docs/sweeps.md), and keeps what
    it finds in one SQLite file. Points that are in the file are not run again: a sweep that was interrupted goes on.

    configuration: what a sweep's file says: ``{"experiment": {...}, "sweep": {path: values}}``, as a dictionary
        (without ``name`` it has the database's) or as the path of a YAML file
    database: the file of results, made where it is not there
    overrides: values by their path, in place of those in the configuration: ``{"experiment.network": "torus:8x8"}``
    jobs: points that run side by side, each in a process that is forked for it: 1 to 1024
    retry_failed: run points again that have failed before
    progress: called as ``progress("points", share)``; what it raises ends the sweep

    Returns ``points``, of which ``known`` (in the file before), ``computed`` and ``failed`` (in this run), and
    ``seconds``. A point that fails does not end the sweep; its error is in the file. Ctrl-C ends it at once, and all
    points that had ended are in the file.

    Raises InputError where no point can be read (nothing is written then), and where another process writes the file;
    FellShort where it cannot be written.
    """
    if not 1 <= jobs <= 1024:
        raise ValueError(f"jobs {jobs}; expected 1 to 1024")
    file, text = file_and_text(configuration, name=Path(database).stem)
    return _native.sweep(file, text, assignments(overrides), os.fspath(database), jobs, retry_failed, progress)


def load(database: Union[str, "os.PathLike[str]"], sweep: Optional[str] = None) -> pd.DataFrame:
    """A file of results as a table: a row for each point, by sweep and number; the columns of docs/sweeps.md's view
    ``results``: sweep, number, each path that is swept, status (done, failed, pending), error, each measurement by its
    path in the result (``cycles``, ``queues.injection.high_water``), wall_seconds, finished, seed, version, git_commit,
    hash.

    sweep: the name of one of the file's sweeps; None: all of them

    Numbers have the types int64 (Int64 where some point has none) or float64, truth values are 0 and 1; what a point
    has not is missing, latencies of a load that was not carried among it. Reads while a sweep goes on, too. Needs
    python3-pandas (ImportError without it). Raises InputError for a file that interlace sweep has not written.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            "interlace.load needs pandas; apt-get install --no-install-recommends python3-pandas"
        ) from error

    def column(kind: str, values: list[Any]) -> pd.Series[Any]:
        if kind == "TEXT":
            return pd.Series(values, dtype=object)
        if kind == "REAL":
            return pd.Series(values, dtype="float64")
        return pd.Series(values, dtype="Int64" if None in values else "int64")

    columns = _native.load(os.fspath(database), sweep)
    return pd.DataFrame({name: column(kind, values) for name, kind, values in columns})
