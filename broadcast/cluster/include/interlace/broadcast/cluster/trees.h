// Interlace: broadcast and multicast trees of workstations that take unequal time to start a message
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/program/messages.h"

namespace interlace {

/// Source of all: Banikazemi, Moorthy, Panda, "Efficient Collective Communication on Heterogeneous Networks
/// of Workstations". Workstation i needs start[i] (t_ini, any unit) to send one message, in which it sends no
/// other; the message is there when the sender is done, and its receiver may send it on.
struct TreeSend {
    NodeId from, to;
    std::uint64_t sent = 0, received = 0;
};

/// All sends, in the order in which they are received.
using TreePlan = std::vector<TreeSend>;

/// When the last destination has the message.
std::uint64_t latency(const TreePlan& plan);

/// Who takes part: a source and other workstations, each once, without the source.
struct Multicast {
    NodeId source;
    std::vector<NodeId> destinations;
};

/// The binomial tree over the source and the destinations in the order given (MPICH): the first half sends to
/// the second half's first, and so on in both halves.
TreePlan binomial_tree(const std::vector<std::uint64_t>& start, const Multicast& multicast);

/// The binomial tree whose places with most descendants have the fastest workstations (section 4, SPOC).
TreePlan spoc_tree(const std::vector<std::uint64_t>& start, const Multicast& multicast);

/// Eq. 1: an upper bound of the SPOC tree's latency.
std::uint64_t spoc_bound(const std::vector<std::uint64_t>& start, const Multicast& multicast);

/// Fastest-Node First (section 6): who can send soonest sends to the fastest that has not received.
TreePlan fnf_tree(const std::vector<std::uint64_t>& start, const Multicast& multicast);

/// A tree of least latency, by the recurrence of section 5 on trees whose costs do not fall from parent to
/// child (Lemma 2): 3^n steps and 2^(n+1) numbers for n destinations instead of n^2 4^n. Throws InputError
/// beyond max_optimal_destinations.
TreePlan optimal_tree(const std::vector<std::uint64_t>& start, const Multicast& multicast);
inline constexpr std::size_t max_optimal_destinations = 20;

/// Runs plans side by side, the block of plan i being i: each workstation sends on, in its plan's order, what
/// it has received. `machines`: of the cluster.
MessageProgram tree_program(const std::vector<TreePlan>& plans, std::uint32_t machines, std::uint64_t bytes);

}  // namespace interlace
