#!/usr/bin/env bash
# Interlace: routines of 32 machines on a stand-in for MPI, with counts far beyond 2^31 bytes, under the sanitizers
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: counts.sh INTERLACE C-COMPILER C++-COMPILER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/generate.sh"
interlace=$1 cc=$2 cxx=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for algorithm in lr1 lr3 recursive_doubling gather_broadcast; do
    generate "GATHER(gather_$algorithm)" "gather_$algorithm" allgather cluster:aapc_3 --algorithm "$algorithm"
done
for sync in none dummy receiver_partial barrier_all; do
    generate "EXCHANGE(exchange_$sync)" "exchange_$sync" alltoall cluster:aapc_3 --sync "$sync"
done
for algorithm in pairwise post_all; do
    generate "EXCHANGE(exchange_$algorithm)" "exchange_$algorithm" alltoall cluster:aapc_3 --algorithm "$algorithm"
done
generate "SHUFFLE(shuffle_xor)" shuffle_xor alltoall cluster:aapc_3 --algorithm shuffle --permutation xor \
    --set event.frame.mtu=65536
generate "BROADCAST(broadcast_fnf, 2)" broadcast_fnf broadcast cluster:aapc_3 --algorithm fnf --source 2 --tini 100
flags=(-O1 -g -Wall -Wextra -fsanitize=address,undefined -fno-sanitize-recover=undefined -I "$here/stand_in" -I.)
"$cc" -std=c11 "${flags[@]}" -Wconversion -pedantic -Werror -Dmalloc=stand_in_malloc -Dfree=stand_in_free -c ./*.c
"$cxx" -std=c++17 "${flags[@]}" "$here/counts.cpp" ./*.o -o counts
ASAN_OPTIONS=detect_leaks=0 ./counts 32
