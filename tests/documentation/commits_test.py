# Interlace: the subjects of commits
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""Every commit since the one below has a subject "area: what it does", of at most 72 characters. Without that history it is skipped."""

import os
import re
import subprocess
import sys

since = "44ff55f69be0"  # from the next one on
subject_form = re.compile(r"^[a-z][\w ,./+-]*: [a-z0-9\"'`].*[^.]$")


def wrong(subject: str) -> str:
    if len(subject) > 72:
        return f"{len(subject)} characters, expected at most 72"
    if not subject_form.match(subject):
        return "expected 'area: what it does', in small letters and without a full stop"
    first = subject.split(": ", 1)[1].split(" ")[0]
    return f"'{first}' is not imperative" if re.search(r"(ed|ing)$", first) and first not in {"embed", "feed", "need", "speed", "bring", "string"} else ""


for bad in ("Fix it", "area: Fix it", "area: fixed it", "area: fix it.", "area: " + "x" * 70):
    assert wrong(bad), bad
for good in ("region: count a device's cycles ahead in 64 bits", "docs, clusters: wrap a contract, and say plainly what is checked"):
    assert not wrong(good), good

git = ["git", "-C", os.environ["INTERLACE_ROOT"]]
log = subprocess.run([*git, "log", "--no-merges", "--format=%h %s", f"{since}..HEAD"], capture_output=True, text=True)
if log.returncode != 0:
    print("no history of git")
    sys.exit(77)
problems = [f"{line}: {wrong(line.split(' ', 1)[1])}" for line in log.stdout.splitlines() if wrong(line.split(" ", 1)[1])]
print("\n".join(problems))
sys.exit(bool(problems))
