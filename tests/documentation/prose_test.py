# Interlace: how the documentation is written, in numbers
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""Counts long sentences and word habits of every page, prints them, and fails above the limits below.

usage: prose_test.py [--show] [PAGE ...]        default: all pages; --show prints each sentence and word that counts

Prose is what stands outside code, tables, headings and links' targets; code within a sentence counts as one word. The rates to compare
with are those of SimGrid's documentation: 2.9% of sentences over 40 words, and the rates per 10,000 words beside each habit.
"""

import glob
import os
import re
import sys

# Contracts, whose sentences are numbered requirements: held to the words, not to the length.
normative = {"docs/node.md", "docs/links.md", "docs/hil-protocol.md"}
most_words = 40  # of a sentence that is not long
long_share = 0.03  # of all sentences together that may be long
page_long_share = 0.05  # of one page's; a page of few sentences may have one

# What the field does not write, as a regular expression, and how often per 10,000 words it may stand.
habits = {
    "files that say, tell, know or heed": (r"\b(says?|said|told|tells?|knows?|heeds?)\b", 12),
    "'what' as a noun": (r"(?<!\w)[Ww]hat (?!if\b|does\b|do\b|is it\b|are\b[^.]*\?)\w+", 8),
    "takes, for needs": (r"\b(takes?|took)\b", 15),
    "anew, likewise, beside, under way": (r"\b(anew|likewise|beside|under way|otherwise)\b", 8),
    "others": (r"\b(lanes?|go(es)? on|begins? anew|worms?|foresight|forefather|heretofore|thereof|somebody|nobody)\b", 8),
}
bold_heading = re.compile(r"^\*\*[^*]+\*\*[.:]?\s*$")


def paragraphs(text: str) -> list[str]:
    """The prose of a page: a string for each paragraph and each item of a list."""
    text = re.sub(r"^( *)```.*?^\1```", "\n", text, flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    blocks: list[list[str]] = [[]]
    for line in text.split("\n"):
        bare = line.strip()
        if not bare or bare.startswith(("|", "#", "<", "![")) or line.startswith("    ") and not blocks[-1]:
            blocks.append([])
            continue
        item = re.match(r"^([-*+]|\d+[.)])\s+", bare)
        if item:
            blocks.append([bare[item.end():]])
        else:
            blocks[-1].append(bare)
    return [plain(" ".join(block)) for block in blocks if block]


def plain(markdown: str) -> str:
    markdown = re.sub(r"``[^`]*(`[^`]+)*``|`[^`]*`", "code", markdown)
    markdown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    return re.sub(r"\*+|(?<!\w)_|_(?!\w)", "", markdown)


def sentences(paragraph: str) -> list[str]:
    abbreviated = re.sub(r"\b(e\.g|i\.e|cf|vs|Fig|Figs|Sec|Eq|al|no|etc)\.", r"\1", paragraph)
    return [part for part in re.split(r"(?<=[.!?])[)\"']*\s+(?=[A-Z(\"'0-9c])|(?<=:)\s+(?=[A-Z])", abbreviated) if re.search(r"\w", part)]


def words(text: str) -> int:
    return len(re.findall(r"[^\s]*\w[^\s]*", text))


class Counts:
    def __init__(self) -> None:
        self.words = 0
        self.sentences = 0
        self.long = 0
        self.habits = dict.fromkeys(habits, 0)
        self.bold_headings = 0

    def add(self, other: "Counts") -> None:
        self.words += other.words
        self.sentences += other.sentences
        self.long += other.long
        self.bold_headings += other.bold_headings
        for habit, number in other.habits.items():
            self.habits[habit] += number

    def row(self) -> str:
        share = 100 * self.long / max(self.sentences, 1)
        rates = "".join(f"{10000 * number / max(self.words, 1):8.1f}" for number in self.habits.values())
        return f"{self.words:7}{self.sentences:6}{share:8.1f}%{rates}{self.bold_headings:6}"


def count(page: str, show: bool) -> Counts:
    with open(page, encoding="utf-8") as file:
        text = file.read()
    counts = Counts()
    for paragraph in paragraphs(text):
        for sentence in sentences(paragraph):
            size = words(sentence)
            counts.words += size
            counts.sentences += 1
            counts.long += size > most_words
            if show and size > most_words:
                print(f"{page}: {size} words: {sentence}")
            for habit, (pattern, _) in habits.items():
                for found in re.finditer(pattern, sentence):
                    counts.habits[habit] += 1
                    if show:
                        print(f"{page}: {habit}: ...{sentence[max(0, found.start() - 40):found.end() + 40]}...")
    counts.bold_headings = sum(bool(bold_heading.match(line)) for line in text.split("\n"))
    return counts


def main() -> int:
    show = "--show" in sys.argv
    os.chdir(os.environ.get("INTERLACE_ROOT", "."))
    asked = [word for word in sys.argv[1:] if word != "--show"]
    pages = asked or ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *sorted(glob.glob("docs/*.md")), *sorted(glob.glob("examples/*/README.md"))]
    problems: list[str] = []
    total, free = Counts(), Counts()
    print(f"{'':40}{'words':>7}{'sent.':>6}{'>40':>9}" + "".join(f"{name.split()[0].strip(chr(39)):>8.7}" for name in habits) + f"{'bold':>6}")
    for page in pages:
        counts = count(page, show)
        total.add(counts)
        if page not in normative:
            free.add(counts)
            if counts.long > max(1, page_long_share * counts.sentences):
                problems.append(f"{page}: {counts.long} of {counts.sentences} sentences have over {most_words} words")
        if counts.bold_headings:
            problems.append(f"{page}: a bold line where a heading (###) belongs")
        print(f"{page:40}{counts.row()}")
    print(f"{'all':40}{total.row()}")
    if not asked:
        if free.long > long_share * free.sentences:
            problems.append(f"{free.long} of {free.sentences} sentences have over {most_words} words; at most {100 * long_share:.0f}%")
        for habit, (_, most) in habits.items():
            rate = 10000 * total.habits[habit] / total.words
            if rate > most:
                problems.append(f"{habit}: {rate:.1f} per 10,000 words; at most {most}")
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
