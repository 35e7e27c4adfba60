# Interlace: tests of sweeps and their tables
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""A sweep goes on where it was, and its file is one wide table, for pandas and for anyone."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest import mock

import interlace
import numpy as np

# On a line of three nodes p packets take p + 1 steps, whatever the node.
SWEEP: dict[str, Any] = {
    "experiment": {"network": "mesh:3", "broadcast": {"algorithm": "optimal"}, "engine": "native"},
    "sweep": {"broadcast.packets": [2, 4, 9], "node.vc_depth": [16, 32]},
}


class InAFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.database = Path(folder.name) / "line.db"

    def sql(self, statement: str) -> list[Any]:
        with closing(sqlite3.connect(self.database)) as connection:
            rows = connection.execute(statement).fetchall()
            connection.commit()
            return rows


class Sweeps(InAFolder):
    def test_points_are_run_once(self) -> None:
        told: list[tuple[str, float]] = []
        first = interlace.sweep(SWEEP, self.database, jobs=2, progress=lambda stage, share: told.append((stage, share)))
        self.assertEqual({**first, "seconds": 0}, {"points": 6, "known": 0, "computed": 6, "failed": 0, "seconds": 0})
        self.assertEqual(told[-1], ("points", 1.0))
        again = interlace.sweep(SWEEP, str(self.database))
        self.assertEqual((again["known"], again["computed"]), (6, 0))
        more = interlace.sweep(SWEEP, self.database, {"sweep": {"broadcast.packets": [2, 3], "node.vc_depth": 16}})
        self.assertEqual((more["points"], more["known"], more["computed"]), (2, 1, 1))

    def test_a_file_is_swept_as_the_command_does(self) -> None:
        file = self.database.parent / "study.yaml"
        file.write_text(
            "schema: 1\nexperiment: {network: 'mesh:3', broadcast: {}}\nsweep: {broadcast.packets: [2, 3]}\n",
            encoding="utf-8",
        )
        interlace.sweep(file, self.database)
        command = os.environ["INTERLACE_COMMAND"]
        printed = subprocess.run(
            [command, "sweep", str(file), "-o", str(self.database)], capture_output=True, text=True, check=True
        )
        self.assertIn("2 points, 0 computed, 0 failed, 2 already there", printed.stdout)

    def test_a_point_that_fails_does_not_end_the_sweep(self) -> None:
        ended = interlace.sweep(SWEEP, self.database, {"sweep": {"network": ["mesh:3", "nowhere"]}})
        self.assertEqual((ended["computed"], ended["failed"]), (1, 1))
        self.assertEqual(self.sql("SELECT status, error IS NULL FROM results"), [("done", 1), ("failed", 0)])

    def test_wrong_input_is_refused_and_nothing_written(self) -> None:
        wrong: list[tuple[Any, Any]] = [
            ({"experiment": {}}, {}),
            ({"experiment": {"network": "mesh:3", "broadcast": {}}, "swep": {}}, {}),
            (SWEEP, {"sweep": {"broadcast.packet": [1, 2]}}),
            ("none.yaml", {}),
        ]
        for configuration, overrides in wrong:
            with self.assertRaises(interlace.InputError):
                interlace.sweep(configuration, self.database, overrides)
            self.assertFalse(self.database.exists())
        with self.assertRaises(ValueError):
            interlace.sweep(SWEEP, self.database, jobs=0)

    def test_ctrl_c_ends_it_and_it_goes_on(self) -> None:
        # The last point takes hours.
        endless = {
            "experiment": {"network": "torus:4x4", "traffic": {"load": 0.1, "warmup": 0}},
            "sweep": {"traffic.cycles": [100, 200, 10**9]},
        }
        sent: list[float] = []

        def interrupt(_stage: str, share: float) -> None:
            if 0.6 < share < 1 and not sent:
                sent.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            interlace.sweep(endless, self.database, progress=interrupt)
        self.assertLess(time.monotonic() - sent[0], 10)
        self.assertEqual(self.sql("SELECT count(*) FROM point WHERE status = 'done'"), [(2,)])
        ended = interlace.sweep(endless, self.database, {"sweep": {"traffic.cycles": [100, 200, 300]}})
        self.assertEqual((ended["known"], ended["computed"]), (2, 1))

    def test_other_threads_run_beside_a_sweep(self) -> None:
        over = threading.Event()
        products = 0

        def multiply() -> None:
            nonlocal products
            matrix = np.eye(100)
            while not over.is_set():
                matrix = matrix @ matrix
                products += 1

        results: list[dict[str, Any]] = []
        threads = [
            threading.Thread(target=multiply),
            threading.Thread(target=lambda: results.append(interlace.run(SWEEP["experiment"]))),
            threading.Thread(target=lambda: results.append(interlace.sweep(SWEEP, self.database, jobs=3))),
        ]
        for thread in threads:
            thread.start()
        for thread in threads[1:]:
            thread.join()
        over.set()
        threads[0].join()
        self.assertGreater(products, 0)
        self.assertEqual(len(results), 2)
        self.assertEqual(self.sql("SELECT count(*) FROM point WHERE status = 'done'"), [(6,)])


class Tables(InAFolder):
    def setUp(self) -> None:
        super().setUp()
        interlace.sweep(SWEEP, self.database)

    def test_the_view_has_what_varies_and_what_was_measured(self) -> None:
        rows = self.sql('SELECT number, "broadcast.packets", "node.vc_depth", steps, status FROM results')
        expected = [(2 * i + j, p, d, p + 1, "done") for i, p in enumerate((2, 4, 9)) for j, d in enumerate((16, 32))]
        self.assertEqual(rows, expected)

    def test_the_view_says_what_the_key_value_tables_say(self) -> None:
        names = [name for (name,) in self.sql("SELECT DISTINCT name FROM measurement")]
        self.assertGreater(len(names), 20)
        for name in names:
            wide = self.sql(f'SELECT hash, "{name}" FROM results WHERE "{name}" IS NOT NULL ORDER BY hash')
            self.assertEqual(wide, self.sql(f"SELECT hash, value FROM measurement WHERE name = '{name}' ORDER BY hash"))

    def test_columns_have_one_type_each(self) -> None:
        other = {"links.latency": [1, 2], "node.vc_depth": 16}
        interlace.sweep(SWEEP, self.database, {"name": "mixed", "sweep": other})
        for row in self.sql("PRAGMA table_info(results)"):
            types = self.sql(f'SELECT DISTINCT typeof("{row[1]}") FROM results WHERE "{row[1]}" IS NOT NULL')
            self.assertLessEqual(len(types), 1, row[1])

    def test_load_is_the_view(self) -> None:
        pandas = _pandas(self)
        table = interlace.load(self.database)
        with closing(sqlite3.connect(self.database)) as connection:
            view = pandas.read_sql("SELECT * FROM results", connection)
        self.assertEqual(list(table.columns), list(view.columns))
        for name in table.columns:
            self.assertEqual(table[name].isna().tolist(), view[name].isna().tolist(), name)
            self.assertEqual(table[name].dropna().tolist(), view[name].dropna().tolist(), name)
        self.assertEqual(str(table["steps"].dtype), "int64")
        self.assertEqual(str(table["cycles_per_step"].dtype), "float64")
        self.assertEqual((table["steps"] - table["broadcast.packets"]).tolist(), [1] * 6)

    def test_without_pandas_load_names_its_package(self) -> None:
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(ImportError, "apt-get install --no-install-recommends python3-pandas"):
                interlace.load(self.database)

    def test_load_does_without_the_view(self) -> None:
        _pandas(self)
        expected = interlace.load(self.database)
        self.sql("DROP VIEW results")
        self.assertTrue(interlace.load(self.database).equals(expected))

    def test_a_table_of_ones_own_stays(self) -> None:
        self.sql("DROP VIEW results")
        self.sql("CREATE TABLE results (mine)")
        interlace.sweep(SWEEP, self.database)
        self.assertEqual(self.sql("SELECT type FROM sqlite_master WHERE name = 'results'"), [("table",)])

    def test_several_sweeps_share_a_file(self) -> None:
        _pandas(self)
        traffic = {"network": "torus:4x4", "traffic": {"warmup": 100, "cycles": 200}}
        interlace.sweep({"name": "load", "experiment": traffic, "sweep": {"traffic.load": [0.1, 0.2]}}, self.database)
        self.assertEqual(len(interlace.load(self.database)), 8)
        loads = interlace.load(self.database, "load")
        self.assertEqual(loads["traffic.load"].tolist(), [0.1, 0.2])
        self.assertNotIn("broadcast.packets", loads)
        lines = interlace.load(self.database, "line")
        self.assertEqual(len(lines), 6)
        self.assertNotIn("latency_mean", lines)
        with self.assertRaises(interlace.InputError):
            interlace.load(self.database, "nothing")

    def test_what_a_point_has_not_is_missing(self) -> None:
        pandas = _pandas(self)
        interlace.sweep(SWEEP, self.database, {"sweep": {"network": ["nowhere", "mesh:3"]}})
        table = interlace.load(self.database)
        self.assertEqual(str(table["steps"].dtype), "Int64")
        self.assertTrue(pandas.isna(table["steps"][0]))
        self.assertEqual(table["status"].tolist(), ["failed", "done"])

    def test_what_is_no_file_of_results_is_refused(self) -> None:
        _pandas(self)
        other = self.database.parent / "other.db"
        for text in (None, "no database at all"):
            if text is not None:
                other.write_text(text, encoding="utf-8")
            with self.assertRaises(interlace.InputError):
                interlace.load(other)


def _pandas(test: unittest.TestCase) -> Any:
    try:
        import pandas
    except ImportError as error:
        test.skipTest(str(error))
    return pandas


if __name__ == "__main__":
    unittest.main()
