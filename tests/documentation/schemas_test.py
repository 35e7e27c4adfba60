# Interlace: shipped configuration files, and the experiments in results, fulfil the JSON Schemas of configs/schema
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
import warnings

try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"skipped: {error}; scripts/test installs python3-jsonschema and python3-yaml")
    sys.exit(77)

warnings.filterwarnings("ignore", category=DeprecationWarning)  # newer versions would have `referencing`, older ones do not

root = pathlib.Path(os.environ["INTERLACE_ROOT"])
folder = root / "configs" / "schema"
schemas = {path.name: json.loads(path.read_text()) for path in folder.glob("*.json")}

# The comment by which an editor finds the schema.
named = re.compile(r"^# yaml-language-server: \$schema=(.*)$", re.MULTILINE)


def validator(name: str) -> jsonschema.Draft7Validator:
    base = "file:///schema/"
    store = {base + other: schema for other, schema in schemas.items()}
    return jsonschema.Draft7Validator(schemas[name], resolver=jsonschema.RefResolver(base + name, schemas[name], store=store))


def faults(name: str, document: object) -> list[str]:
    return [f"{'.'.join(map(str, error.path))}: {error.message}" for error in validator(name).iter_errors(document)]


class Schemas(unittest.TestCase):
    def test_are_schemas(self) -> None:
        self.assertEqual(len(schemas), 6)
        for schema in schemas.values():
            jsonschema.Draft7Validator.check_schema(schema)

    def test_hold_for_every_shipped_file(self) -> None:
        files = [path for kind in ("clusters", "hosts", "links", "networks", "nodes", "sizing") for path in (root / "configs" / kind).glob("*.yaml")]
        self.assertGreater(len(files), 30)
        for path in files:
            with self.subTest(file=path.name):
                text = path.read_text()
                schema = named.search(text)
                self.assertIsNotNone(schema)
                self.assertTrue((path.parent / schema[1]).samefile(folder / pathlib.Path(schema[1]).name))
                self.assertEqual(faults(pathlib.Path(schema[1]).name, yaml.safe_load(text)), [])

    def test_hold_for_the_experiment_of_a_result(self) -> None:
        commands = ["broadcast torus:4x4 --packets 2", "broadcast torus:4x4 --packets 2 --engine native --background 0.01", "traffic torus:4x4 --cycles 500", "capacity torus:4x4", "allgather cluster:figure1", "alltoall cluster:figure1", "multicast cluster:hnow"]
        for command in commands:
            with self.subTest(command=command):
                printed = subprocess.run([os.environ["INTERLACE_COMMAND"], *command.split(), "--json"], stdout=subprocess.PIPE, check=True)
                self.assertEqual(faults("experiment.json", json.loads(printed.stdout)["experiment"]), [])

    def test_mark_mistakes(self) -> None:
        good = {"schema": 1, "network": "torus:4x4", "traffic": {"load": 0.1}, "node": {"vcs": 2}}
        self.assertEqual(faults("experiment.json", good), [])
        for mistake in (
            {"node": {"vcs": 5}},
            {"node": {"vsc": 2}},
            {"traffic": {"load": 0}},
            {"traffic": {"packet_flits": {"65": 1}}},
            {"broadcast": {}},  # two kinds
            {"capacity": {}},
            {"tree": "bfs"},  # of clusters only
            {"schema": 2},
            {"engine": "step"},
            {"network": {"kind": "torus", "size": "4x4", "bypas": 3}},
            {"network": {"kind": "torus"}},
        ):
            with self.subTest(mistake=mistake):
                self.assertNotEqual(faults("experiment.json", good | mistake), [])

    def test_tell_what_belongs_together(self) -> None:
        """A part of a file, and whether it is a good one."""
        clusters = {"kind": "cluster", "switches": 2, "machines": [0, 1], "trunks": [[0, 1]]}
        study = {"schema": 1, "experiment": {"network": "torus:4x4", "node": {"vcs": 2}}, "sweep": {"broadcast.packets": [1, 2]}}
        collective = {"schema": 1, "network": "cluster:figure1"}
        for name, document, good in (
            ("cluster.json", {"network": clusters}, True),
            ("cluster.json", {"network": clusters | {"machines": 4}}, False),
            ("cluster.json", {"network": clusters | {"degree": 2}}, False),
            ("cluster.json", {"network": {"kind": "random_cluster", "switches": 8, "machines": 8, "degree": 2.5}}, True),
            ("cluster.json", {"network": {"kind": "random_cluster", "switches": 8, "machines": 8}}, False),
            ("study.json", study, True),
            ("study.json", study | {"size": {}}, False),
            ("study.json", study | {"zip": [{"node.vcs": []}]}, False),
            ("study.json", study | {"sweep": {"seed": {"from": 1, "to": 9, "scale": "log"}}}, False),
            ("study.json", study | {"sweep": {"seed": {"from": 1, "to": 9, "factor": 2, "scale": "linear"}}}, False),
            ("study.json", study | {"experiment": {"network": "torus:4x4", "traffic": {}, "broadcast": {}}}, False),
            ("experiment.json", collective | {"alltoall": {"sync": "none"}}, True),
            ("experiment.json", collective | {"alltoall": {"algorithm": "pairwise", "sync": "none"}}, False),
            ("experiment.json", collective | {"alltoall": {"reorder": True}}, False),
            ("experiment.json", collective | {"multicast": {"sources": 3}}, False),
            ("experiment.json", collective | {"replay": {}}, False),
        ):
            with self.subTest(document=document):
                self.assertEqual(faults(name, document) == [], good)


if __name__ == "__main__":
    unittest.main()
