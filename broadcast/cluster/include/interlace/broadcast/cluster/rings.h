// Interlace: logical rings of a cluster's machines for all-to-all broadcast (all-gather)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/network/switch_tree.h"

namespace interlace {

/// All machines, each sends to the next and the last to the first. Contention-free if no directed link is on
/// two of these paths. Source of all rings: Faraj, Patarasuk, Yuan, "Bandwidth Efficient All-to-All Broadcast
/// on Switched Clusters".
using Ring = std::vector<NodeId>;

/// Switches on the longest path between neighbours of the ring (1: all on one switch).
std::uint32_t longest_path(const SwitchTree& tree, const Ring& ring);

/// Machines by number, whatever the network: what a library that does not know the topology takes.
Ring unaware_ring(const SwitchTree& tree);

/// Algorithm 1: machines of one switch side by side, switches depth first. Contention-free.
Ring ring_lr1(const SwitchTree& tree);

/// Algorithm 2: contention-free, and no path longer than two switches. Throws InputError that names a switch
/// with fewer machines than neighbours, where there is no such ring (Theorem 2).
Ring ring_lr2(const SwitchTree& tree);

/// The problem that Algorithm 3 solves: a contention-free ring whose longest path is as short as any such
/// ring's. Not by the paper's enumeration of the orders of subtrees, n!/(n-k)! at a switch: docs/rings.md
/// says how.
Ring ring_lr3(const SwitchTree& tree);

}  // namespace interlace
