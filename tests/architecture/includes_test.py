"""includes.py finds each of the things that it is for, in folders that have it."""
import tempfile
import unittest
from pathlib import Path

from includes import all_problems, read_libraries


class Includes(unittest.TestCase):
    def problems(self, files, libraries):
        """Of `files` {path: text} and `libraries` [(name, folder, sources, private, public)]."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            lines = []
            for name, room, sources, private, public in libraries:
                public = ["interlace::" + p for p in public]
                private = ["interlace::" + p for p in private]
                only = [f"$<LINK_ONLY:{p}>" for p in private]
                lines.append("|".join(["interlace_" + name, f"{folder}/{room}", ";".join(sources),
                                       ";".join(public + private), ";".join(public + only)]))
            return all_problems(Path(folder), read_libraries("\n".join(lines)))

    A = "host/a/include/interlace/a/a.h"
    B = "host/b/include/interlace/b/b.h"
    USES_A = '#include "interlace/a/a.h"\n'

    def test_what_is_declared_is_right(self):
        files = {self.A: "", self.B: self.USES_A, "host/b/b.cpp": '#include "interlace/b/b.h"\n'}
        self.assertEqual(self.problems(files, [("a", "host/a", [], [], []), ("b", "host/b", ["b.cpp"], [], ["a"])]), [])

    def test_includes_that_are_not_declared(self):
        files = {self.A: "", self.B: "", "host/b/b.cpp": '#include "beside.h"\n', "host/b/beside.h": self.USES_A}
        libraries = [("a", "host/a", [], [], []), ("b", "host/b", ["b.cpp"], [], [])]
        self.assertEqual(self.problems(files, libraries), ["interlace_b includes interlace_a and does not declare it"])

    def test_private_in_a_public_header(self):
        libraries = [("a", "host/a", [], [], []), ("b", "host/b", [], ["a"], [])]
        self.assertEqual(self.problems({self.A: "", self.B: self.USES_A}, libraries),
                         ["interlace_b has interlace_a in public headers, and PRIVATE"])

    def test_public_in_no_public_header(self):
        files = {self.A: "", self.B: "", "host/b/b.cpp": self.USES_A}
        libraries = [("a", "host/a", [], [], []), ("b", "host/b", ["b.cpp"], [], ["a"])]
        self.assertEqual(self.problems(files, libraries), ["interlace_b has interlace_a in no public header: PRIVATE"])

    def test_declared_and_not_included(self):
        libraries = [("a", "host/a", [], [], []), ("b", "host/b", [], ["a"], [])]
        self.assertEqual(self.problems({self.A: "", self.B: ""}, libraries),
                         ["interlace_b declares interlace_a and does not include it"])

    def test_paths_name_the_folder(self):
        header = "host/engine/a/include/interlace/engine/a.h"
        self.assertEqual(self.problems({header: ""}, [("a", "host/engine/a", [], [], [])]),
                         ["interlace/engine/a.h of host/engine/a: its path begins with interlace/engine/a/"])

    def test_the_router_does_not_depend_on_its_checks_through_others(self):
        use = '#include "interlace/{0}/{0}.h"\n'.format
        files = {f"host/{n}/include/interlace/{n}/{n}.h": text for n, text in [("checking", ""), ("a", use("checking")), ("native", use("a"))]}
        libraries = [("checking", "host/checking", [], [], []), ("a", "host/a", [], [], ["checking"]), ("native", "host/native", [], [], ["a"])]
        self.assertEqual(self.problems(files, libraries), ["interlace_native depends on interlace_checking"])

    def test_layers(self):
        below = "broadcast/c/include/interlace/broadcast/c/c.h"
        libraries = [("a", "host/a", [], [], []), ("c", "broadcast/c", [], [], ["a"])]
        self.assertEqual(self.problems({self.A: "", below: self.USES_A}, libraries),
                         ["interlace_c of broadcast/ includes interlace_a of host/"])

    def test_circles(self):
        files = {self.A: '#include "interlace/b/b.h"\n', self.B: self.USES_A}
        libraries = [("a", "host/a", [], [], ["b"]), ("b", "host/b", [], [], ["a"])]
        self.assertEqual(self.problems(files, libraries), ["a cycle among interlace_a, interlace_b"])


if __name__ == "__main__":
    unittest.main()
