// Interlace: the algorithms for collectives that papers have, round by round
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/broadcast/rounds/rounds.h"
#include "interlace/network/network.h"

namespace interlace {

// All-gathers of packets origin * chunks + chunk, on any network of N nodes. On a lattice they go along its
// dimensions; on another network nodes are one row by their numbers.

/// N - 1 rounds on a Hamiltonian cycle, in both directions. On a torus of c columns and k c rows with
/// gcd(k c, c - 1) = 1 on two cycles without a link in common (Swing, arXiv 2401.09356, 2.3.1). On a mesh
/// whose sizes are all odd, and on a graph, some messages go over several links.
Rounds ring_allgather(const Network& network, std::uint32_t chunks);

/// Dimension by dimension, a ring in each: sum of (n_d - 1) rounds. Twice as many parts as dimensions, each
/// beginning with another dimension or direction (Sack and Gropp 2015; Swing 2.3.3).
Rounds bucket_allgather(const Network& network, std::uint32_t chunks);

enum class Nearest : std::uint8_t { first, last };
/// In each of log2 N rounds all that a node has goes to the node whose number differs in one bit of one
/// coordinate, dimensions in turn. Nearest first: Thakur, Rabenseifner, Gropp 2005. Nearest last, when there
/// is most to send: the second half of Rabenseifner's all-reduce (2004), as Swing 2.3.2 has it. Throws
/// InputError unless all sizes are powers of two.
Rounds recursive_doubling_allgather(const Network& network, std::uint32_t chunks, Nearest nearest);

/// Nodes in one row by their numbers: in round k node r sends its first min(2^k, N - 2^k) packets to node r -
/// 2^k (Bruck and others 1997): log2 N rounds, rounded up.
Rounds bruck_allgather(const Network& network, std::uint32_t chunks);

/// In round s of a dimension a node of even coordinate talks to the one (1 - (-2)^(s + 1)) / 3 away, one of
/// odd coordinate to the one as far on the other side; farthest first. Twice as many parts as dimensions,
/// half of them mirrored (Swing, arXiv 2401.09356). Where a size is odd, all but the last node of a row do
/// so, and this one exchanges its own packets with each of them, half of them in the round of the largest
/// messages, half of the rest in that of the next smaller ones, and so on.
Rounds swing_allgather(const Network& network, std::uint32_t chunks);

// All-reduces of whole vectors, of owner * chunks + chunk: log2 N rounds. Throw InputError unless all sizes
// are powers of two.

Rounds recursive_doubling_allreduce(const Network& network, std::uint32_t chunks);
Rounds swing_allreduce_of_vectors(const Network& network, std::uint32_t chunks);

// All-to-alls of packets (origin * N + destination) * chunks + chunk.

/// All messages at once: one round of N - 1 messages a node.
Rounds direct_alltoall(const Network& network, std::uint32_t chunks);
/// In round k with node r XOR k if N is a power of two, else to node r + k: N - 1 rounds (MPICH).
Rounds pairwise_alltoall(const Network& network, std::uint32_t chunks);
/// In round k what goes to a node whose number is larger, modulo N, by an amount with bit k goes 2^k nodes
/// on (Bruck and others 1997): log2 N rounds, rounded up.
Rounds bruck_alltoall(const Network& network, std::uint32_t chunks);
/// First along the longest dimension, together for all nodes of the destination's coordinate there, then
/// from there (Kumar and others, ICPP 2008: Blue Gene/L). Throws InputError without two dimensions.
Rounds two_phase_alltoall(const Network& network, std::uint32_t chunks);

// Trees that start at a root: a scatter of packets destination * chunks + chunk, a broadcast of packets 0 to
// chunks - 1. Reversed they are a gather and a reduce.

enum class RoundTree : std::uint8_t {
    binomial,  ///< by numbers relative to the root: to the node 2^k on, largest k first
    bine       ///< at distance (2^(k + 1) + (-1)^k) / 3 in turn on both sides (arXiv 2508.17311)
};
/// log2 N rounds, rounded up. bine: throws InputError unless N is a power of two.
Rounds tree_scatter(const Network& network, RoundTree tree, NodeId root, std::uint32_t chunks);
Rounds tree_broadcast(const Network& network, RoundTree tree, NodeId root, std::uint32_t chunks);
/// Of an all-gather reversed, or of a tree's: packets keep their numbers and nothing is added.
Rounds reversed_copies(Rounds rounds);

/// A barrier in log2 N rounds, rounded up: in round k node r tells node r + 2^k (Hensgen, Finkel, Manber
/// 1988).
Rounds dissemination_barrier(const Network& network);

}  // namespace interlace
