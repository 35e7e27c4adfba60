#!/usr/bin/env bash
# Interlace: with FixedConfig the registers that all nodes share cost nothing
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/rtl/fixed_config.sh        Flip-flops and cells of a small node, with registers and with constants.
set -euo pipefail
cd "$(dirname "$0")/../../rtl"
sizes="-set Ports 2 -set Vcs 2 -set Injections 1 -set Receptions 1 -set VcDepth 4 -set InjectionDepth 4
       -set ReceptionDepth 4 -set Slots 2 -set FlitBits 64"
constants="-set FixedConfig 1 -set FixedSwitching 1 -set FixedVcs 3 -set FixedVcDepth 4 -set FixedInjectionDepth 4
           -set FixedReceptionDepth 4 -set FixedPorts 3 -set FixedCyclesPerFlit 1"

# count PARAMETERS: flip-flops and cells after synthesis
count() {
  local parameters="$sizes $*"
  yosys -p "read_verilog -sv -DSYNTHESIS -Iinclude pkg/il_pkg.sv $(echo prim/*.sv node/*.sv)
            chparam ${parameters//$'\n'/ } il_node
            synth -top il_node -flatten -noshare -noabc
            stat" |
    awk '/Number of cells/ { cells = $4; flops = 0 } /DFF/ { flops += $2 } END { print flops, cells }'
}
read -r flops cells <<<"$(count)"
read -r fixed_flops fixed_cells <<<"$(count "$constants")"
# switching 2, vcs V, three depths of log2(4) + 1, ports P, receptions 3, routing 3, classes 2 V, cycles_per_flit 8, adaptive 2 V + 7
shared=$((2 + 2 + 3 * 3 + 2 + 3 + 3 + 4 + 8 + 11))
echo "with registers: $flops flip-flops, $cells cells; with constants: $fixed_flops, $fixed_cells;" \
     "the registers are $shared bits"
((flops - fixed_flops >= shared && fixed_cells < cells))
