#!/usr/bin/env bash
# Interlace: bounded model checking of a primitive with Yosys and Z3
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/rtl/formal/prove.sh NAME STEPS [induction]     NAME: fifo, credit_counter, arbiter
set -euo pipefail
cd "$(dirname "$0")/../../.."
model=$(mktemp)
trap 'rm -f "$model"' EXIT
yosys -q -p "read_verilog -formal -sv rtl/pkg/il_pkg.sv rtl/prim/il_$1.sv tests/rtl/formal/$1.sv
             prep -top $1_proof; flatten; memory_map; opt_clean; write_smt2 -wires $model"
yosys-smtbmc -s z3 --noprogress -t "$2" "$model"
[ "${3:-}" != induction ] || yosys-smtbmc -s z3 --noprogress -i -t "$2" "$model"
