// Interlace: the fewest steps of a broadcast on a tiny network, by trying everything
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "interlace/network/network.h"

namespace interlace {

/// The fewest steps of any broadcast, by search over all sets of holders (nodes x packets bits).
inline std::uint32_t brute_force(const Network& network, std::uint32_t packets) {
    const std::uint32_t nodes = network.node_count();
    const std::uint64_t all = (std::uint64_t{1} << (nodes * packets)) - 1;
    std::set<std::uint64_t> states{(std::uint64_t{1} << packets) - 1};  // node 0 holds all
    for (std::uint32_t step = 0;; ++step) {
        if (states.contains(all)) return step;
        std::set<std::uint64_t> after;
        for (const std::uint64_t before : states) {
            std::set<std::uint64_t> reached{before};
            for (std::uint32_t v = 0; v < nodes; ++v)
                for (const NodeId next : network.neighbours(NodeId{v})) {
                    std::set<std::uint64_t> extended;
                    for (const std::uint64_t now : reached)
                        for (std::uint32_t p = 0; p < packets; ++p)
                            if ((before >> (v * packets + p) & 1U) != 0)
                                extended.insert(now | std::uint64_t{1} << (next * packets + p));
                    reached.insert(extended.begin(), extended.end());
                }
            after.insert(reached.begin(), reached.end());
        }
        states = std::move(after);
    }
}

}  // namespace interlace
