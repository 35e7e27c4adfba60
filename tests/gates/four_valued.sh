#!/usr/bin/env bash
# Interlace: the gates of a small node under Icarus Verilog, whose signals may be unknown (x), beside pins that a model of 0 and 1 has shown
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/gates/four_valued.sh NETLIST PINS WORK        NETLIST: of gates.sh; PINS: what four_valued.v reads; WORK: a folder for what is made
set -euo pipefail
# choose BIT FIRST: what bits BIT to 0 of `at` choose among the bits of `bits` from FIRST on
choose() {
    if [ "$1" -lt 0 ]; then
        echo "bits[$2]"
    else
        echo "(at[$1] ? $(choose $(($1 - 1)) $(($2 + (1 << $1)))) : $(choose $(($1 - 1)) "$2"))"
    fi
}
# Yosys writes a LUT as a shift, which is x wherever an input is; a choice between equal bits is not.
functions=
for inputs in 1 2 3 4 5 6; do
    size=$((1 << inputs))
    functions+="  function lut$size; input [$((size - 1)):0] bits; input [$((inputs - 1)):0] at; lut$size = $(choose $((inputs - 1)) 0); endfunction\n"
done
sed -E "s/^( *assign .* = )([0-9]+)(.[hd][0-9a-f]+) >> (.*);\$/\1lut\2(\2\3, \4);/; s/^endmodule/$functions&/" "$1" > "$3/gates.v"
iverilog -g2005 -s four_valued -o "$3/gates.vvp" "$3/gates.v" "$(dirname "$0")/four_valued.v"
vvp -n "$3/gates.vvp" "+pins=$2"
