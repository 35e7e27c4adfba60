// Interlace: which packets nodes have, as an all-gather goes on
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interlace/broadcast/rounds/rounds.h"

namespace interlace {

/// Builds an all-gather in which nodes send what the receiver lacks of what they have.
class Gathering {
  public:
    Gathering(std::uint32_t nodes, std::uint32_t parts, std::uint32_t chunks);

    /// All messages of a part in a round, each from a node to peer(node), if that is another.
    template <class Peer>
    void send_all(std::size_t round, std::uint32_t part, const Peer& peer) {
        send_all(round, part, peer, [](NodeId, NodeId) { return true; });
    }
    /// Only packets of origins for which goes(origin, node) holds.
    template <class Peer, class Goes>
    void send_all(std::size_t round, std::uint32_t part, const Peer& peer, const Goes& goes) {
        const std::vector<std::uint64_t> before = has_[part];
        for (std::uint32_t v = 0; v < nodes_; ++v) {
            const NodeId from{v}, to = peer(from);
            if (to != from)
                send(round, part, from, to, before, [&](NodeId origin) { return goes(origin, from); });
        }
    }
    Rounds take() { return std::move(rounds_); }

  private:
    void send(std::size_t round, std::uint32_t part, NodeId from, NodeId to,
              const std::vector<std::uint64_t>& before, const std::function<bool(NodeId origin)>& goes);

    std::uint32_t nodes_, chunks_, words_;
    Rounds rounds_;
    std::vector<std::vector<std::uint64_t>> has_;  // [part][node][origin]: bits
};

/// Appends the packets of an origin that belong to a part.
inline void add_packets(std::vector<std::uint32_t>& packets, std::uint32_t origin, std::uint32_t part,
                        std::uint32_t parts, std::uint32_t chunks) {
    for (std::uint32_t chunk = part; chunk < chunks; chunk += parts)
        packets.push_back(origin * chunks + chunk);
}

/// Of a part, in a round that is there already or the next one. A message without packets is none.
void add_message(Rounds& rounds, std::size_t round, RoundMessage message);

}  // namespace interlace
