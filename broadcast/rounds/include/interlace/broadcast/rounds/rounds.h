// Interlace: collectives as rounds of messages between nodes that need not be neighbours
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/core/ids.h"

namespace interlace {

/// Packets from one node to another, numbered as in the schedules of the collective (check_collective.h).
struct RoundMessage {
    NodeId from, to;
    std::vector<std::uint32_t> packets;
    bool reduces = false;  ///< the receiver adds them to its own, or takes them as they are
    std::uint32_t part = 0;
};

/// An algorithm as its paper has it: a node sends what it has from the rounds before. It may split packets
/// into parts that go at the same time, each in directions of its own: chunk c belongs to part c % parts.
struct Rounds {
    std::uint32_t parts = 1;
    /// Packets of a round leave while others of the round before are still on their way.
    bool pipelined = false;
    std::vector<std::vector<RoundMessage>> rounds;

    /// Of the node that sends most, in all rounds.
    std::uint64_t packets_of_a_node() const;
};

/// An all-gather reversed in time, in which each packet comes to a node once, is a reduce-scatter: where a
/// packet was passed on, its sum comes together.
Rounds reversed(Rounds allgather);
/// One after the other, as all-reduces are made; both of as many parts.
Rounds joined(Rounds first, Rounds second);

}  // namespace interlace
