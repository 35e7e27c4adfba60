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
    """Runs an experiment for every combination of values, as ``interlace sweep`` does (docs/sweeps.md), and stores the
    results in an SQLite file. Points that the file already holds are not run again, so a sweep that was interrupted
    resumes.

    configuration: the contents of a sweep file, ``{"experiment": {...}, "sweep": {path: values}}``, as a dictionary
        (``name`` defaults to the name of the database), or the path of a YAML file
    database: the file of results; created if it does not exist
    overrides: values that replace those of the configuration, by path: ``{"experiment.network": "torus:8x8"}``
    jobs: points that run at a time, each in a forked process: 1 to 1024
    retry_failed: run points that failed before again
    progress: called as ``progress("points", share)``; an exception that it raises ends the sweep

    Returns ``points``, the number of points; ``known``, those that the file held before; ``computed`` and ``failed``,
    those of this call; and ``seconds``. A point that fails does not end the sweep; its error is stored in the file.
    Ctrl-C ends the sweep at once; the file then holds every point that had finished.

    Raises InputError where no point can be read (nothing is written then) or another process writes the file, and
    FellShort where the file cannot be written.
    """
    if not 1 <= jobs <= 1024:
        raise ValueError(f"jobs {jobs}; expected 1 to 1024")
    file, text = file_and_text(configuration, name=Path(database).stem)
    return _native.sweep(file, text, assignments(overrides), os.fspath(database), jobs, retry_failed, progress)


def load(database: Union[str, "os.PathLike[str]"], sweep: Optional[str] = None) -> pd.DataFrame:
    """Returns a file of results as a table with one row for each point, ordered by sweep and number.

    The columns are those of the view ``results`` (docs/sweeps.md): sweep, number, each swept path, status (done,
    failed, pending), error, each measurement by its path in the result (``cycles``, ``queues.injection.high_water``),
    wall_seconds, finished, seed, version, git_commit, hash.

    sweep: name of one of the file's sweeps; None: all of them

    Integers have the type int64, or Int64 where a point has none; other numbers float64; truth values are 0 and 1. A
    value that a point does not have is missing, for example the latency of a saturated load. A sweep that
    is still running can be read. Needs python3-pandas (ImportError without it). Raises InputError for a file that
    ``interlace sweep`` did not write.
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
