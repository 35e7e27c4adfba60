// Interlace: Bruck's all-gather and all-to-all
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "gathering.h"
#include "grid.h"
#include "interlace/broadcast/rounds/algorithms.h"

namespace interlace {

Rounds bruck_allgather(const Network& network, std::uint32_t chunks) {
    const std::uint32_t nodes = network.node_count();
    Rounds rounds;
    for (std::uint32_t k = 0; k < log2_of(nodes); ++k) {
        const std::uint32_t far = 1U << k;
        for (std::uint32_t v = 0; v < nodes; ++v) {
            RoundMessage message{NodeId{v}, NodeId{(v + nodes - far) % nodes}, {}};
            for (std::uint32_t i = 0; i < std::min(far, nodes - far); ++i)
                add_packets(message.packets, (v + i) % nodes, 0, 1, chunks);
            add_message(rounds, k, std::move(message));
        }
    }
    return rounds;
}

Rounds bruck_alltoall(const Network& network, std::uint32_t chunks) {
    const std::uint32_t nodes = network.node_count();
    Rounds rounds;
    for (std::uint32_t k = 0; k < log2_of(nodes); ++k) {
        const std::uint32_t far = 1U << k;
        for (std::uint32_t v = 0; v < nodes; ++v) {
            RoundMessage message{NodeId{v}, NodeId{(v + far) % nodes}, {}};
            for (std::uint32_t offset = 0; offset < nodes; ++offset) {
                if ((offset & far) == 0) continue;
                const std::uint32_t origin = (v + nodes - (offset & (far - 1))) % nodes;
                add_packets(message.packets, origin * nodes + (origin + offset) % nodes, 0, 1, chunks);
            }
            add_message(rounds, k, std::move(message));
        }
    }
    return rounds;
}

}  // namespace interlace
