#!/usr/bin/env bash
# Interlace: runs what takes long of rtl/, unless it passed with these very files before
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/rtl/unless_proven.sh KIND COMMAND ARGUMENT ...        exit code 77 (CTest: skipped) where .ci/proven has what is there
#        tests/rtl/unless_proven.sh KIND                             exit code 0 where it has
#        tests/rtl/unless_proven.sh                                  prints what .ci/proven would have: scripts/prove
#
# KIND is what a result is a function of:
# yosys     rtl/, its benches and scripts, Yosys and ABC: nothing else is compiled or run
# models    what is compiled of rtl/, of the SystemC node and of the pins between them, with every folder that this includes or links, its tests and compilers
# PROVE=1 runs it all the same.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
declare -A files=(
    [yosys]="rtl tests/rtl/formal tests/rtl/*.sh tests/rtl/CMakeLists.txt"
    [models]="CMakeLists.txt CMakePresets.json cmake rtl systemc base/config base/core base/network host/node host/engine/checking host/engine/fabric host/engine/link
              host/engine/pins host/engine/region host/engine/routing host/engine/systemc host/engine/verilated tests/CMakeLists.txt tests/coverage tests/gates tests/lockstep tests/netlist tests/rtl tests/support"
)
# shellcheck disable=SC2086  # patterns
hash_of() {
    (
        cd "$root"
        find ${files[$1]} -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
        yosys -V
        sha256sum < "$(command -v yosys-abc)"
        [ "$1" = yosys ] || { verilator --version; "${CXX:-c++}" --version; }
    ) | sha256sum | cut -d ' ' -f 1
}
if [ $# -eq 0 ]; then
    for kind in models yosys; do echo "$kind $(hash_of $kind)"; done
    exit
fi
kind=$1
shift
known=
[ -n "${PROVE:-}" ] || ! grep -qxF "$kind $(hash_of "$kind")" "$root/.ci/proven" 2> /dev/null || known=yes
if [ $# -eq 0 ]; then
    [ $known ]
elif [ $known ]; then
    echo "passed before, of the same files and tools: .ci/proven (PROVE=1 runs it)"
    exit 77
else
    exec "$@"
fi
