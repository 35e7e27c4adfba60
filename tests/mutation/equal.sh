#!/usr/bin/env bash
# Interlace: proves that a mutation of rtl/ changes nothing
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/mutation/equal.sh NUMBER FOLDER        NUMBER: of the mutation, or 0 before several of them run side by side; FOLDER: that
#                                                     mutants.sh made
#
# From equal registers and equal words read from memories, with any inputs, both nodes come to equal registers, output pins, addresses
# and words written: then they never differ. Exit code 0 where that is so. Where it is not they may yet be equivalent, because
# registers never have the values with which they differ.
set -euo pipefail
folder=$2

# graph NUMBER: the node with that mutation, registers being inputs and outputs.
graph() {
    {
        cat "$folder/cut.blif"
        for bit in {0..15}; do
            printf '.names mutation[%d]\n' "$bit"
            [ $(($1 >> bit & 1)) = 0 ] || echo 1
        done
        echo .end
    } > "$folder/equal_$1.blif"
    yosys-abc -q "read_blif $folder/equal_$1.blif; strash; comb; write_aiger $folder/equal_$1.part" > /dev/null 2>&1
    rm "$folder/equal_$1.blif"
    mv "$folder/equal_$1.part" "$folder/equal_$1.aig"
}

[ -e "$folder/equal_0.aig" ] || graph 0
[ "$1" != 0 ] || exit 0
graph "$1"
answer=$(yosys-abc -q "&cec -C 100000 -T 60 $folder/equal_0.aig $folder/equal_$1.aig")
rm "$folder/equal_$1.aig"
grep -q 'Networks are equivalent' <<< "$answer"
