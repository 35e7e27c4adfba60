"""Types of one name in one namespace: two of them in one program are one to the linker, whichever it takes.

usage: names.py SOURCE_FOLDER

Looks at classes, structs, unions and enums that files of the project define at namespace scope, unnamed
namespaces of .cpp files excepted. Prints a line for each name that two files define and ends with 1 if there is any.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

FOLDERS = ("base", "broadcast", "host", "python", "systemc", "tests", "bench")
# A comment, or a literal: neither has names, and braces in it are none.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
NAMESPACE = re.compile(r"(?:inline\s+)?namespace\s*((?:\w+(?:::)?)*)\s*$")
TYPE = re.compile(r"(?:^|[\s>])(?:class|struct|union|enum(?:\s+class|\s+struct)?)\s+(?:\[\[[^\]]*\]\]\s*|alignas\([^)]*\)\s*)*(\w+)\s*(?:final\s*)?(?::(?!:).*)?$", re.S)


def definitions(text):
    """(namespace, name) of the types that a file defines for others to link with, and their unnamed namespaces as ()."""
    scopes = []  # of each open brace: the part of a namespace's name, or None for any other scope
    start = 0
    text = NO_CODE.sub(lambda found: " " if not found.group().startswith(("'", '"', "R")) else "0", text)
    for at, char in enumerate(text):
        if char not in "{};":
            continue
        before = text[start:at].strip()
        start = at + 1
        if char == "{":
            outer = None not in scopes
            namespace = NAMESPACE.search(before)
            found = TYPE.search(before)
            if outer and found and not namespace:
                yield "::".join(scopes), found.group(1)
            scopes.append((namespace.group(1) or "(unnamed)") if outer and namespace else None)
        elif char == "}" and scopes:
            scopes.pop()


def duplicates(files):
    """Of {path: text}: {name: paths} of types that two files define. A specialization or a type of an unnamed namespace is none's but its file's."""
    places = defaultdict(set)
    for path, text in files.items():
        for namespace, name in definitions(text):
            if "(unnamed)" not in namespace:
                places[namespace + "::" + name].add(str(path))
    return {name: sorted(paths) for name, paths in places.items() if len(paths) > 1}


if __name__ == "__main__":
    source_folder = Path(sys.argv[1])
    sources = [path for folder in FOLDERS for ending in ("h", "cpp") for path in (source_folder / folder).rglob("*." + ending)]
    wrong = duplicates({path.relative_to(source_folder): path.read_text(encoding="utf-8") for path in sources})
    for name, paths in sorted(wrong.items()):
        print(f"{name} is defined in {' and in '.join(paths)}")
    sys.exit(1 if wrong else 0)
