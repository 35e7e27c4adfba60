# Interlace: tests of networks and schedules as arrays
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""Networks against closed formulas and a search in Python; schedules against a replay in Python."""

from __future__ import annotations

import collections
import tempfile
import unittest
from pathlib import Path
from typing import Any

import interlace
import numpy as np
import numpy.typing as npt


def distances(network: interlace.Network) -> npt.NDArray[np.int64]:
    """[nodes, nodes] hops, by breadth-first search from every node along edges()."""
    onwards = collections.defaultdict(list)
    for sender, receiver, _port in network.edges().tolist():
        onwards[sender].append(receiver)
    hops = np.full((network.nodes, network.nodes), -1)
    for source in range(network.nodes):
        hops[source, source] = 0
        queue = collections.deque([source])
        while queue:
            node = queue.popleft()
            for other in onwards[node]:
                if hops[source, other] < 0:
                    hops[source, other] = hops[source, node] + 1
                    queue.append(other)
    return hops


def replay(network: interlace.Network, schedule: npt.NDArray[np.int32], source: int, packets: int) -> set[int]:
    """The nodes that end with every packet; sends that are not possible are assertions."""
    links = {(sender, receiver) for sender, receiver, _ in network.edges().tolist()}
    held = collections.defaultdict(set)
    held[source] = set(range(packets))
    steps = collections.defaultdict(list)
    for step, sender, receiver, packet in schedule.tolist():
        steps[step].append((sender, receiver, packet))
    for step in sorted(steps):
        used = [(sender, receiver) for sender, receiver, _ in steps[step]]
        assert len(set(used)) == len(used)
        assert set(used) <= links
        assert all(packet in held[sender] for sender, _, packet in steps[step])
        for _, receiver, packet in steps[step]:
            held[receiver].add(packet)
    return {node for node in range(network.nodes) if len(held[node]) == packets}


class Networks(unittest.TestCase):
    def test_a_ring_of_eight(self) -> None:
        ring = interlace.Network("torus:8")
        self.assertEqual((ring.nodes, ring.links, ring.degree, ring.degree_min), (8, 16, 2, 2))
        self.assertEqual((ring.diameter, ring.radius), (4, 4))
        np.testing.assert_allclose(ring.histogram, np.array([1, 2, 2, 2, 1]) / 8)
        self.assertEqual(ring.mean_distance, 2)  # n / 4
        self.assertAlmostEqual(ring.mean_distance_distinct, 2 * 8 / 7)
        self.assertFalse(ring.sampled)

    def test_a_torus_is_the_sum_of_its_rings(self) -> None:
        for size in (4, 6, 8):
            torus = interlace.Network(f"torus:{size}x{size}x{size}")
            nodes = size**3
            self.assertEqual(torus.diameter, 3 * (size // 2))
            self.assertAlmostEqual(torus.mean_distance, 3 * size / 4)
            self.assertAlmostEqual(torus.mean_distance_distinct, 3 * size / 4 * nodes / (nodes - 1))

    def test_distances_are_those_of_a_search_along_edges(self) -> None:
        for name in ("ibt:8x8:b=4", "mesh:3x5", "torus:5x4x3"):
            network = interlace.Network(name)
            hops = distances(network)
            self.assertEqual(network.diameter, hops.max())
            self.assertEqual(network.radius, hops.max(axis=1).min())
            self.assertAlmostEqual(network.mean_distance, hops.mean())
            self.assertAlmostEqual(network.mean_distance_distinct, hops.sum() / (hops.size - len(hops)))
            shares = np.bincount(hops.ravel()) / hops.size
            np.testing.assert_allclose(network.histogram, shares)

    def test_edges_of_a_torus_lead_to_neighbours_by_their_ports(self) -> None:
        torus = interlace.Network("torus:4x5")
        edges, places = torus.edges(), torus.coordinates()
        self.assertEqual((edges.shape, edges.dtype), ((80, 3), np.dtype(np.int32)))
        self.assertEqual((places.shape, places.dtype), ((20, 2), np.dtype(np.int32)))
        np.testing.assert_array_equal(places @ [1, 4], np.arange(20))  # x fastest
        ways = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])  # of ports
        sender, receiver, port = edges.T
        np.testing.assert_array_equal(places[receiver], (places[sender] + ways[port]) % [4, 5])
        np.testing.assert_array_equal(sender, np.repeat(np.arange(20), 4))

    def test_a_graph_has_edges_and_no_coordinates(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "graph.csv"
            path.write_text("from,to\n0,1\n1,2\n2,0\n", encoding="utf-8")
            graph = interlace.Network(f"graph:{path}")
        np.testing.assert_array_equal(graph.edges(), [[0, 1, 0], [1, 2, 0], [2, 0, 0]])
        self.assertEqual(graph.mean_distance, 1)  # 0, 1 and 2 hops
        with self.assertRaises(interlace.InputError):
            graph.coordinates()

    def test_what_is_no_network_is_refused(self) -> None:
        for name in ("torus:0x8", "ring:8", "graph:none.csv", ""):
            with self.assertRaises(interlace.InputError):
                interlace.Network(name)

    def test_a_cluster_has_its_switches(self) -> None:
        cluster = interlace.Network("cluster:figure1")
        self.assertEqual(cluster.edges().max() + 1, cluster.nodes)
        self.assertEqual(len(cluster.edges()), cluster.links)


class Schedules(unittest.TestCase):
    def test_a_replay_in_python_ends_with_every_packet_everywhere(self) -> None:
        cases: list[tuple[str, dict[str, Any]]] = [
            ("torus:4x4", {}),
            ("ibt:8x8:b=4", {"algorithm": "paper", "packets": 8}),
            ("mesh:3x3", {"algorithm": "optimal", "source": 4, "packets": 5}),
            ("torus:4x4", {"source": (1, 2), "packets": 3}),
        ]
        for name, options in cases:
            network = interlace.Network(name)
            schedule = interlace.schedule(network, **options)
            self.assertEqual((schedule.ndim, schedule.shape[1], schedule.dtype), (2, 4, np.dtype(np.int32)))
            self.assertTrue((np.diff(schedule[:, 0]) >= 0).all())
            source = options.get("source", 0)
            number = source if isinstance(source, int) else source[0] + 4 * source[1]
            packets = options.get("packets", 32)
            self.assertEqual(len(replay(network, schedule, number, packets)), network.nodes)
            report = interlace.check(network, schedule, source=source, packets=packets)
            self.assertTrue(report["valid"])
            self.assertIsNone(report["problem"])
            self.assertEqual(report["steps"], schedule[-1, 0])
            self.assertEqual(report["sends"], len(schedule))
            self.assertLessEqual(report["lower_bound"], report["steps"])

    def test_a_line_takes_a_step_more_than_packets(self) -> None:
        schedule = interlace.schedule("mesh:3", algorithm="optimal", packets=4)
        # Worked by hand: packets in some order, each over the first link in one step and the second in the next.
        order = schedule[schedule[:, 1] == 0, 3].tolist()
        self.assertEqual(sorted(order), [0, 1, 2, 3])
        expected = [[i + 1, 0, 1, p] for i, p in enumerate(order)] + [[i + 2, 1, 2, p] for i, p in enumerate(order)]
        self.assertEqual(sorted(schedule.tolist()), sorted(expected))

    def test_collectives_bring_everything_everywhere(self) -> None:
        """Replayed here: a packet leaves a node in a step after it came, and no link has two in one step."""
        network = interlace.Network("torus:4x3")
        nodes = network.nodes
        edges = {(a, b) for a, b, _ in network.edges().tolist()}
        everywhere = {(v, p) for v in range(nodes) for p in range(nodes)}
        goals = {
            "allgather": ({(p, p) for p in range(nodes)}, everywhere),
            "scatter": ({(0, p) for p in range(nodes)}, {(p, p) for p in range(nodes)}),
            "alltoall": (
                {(a, a * nodes + b) for a, b in everywhere},
                {(b, a * nodes + b) for a, b in everywhere},
            ),
        }
        for collective, (before, after) in goals.items():
            schedule = interlace.collective_schedule(network, collective)
            self.assertEqual((schedule.shape[1], schedule.dtype), (4, np.dtype(np.int32)))
            self.assertEqual(len({(step, a, b) for step, a, b, _ in schedule.tolist()}), len(schedule))
            came = dict.fromkeys(before, 0)
            for step, sender, receiver, packet in schedule.tolist():
                self.assertIn((sender, receiver), edges)
                self.assertLess(came[sender, packet], step)
                came.setdefault((receiver, packet), step)
            self.assertLessEqual(after, came.keys(), collective)
        # 11 sums come to each of 12 nodes: one part of a sum leaves each other node for each.
        sums = interlace.collective_schedule(network, "reducescatter")
        self.assertEqual((sums.shape, sums[:, 4].tolist()), ((12 * 11, 5), [1] * 12 * 11))
        self.assertEqual(interlace.collective_schedule("torus:4x4", "allreduce", algorithm="swing").shape[1], 7)
        for options in [{"algorithm": "magic"}, {"chunks": 0}]:
            with self.assertRaises(interlace.InputError):
                interlace.collective_schedule(network, "allgather", **options)  # type: ignore[arg-type]
        with self.assertRaises(interlace.InputError):
            interlace.collective_schedule("cluster:figure1", "allgather")

    def test_groups_are_who_receives(self) -> None:
        network = interlace.Network("torus:4x4")
        line = interlace.schedule(network, group="line", axes="y", packets=2)
        self.assertEqual(set(line[:, 2]) | {0}, {0, 4, 8, 12})
        self.assertTrue(interlace.check(network, line, group="line", axes="y", packets=2)["valid"])
        self.assertFalse(interlace.check(network, line, packets=2)["valid"])
        some = interlace.schedule(network, group="nodes:5,10", packets=2)
        self.assertTrue(interlace.check(network, some, group="nodes:5,10", packets=2)["valid"])

    def test_the_checker_finds_what_was_broken(self) -> None:
        network = interlace.Network("mesh:3")
        good = np.array([[1, 0, 1, 0], [2, 1, 2, 0]])
        self.assertTrue(interlace.check(network, good, packets=1)["valid"])
        self.assertTrue(interlace.check(network, good.tolist(), packets=1)["valid"])
        self.assertTrue(interlace.check(network, good[::-1], packets=1)["valid"])
        broken = {
            "never receives": good[:1],
            "does not hold": good[[1, 0]] * [0, 1, 1, 1] + [[1, 0, 0, 0]],
            "no such link": np.array([[1, 0, 2, 0], [1, 0, 1, 0]]),
            "two packets": np.array([[1, 0, 1, 0], [1, 0, 1, 0], [2, 1, 2, 0]]),
        }
        for problem, schedule in broken.items():
            report = interlace.check(network, schedule, packets=1)
            self.assertFalse(report["valid"], problem)
            self.assertIn(problem, report["problem"])
        self.assertFalse(interlace.check(network, [], packets=1)["valid"])

    def test_arrays_that_are_no_schedules_are_refused(self) -> None:
        shapes: list[Any] = [[[1, 0, 1]], [[1.5, 0, 1, 0]], [1, 0, 1, 0]]
        numbers: list[Any] = [[[0, 0, 1, 0]], [[1, -1, 1, 0]], [[1, 0, 2**33, 0]]]
        for schedule in shapes + numbers:
            with self.assertRaises(interlace.InputError):
                interlace.check("mesh:3", schedule, packets=1)

    def test_what_cannot_be_scheduled_is_refused(self) -> None:
        for options in ({"algorithm": "magic"}, {"source": 99}, {"packets": 0}, {"group": "line", "axes": "xy"}):
            with self.assertRaises(interlace.InputError):
                interlace.schedule("torus:4x4", **options)  # type: ignore[arg-type]
        with self.assertRaises(interlace.InputError):
            interlace.schedule("cluster:figure1")


if __name__ == "__main__":
    unittest.main()
