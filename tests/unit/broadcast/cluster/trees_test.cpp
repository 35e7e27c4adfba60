// Interlace: heterogeneous broadcast trees: Figure 1, brute force, and the bounds of the paper
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/cluster/trees.h"

#include <gtest/gtest.h>

#include <bit>

#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/program/check_messages.h"
#include "support/plain_trees.h"

namespace interlace {
namespace {

using Costs = std::vector<std::uint64_t>;

Multicast broadcast(std::size_t machines) {
    Multicast all{NodeId{0}, {}};
    for (std::uint32_t i = 1; i < machines; ++i) all.destinations.push_back(NodeId{i});
    return all;
}

std::string fault(const Costs& costs, const TreePlan& plan) {
    std::vector<test::PlainSend> sends;
    for (const TreeSend& s : plan) sends.push_back({s.from, s.to, s.sent, s.received});
    return test::fault_of_tree(costs, sends);
}

Costs random_costs(std::uint64_t seed, std::size_t count) {
    Costs costs;
    for (std::size_t i = 0; i < count; ++i) costs.push_back(100 * (1 + random_bits(seed, 0, i) % 8));
    return costs;
}

TEST(Trees, OfFigure1) {
    const Costs costs = {100, 300, 300, 300, 300, 100, 300, 300};  // workstations 1 and 6 are fast
    EXPECT_EQ(latency(binomial_tree(costs, broadcast(8))), 700U);
    EXPECT_EQ(latency(spoc_tree(costs, broadcast(8))), 500U);
    EXPECT_EQ(latency(fnf_tree(costs, broadcast(8))), 400U);
    EXPECT_EQ(latency(optimal_tree(costs, broadcast(8))), 400U);
}

TEST(Trees, AreTreesAndTheOptimalOneIsAsGoodAsBruteForce) {
    unsigned fnf_worse = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Costs costs = random_costs(seed, 1 + seed % 8);
        const Multicast all = broadcast(costs.size());
        const TreePlan optimal = optimal_tree(costs, all);
        for (const TreePlan& plan :
             {binomial_tree(costs, all), spoc_tree(costs, all), fnf_tree(costs, all), optimal}) {
            EXPECT_EQ(fault(costs, plan), "") << seed;
            EXPECT_GE(latency(plan), latency(optimal)) << seed;
        }
        EXPECT_EQ(latency(optimal), test::best_latency(costs)) << seed;
        EXPECT_LE(latency(spoc_tree(costs, all)), spoc_bound(costs, all)) << seed;
        fnf_worse += latency(fnf_tree(costs, all)) > latency(optimal) ? 1 : 0;
    }
    EXPECT_GT(fnf_worse, 20U);  // else nothing here would need the optimum
}

TEST(Trees, OfEqualWorkstationsTakeTheLogarithm) {
    for (std::size_t count = 1; count <= 17; ++count) {
        const Costs costs(count, 250);
        const Multicast all = broadcast(count);
        const std::uint64_t rounds = std::bit_width(count - 1);
        for (const TreePlan& plan : {binomial_tree(costs, all), spoc_tree(costs, all), fnf_tree(costs, all),
                                     optimal_tree(costs, all)})
            EXPECT_EQ(latency(plan), 250 * rounds) << count;
        EXPECT_EQ(spoc_bound(costs, all), 250 * rounds) << count;
    }
}

TEST(Trees, OfHalfFastWorkstationsAreAlikeUnderSpocAndFnf) {
    // Section 6.4: with half of the nodes, the source among them, in the fastest group.
    for (std::size_t count = 2; count <= 64; count *= 2) {
        Costs costs(count, 900);
        for (std::size_t i = 0; i < count / 2; ++i) costs[2 * i] = 400;
        EXPECT_EQ(latency(spoc_tree(costs, broadcast(count))), latency(fnf_tree(costs, broadcast(count))));
    }
}

TEST(Trees, ReachDestinationsFromAnySource) {
    const Costs costs = random_costs(1, 10);
    const Multicast some{NodeId{7}, {NodeId{2}, NodeId{9}, NodeId{0}}};
    for (const auto& make : {binomial_tree, spoc_tree, fnf_tree, optimal_tree}) {
        const std::vector<TreePlan> plans = {make(costs, some), make(costs, broadcast(10))};
        std::vector<std::vector<std::uint32_t>> has(10), needs(10, {1});
        has[7] = {0};
        has[0] = {1};
        for (const std::uint32_t i : {2, 9, 0}) needs[i].push_back(0);
        EXPECT_EQ(fault_of(tree_program(plans, 10, 1000), has, needs), "");
    }
    EXPECT_TRUE(optimal_tree(costs, {NodeId{3}, {}}).empty());
    EXPECT_THROW(optimal_tree(Costs(30, 1), broadcast(22)), InputError);
}

}  // namespace
}  // namespace interlace
