#!/usr/bin/env bash
# Interlace: gates of a small node, as Yosys makes them of rtl/
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/gates/gates.sh PIPELINE FILE        FILE: Verilog of module il_gates
#
# Two ports and two channels, flits of 64 bits. Logic is LUTs and flip-flops; memories stay memories.
set -euo pipefail
cd "$(dirname "$0")/../../rtl"
yosys -q -p "read_verilog -sv -noassert -noassume -DSYNTHESIS -Iinclude pkg/il_pkg.sv $(echo prim/*.sv node/*.sv)
             chparam -set Ports 2 -set Vcs 2 -set Injections 4 -set Receptions 6 -set FlitBits 64 -set VcDepth 64 -set InjectionDepth 64 \
                     -set ReceptionDepth 64 -set Slots 64 -set Pipeline $1 il_node
             hierarchy -check -top il_node
             script synth/common.ys
             rename -top il_gates
             alumacc; opt; techmap; opt
             abc -lut 6; opt_clean
             select -assert-any t:\$lut
             splitnets -driver
             write_verilog -noattr $2.part"
mv "$2.part" "$2"
