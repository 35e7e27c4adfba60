#!/usr/bin/env bash
# Interlace: what random pins come to of rtl/: lines, branches, bits that change both ways, and points of docs/node.md
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/coverage/report.sh PROGRAM [EPISODES]        PROGRAM: coverage
#
# Over all instances, of nodes of both pipelines. Exit code 1 where a point is not come to, or a line or branch that holes.txt does
# not explain.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
(cd "$folder" && "$program" . "${2:-1000}")
cat "$folder"/*.dat | awk -v holes="$here/holes.txt" '
    function field(name,   at, rest) {
        at = index($0, "\001" name "\002")
        rest = substr($0, at + length(name) + 2)
        sub(/[\001\047].*/, "", rest)
        return at ? rest : ""
    }
    # Line `number` of a file, without the blanks around it.
    function text(path, number,   line, i) {
        for (i = 1; (getline line < path) > 0 && i < number; ++i);
        close(path)
        gsub(/^ +| +$/, "", line)
        return line
    }
    BEGIN {
        while ((getline line < holes) > 0)
            if (line !~ /^(#|$| )/) explained[line]
        count = split("line branch toggle user", kinds, " ")
        name["line"] = "lines"; name["branch"] = "branches"; name["toggle"] = "bits"; name["user"] = "points of docs/node.md"
    }
    /^C/ {
        kind = field("page"); sub(/\/.*/, "", kind); sub(/^v_/, "", kind)
        key = kind "\t" field("f") "\t" field("l") "\t" field("o")
        if (!(key in hits)) order[++keys] = key
        hits[key] += $NF
    }
    END {
        for (i = 1; i <= keys; ++i) {
            split(order[i], part, "\t")
            ++all[part[1]]
            if (hits[order[i]] > 0) { ++hit[part[1]]; continue }
            file = part[2]; sub(/.*\//, "", file)
            if (part[1] == "toggle") { bits[file " " part[4]]; continue }
            line = file ": " text(part[2], part[3])
            if (part[1] != "user" && line in explained) { ++known[part[1]]; continue }
            print "not come to: " file ":" part[3] " (" part[4] ") " text(part[2], part[3])
            failed = 1
        }
        for (bit in bits) list = list " " bit ","
        if (list != "") print "bits that do not change both ways:" substr(list, 1, length(list) - 1)
        for (i = 1; i <= count; ++i) {
            kind = kinds[i]
            printf "%-24s %5d of %5d, %.2f%%", name[kind], hit[kind], all[kind], 100 * hit[kind] / (all[kind] + !all[kind])
            if (known[kind]) printf "; holes.txt explains %d", known[kind]
            print ""
            if (all[kind] == 0) failed = 1
        }
        exit failed
    }'
