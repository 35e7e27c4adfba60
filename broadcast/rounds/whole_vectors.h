// Interlace: rounds in which every node sends its sums of all packets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "gathering.h"

namespace interlace {

/// Of a part, each node to peer(node).
template <class Peer>
void add_whole_vectors(Rounds& rounds, std::size_t round, std::uint32_t part, std::uint32_t nodes,
                       std::uint32_t chunks, const Peer& peer) {
    for (std::uint32_t v = 0; v < nodes; ++v) {
        RoundMessage message{NodeId{v}, peer(NodeId{v}), {}, true, part};
        for (std::uint32_t owner = 0; owner < nodes; ++owner)
            add_packets(message.packets, owner, part, rounds.parts, chunks);
        add_message(rounds, round, std::move(message));
    }
}

}  // namespace interlace
