#!/usr/bin/env bash
# Interlace: generates every variant for one cluster, compiles it without a warning and runs it beside MPI's own routines
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: run.sh INTERLACE DRIVER.c CLUSTER MACHINES
set -euo pipefail
interlace=$1 driver=$2 cluster=$3 machines=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
generate() { # LINE-OF-ROUTINES NAME ARGUMENTS...
    "$interlace" generate "${@:3}" --function "$2" -o "$2.c" 2> notes || { cat notes; exit 1; }
    echo "$1" >> routines.h
}
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
generate "EXCHANGE(exchange_shift)" exchange_shift alltoall "$cluster" --algorithm shuffle --set event.frame.mtu=777
generate "EXCHANGE(exchange_colour)" exchange_colour alltoall "$cluster" --algorithm shuffle --permutation edge_colour \
    --set event.frame.mtu=1001 --window 3
if (((machines & (machines - 1)) == 0)); then
    generate "EXCHANGE(exchange_xor)" exchange_xor alltoall "$cluster" --algorithm shuffle --permutation xor --window 1
    generate "EXCHANGE(exchange_reorder)" exchange_reorder alltoall "$cluster" --algorithm shuffle --window 5 --reorder \
        --set event.frame.mtu=2000
fi
for algorithm in binomial spoc fnf optimal_tree; do
    generate "BROADCAST(broadcast_$algorithm, 2)" "broadcast_$algorithm" broadcast "$cluster" \
        --algorithm "$algorithm" --source 2 --tini 100
done
mpicc -std=c11 -O1 -Wall -Wextra -Werror -I. ./*.c "$driver" -o driver
mpirun --allow-run-as-root --oversubscribe --mca btl self,vader --mca mpi_yield_when_idle 1 -np "$machines" ./driver
