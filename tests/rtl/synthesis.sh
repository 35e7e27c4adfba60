#!/usr/bin/env bash
# Interlace: Yosys reads every SystemVerilog file and finds no latch and nothing undriven
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/rtl/synthesis.sh        (a node of small sizes: what is checked does not depend on them)
set -euo pipefail
cd "$(dirname "$0")/../../rtl"
sizes="-set Ports 3 -set Vcs 2 -set Injections 2 -set Receptions 4 -set VcDepth 8 -set InjectionDepth 8
       -set ReceptionDepth 8 -set Slots 4 -set FlitBits 64"
sees_nothing() {
    yosys -q -p "$1
                 proc
                 select -assert-none t:\$dlatch t:\$dlatchsr t:\$adlatch
                 check -assert
                 opt
                 memory -nomap
                 select -assert-min 1 t:\$mem_v2"
}
node="pkg/il_pkg.sv $(echo prim/*.sv node/*.sv)"
sees_nothing "read_verilog -sv -DSYNTHESIS -Iinclude $node
              chparam ${sizes//$'\n'/ } il_node
              hierarchy -check -top il_node"
sees_nothing "read_verilog -sv -DSYNTHESIS -Iinclude $(echo {pkg,prim,node,shell}/*.sv)
              hierarchy -check -top il_board"
sees_nothing "read_verilog -sv -DSYNTHESIS -Iinclude prim/il_memory.sv $(echo link/*.sv)
              hierarchy -check -top il_link"
