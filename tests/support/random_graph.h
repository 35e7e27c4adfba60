// Interlace: small random networks
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "interlace/core/random.h"
#include "interlace/network/network.h"

namespace interlace {

/// A strongly connected random network: a ring of all nodes and `extra` random directed links.
inline Network random_graph(std::uint32_t nodes, std::uint32_t extra, std::uint64_t seed) {
    std::vector<std::pair<NodeId, NodeId>> links;
    for (std::uint32_t v = 0; v < nodes; ++v) links.emplace_back(v, (v + 1) % nodes);
    for (std::uint32_t i = 0; i < extra; ++i) {
        const auto from = static_cast<std::uint32_t>(random_bits(seed, 0, i) % nodes);
        const auto to = static_cast<std::uint32_t>(random_bits(seed, 1, i) % nodes);
        if (from != to) links.emplace_back(from, to);
    }
    return {"random:" + std::to_string(seed), std::move(links)};
}

/// Most pairs of nodes joined by a link each way: up to `nodes` - 1 ports.
inline Network dense_graph(std::uint32_t nodes, std::uint64_t seed) {
    std::vector<std::pair<NodeId, NodeId>> links;
    for (std::uint32_t a = 0; a < nodes; ++a)
        for (std::uint32_t b = a + 1; b < nodes; ++b)
            if (b == a + 1 || random_bits(seed, a, b) % 5 != 0) {
                links.emplace_back(a, b);
                links.emplace_back(b, a);
            }
    return {"dense:" + std::to_string(seed), std::move(links)};
}

}  // namespace interlace
