# Interlace: scripts/setup, scripts/test and scripts/distribution on machines that lack something, with stand-ins for the programs that they run
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["INTERLACE_ROOT"])
REAL = ("awk", "bash", "cat", "cut", "dirname", "env", "grep", "head", "mkdir", "rm", "sed", "sort", "tail", "tee", "wc", "xargs")


def compiler(text: str, version: str) -> str:
    return f'case $1 in --version) echo "{text} {version}" ;; -dumpversion) echo {version} ;; esac'


def has_all_but(*missing: str) -> str:
    return f'shift 3; for p; do [[ " {" ".join(missing)} " == *" $p "* ]] || echo "$p installed"; done'


# A machine on which nothing is missing. Each program also notes how it was called.
PROGRAMS = {
    "apt-get": "",
    "c++": compiler("c++ (Debian)", "12"),
    "clang++": compiler("Debian clang version", "14.0.6"),
    "clang-format": "[[ $1 != --version ]] || echo Debian clang-format version 14.0.6",
    "cmake": "",
    "ctest": "",
    "dpkg-query": has_all_but(),
    "git": "echo source.cpp",
    "id": "echo 0",
    "nproc": "echo 2",
}
# What apt-get install prints of 20 packages.
INSTALL = "\n".join([
    '[ "$1" != update ] || exit 0',
    'echo "0 upgraded, 20 newly installed, 0 to remove and 0 not upgraded."',
    *(f'for i in {{1..20}}; do echo "{step} $i"; done' for step in ("Get:", "Unpacking", "Setting up")),
])


class Scripts(unittest.TestCase):
    proven = True  # whether rtl/ is what .ci/proven says

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = pathlib.Path(temporary.name)
        (self.work / "bin").mkdir()
        self.calls = self.work / "calls"
        for name in REAL:
            (self.work / "bin" / name).symlink_to(shutil.which(name))
        for name, text in PROGRAMS.items():
            self.program(name, text)

    def program(self, name: str, text: str) -> None:
        file = self.work / "bin" / name
        file.write_text(f'#!/bin/bash\necho "{name} $*" >> "{self.calls}"\n{text}\n')
        file.chmod(0o755)

    def run_script(self, name: str, *arguments: str, folder: str = "clone", **environment: str):
        """Its exit code and what it prints, and what it ran."""
        clone = self.work / folder
        shutil.copytree(ROOT / "scripts", clone / "scripts", dirs_exist_ok=True)
        unless_proven = clone / "tests" / "rtl" / "unless_proven.sh"
        unless_proven.parent.mkdir(parents=True, exist_ok=True)
        unless_proven.write_text(f"#!/bin/bash\nexit {0 if self.proven else 1}\n")
        unless_proven.chmod(0o755)
        self.calls.write_text("")
        done = subprocess.run([clone / "scripts" / name, *arguments], capture_output=True, text=True, timeout=60,
                              env={"PATH": str(self.work / "bin")} | environment)
        self.assertEqual(done.stdout, "")
        return done.returncode, done.stderr, self.calls.read_text()

    def test_builds_models_of_rtl_where_it_has_changed(self):
        self.assertNotIn("rtl_tests", self.run_script("test")[2])
        self.proven = False
        self.assertIn("cmake --build --preset release --target all rtl_tests", self.run_script("test")[2])
        self.assertNotIn("rtl_tests", self.run_script("test", PRESET="dev")[2])

    def test_says_nothing_where_nothing_is_missing(self):
        self.assertEqual(self.run_script("setup")[:2], (0, ""))
        self.assertEqual(self.run_script("test")[:2], (0, ""))

    def test_without_sudo_says_what_root_has_to_install(self):
        self.program("id", "echo 1000")
        self.program("dpkg-query", has_all_but("ninja-build", "libcadical-dev"))
        code, text, calls = self.run_script("setup", "dev")
        self.assertEqual(code, 1)
        self.assertEqual(text, "interlace: packages are missing and there is no sudo; let root run: "
                               "apt-get install --no-install-recommends ninja-build libcadical-dev\n")
        self.assertNotIn("apt-get", calls)

    def test_with_sudo_the_environment_reaches_apt(self):
        self.program("id", "echo 1000")
        self.program("sudo", 'exec "$@"')
        self.program("dpkg-query", has_all_but("ninja-build"))
        self.program("apt-get", '[ "$1" = update ] || echo "frontend $DEBIAN_FRONTEND"')
        self.assertEqual(self.run_script("setup", "dev")[0], 0)
        self.assertIn("frontend noninteractive", (self.work / "clone/build/packages.log").read_text())

    def test_shows_how_far_apt_is(self):
        self.program("dpkg-query", has_all_but("ninja-build"))
        self.program("apt-get", INSTALL)
        code, text, _ = self.run_script("setup", "dev")
        self.assertEqual(code, 0)
        # 20 packages are 60 steps, and each tenth of them is a line.
        steps = [f"interlace: installing packages: step {step} of 60" for step in range(6, 61, 6)]
        self.assertEqual(text.splitlines()[1:], steps)

    def test_names_what_apt_could_not_install(self):
        self.program("dpkg-query", has_all_but("ninja-build"))
        for fails in ("update", "install"):
            self.program("apt-get", f'echo "E: no network"; [ "$1" != {fails} ]')
            code, text, _ = self.run_script("setup", "dev")
            self.assertEqual(code, 1)
            self.assertIn("E: no network\n", text)
            self.assertTrue(text.endswith(
                "interlace: these packages could not be installed: apt-get install --no-install-recommends ninja-build\n"))

    def test_nobody_needs_npm(self):
        self.program("dpkg-query", has_all_but("npm", "nodejs"))
        self.assertNotIn("apt-get", self.run_script("setup")[2])
        self.assertNotIn("apt-get", self.run_script("test")[2])

    def test_refuses_a_path_with_a_blank_where_verilator_runs(self):
        code, text, calls = self.run_script("setup", folder="a clone")
        self.assertEqual((code, calls), (2, ""))
        self.assertEqual(text, f"interlace: cannot build in '{self.work}/a clone': Verilator wants a path without blanks "
                               "(scripts/setup dev does not)\n")
        self.assertEqual(self.run_script("setup", "dev", folder="a clone")[:2], (0, ""))

    def test_says_what_to_do_with_a_build_folder_that_moved(self):
        cache = self.work / "clone/build/dev/CMakeCache.txt"
        cache.parent.mkdir(parents=True)
        cache.write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/old/clone\n")
        code, text, calls = self.run_script("setup", "dev")
        self.assertEqual((code, calls), (2, ""))
        self.assertEqual(text, "interlace: build/dev was made for the sources in '/old/clone': "
                               "remove it (rm -r build/dev) and run this again\n")
        cache.write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={self.work}/clone\n")
        self.assertEqual(self.run_script("setup", "dev")[:2], (0, ""))

    def test_warnings_are_errors_with_compilers_that_are_named(self):
        for text, version, errors in (("c++ (Debian)", "12", "ON"), ("c++ (Debian)", "14", "ON"), ("c++ (Ubuntu)", "13", "OFF"),
                                      ("c++ (Debian)", "4", "OFF"), ("Debian clang version", "14.0.6", "ON"),
                                      ("Debian clang version", "12.0.1", "OFF")):
            self.program("c++", compiler(text, version))
            code, said, calls = self.run_script("setup", "dev")
            self.assertEqual(code, 0)
            self.assertIn(f"-DINTERLACE_WARNINGS_AS_ERRORS={errors}\n", calls)
            self.assertEqual(said.count("\n"), 0 if errors == "ON" else 1)
            name = ("clang++ " if "clang" in text else "g++ ") + version.split(".")[0]
            self.assertEqual(f"it is by {name}, and" in said, errors == "OFF")
            for wanted in ("ON", "OFF"):
                self.assertIn(f"_ERRORS={wanted}\n", self.run_script("setup", "dev", WARNINGS_AS_ERRORS=wanted)[2])

    def test_formats_are_those_of_one_version(self):
        self.program("clang-format", "[[ $1 == --version ]] && echo Debian clang-format version 19.1.7")
        code, text, calls = self.run_script("test")
        self.assertEqual(code, 0)
        self.assertEqual(text, "interlace: formats are not checked: they are those of clang-format 14, and this is clang-format 19\n")
        self.assertNotIn("--dry-run", calls)
        self.program("clang-format", "[[ $1 == --version ]] && echo Debian clang-format version 14.0.6")
        code, text, calls = self.run_script("test")
        self.assertEqual(code, 1)
        self.assertIn("--dry-run -Werror source.cpp", calls)

    def test_patterns_as_tables_of_markdown_write_them(self):
        build = self.work / "clone/build/release"
        build.mkdir(parents=True)
        (build / "test_targets.txt").write_text("one =Wire.Ends\ntwo =Frame.Ends\nthree =Line.Ends\n")
        for pattern in (r"Wire\|Frame", "Wire|Frame"):
            code, _, calls = self.run_script("test", "-R", pattern, "-V")
            self.assertEqual(code, 0)
            self.assertIn("--target one two\n", calls)
            self.assertIn("ctest --preset release -j 2 -R Wire|Frame -V\n", calls)
            self.assertNotIn("three", calls)

    def test_setup_writes_the_command_of_each_source_that_is_compiled_with_others(self):
        build = self.work / "a+b/clone/build/release"
        (build / "Unity").mkdir(parents=True)
        together = build / "Unity/unity_0_cxx.cxx"
        together.write_text('/* made */\n\n#include "/x/a.cpp"\n\n#include "/x/b.cpp"\n')
        entries = [{"directory": "/y", "command": f"c++ -o o -c {source}", "file": str(source)} for source in ("/x/alone.cpp", together)]
        (build / "compile_commands.json").write_text(json.dumps(entries, indent=0))
        self.assertEqual(self.run_script("setup", folder="a+b/clone")[0], 0)
        written = json.loads((build.parent / "compile_commands.json").read_text())
        self.assertEqual([(entry["directory"], entry["file"], entry["command"]) for entry in written],
                         [("/y", f"/x/{name}.cpp", f"c++ -o o -c /x/{name}.cpp") for name in ("alone", "a", "b")])

    def test_lint_looks_at_the_first_user_of_a_changed_header(self):
        clone = self.work / "a+b/clone"
        (clone / ".ci").mkdir(parents=True)
        (clone / ".ci/linted").write_text("0123abcd\n")
        (clone / "build/release").mkdir(parents=True)
        (clone / "build/release/compile_commands.json").write_text("[\n]\n")
        self.program("git", '[[ $* != *.h ]] || echo host/a/include/a.h')
        deps = [f"{user}.o: #deps 2\n    {clone}/{user}.cpp\n    {clone}/{used}\n"
                for user, used in [("tests/t", "host/a/include/a.h"), ("host/b", "host/other.h"), ("host/c", "host/a/include/a.h"), ("host/d", "host/a/include/a.h")]]
        self.program("clang-tidy", "")
        together = f"unity.o: #deps 4\n    {clone}/build/release/unity_0_cxx.cxx\n    {clone}/host/b.cpp\n    {clone}/host/c.cpp\n    {clone}/host/a/include/a.h\n"
        for text in ("\n".join(deps), together):
            (self.work / "deps").write_text(text)
            self.program("ninja", f'cat {self.work / "deps"}')
            code, text, calls = self.run_script("lint", folder="a+b/clone")
            self.assertEqual((code, text), (0, "interlace: clang-tidy over 1 files\n"))
            self.assertIn("clang-tidy --quiet -p build/lint host/c.cpp\n", calls)

    def distribution(self, suite: str = "trixie", *more: str):
        (self.work / "clone/.ci").mkdir(parents=True, exist_ok=True)
        return self.run_script("distribution", suite, *more)

    def test_a_distribution_that_passes_names_the_commit(self):
        self.program("apt-get", "echo http://mirror/debian/; echo http://mirror/debian/")
        self.program("git", 'if [ "$1" = rev-parse ]; then echo 0123abcd; fi')
        self.program("debootstrap", "")
        self.program("unshare", "")
        code, text, calls = self.distribution()
        self.assertEqual(code, 0, text)
        root = "build/distribution/trixie"
        self.assertIn(f"debootstrap --variant=minbase --include=ca-certificates trixie {root} http://mirror/debian/\n", calls)
        steps = [line.removeprefix("interlace: trixie: in_root ") for line in text.splitlines() if "in_root" in line]
        self.assertEqual(steps, ["scripts/demo", "scripts/setup", "ctest --preset release -L quick -j 2"])
        self.assertEqual((self.work / "clone/.ci/distribution-trixie").read_text(), "0123abcd\n")

    def test_a_distribution_again_keeps_its_root(self):
        self.program("apt-get", "echo http://mirror/debian/")
        self.program("git", 'if [ "$1" = rev-parse ]; then echo 0123abcd; fi')
        self.program("unshare", "")
        clone = self.work / "clone/build/distribution/trixie/root/interlace"
        clone.mkdir(parents=True)
        code, text, calls = self.distribution("trixie", "again")
        self.assertEqual(code, 0, text)
        self.assertNotIn("debootstrap --variant", calls)
        self.assertIn("checkout --quiet --force 0123abcd\n", calls)
        self.assertTrue(clone.exists())
        self.assertEqual(self.distribution("trixie", "anew")[0], 2)

    def test_a_distribution_that_fails_names_the_step(self):
        self.program("apt-get", "echo http://mirror/debian/")
        self.program("debootstrap", "")
        self.program("unshare", 'echo "error: no"; [[ $* != *scripts/setup ]]')
        code, text, _ = self.distribution()
        self.assertEqual(code, 1)
        self.assertTrue(text.endswith("error: no\ninterlace: trixie: this failed: in_root scripts/setup "
                                      "(build/distribution/trixie.log)\n"), text)
        self.assertFalse((self.work / "clone/.ci/distribution-trixie").exists())

    def test_a_distribution_is_made_by_root(self):
        self.assertEqual(self.distribution("../etc")[0], 2)
        self.program("id", "echo 1000")
        code, text, calls = self.distribution()
        self.assertEqual((code, calls), (2, "id -u\n"))
        self.assertEqual(text, "interlace: debootstrap and chroot have to be run as root: sudo scripts/distribution trixie\n")


if __name__ == "__main__":
    unittest.main()
