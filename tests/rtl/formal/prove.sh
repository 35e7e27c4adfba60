#!/usr/bin/env bash
# Interlace: proves the assertions of a bench with Yosys and ABC, or finds a run that violates one
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/rtl/formal/prove.sh NAME[@PIPELINE] [CYCLES | induction] [-- FILE DEFECT]
#
# NAME.sv beside this file is the bench of rtl/, NAME_proof its module, PIPELINE a parameter of that. Proved for all time by
# property-directed reachability, or by induction, for which assertions that are not clocked have to say why they hold, or for runs of CYCLES from reset on. DEFECT, a sed expression, is planted in FILE of rtl/; then an assertion must be violated.
set -euo pipefail
cd "$(dirname "$0")/../../../rtl"
name=${1%@*} pipeline=${1#"${1%@*}"} cycles= defect=
shift
[ $# -eq 0 ] || [ "$1" = -- ] || { cycles=$1; shift; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r . "$work/rtl"
if [ $# -gt 0 ]; then
    defect=$3
    sed -E "$defect" "$2" > "$work/rtl/$2"
    ! cmp -s "$2" "$work/rtl/$2" || { echo "prove.sh: \"$defect\" changes nothing in rtl/$2" >&2; exit 2; }
fi
prove="setundef -anyseq; opt_clean; techmap; abc -g AND -fast; opt_clean; write_aiger -zinit $work/proof.aig"
if [ "$cycles" = induction ]; then
    cycles=30  # in which a defect shows
    [ -n "$defect" ] || prove="sat -tempinduct -prove-asserts -set-assumes -verify"
fi
# Registers without an initial value begin with any.
yosys -q -p "read_verilog -formal -sv -I$work/rtl/include $(echo "$work"/rtl/pkg/*.sv "$work"/rtl/prim/*.sv "$work"/rtl/node/*.sv "$work"/rtl/link/*.sv) ../tests/rtl/formal/$name.sv
             ${pipeline:+chparam -set Pipeline ${pipeline#@} ${name}_proof}
             hierarchy -check -top ${name}_proof; proc; memory_map; flatten; opt; async2sync; dffunmap; opt_clean; $prove" | { grep -v 'Replacing memory' || true; }
[ -e "$work/proof.aig" ] || exit 0
engine=pdr
[ -z "$cycles" ] || engine="bmc3 -F $cycles"
yosys-abc -q "read_aiger $work/proof.aig; fold; scorr; $engine; print_status" | tee "$work/log"
if [ -n "$defect" ]; then
    grep -q 'was asserted in frame' "$work/log"
elif [ -n "$cycles" ]; then
    grep -q "No output asserted in $cycles frames" "$work/log"
else
    grep -q 'Property proved' "$work/log"
fi
