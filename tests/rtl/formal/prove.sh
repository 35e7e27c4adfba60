#!/usr/bin/env bash
# Interlace: proves the assertions of a bench for all time, from reset on, with Yosys and ABC's property-directed reachability
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/rtl/formal/prove.sh NAME FILE... [-- DEFECT]
#
# NAME.sv beside this file is the bench, NAME_proof its module, FILE... what it instantiates. DEFECT, a sed expression, is
# planted in the last FILE; the proof must then find a run that violates an assertion.
set -euo pipefail
cd "$(dirname "$0")/../../.."
name=$1 files=() defect=
shift
while [ $# -gt 0 ] && [ "$1" != -- ]; do files+=("$1"); shift; done
[ $# -eq 0 ] || defect=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -n "$defect" ]; then
    sed -E "$defect" "${files[-1]}" > "$work/defect.sv"
    ! cmp -s "${files[-1]}" "$work/defect.sv" || { echo "prove.sh: \"$defect\" changes nothing in ${files[-1]}" >&2; exit 2; }
    files[-1]=$work/defect.sv
fi
# Registers without an initial value begin with any.
yosys -q -p "read_verilog -formal -sv rtl/pkg/il_pkg.sv ${files[*]} tests/rtl/formal/$name.sv
             prep -top ${name}_proof; flatten; memory_map; opt_clean; async2sync; dffunmap; techmap
             abc -g AND -fast; opt_clean; write_aiger -zinit $work/proof.aig"
yosys-abc -q "read_aiger $work/proof.aig; fold; pdr; print_status" | tee "$work/log"
if [ -n "$defect" ]; then grep -q 'was asserted in frame' "$work/log"; else grep -q 'Property proved' "$work/log"; fi
