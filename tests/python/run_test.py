# Interlace: tests of interlace.run()
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""A result is the command's, an error says where it is, and Python goes on beside."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Optional

import interlace

# On a line of three nodes packets cross two links, one after another: p packets take p + 1 steps.
LINE: dict[str, Any] = {"network": "mesh:3", "broadcast": {"packets": 5, "algorithm": "optimal"}}
TRAFFIC: dict[str, Any] = {"network": "torus:4x4", "traffic": {"load": 0.1, "warmup": 100, "cycles": 500}}
# Hours of work.
ENDLESS: dict[str, Any] = {"network": "torus:8x8", "traffic": {"load": 0.3, "cycles": 10**9}}
ENDLESS_PLAN: dict[str, Any] = {"network": "torus:32x32", "broadcast": {"packets": 100_000, "algorithm": "optimal"}}
ENDLESS_BROADCAST: dict[str, Any] = {
    "network": "torus:8x8",
    "broadcast": {"packets": 20_000},
    "engine": "native",
    "links": {"cycles_per_flit": 255},
}


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([os.environ["INTERLACE_COMMAND"], *arguments], capture_output=True, text=True, check=False)


class Interrupt:
    """Ctrl-C, a while after the beginning."""

    def __init__(self, seconds: float) -> None:
        self.sent: Optional[float] = None
        self.timer = threading.Timer(seconds, self.send)

    def send(self) -> None:
        self.sent = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    def __enter__(self) -> Interrupt:
        self.timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.timer.cancel()

    def seconds_ago(self) -> float:
        assert self.sent is not None
        return time.monotonic() - self.sent


class InAFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text: str, name: str = "experiment.yaml") -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


class Results(InAFolder):
    def test_a_line_of_three_nodes_takes_a_step_more_than_packets(self) -> None:
        for packets in (1, 2, 7):
            result = interlace.run(LINE, {"broadcast.packets": packets})
            self.assertEqual(result["steps"], packets + 1)
            self.assertEqual(result["lower_bound"], packets + 1)

    def test_results_are_those_of_the_command(self) -> None:
        collective = {"network": "cluster:figure1", "alltoall": {"message": "1KiB"}}
        for experiment in (LINE, TRAFFIC, {**LINE, "engine": "native"}, collective):
            path = self.write(json.dumps({"schema": 1, **experiment}))
            printed = json.loads(command("run", str(path), "--json").stdout)
            printed.pop("router_cycles_per_second", None)
            self.assertEqual(interlace.run(experiment), printed)
            self.assertEqual(interlace.run(path), printed)
            self.assertEqual(interlace.run(str(path), own_process=True), printed)

    def test_records_are_those_of_the_command(self) -> None:
        native = {**LINE, "engine": "native"}
        path = self.write(json.dumps({"schema": 1, **native}))
        records = {"trace": "run.json", "packet_log": "packets.csv", "queue_use": "queues.csv"}
        for maker in ("command", "package"):
            (self.folder / maker).mkdir()
        files = {name: str(self.folder / "command" / file) for name, file in records.items()}
        flags = [text for name, file in files.items() for text in ("--" + name.replace("_", "-"), file)]
        printed = json.loads(command("run", str(path), "--json", "--details", *flags).stdout)
        printed.pop("router_cycles_per_second", None)
        own: dict[str, Any] = {name: self.folder / "package" / file for name, file in records.items()}
        self.assertEqual(interlace.run(native, details=True, **own), printed)
        self.assertIn("wavefront", printed)
        self.assertEqual(interlace.run(native, details=True, own_process=True), printed)
        for file in records.values():
            written = (self.folder / "command" / file).read_bytes()
            self.assertEqual((self.folder / "package" / file).read_bytes(), written)
            self.assertTrue(written)

    def test_collectives_have_no_records(self) -> None:
        with self.assertRaisesRegex(interlace.InputError, "no details"):
            interlace.run({"network": "cluster:figure1", "alltoall": {"message": "1KiB"}}, details=True)

    def test_overrides_replace_values_of_any_type(self) -> None:
        path = self.write("schema: 1\nnetwork: mesh:3\nbroadcast: {packets: 5}\n")
        node = {"base": "bgl", "vc_depth": 16}
        result = interlace.run(
            path, {"network": "ibt:8x8:b=4", "engine": "native", "node": node, "occupancy": False}
        )
        experiment = result["experiment"]
        self.assertEqual(experiment["network"], "ibt:8x8:b=4")
        self.assertEqual(experiment["node"]["vc_depth"], 16)
        self.assertEqual(experiment["broadcast"]["packets"], 5)
        self.assertNotIn("histogram", result["queues"]["injection"])

    def test_a_resolved_experiment_runs_to_the_same_result(self) -> None:
        result = interlace.run(TRAFFIC)
        self.assertEqual(interlace.run(result["experiment"]), result)

    def test_systemc_nodes_run_again_and_again(self) -> None:
        experiment = {**LINE, "engine": "systemc"}
        try:
            interlace.run(experiment)
        except interlace.InputError as error:
            self.skipTest(str(error))
        for network in ("mesh:3", "torus:4x4", "mesh:3"):
            native = interlace.run(experiment, {"network": network, "engine": "native"})
            self.assertEqual(interlace.run(experiment, {"network": network})["cycles"], native["cycles"])


class Errors(InAFolder):
    def refused(self, *arguments: Any, **keywords: Any) -> interlace.InputError:
        with self.assertRaises(interlace.InputError) as caught:
            interlace.run(*arguments, **keywords)
        return caught.exception

    def test_an_error_in_a_file_has_its_place(self) -> None:
        path = str(self.write("schema: 1\nnetwork: mesh:3\nbroadcast:\n  packets: 0\n"))
        for own_process in (False, True):
            error = self.refused(path, own_process=own_process)
            self.assertEqual((error.file, error.line, error.key), (path, 4, "packets"))
            self.assertIn("1", error.expected or "")
            self.assertEqual(f"interlace: {error}\n", command("run", path).stderr)
            self.assertTrue(str(error).endswith(f"; expected {error.expected}"))

    def test_what_a_run_finds_wrong_has_its_place(self) -> None:
        path = str(self.write("schema: 1\nnetwork: mesh:3\nbroadcast:\n  source: 3\n"))
        error = self.refused(path)
        self.assertEqual((error.file, error.line, error.key), (path, 4, "source"))
        self.assertEqual(f"interlace: {error}\n", command("run", path).stderr)

    def test_an_error_in_a_file_that_is_named_has_the_place_there(self) -> None:
        node = str(self.write("schema: 1\nvc_depth: deep\n", "node.yaml"))
        error = self.refused({**LINE, "engine": "native", "node": {"base": node}})
        self.assertEqual((error.file, error.line, error.key), (node, 2, "vc_depth"))
        graph = str(self.write("from,to\n0,1\n1,x\n", "graph.csv"))
        error = self.refused({**LINE, "network": f"graph:{graph}"})
        self.assertEqual((error.file, error.line), (graph, 3))

    def test_a_dictionary_has_keys_and_no_lines(self) -> None:
        error = self.refused({"network": "mesh:3", "broadcast": {"packet": 5}})
        self.assertEqual((error.file, error.line, error.key), (None, None, "packet"))
        self.assertIn("packets", error.expected or "")
        self.assertTrue(str(error).startswith("packet: "), str(error))
        self.assertEqual(self.refused(LINE, {"broadcast.packets": -1}).key, "packets")

    def test_what_is_no_experiment_is_refused(self) -> None:
        self.refused({})
        self.refused(str(self.folder / "none.yaml"))
        self.refused(self.folder)
        self.refused({**LINE, "schema": 2})
        with self.assertRaises(TypeError):
            interlace.run({**LINE, "network": object()})

    def test_errors_are_values_that_can_be_sent(self) -> None:
        error = self.refused({"network": "mesh:3", "broadcast": {"packet": 5}})
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.key, again.expected), (str(error), error.key, error.expected))
        self.assertIsInstance(error, ValueError)

    def test_a_load_that_is_not_carried_falls_short(self) -> None:
        experiment = {**LINE, "network": "torus:4x4", "engine": "native", "background": {"load": 3}, "seeds": 1}
        for own_process in (False, True):
            with self.assertRaises(interlace.FellShort):
                interlace.run(experiment, own_process=own_process)

    def test_notes_are_warnings_of_the_caller(self) -> None:
        # Switches that never make a sender wait, although they could.
        experiment = {"network": "cluster:figure1", "allgather": {"message": 1}, "event": {"flow": "credit"}}
        for own_process in (False, True):
            with self.assertWarns(UserWarning) as caught:
                interlace.run(experiment, own_process=own_process)
            self.assertEqual(os.path.realpath(caught.filename), os.path.realpath(__file__))


class Meanwhile(unittest.TestCase):
    def test_ctrl_c_ends_a_run(self) -> None:
        for experiment in (ENDLESS, ENDLESS_PLAN, ENDLESS_BROADCAST):
            with self.subTest(experiment=experiment), Interrupt(0.5) as interrupt:
                with self.assertRaises(KeyboardInterrupt):
                    interlace.run(experiment)
                # Of one second, on a machine that may be busy; the run would have taken hours.
                self.assertLess(interrupt.seconds_ago(), 10)

    def test_ctrl_c_ends_a_process_of_its_own(self) -> None:
        with Interrupt(0.5) as interrupt:
            with self.assertRaises(KeyboardInterrupt):
                interlace.run(ENDLESS, own_process=True)
            self.assertLess(interrupt.seconds_ago(), 10)

    def test_a_run_after_one_that_was_ended_is_as_any(self) -> None:
        expected = interlace.run(TRAFFIC)
        with Interrupt(0.2), self.assertRaises(KeyboardInterrupt):
            interlace.run(ENDLESS)
        self.assertEqual(interlace.run(TRAFFIC), expected)

    def test_progress_is_told_and_may_end_the_run(self) -> None:
        told: list[tuple[str, float]] = []

        def progress(stage: str, share: float) -> None:
            told.append((stage, share))
            if len(told) == 5:
                raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            interlace.run(ENDLESS, progress=progress)
        self.assertEqual(len(told), 5)
        self.assertEqual({stage for stage, _ in told}, {"run"})
        shares = [share for _, share in told]
        self.assertEqual(shares, sorted(shares))
        self.assertTrue(all(0 <= share <= 1 for share in shares))

    def test_other_threads_go_on(self) -> None:
        ticks = 0
        over = threading.Event()

        def tick() -> None:
            nonlocal ticks
            while not over.wait(0.01):
                ticks += 1

        other = threading.Thread(target=tick)
        other.start()
        started = time.monotonic()
        # While the interpreter's lock is held, no other thread counts.
        interlace.run(ENDLESS, {"traffic.cycles": 100_000}, own_process=False)
        during, seconds = ticks, time.monotonic() - started
        over.set()
        other.join()
        self.assertGreater(during, min(5, seconds / 0.1))

    def test_runs_of_several_threads_are_as_one_by_one(self) -> None:
        experiments = [TRAFFIC, LINE, {**LINE, "engine": "native"}, {**TRAFFIC, "seed": 7}]
        expected = [interlace.run(experiment) for experiment in experiments]
        results: dict[int, dict[str, Any]] = {}

        def run(i: int) -> None:
            results[i] = interlace.run(experiments[i % 4])

        threads = [threading.Thread(target=run, args=(i,)) for i in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for i, result in results.items():
            self.assertEqual(result, expected[i % 4])
        self.assertEqual(len(results), 16)

    def test_a_daemon_thread_in_a_run_does_not_hinder_the_end(self) -> None:
        for work in ("interlace.run(ENDLESS, own_process=False)",
                     "interlace.run(ENDLESS, own_process=False, progress=lambda *_: None)",
                     "interlace.run(ENDLESS, {'regions': 2, 'threads': 2}, own_process=False)",
                     "interlace.run(ENDLESS, own_process=True)",
                     "[interlace.Network('mesh:40x40x40').mean_distance for _ in range(1000)]"):
            with self.subTest(work):
                script = (f"import interlace, threading, time\nENDLESS = {ENDLESS!r}\n"
                          f"threading.Thread(target=lambda: {work}, daemon=True).start()\ntime.sleep(0.3)\n")
                ended = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE, timeout=60)
                self.assertEqual((ended.returncode, ended.stderr), (0, b""))

    def test_a_child_runs_beside_a_thread_of_its_parent(self) -> None:
        script = f"""
import interlace, os, signal, threading, time
threading.Thread(target=lambda: interlace.run({ENDLESS!r}, own_process=False), daemon=True).start()
time.sleep(0.3)
child = os.fork()
if child == 0:
    signal.alarm(50)
    os._exit(interlace.run({LINE!r})["steps"])
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
        # Python 3.12 warns of every fork beside a thread.
        ended = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", script], stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((ended.returncode, ended.stderr), (6, b""))

    def test_a_run_may_stand_in_the_progress_of_another(self) -> None:
        inner: list[int] = []

        def progress(_stage: str, _share: float) -> None:
            inner.append(interlace.run(LINE)["steps"])
            raise LookupError

        with self.assertRaises(LookupError):
            interlace.run(ENDLESS, progress=progress)
        self.assertEqual(inner, [6])


if __name__ == "__main__":
    unittest.main()
