// Interlace: the heaviest matching of a bipartite graph
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace interlace {

struct WeightedPair {
    std::uint32_t source, destination;
    std::int64_t weight;
};

struct HeaviestMatching {
    std::int64_t weight = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
};

/// Of `nodes` sources and as many destinations each at most once, with the greatest sum of weights; these are
/// above 0. By the network simplex method (LEMON).
HeaviestMatching heaviest_matching(std::uint32_t nodes, const std::vector<WeightedPair>& pairs);

}  // namespace interlace
