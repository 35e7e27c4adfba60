// Interlace: the exact decision against brute force and closed forms
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/analysis/exact.h"

#include <gtest/gtest.h>

#include <string>

#include "interlace/broadcast/analysis/formulas.h"
#include "interlace/broadcast/analysis/lower_bound.h"
#include "support/brute_force.h"
#include "support/random_graph.h"

namespace interlace {
namespace {

TEST(Exact, AgreesWithBruteForceOnRandomGraphs) {
    for (std::uint64_t seed = 0; seed < 60; ++seed)
        for (const std::uint32_t packets : {1U, 2U, 3U}) {
            const Network network = random_graph(4, static_cast<std::uint32_t>(seed % 6), seed);
            const Group group = global_group(network);
            const std::uint32_t least = brute_force(network, packets);
            EXPECT_EQ(broadcast_within(network, group, NodeId{0}, packets, least), Feasibility::possible);
            EXPECT_EQ(broadcast_within(network, group, NodeId{0}, packets, least - 1),
                      Feasibility::impossible);
            EXPECT_FALSE(tail_refutes(network, group, NodeId{0}, packets, least)) << seed;
            EXPECT_TRUE(tail_refutes(network, group, NodeId{0}, packets, least - 1)) << seed;
        }
}

TEST(Exact, FindsEquation4OnARing) {
    for (const std::uint32_t n : {7U, 8U}) {
        const Network ring = make_network("torus:" + std::to_string(n));
        for (const std::uint32_t k : {1U, 2U, 5U, 8U}) {
            const auto steps = static_cast<std::uint32_t>(ring_steps(n, k));
            EXPECT_EQ(broadcast_within(ring, global_group(ring), NodeId{3}, k, steps), Feasibility::possible);
            EXPECT_EQ(broadcast_within(ring, global_group(ring), NodeId{3}, k, steps - 1),
                      Feasibility::impossible);
        }
    }
}

TEST(Exact, RelaysMayLieOutsideTheGroup) {
    // Node 4 of a ring of 8, by two paths of 4 hops: 4 + ceil(6 / 2) - 1.
    const Network ring = make_network("torus:8");
    const Group group = node_group(ring, NodeId{0}, {NodeId{4}});
    EXPECT_EQ(broadcast_within(ring, group, NodeId{0}, 6, 6), Feasibility::possible);
    EXPECT_EQ(broadcast_within(ring, group, NodeId{0}, 6, 5), Feasibility::impossible);
}

TEST(Exact, OddCases) {
    const Network ring = make_network("torus:4");
    EXPECT_EQ(broadcast_within(ring, global_group(ring), NodeId{0}, 0, 0), Feasibility::possible);
    EXPECT_EQ(broadcast_within(ring, node_group(ring, NodeId{0}, {}), NodeId{0}, 3, 0),
              Feasibility::possible);
    EXPECT_FALSE(tail_refutes(ring, node_group(ring, NodeId{0}, {}), NodeId{0}, 3, 0));
    EXPECT_TRUE(tail_refutes(ring, global_group(ring), NodeId{0}, 1, 0));
    EXPECT_EQ(broadcast_within(ring, global_group(ring), NodeId{0}, 3, 5, {.sends = 5}),
              Feasibility::unknown);
    const Network sink("sink", {{NodeId{1}, NodeId{0}}});
    EXPECT_EQ(broadcast_within(sink, global_group(sink), NodeId{0}, 1, 9), Feasibility::impossible);
}

TEST(TailBound, SeesWhatTheFlowToEachNodeDoesNot) {
    // Node 1 has two links on the line, so the last six of 32 packets leave after step 13. The flow bound of
    // every node allows six packets 8 steps, but no schedule serves all nodes in 8: T(32) >= 13 + T(6) = 22.
    // An independent formula (another program, another solver) gave the same two answers.
    const Network network = make_network("ibt:64x64:b=4,24");
    const Group line = axes_group(network, NodeId{1}, {0});
    EXPECT_EQ(broadcast_within(network, line, NodeId{1}, 4, 7), Feasibility::possible);
    EXPECT_EQ(broadcast_within(network, line, NodeId{1}, 6, 8), Feasibility::impossible);
    const LowerBound bound = lower_bound(network, line, NodeId{1}, 32);
    EXPECT_EQ(bound.steps, 22U);
    EXPECT_EQ(bound.argument, "tail");
    EXPECT_FALSE(bound.witness);
}

}  // namespace
}  // namespace interlace
