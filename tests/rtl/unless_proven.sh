#!/usr/bin/env bash
# Interlace: runs what Yosys says of rtl/, unless it said so of these very files before
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/rtl/unless_proven.sh COMMAND ARGUMENT ...        exit code 77 (CTest: skipped) where .ci/proven names what is there
#        tests/rtl/unless_proven.sh                             prints what .ci/proven would name: scripts/prove
#
# What such a command says is a function of rtl/, of the benches and scripts here, of Yosys and of ABC: nothing else is compiled or run.
# PROVE=1 runs it all the same.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
now=$(cd "$root" && { find rtl tests/rtl/formal tests/rtl/*.sh tests/rtl/CMakeLists.txt -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; yosys -V; sha256sum < "$(command -v yosys-abc)"; } | sha256sum)
now=${now%% *}
if [ $# -eq 0 ]; then
    echo "$now"
elif [ -z "${PROVE:-}" ] && [ "$now" = "$(cat "$root/.ci/proven" 2> /dev/null)" ]; then
    echo "passed before, of the same files and Yosys: .ci/proven"
    exit 77
else
    exec "$@"
fi
