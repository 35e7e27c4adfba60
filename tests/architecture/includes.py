"""What folders include against what their CMakeLists.txt declare.

usage: includes.py SOURCE_FOLDER LIBRARIES.TXT

A line of the second file is a library of interlace_library(): its name, its folder, its sources, all that it links, and what whoever
links it gets. Prints a line for everything that is wrong and ends with 1 if there is anything:
- includes in public headers that are no public dependency, and in other files that are none at all;
- dependencies that nothing includes, and public ones that no public header does;
- public headers whose path does not name their folder: host/engine/native has interlace/engine/native/...;
- base that includes host or broadcast, broadcast that includes host;
- libraries that depend on one another in a cycle;
- the router in C++ that depends, itself or through others, on the checks of routers: both are independent readings of docs/node.md.
"""
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

TOP = ("base", "host", "broadcast")
# Above each other: who is named first may not include who comes later.
LAYERS = {"base": ("base",), "broadcast": ("base", "broadcast"), "host": TOP}
# Who is not to depend on whom, through others either.
INDEPENDENT = {"interlace_native": "interlace_checking"}
# Brings a library of others along with it: SystemC.
NOT_FOR_HEADERS = {"interlace_systemc_node"}


@dataclass
class Library:
    name: str
    folder: Path
    sources: list
    all: set = field(default_factory=set)
    public: set = field(default_factory=set)


def targets(text, private=False):
    """The libraries of ours in a list of CMake's."""
    names = set()
    for item in text.split(";"):
        link_only = re.fullmatch(r"\$<LINK_ONLY:(.*)>", item)
        if link_only and not private:
            continue
        item = link_only.group(1) if link_only else item
        if item.startswith("interlace::"):
            names.add("interlace_" + item[len("interlace::"):])
    return names


def read_libraries(text):
    libraries = {}
    for line in text.splitlines():
        name, folder, sources, all_of_it, public = line.split("|")
        public = targets(public)
        libraries[name] = Library(name, Path(folder), sources.split(";"), targets(all_of_it, True) | public, public)
    return libraries


def includes(path):
    return re.findall(r'#\s*include ["<]([^">]+)[">]', path.read_text(encoding="utf-8"))


def public_headers(library):
    folder = library.folder / "include"
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.h")}


def header_owners(libraries):
    """Of each public header, as it is included: its library. A folder of two libraries gives a header to the one that has its source."""
    owners = {}
    for library in libraries.values():
        stems = {Path(source).stem for source in library.sources}
        for header in public_headers(library):
            if header not in owners or Path(header).stem in stems:
                owners[header] = library.name
    return owners


def used_by(library, files, owners):
    """The other libraries whose headers these files include, themselves or through headers beside them."""
    used, seen, left = set(), set(), list(files)
    while left:
        path = left.pop()
        if path in seen:
            continue
        seen.add(path)
        for include in includes(path):
            if include in owners:
                used.add(owners[include])
            elif (path.parent / include).is_file():
                left.append(path.parent / include)
    return used - {library.name}


def cycles(libraries):
    left = {name: library.all & set(libraries) for name, library in libraries.items()}
    while True:
        ends = [name for name, others in left.items() if not others]
        if not ends:
            return sorted(left)
        for name in ends:
            del left[name]
        left = {name: others - set(ends) for name, others in left.items()}


def all_dependencies(name, libraries):
    found, left = set(), [name]
    while left:
        for other in libraries[left.pop()].all & set(libraries) - found:
            found.add(other)
            left.append(other)
    return found


def problems_of(library, libraries, owners, source_folder):
    top, *room = library.folder.relative_to(source_folder).parts
    own = {header: path for header, path in public_headers(library).items() if owners[header] == library.name}
    prefix = "/".join(["interlace"] + ([top] if top not in ("base", "host") else []) + room) + "/"
    for header in own:
        if not header.startswith(prefix):
            yield f"{header} of {top}/{'/'.join(room)}: its path begins with {prefix}"
    # What a build makes, with an absolute path, holds texts of files.
    sources = [library.folder / s for s in library.sources if s.endswith(".cpp") and (library.folder / s).is_file() and not Path(s).is_absolute()]
    public = used_by(library, own.values(), owners)
    used = public | used_by(library, sources, owners)
    for name in sorted(used):
        other = libraries[name].folder.relative_to(source_folder).parts[0]
        if other in TOP and other not in LAYERS[top]:
            yield f"{library.name} of {top}/ includes {name} of {other}/"
    ours = set(libraries) - NOT_FOR_HEADERS
    for name in sorted(used - library.all):
        yield f"{library.name} includes {name} and does not declare it"
    for name in sorted((library.all & ours) - used):
        yield f"{library.name} declares {name} and does not include it"
    for name in sorted(public - library.public):
        yield f"{library.name} has {name} in public headers, and PRIVATE"
    if own:
        for name in sorted((library.public & ours) - public):
            yield f"{library.name} has {name} in no public header: PRIVATE"


def all_problems(source_folder, libraries):
    libraries = {n: l for n, l in libraries.items() if l.folder.relative_to(source_folder).parts[0] in TOP}
    owners = header_owners(libraries)
    problems = [p for library in libraries.values() for p in problems_of(library, libraries, owners, source_folder)]
    for name, other in INDEPENDENT.items():
        if name in libraries and other in all_dependencies(name, libraries):
            problems.append(f"{name} depends on {other}")
    if cycle := cycles(libraries):
        problems.append("a cycle among " + ", ".join(cycle))
    return problems


if __name__ == "__main__":
    found = all_problems(Path(sys.argv[1]), read_libraries(Path(sys.argv[2]).read_text(encoding="utf-8")))
    print("\n".join(found))
    sys.exit(1 if found else 0)
