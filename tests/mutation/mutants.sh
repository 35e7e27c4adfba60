#!/usr/bin/env bash
# Interlace: one netlist of a node with many mutations, of which an input chooses one
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/mutation/mutants.sh COUNT FOLDER        COUNT: mutations of each file of rtl/
#
# FOLDER/il_mutants.v is il_node with four ports and two channels, and an input `mutation`: 0 for none. Its numbers are lines
# of FOLDER/mutants.txt: number, file, what Yosys' `mutate` does. A file has as many as were asked for, or all that a sample has.
set -euo pipefail
count=$1
folder=$(mkdir -p "$2" && cd "$2" && pwd)
cd "$(dirname "$0")/../../rtl"
yosys -q -p "read_verilog -sv -DSYNTHESIS pkg/il_pkg.sv $(echo prim/*.sv node/*.sv)
             chparam -set Ports 4 -set Vcs 2 -set Injections 6 -set Receptions 10 -set VcDepth 64 -set InjectionDepth 64 \
                     -set ReceptionDepth 64 -set Slots 64 il_node
             hierarchy -check -top il_node
             proc; flatten; chformal -remove; opt; opt_clean
             rename -top il_mutants
             write_rtlil $folder/node.il
             mutate -list $((count * 80)) -seed 1 -o $folder/sample.txt"
# A cell's file is the innermost of those that it names.
awk -v count="$count" -v script="$folder/mutate.ys" '
    BEGIN {
        split("node 0 config 1 input 1 sources 1 sink 1 flit_store 1 fifo 1 route 2 waiting 2 arbiter 2 credit_counter 2 pkg 3", d, " ")
        for (i = 1; i in d; i += 2) depth[d[i]] = d[i + 1]
    }
    /meminit/ { next }  # a memory begins as it is read, not by logic
    {
        file = ""
        rest = $0
        while (match(rest, /il_[a-z_]+\.sv:/)) {
            name = substr(rest, RSTART + 3, RLENGTH - 7)
            if (file == "" || depth[name] > depth[file]) file = name
            rest = substr(rest, RSTART + RLENGTH)
        }
        if (file == "" || ++made[file] > count) next
        line = $0
        sub(/^mutate /, "mutate -ctrl mutation 16 " ++number " ", line)
        print line > script
        sub(/^mutate /, ""); sub(/-module [^ ]+ /, "")
        print number, file, $0
    }' "$folder/sample.txt" > "$folder/mutants.txt"
yosys -q -p "read_rtlil $folder/node.il
             script $folder/mutate.ys
             opt_clean
             write_verilog -noattr $folder/il_mutants.v"
