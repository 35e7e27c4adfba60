# Interlace: names that users choose by, in pages of docs/
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""Where a page lists what can be chosen (algorithms, patterns, engines, ...), it lists all that the program knows and, in the first
column of a table, nothing else. The program's lists are those of --help and of its errors.

A listing is a block of a page, between blank lines, that has every name as a word.
"""

import os
import re
import subprocess
import sys
from typing import NamedTuple

root = os.environ["INTERLACE_ROOT"]
command = os.environ["INTERLACE_COMMAND"]


class Listing(NamedTuple):
    subcommand: str
    option: str  # an option of the subcommand, or what names() knows beside
    page: str
    in_table: bool = False  # in the first column of a table, which then has nothing else


listings = [
    Listing("broadcast", "algorithms over links", "configuration.md"),
    Listing("broadcast", "algorithms over links", "broadcasts.md"),
    Listing("broadcast", "--group", "configuration.md"),
    Listing("broadcast", "--engine", "engines.md", in_table=True),
    Listing("broadcast", "--forwarding", "configuration.md"),
    Listing("broadcast", "--node", "configuration.md"),
    Listing("broadcast", "--links", "configuration.md"),
    Listing("broadcast", "--host", "configuration.md"),
    Listing("broadcast", "--level", "hil.md"),
    Listing("traffic", "--pattern", "traffic-methodology.md", in_table=True),
    Listing("traffic", "--pattern", "traffic.md"),
    Listing("traffic", "--routing", "routing-tables.md"),
    Listing("capacity", "--pattern", "capacity.md"),
    Listing("capacity", "--paths", "capacity.md"),
    Listing("allgather", "--algorithm", "clusters.md"),
    Listing("alltoall", "--algorithm", "clusters.md"),
    Listing("alltoall", "--sync", "clusters.md"),
    Listing("alltoall", "--permutation", "clusters.md"),
    Listing("multicast", "--algorithm", "clusters.md"),
    Listing("multicast", "--routing", "clusters.md"),
    Listing("multicast", "--switching", "clusters.md"),
    Listing("multicast", "--tree", "clusters.md"),
    Listing("generate", "COLLECTIVE", "clusters.md"),
    Listing("area", "--target", "hardware.md"),
    Listing("reproduce", "PAPER", "papers.md"),
    Listing("topology", "networks", "networks.md", in_table=True),
]


def printed(*arguments: str) -> str:
    run = subprocess.run([command, *arguments], capture_output=True, text=True, check=False)
    return run.stdout + run.stderr


def names(subcommand: str, option: str) -> set[str]:
    """What can be chosen, without parameters behind a colon and what a user fills in (FILE, PACKETS)."""
    if option == "networks":
        words = re.split(r", | or ", printed("topology", "nonsense").rsplit("expected ", 1)[1].strip())
    elif option == "algorithms over links":  # of messages between machines: those of multicast
        words = re.split(r", | or ", re.search(r"For packets over links: (.*?) \(default", printed("broadcast", "--help"))[1])
    else:
        found = re.search(rf"^ +{option} (\S+)", printed(subcommand, "--help"), re.MULTILINE)
        words = found[1].split("=")[0].split("|") if found else []
    return {word.split(":")[0] for word in words if word != word.upper()}


def first_column(block: str) -> set[str]:
    """The names in the first cells of a table's rows, below its head."""
    cells = [line.split("|")[1] for line in block.split("\n")[2:]]
    return {name.strip("` ").split(":")[0] for cell in cells for name in cell.split(", ")}


def problem(listing: Listing) -> str:
    known = names(listing.subcommand, listing.option)
    if len(known) < 2:
        return f"lists nothing: {known}"
    with open(os.path.join(root, "docs", listing.page), encoding="utf-8") as page:
        blocks = page.read().split("\n\n")
    if listing.in_table:
        # The one that has most of them: what is missing there, or too much, is said.
        tables = [first_column(block) for block in blocks if block.startswith("|")]
        best = max(tables, key=lambda table: len(table & known) - len(table - known), default=set())
        different = sorted(known ^ best)
        return f"differs from a table in {', '.join(different)}" if different else ""
    left = [[name for name in sorted(known) if not re.search(rf"(?<!\w){name}(?!\w)", block)] for block in blocks]
    missing = min(left, key=len)
    return f"is nowhere listed with {', '.join(missing)}" if missing else ""


failed = 0
for listing in listings:
    if what := problem(listing):
        failed += 1
        print(f"docs/{listing.page}: {listing.option} of interlace {listing.subcommand} {what}")
print(f"{len(listings)} listings, {failed} of which are not the program's")
sys.exit(failed > 0)
