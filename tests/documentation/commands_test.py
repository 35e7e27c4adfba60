# Interlace: commands in pages of docs/, whose output stands below them
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""What stands below a line "    $ interlace ..." is what the command prints, line by line, but for the speed of the machine.

usage: commands_test.py PAGE ...        "..." as the last line of an output stands for the rest. Not run is `interlace area`,
which waits for Yosys.
"""

import difflib
import os
import subprocess
import sys
import tempfile

root = os.environ["INTERLACE_ROOT"]
path = os.path.dirname(os.environ["INTERLACE_COMMAND"]) + ":" + os.environ["PATH"]


def examples(page: str) -> list[tuple[str, list[str]]]:
    """The commands of a page in their order, each with the lines below it: up to the next command, or the end of the block."""
    found: list[tuple[str, list[str]]] = []
    inside = continued = False
    with open(os.path.join(root, "docs", page), encoding="utf-8") as lines:
        for line in (line.rstrip() for line in lines):
            if continued:
                command, output = found.pop()
                found.append((command[:-1] + line.strip(), output))
            elif line.startswith("    $ "):
                found.append((line[6:], []))
                inside = True
            elif inside and (line.startswith("    ") or not line):
                found[-1][1].append(line[4:])
            else:
                inside = False
            continued = inside and bool(found) and found[-1][0].endswith("\\")
    return found


def shown(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines = lines[:-1]
    return [line for line in lines if not line.startswith("speed ")]


def differs(command: str, expected: list[str]) -> bool:
    run = subprocess.run(command, shell=True, capture_output=True, text=True, env={**os.environ, "PATH": path}, check=False)
    printed, expected = shown([line.rstrip() for line in run.stdout.split("\n")]), shown(expected)
    if expected[-1:] == ["..."]:
        expected = expected[:-1]
        printed = printed[: len(expected)]
    if run.returncode == 0 and printed == expected:
        return False
    print(f"{command}\nexit code {run.returncode} {run.stderr}")
    print("\n".join(difflib.unified_diff(expected, printed, "the page", "the command", lineterm="", n=1)))
    return True


failed = tried = 0
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.symlink(os.path.join(root, "configs"), "configs")
    for page in sys.argv[1:]:
        for command, output in examples(page):
            if not command.startswith("interlace area"):
                tried += 1
                failed += differs(command, output)
    os.chdir("/")
print(f"{tried} commands, {failed} of which print something else")
sys.exit(failed > 0 or tried == 0)
