#!/usr/bin/env bash
# Interlace: every variant for one cluster, compiled without a warning and run beside MPI's own routines under the address and
# undefined-behaviour sanitizers
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: run.sh INTERLACE CLUSTER MACHINES RANKS COMPILER...; more ranks than machines: the other group of an intercommunicator
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/generate.sh"
interlace=$1 cluster=$2 machines=$3 ranks=$4
compiler=("${@:5}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for algorithm in lr1 lr3 ring recursive_doubling gather_broadcast; do
    generate "GATHER(gather_$algorithm)" "gather_$algorithm" allgather "$cluster" --algorithm "$algorithm"
done
generate "GATHER(gather_barriers)" gather_barriers allgather "$cluster" --algorithm lr1 --barriers
if "$interlace" allgather "$cluster" --algorithm lr2 --plan > /dev/null 2>&1; then
    generate "GATHER(gather_lr2)" gather_lr2 allgather "$cluster" --algorithm lr2
fi
for sync in none dummy sender_all sender_partial receiver_all receiver_partial barrier_all barrier_partial_none \
            barrier_partial_sender barrier_partial_receiver; do
    generate "EXCHANGE(exchange_$sync)" "exchange_$sync" alltoall "$cluster" --sync "$sync" --block 3
done
for algorithm in pairwise staggered post_all tuned; do
    generate "EXCHANGE(exchange_$algorithm)" "exchange_$algorithm" alltoall "$cluster" --algorithm "$algorithm"
done
generate "SHUFFLE(shuffle_shift)" shuffle_shift alltoall "$cluster" --algorithm shuffle --set event.frame.mtu=777
generate "SHUFFLE(shuffle_colour)" shuffle_colour alltoall "$cluster" --algorithm shuffle \
    --permutation edge_colour --set event.frame.mtu=1001 --window 3
if (((machines & (machines - 1)) == 0)); then
    generate "SHUFFLE(shuffle_xor)" shuffle_xor alltoall "$cluster" --algorithm shuffle --permutation xor --window 1
    generate "SHUFFLE(shuffle_reorder)" shuffle_reorder alltoall "$cluster" --algorithm shuffle --window 5 \
        --reorder --set event.frame.mtu=2000
fi
for algorithm in binomial spoc fnf optimal_tree; do
    generate "BROADCAST(broadcast_$algorithm, 2)" "broadcast_$algorithm" broadcast "$cluster" \
        --algorithm "$algorithm" --source 2 --tini 100
done
flags=(-O1 -g -Wall -Wextra -Wconversion -pedantic -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined)
printf '%s\0' ./*.c | xargs -0 -n 1 -P 2 "${compiler[@]}" "${flags[@]}" -c
mpicc -std=c11 "${flags[@]}" -Wno-conversion -I. -c "$here/driver.c"
"${compiler[0]}" -fsanitize=address,undefined ./*.o -o driver
# MPI itself keeps memory to the end; nothing else is to leak, but the sanitizer cannot tell.
export ASAN_OPTIONS=detect_leaks=0
mpirun --allow-run-as-root --oversubscribe --mca btl self,vader --mca mpi_yield_when_idle 1 -np "$ranks" \
    ./driver "$machines"
