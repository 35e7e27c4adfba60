// Interlace: complete exchange (all-to-all personalized communication) in phases free of contention
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/network/switch_tree.h"
#include "interlace/program/messages.h"

namespace interlace {

/// Source of all: Faraj, Yuan, Patarasuk, "A Message Scheduling Scheme for All-to-all Personalized
/// Communication on Ethernet Switched Clusters".
struct ExchangePlan {
    std::uint32_t root = 0;                     ///< a switch of the tree, by the tree's number
    std::vector<std::vector<NodeId>> subtrees;  ///< T_0, T_1, ...: the machines of each, the largest first
    std::vector<Phase> phases;                  ///< |M_0| (|M| - |M_0|), the load of the exchange
};

/// The most messages that cross a directed link when every machine sends to every other one.
std::uint64_t exchange_load(const SwitchTree& tree);

/// Section 4: a root at a bottleneck link, phases for the messages between its subtrees, and the six steps of
/// Figure 4, which give each message a phase. Subtrees of equal size are in the order of their lowest
/// machine. Throws InputError beyond 2^28 messages.
ExchangePlan schedule_exchange(const SwitchTree& tree);

/// A synchronisation of the plan's messages: `after` must not begin before `before` is out of the way.
/// Messages are numbered through all phases.
struct Dependence {
    std::uint32_t before, after;
};

/// Section 5: every two messages of different phases that share a directed link, without those pairs that
/// follow from others.
std::vector<Dependence> exchange_dependences(const SwitchTree& tree, const std::vector<Phase>& phases);

/// What keeps the phases apart (Table 5).
struct Synchronisation {
    enum class Pairs { none, sender, receiver };
    Pairs pairs = Pairs::none;  ///< who tells the next one of a link that it is free
    std::uint32_t block = 1;    ///< phases of a block; within one there is no order, unless `pairs_within`
    bool barriers = false;      ///< between blocks, instead of pairs
    bool pairs_within = false;  ///< pairs within blocks, between barriers
    bool dummies = false;       ///< idle machines send to idle machines of their switch meanwhile
};

/// Runs a plan: each machine sends and receives in the order of phases, and goes on to its next one when its
/// last is complete. Blocks are i * machines + j. `bytes`: of each message; a synchronisation has none.
MessageProgram scheduled_exchange(const SwitchTree& tree, const std::vector<Phase>& phases,
                                  std::uint64_t bytes, const Synchronisation& synchronisation);

/// All at once, receivers by number (LAM).
MessageProgram post_all_exchange(std::uint32_t machines, std::uint64_t bytes);
/// All at once, each machine beginning with the one after it (MPICH, messages of medium size).
MessageProgram staggered_exchange(std::uint32_t machines, std::uint64_t bytes);
/// In step i with the machine whose number is its own XOR i; where the machines are no power of two, to the
/// i-th after it and from the i-th before it (MPICH, large messages).
MessageProgram pairwise_exchange(std::uint32_t machines, std::uint64_t bytes);

}  // namespace interlace
