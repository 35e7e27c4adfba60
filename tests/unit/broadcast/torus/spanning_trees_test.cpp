// Interlace: the spanning trees against eqs. 5 and 6
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/torus/spanning_trees.h"

#include <gtest/gtest.h>

#include <numeric>

#include "interlace/broadcast/analysis/formulas.h"
#include "support/proven_steps.h"

namespace interlace {
namespace {

std::uint32_t steps(const std::string& name, std::uint32_t source, const std::vector<std::uint32_t>& axes,
                    std::uint32_t packets) {
    const Network network = make_network(name);
    return proven_steps(network, axes_group(network, NodeId{source}, axes), NodeId{source}, packets,
                        spanning_tree_broadcast(network, NodeId{source}, axes, packets));
}

TEST(SpanningTrees, MeetEquation5) {
    for (const std::uint32_t k : {1U, 3U, 4U, 5U, 16U, 32U, 33U, 100U}) {
        EXPECT_EQ(steps("torus:9", 4, {0}, k), torus_global_steps(9, 1, k)) << k;
        EXPECT_EQ(steps("torus:6x6", 7, {0, 1}, k), torus_global_steps(6, 2, k)) << k;
        EXPECT_EQ(steps("torus:5x5x5", 31, {0, 1, 2}, k), torus_global_steps(5, 3, k)) << k;
        EXPECT_EQ(steps("torus:3x3x3x3", 80, {0, 1, 2, 3}, k), torus_global_steps(3, 4, k)) << k;
    }
}

TEST(SpanningTrees, MeetEquation6OnAnyPairOfAxes) {
    for (const std::uint32_t k : {1U, 4U, 32U, 33U}) {
        EXPECT_EQ(steps("torus:16x16", 0, {0, 1}, k), torus_rectangle_steps(16, k));
        EXPECT_EQ(steps("torus:7x7x7", 100, {2, 0}, k), torus_rectangle_steps(7, k));
    }
    EXPECT_EQ(steps("torus:64x64", 0, {0, 1}, 32), 133U);  // the paper's case
}

TEST(SpanningTrees, OfUnequalSizesReachTheSumOfTheirLengths) {
    EXPECT_EQ(steps("torus:4x7x3", 50, {0, 1, 2}, 12), 3U + 6 + 2 + 2 - 1);
}

}  // namespace
}  // namespace interlace
