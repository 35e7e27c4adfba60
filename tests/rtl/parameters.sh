#!/usr/bin/env bash
# Interlace: parameters that no node and no link can have stop elaboration, with a sentence where Verilator comes to it (docs/node.md, docs/links.md, section 1)
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/rtl/parameters.sh VERILATOR
set -euo pipefail
cd "$(dirname "$0")/../../rtl"
elaborate() {
    "$verilator" --lint-only -GPorts=2 -GVcs=1 -GInjections=2 -GReceptions=2 -GSlots=4 "$@" --top-module il_node -Iinclude lint/waivers.vlt pkg/*.sv prim/*.sv node/*.sv 2>&1
}
elaborate_link() {
    "$verilator" --lint-only "$@" --top-module il_link -Iinclude lint/waivers.vlt prim/il_memory.sv link/*.sv 2>&1
}
verilator=$1
elaborate
elaborate_link
while read -r module parameter value expected; do
    if said=$(elaborate_link "-G$parameter=$value"); then
        echo "parameters.sh: $parameter of $value is elaborated" >&2
        exit 1
    fi
    [ "$expected" ] || continue
    sentence="$module: $parameter is $value, expected $expected"
    grep -qF "$sentence" <<< "$said" || { printf 'parameters.sh: not said: %s\n%s\n' "$sentence" "$said" >&2; exit 1; }
done << 'END'
il_link_sender FlitBits 0 a multiple of 8, at most 16320
il_link_receiver FlitBits 12 a multiple of 8, at most 16320
il_link_sender Vcs 0 1 to 4
il_link_receiver Vcs 5 1 to 4
il_link_sender Depth 1
il_link_sender Depth 48 a power of two, 2 to 32768
il_link_sender Depth 65536 a power of two, 2 to 32768
il_link_sender SeqBits 1 2 to 16
il_link_receiver SeqBits 17 2 to 16
END
while read -r parameter value expected; do
    if said=$(elaborate "-G$parameter=$value"); then
        echo "parameters.sh: $parameter of $value is elaborated" >&2
        exit 1
    fi
    [ "$expected" ] || continue  # Verilator's own
    sentence="il_node: $parameter is $value, expected $expected"
    grep -qF "$sentence" <<< "$said" || { printf 'parameters.sh: not said: %s\n%s\n' "$sentence" "$said" >&2; exit 1; }
done << 'END'
Ports 0
Ports 11 1 to 10
Vcs 0
Vcs 5 1 to 4
Injections 0
Injections 5 1 to Ports + 2
Receptions 5 1, Ports, Ports + 1, 2 Ports or 2 (Ports + 1)
Receptions 7 1, Ports, Ports + 1, 2 Ports or 2 (Ports + 1)
FlitBits 0
FlitBits 96 a multiple of 64, at most 16320
FlitBits 16384 a multiple of 64, at most 16320
VcDepth 1
VcDepth 48 a power of two, 2 to 32768
VcDepth 65536 a power of two, 2 to 32768
InjectionDepth 3 a power of two, 2 to 32768
ReceptionDepth 0 a power of two, 2 to 32768
Pipeline 2 1 or 7
Slots 1
Slots 8192 a power of two, 2 to 4096
END
# Modules inside the node, each as if it stood alone.
while read -r module parameter value expected; do
    if said=$("$verilator" --lint-only "-G$parameter=$value" --top-module "$module" -Iinclude lint/waivers.vlt pkg/*.sv prim/*.sv node/*.sv 2>&1); then
        echo "parameters.sh: $module: $parameter of $value is elaborated" >&2
        exit 1
    fi
    sentence="$module: $parameter is $value, expected $expected"
    grep -qF "$sentence" <<< "$said" || { printf 'parameters.sh: not said: %s\n%s\n' "$sentence" "$said" >&2; exit 1; }
done << 'END'
il_fifo Depth 12 a power of two, at least 2
il_memory_fifo Depth 12 a power of two, at least 2
il_sink Sources 1 2 or more
il_sink Vcs 5 1 to 4
il_sink EveryW 9 1 to 8
il_pipelined_sink Vcs 5 1 to 4
il_pipelined_sink EveryW 9 1 to 8
il_sources VcDepth 48 a power of two, at least 2
il_sources InjectionDepth 3 a power of two, at least 2
il_sources PtrW 6 more than $clog2 of VcDepth and of InjectionDepth
END
