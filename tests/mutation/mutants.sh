#!/usr/bin/env bash
# Interlace: one netlist of a node with many mutations, of which an input chooses one
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/mutation/mutants.sh COUNT FOLDER PIPELINE        COUNT: mutations of each file of rtl/; PIPELINE: 1 or 7
#
# FOLDER/il_mutants.v is il_node with four ports and two channels, and an input `mutation`: 0 for none. Its numbers are lines
# of FOLDER/mutants.txt: number, file, what Yosys' `mutate` does. A file has as many as were asked for, or all that a sample has.
# FOLDER/cut.blif is the same for equal.sh: gates, what memories read as inputs, and their addresses and data as outputs.
set -euo pipefail
count=$1
folder=$(mkdir -p "$2" && cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../rtl"
yosys -q -p "read_verilog -sv -DSYNTHESIS -Iinclude pkg/il_pkg.sv $(echo prim/*.sv node/*.sv)
             chparam -set Ports 4 -set Vcs 2 -set Injections 6 -set Receptions 10 -set VcDepth 64 -set InjectionDepth 64 \
                     -set ReceptionDepth 64 -set Slots 64 -set Pipeline $3 il_node
             hierarchy -check -top il_node
             proc; flatten; chformal -remove; opt; opt_clean
             rename -top il_mutants
             write_rtlil $folder/node.il
             mutate -list $((count * 80)) -seed 1 -o $folder/sample.txt"
# A cell's file is the innermost of those that it names.
awk -v count="$count" -v script="$folder/mutate.ys" '
    BEGIN {
        split("node 0 config 1 input 1 sources 1 sink 1 flit_store 1 fifo 1 route 2 waiting 2 arbiter 2 credit_counter 2 counters 2 highest 2 pkg 3 pipelined_sink 1 ranked_arbiter 2 lowest 3 select 2 memory 2 memory_fifo 1 delay 1", d, " ")
        for (i = 1; i in d; i += 2) depth[d[i]] = d[i + 1]
    }
    function word(after,   i) {
        for (i = 1; i < NF; ++i) if ($i == after) return $(i + 1)
    }
    # The last line of the file that is a place of its own; Yosys forgets those of functions of its own making.
    function text(   i, place, line, wanted, found) {
        for (i = 1; i <= NF; ++i) {
            split($i, place, /[:.-]/)
            if ($i ~ "/il_" file "\\.sv:" && place[3] > 0 && (place[3] == place[5] || found == "")) {
                wanted = place[3]
                for (line = 1; (getline found < (place[1] ".sv")) > 0 && line < wanted; ++line);
                close(place[1] ".sv")
            }
        }
        gsub(/^ +| +$|\t/, "", found)
        return found
    }
    /meminit/ { next }  # a memory begins as it is read, not by logic
    / -port (CLK|RD_CLK|WR_CLK) / { next }  # a clock of its own is no mutation of logic
    /\$memrd\$.* -port EN / { next }  # always 1 where nothing clocks it: Yosys knows no other
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
        print number "\t" file " " $2 " " word("-port") ": " text() "\t" $0
    }' "$folder/sample.txt" > "$folder/mutants.txt"
# Where a mutation makes one bit of a net a function of another, the net is no circle, but Verilator 5.006 takes it for one, and evaluates
# it wrongly: nets are split where their drivers are.
yosys -q -p "read_rtlil $folder/node.il
             script $folder/mutate.ys
             opt_clean
             splitnets -driver
             write_verilog -noattr $folder/node.v
             read_verilog $here/boxes.v
             techmap -map $here/cut.v il_mutants
             delete m:*
             dffunmap; simplemap; techmap; opt_clean
             abc -g AND -fast; opt_clean
             write_blif $folder/gates.blif"
awk '
    /^\.subckt mem_/ {
        for (i = 3; i <= NF; ++i) {
            name = substr($i, index($i, "=") + 1)
            if ($2 == "mem_read" && $i ~ /^DATA/) inputs = inputs " " name
            else if (name !~ /^\$(false|true|undef)$/ && !(name in seen)) { seen[name]; outputs = outputs " " name }
        }
        next
    }
    /^\.inputs/ { for (i = 2; i <= NF; ++i) if ($i !~ /^(mutation\[|clk_i$)/) inputs = inputs " " $i; next }
    /^\.outputs/ { for (i = 2; i <= NF; ++i) if (!($i in seen)) { seen[$i]; outputs = outputs " " $i }; next }
    /^\.end/ { print ".inputs" inputs; print ".outputs" outputs; next }
    { print }' "$folder/gates.blif" > "$folder/cut.blif"
rm -f "$folder"/gates.blif "$folder"/equal_*.aig
mv "$folder/node.v" "$folder/il_mutants.v"  # the last: what this script made is whole where it is there
