// Interlace: rounds of messages on the links of a network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/broadcast/rounds/rounds.h"
#include "interlace/network/network.h"
#include "interlace/program/schedule.h"

namespace interlace {

/// What one round asks of the network when all of its messages begin together.
struct RoundLoad {
    std::uint32_t starts = 0;   ///< messages that a node starts one after another, at most
    std::uint32_t hops = 0;     ///< of the longest path
    std::uint64_t packets = 0;  ///< over the fullest link
};

/// Messages take shortest paths: on a torus or mesh dimension by dimension, from half a ring away up from
/// even and down from odd coordinates; elsewhere any, drawn by the seed.
struct RoundLoads {
    std::vector<RoundLoad> rounds;
    std::uint64_t packets_together = 0;  ///< over the link that is the fullest in all rounds
    std::uint64_t hops = 0;              ///< of all packets
};

/// Throws InputError where a node does not reach another.
RoundLoads round_loads(const Network& network, const Rounds& rounds, std::uint64_t seed);

struct RoutedRounds {
    RoundLoads loads;
    /// The same packet by packet, one a link and step, by step. No round waits for the one before: a packet
    /// leaves when its sender has got it from all that send it there in earlier rounds.
    std::vector<MessageSend> sends;
};

/// Throws InputError as that does, and for packets that make more than 2^25 hops.
RoutedRounds routed(const Network& network, const Rounds& rounds, std::uint64_t seed);

}  // namespace interlace
