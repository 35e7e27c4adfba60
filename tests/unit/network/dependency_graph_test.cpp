// Interlace: cycles of dependencies against brute force
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/dependency_graph.h"

#include <gtest/gtest.h>

#include <set>

#include "interlace/core/random.h"

namespace interlace {
namespace {

/// Whether `to` is reached from `from`, by closing the relation (Warshall).
bool reaches(const std::set<Dependency>& edges, std::uint32_t nodes, std::uint32_t from, std::uint32_t to) {
    std::vector<std::vector<bool>> closed(nodes, std::vector<bool>(nodes, false));
    for (const auto& [a, b] : edges) closed[a][b] = true;
    for (std::uint32_t k = 0; k < nodes; ++k)
        for (std::uint32_t i = 0; i < nodes; ++i)
            for (std::uint32_t j = 0; j < nodes; ++j)
                if (closed[i][k] && closed[k][j]) closed[i][j] = true;
    return closed[from][to];
}

TEST(DependencyGraph, TakesWhatClosesNoCycleAndNamesTheCycleOtherwise) {
    constexpr std::uint32_t nodes = 9;
    std::uint32_t refused = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        DependencyGraph graph(nodes);
        std::set<Dependency> held;
        for (std::uint64_t i = 0; i < 40; ++i) {
            const auto pick = [&](std::uint64_t stream) {
                return static_cast<std::uint32_t>(random_bits(seed, stream, i) % nodes);
            };
            // Two at a time: both are taken or none.
            const std::vector<Dependency> pair = {{pick(0), pick(1)}, {pick(2), pick(3)}};
            std::set<Dependency> with = held;
            with.insert(pair.begin(), pair.end());
            bool cyclic = false;
            for (std::uint32_t v = 0; v < nodes; ++v) cyclic = cyclic || reaches(with, nodes, v, v);
            const std::vector<std::uint32_t> cycle = graph.add(pair);
            ASSERT_EQ(cycle.empty(), !cyclic) << seed << " " << i;
            if (!cyclic) {
                held = with;
                continue;
            }
            ++refused;
            for (std::size_t c = 0; c < cycle.size(); ++c)
                EXPECT_TRUE(with.count({cycle[c], cycle[(c + 1) % cycle.size()]})) << "no dependency";
        }
    }
    EXPECT_GT(refused, 1'000U);
}

}  // namespace
}  // namespace interlace
