# Interlace: the units that reports show, and those of docs/metrics.md and configs/schema
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import unittest

root = pathlib.Path(os.environ["INTERLACE_ROOT"])


def labels() -> dict[str, tuple[str, str]]:
    """Name to label and unit, as host/report/column_labels.cpp lists them; those of results of capacity alone have a prefix."""
    general, of_capacity = (root / "host" / "report" / "column_labels.cpp").read_text().split("rows_of_capacity = {")
    return {prefix + name: (label, unit) for prefix, source in (("", general), ("capacity:", of_capacity)) for name, label, unit in re.findall(r'Row\{"([^"]+)", "([^"]+)", "([^"]*)"\}', source)}


def measured() -> dict[str, str]:
    """Name to unit, of tables with the columns key, unit and meaning."""
    units = {}
    prefix = ""
    for line in (root / "docs" / "metrics.md").read_text().splitlines():
        if heading := re.match(r"#+ (.*)", line):
            prefix = {"Background traffic": "background.", "Queues": "queues.*.", "Capacity": "capacity:"}.get(heading.group(1), "")
        if row := re.match(r"\| (`[^|]+`) \| ([^|]+) \| ", line):
            for name in re.findall(r"`([a-z0-9_]+)`", row.group(1)):
                if prefix == "capacity:" and "capacity:" + name not in labels():
                    units.setdefault(name, row.group(2).strip())
                units[prefix + name] = "" if row.group(2).startswith("0 to ") else row.group(2).strip()  # a range is no unit
    return units


def configured() -> dict[str, str]:
    """Path to unit, or to the text of the range, which names it, of the keys of experiments."""
    units = {}

    def walk(schema: dict, path: str) -> None:
        for name, key in schema.get("properties", {}).items():
            units[path + name] = key.get("x-unit", "") or key.get("x-range", "")
            walk(key, path + name + ".")

    schema = json.loads((root / "configs" / "schema" / "experiment.json").read_text())
    for name, definition in schema["definitions"].items():
        walk(definition, "" if name == "experiment" else name + ".")
    return units


class Units(unittest.TestCase):
    def test_of_results_are_those_of_the_page(self):
        known = measured()
        compared = 0
        for name, (_, unit) in labels().items():
            general = re.sub(r"^queues\.[a-z_]+\.", "queues.*.", name)
            if general in known:
                self.assertEqual(unit, known[general], name)
                compared += 1
        self.assertGreater(compared, 40)

    def test_of_keys_are_those_of_the_schema(self):
        known = configured()
        compared = 0
        for name, (_, unit) in labels().items():
            if unit and name in known:
                self.assertRegex(known[name], rf"(^|\W){re.escape(unit)}($|\W)", name)
                compared += 1
        self.assertGreater(compared, 10)

    def test_no_two_columns_of_a_sweep_share_a_label(self):
        """Those of different kinds of experiments may, and skews of hosts are never beside those of workstations."""
        seen = {}
        for name, (label, _) in labels().items():
            key = re.sub(r"^(allgather|reducescatter|allreduce|alltoall|reduce|scatter|gather|barrier|broadcast|multicast)\.(algorithm|message)$", r"\2", name)
            key = re.sub(r"^(capacity|traffic)\.pattern$", "pattern", key)
            key = re.sub(r".*\.start_skew_(us|cycles)$", "start_skew", key)
            self.assertEqual(seen.setdefault(label, key), key, label)

    def test_what_shipped_studies_vary_has_a_label(self):
        for file in (root / "configs" / "sizing").glob("*.yaml"):
            varied = re.split(r"^(?:sweep|zip|size):", file.read_text(), maxsplit=1, flags=re.MULTILINE)
            for name in re.findall(r"([a-z_]+(?:\.[a-z_]+)*): \[", varied[1] if len(varied) > 1 else ""):
                self.assertIn(name, list(labels()), file.name)


if __name__ == "__main__":
    unittest.main()
