#!/usr/bin/env bash
# Interlace: a Verilated board on a pseudo-terminal and who asks it
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/shell/shell.sh refuses BOARD                 what breaks the protocol is refused
#        tests/shell/shell.sh same BOARD ROUTER             all pins are those of ROUTER, another device, whatever the line does
#        tests/shell/shell.sh stream STREAM ROUTER          the same of the shell between two streams that pause
#        tests/shell/shell.sh run BOARD INTERLACE [TROUBLE] what an ordinary run says is the same with a node on the board
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2> /dev/null; rm -r "$folder"' EXIT

# serve NAME PROGRAM ARGUMENT ...        until the test ends; it is there when there is its file NAME.
serve() {
    "${@:2}" > "$folder/said" 2>&1 &
    pids+=($!)
    until [ -e "$folder/$1" ]; do
        kill -0 "${pids[-1]}" || { cat "$folder/said" >&2; exit 1; }
        sleep 0.05
    done
}

case $1 in
refuses)
    serve tty "$2" --link "$folder/tty"
    python3 "$here/host.py" refuses "serial:$folder/tty"
    ;;
same)
    serve router "$3" --listen "unix:$folder/router"
    serve tty "$2" --link "$folder/tty"
    python3 "$here/host.py" same "serial:$folder/tty" "unix:$folder/router" --cycles 150
    kill "${pids[-1]}"
    rm "$folder/tty"
    serve tty "$2" --link "$folder/tty" --errors 50000 --stalls 200
    python3 "$here/host.py" same "serial:$folder/tty" "unix:$folder/router" --cycles 120 --seed 2 --garbage
    ;;
stream)
    serve router "$3" --listen "unix:$folder/router"
    serve tty "$2" --link "$folder/tty"
    python3 "$here/host.py" same "serial:$folder/tty" "unix:$folder/router" --cycles 410 --seed 3
    kill -0 "${pids[-1]}"
    ;;
run)
    run=("$3" broadcast torus:4 --engine native --packets 24 --node "$here/../../rtl/shell/il_board.yaml")
    serve tty "$2" --link "$folder/tty" "${@:4}"
    "${run[@]}" > "$folder/expected"
    for node in 0 1; do
        "${run[@]}" --device "$node=serial:$folder/tty" > "$folder/seen"
        diff "$folder/expected" "$folder/seen"
    done
    # What the node was not built for is refused, in a sentence.
    ! "${run[@]}" --set node.switching=store_and_forward --device "1=serial:$folder/tty" 2> "$folder/seen"
    grep -F "This device is built for other registers." "$folder/seen"
    ;;
esac
