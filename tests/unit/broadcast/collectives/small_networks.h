// Interlace: all small networks, for tests
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "interlace/network/network.h"

namespace interlace {

/// Calls visit(network) for the connected networks of so many nodes with links both ways, each once up to the
/// numbers of the nodes. There are 1, 2, 6 and 21 of 2 to 5 nodes (OEIS A001349).
inline void each_connected_network(std::uint32_t nodes, const std::function<void(const Network&)>& visit) {
    const auto bit = [&](std::uint32_t a, std::uint32_t b) {
        return 1U << (std::min(a, b) * nodes + std::max(a, b));
    };
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t v = 0; v < nodes; ++v)
        for (std::uint32_t u = 0; u < v; ++u) pairs.emplace_back(u, v);
    for (std::uint32_t chosen = 0; chosen < 1U << pairs.size(); ++chosen) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
        for (std::size_t i = 0; i < pairs.size(); ++i)
            if ((chosen >> i & 1U) != 0) edges.push_back(pairs[i]);
        std::vector<std::uint32_t> name(nodes);
        std::iota(name.begin(), name.end(), 0);
        const auto renamed = [&] {
            std::uint32_t bits = 0;
            for (const auto& [a, b] : edges) bits |= bit(name[a], name[b]);
            return bits;
        };
        const std::uint32_t own = renamed();
        bool first = true;
        while (first && std::next_permutation(name.begin(), name.end())) first = renamed() >= own;
        std::vector<bool> reached(nodes, false);
        reached[0] = true;
        for (std::uint32_t round = 0; round < nodes; ++round)
            for (const auto& [a, b] : edges) reached[a] = reached[b] = reached[a] || reached[b];
        if (!first || std::find(reached.begin(), reached.end(), false) != reached.end()) continue;
        std::vector<std::pair<NodeId, NodeId>> links;
        for (const auto& [a, b] : edges) {
            links.emplace_back(a, b);
            links.emplace_back(b, a);
        }
        visit(Network(fmt::format("{} of {} nodes", chosen, nodes), links));
    }
}

}  // namespace interlace
