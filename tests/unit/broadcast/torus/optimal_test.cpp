// Interlace: the optimal scheduler against brute force, bounds and published cases
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/torus/optimal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interlace/core/error.h"
#include "support/brute_force.h"
#include "support/proven_steps.h"
#include "support/random_graph.h"

namespace interlace {
namespace {

std::uint32_t proven_optimal(const Network& network, const Group& group, std::uint32_t source,
                             std::uint32_t packets, std::uint32_t gap) {
    const OptimalBroadcast best = optimal_broadcast(network, group, NodeId{source}, packets);
    const Program program(network, NodeId{source}, packets, best.sends);
    const std::uint32_t steps = proven_steps(network, group, NodeId{source}, packets, best.sends);
    EXPECT_LE(steps, best.steps);
    EXPECT_GE(steps, best.bound.steps);
    EXPECT_LE(best.steps - best.bound.steps, gap) << network.name() << " from " << source;
    return steps;
}

TEST(Optimal, IsNeverBelowBruteForceNorItsBoundAboveIt) {
    std::uint32_t met = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Network network = random_graph(4, 4, seed);
        const std::uint32_t least = brute_force(network, 3);
        const OptimalBroadcast best = optimal_broadcast(network, global_group(network), NodeId{0}, 3);
        EXPECT_LE(best.bound.steps, least) << seed;
        EXPECT_GE(best.steps, least) << seed;
        met += best.steps == least ? 1 : 0;
    }
    EXPECT_EQ(met, 30U);
}

TEST(Optimal, IsProvenOnEveryLineOfTable1) {
    for (const char* name : {"ibt:64x64:b=6", "ibt:64x64:b=14", "ibt:64x64:b=4,16", "ibt:64x64:b=8,24"})
        for (const std::uint32_t source : {0U, 1U, 2U, 3U}) {
            const Network network = make_network(name);
            proven_optimal(network, axes_group(network, NodeId{source}, {0}), source, 32, 0);
        }
}

TEST(Optimal, IsProvenOnEveryLineOfFigures1And2) {
    std::vector<std::string> names;
    for (std::uint32_t b = 2; b <= 32; b += 2) names.push_back("ibt:64x64:b=" + std::to_string(b));
    for (std::uint32_t b = 8; b <= 32; b += 4) names.push_back("ibt:64x64:b=4," + std::to_string(b));
    for (const std::uint32_t n : {48U, 64U, 96U, 128U, 192U, 256U})
        for (const char* b : {"8", "16", "24", "8,16", "8,24", "8,32"})
            names.push_back(fmt::format("ibt:{0}x{0}:b={1}", n, b));
    for (const std::string& name : names)
        for (const std::uint32_t source : {0U, 1U}) {
            const Network network = make_network(name);
            proven_optimal(network, axes_group(network, NodeId{source}, {0}), source, 32, 0);
        }
}

TEST(Optimal, MissesByAtMostOneOnWholeNetworks) {
    for (const char* name : {"torus:8x8", "torus:5x4x3", "mesh:6x7", "ibt:16x16:b=4,8", "ibt:12x12x12:b=3"}) {
        const Network network = make_network(name);
        for (const std::uint32_t packets : {1U, 5U, 32U, 200U})
            proven_optimal(network, global_group(network), network.node_count() / 3, packets, 1);
    }
}

TEST(Optimal, TakesTheDiameterForOnePacket) {
    const Network network = make_network("ibt:64x64:b=6");
    EXPECT_EQ(proven_optimal(network, global_group(network), 0, 1, 0), 14U);  // Table 1's lambda
}

TEST(Optimal, ServesAListOfNodesThroughRelays) {
    const Network network = make_network("torus:8x8");
    // The node opposite: four links deliver from steps 8, 8, 8, 8 on: 8 + ceil(32/4) - 1.
    EXPECT_EQ(proven_optimal(network, node_group(network, NodeId{0}, {NodeId{36}}), 0, 32, 1), 15U);
    EXPECT_EQ(proven_optimal(network, node_group(network, NodeId{0}, {}), 0, 32, 0), 0U);
}

TEST(Optimal, RepeatsForTheSameSeed) {
    const Network network = make_network("ibt:16x16:b=4,8");
    const auto once = optimal_broadcast(network, global_group(network), NodeId{0}, 40);
    const auto again = optimal_broadcast(network, global_group(network), NodeId{0}, 40);
    ASSERT_EQ(once.sends.size(), again.sends.size());
    for (std::size_t i = 0; i < once.sends.size(); ++i) {
        EXPECT_EQ(once.sends[i].link, again.sends[i].link);
        EXPECT_EQ(once.sends[i].packet, again.sends[i].packet);
    }
}

TEST(Optimal, RefusesAMemberThatCannotBeReached) {
    const Network network("path", {{NodeId{1}, NodeId{0}}});
    EXPECT_THROW(optimal_broadcast(network, global_group(network), NodeId{0}, 2), InputError);
}

}  // namespace
}  // namespace interlace
