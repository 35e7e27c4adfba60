# Interlace: links between pages of the documentation
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""Each leads to a file, and to a heading of it where it names one; docs/README.md lists every page; lines are short."""

import glob
import os
import re
import sys

root = os.environ["INTERLACE_ROOT"]
os.chdir(root)
problems = []


def text(page: str) -> str:
    with open(page, encoding="utf-8") as file:
        return file.read()


def anchors(page: str) -> set[str]:
    """As GitHub makes them: in small letters, without punctuation, with - for a space."""
    headings = re.findall(r"^#+ (.*)$", text(page), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


pages = ["README.md", "CONTRIBUTING.md", *sorted(glob.glob("docs/*.md")), *sorted(glob.glob("examples/*/README.md"))]
for page in pages:
    links = re.findall(r"\]\(([^)\s]+)\)", text(page))
    for link in (link for link in links if not link.startswith("http")):
        name, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page
        if not os.path.exists(target):
            problems.append(f"{page}: no file {link}")
        elif anchor and anchor not in anchors(target):
            problems.append(f"{page}: no heading {link}")
    if page == "docs/commands.md":
        continue  # generated from sentences of --help
    fixed = ("    ", "|")  # code, also in a list, and tables are as they must be
    long = [line for line in text(page).split("\n") if len(line) > 120 and not line.lstrip(" ").startswith("|") and not line.startswith(fixed)]
    problems += [f"{page}: over 120 columns: {line}" for line in long]

index = text("docs/README.md")
problems += [f"docs/README.md: no {page}" for page in map(os.path.basename, glob.glob("docs/*.md")) if page != "README.md" and f"]({page})" not in index]
if text("README.md").count("\n") > 120:
    problems.append("README.md: over 120 lines")
print("\n".join(problems) or f"{len(pages)} pages")
sys.exit(bool(problems) or len(pages) < 20)
