// Interlace: the paper's broadcasts: valid schedules, published values, eq. 4
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/paper.h"

#include <gtest/gtest.h>

#include "interlace/analysis/formulas.h"
#include "interlace/core/error.h"
#include "support/proven_steps.h"

namespace interlace {
namespace {

std::uint32_t line(const std::string& name, std::uint32_t source,
                   const Patterns& patterns = paper_patterns(1)) {
    const Network network = make_network(name);
    return proven_steps(network, axes_group(network, NodeId{source}, {0}), NodeId{source}, 32,
                        paper_broadcast(network, NodeId{source}, {0}, 32, patterns).sends);
}

TEST(PaperLine, PublishedStepsOfTable1) {
    EXPECT_EQ(line("ibt:64x64:b=6", 0), 23U);
    EXPECT_EQ(line("ibt:64x64:b=6", 1), 23U);
    EXPECT_EQ(line("ibt:64x64:b=4,16", 0), 23U);
    EXPECT_EQ(line("ibt:64x64:b=4,16", 1), 32U);
    EXPECT_EQ(line("ibt:64x64:b=8,24", 0), 22U);
    EXPECT_EQ(line("ibt:64x64:b=8,24", 1), 22U);
}

TEST(PaperLine, ComplementaryPatternsTakeEquallyLong) {
    for (std::uint32_t pattern = 0; pattern < 8; ++pattern)
        EXPECT_EQ(line("ibt:64x64:b=14", 0, {pattern}), line("ibt:64x64:b=14", 0, {15 - pattern})) << pattern;
}

TEST(PaperLine, IsTheSameFromEveryNodeOfASpecies) {
    const std::uint32_t node = 5 + 64 * 7;  // (5, 7): species 0
    EXPECT_EQ(line("ibt:64x64:b=14", node), line("ibt:64x64:b=14", 0));
}

TEST(PaperLine, OnARingIsEquation4) {
    for (const std::uint32_t n : {4U, 6U, 10U, 64U}) {
        const Network network = make_network("torus:" + std::to_string(n));
        for (std::uint32_t k = 1; k <= 40; ++k)
            EXPECT_EQ(proven_steps(network, global_group(network), NodeId{2}, k,
                                   ring_broadcast(network, NodeId{2}, 0, k).sends),
                      ring_steps(n, k))
                << n << ' ' << k;
    }
}

TEST(PaperBroadcast, ReportsTheStepsThatItTakesAndSplitsAllPackets) {
    for (const char* name : {"ibt:8x8:b=4", "ibt:12x12x12:b=3", "ibt:16x16:b=4,8", "torus:5x4x3",
                             "ibt:24:b=6", "ibt:8x16:b=4,12", "ibt:12x12x12x12:b=4"}) {
        const Network network = make_network(name);
        const std::uint32_t d = network.lattice()->dimensions();
        for (const std::uint32_t source : {0U, 1U, network.node_count() - 1})
            for (const std::uint32_t k : {1U, 2U, 7U, 16U})
                for (std::uint32_t first = 0; first < d; ++first) {
                    std::vector<std::uint32_t> axes;
                    for (std::uint32_t i = 0; i < d && i <= source % d; ++i) axes.push_back((first + i) % d);
                    const PaperBroadcast paper =
                        paper_broadcast(network, NodeId{source}, axes, k, paper_patterns(axes.size()));
                    EXPECT_EQ(proven_steps(network, axes_group(network, NodeId{source}, axes), NodeId{source},
                                           k, paper.sends),
                              paper.steps)
                        << name << ' ' << source << ' ' << k;
                    std::uint32_t sum = 0;
                    for (const std::uint32_t part : paper.split) sum += part;
                    EXPECT_EQ(sum, k);
                }
    }
}

TEST(PaperBroadcast, NeedsALatticeThatWraps) {
    const Network mesh = make_network("mesh:4x4");
    EXPECT_THROW(paper_broadcast(mesh, NodeId{0}, {0}, 4, {0}), InputError);
}

}  // namespace
}  // namespace interlace
