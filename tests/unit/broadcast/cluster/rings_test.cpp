// Interlace: logical rings against definitions, theorems and brute force
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/cluster/rings.h"

#include <gmock/gmock.h>

#include <map>

#include "interlace/core/error.h"
#include "support/clusters.h"

namespace interlace {
namespace {

using test::chain;
using test::plain_ring;
using test::PlainCluster;
using test::tree_of;

/// Theorem 2's condition, in words of its own.
bool has_ring_of_two_hops(const PlainCluster& plain) {
    std::vector<unsigned> room(plain.switches);
    for (const unsigned s : plain.machines) ++room[s];
    for (const auto& [a, b] : plain.trunks)
        for (const unsigned s : {a, b})
            if (room[s]-- == 0) return false;
    return true;
}

TEST(Rings, OfTopologyDOfTheAllGatherPaper) {
    const PlainCluster d = chain(4, 4);  // section 5: LR1 4 hops, LR2 2 hops
    const SwitchTree tree = tree_of(d);
    EXPECT_EQ(test::longest(d, plain_ring(ring_lr1(tree))), 4U);
    EXPECT_EQ(test::longest(d, plain_ring(ring_lr2(tree))), 2U);
    EXPECT_EQ(test::longest(d, plain_ring(ring_lr3(tree))), 2U);
    EXPECT_EQ(longest_path(tree, ring_lr1(tree)), 4U);
}

TEST(Rings, OfOneSwitchAndOfOneMachine) {
    const SwitchTree one = tree_of(chain(1, 5));
    EXPECT_EQ(ring_lr1(one).size(), 5U);
    EXPECT_EQ(longest_path(one, ring_lr3(one)), 1U);
    EXPECT_EQ(longest_path(one, ring_lr2(one)), 1U);
    const SwitchTree alone = tree_of(chain(1, 1));
    EXPECT_EQ(ring_lr3(alone), Ring{NodeId{0}});
    EXPECT_EQ(longest_path(alone, ring_lr3(alone)), 0U);
}

TEST(Rings, TheSwitchThatBreaksTheTwoHopConditionIsNamed) {
    // s1 has three neighbours and two machines.
    const PlainCluster plain{4, {{0, 1}, {1, 2}, {1, 3}}, {0, 1, 1, 2, 3}};
    try {
        ring_lr2(tree_of(plain));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("s1 has 2 machines and 3 neighbour switches"));
    }
}

TEST(Rings, AreContentionFreeWithTheShortestLongestPathOnRandomTrees) {
    unsigned harder = 0;
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        const PlainCluster plain = test::random_cluster(seed, 1 + static_cast<unsigned>(seed % 9),
                                                        2 + static_cast<unsigned>(seed / 9 % 7));
        if (plain.machines.size() > 8) continue;
        const SwitchTree tree = tree_of(plain);
        EXPECT_TRUE(test::ring_contention_free(plain, plain_ring(ring_lr1(tree)))) << seed;
        const auto ring = plain_ring(ring_lr3(tree));
        EXPECT_TRUE(test::ring_contention_free(plain, ring)) << seed;
        const unsigned best = test::best_ring(plain);
        EXPECT_EQ(test::longest(plain, ring), best) << seed;
        harder += best > 2 ? 1 : 0;
        if (has_ring_of_two_hops(plain)) {
            const auto two_hops = plain_ring(ring_lr2(tree));
            EXPECT_TRUE(test::ring_contention_free(plain, two_hops)) << seed;
            EXPECT_LE(test::longest(plain, two_hops), 2U) << seed;
        } else {
            EXPECT_THROW(ring_lr2(tree), InputError) << seed;
        }
    }
    EXPECT_GT(harder, 1000U);
}

TEST(Rings, OfLargeClustersAreContentionFreeOnTreesOfEachKind) {
    const ClusterPlan plan = random_cluster(1000, 5000, 4, 1);
    const Network network = make_cluster("random", plan);
    for (const TreeKind kind : {TreeKind::bfs, TreeKind::dfs, TreeKind::random}) {
        const SwitchTree tree(network, kind, 17, 3);
        const Ring lr1 = ring_lr1(tree);
        const Ring lr3 = ring_lr3(tree);
        EXPECT_LT(longest_path(tree, lr3), longest_path(tree, lr1));
        // By Lemma 2: each subtree's machines are side by side, so a trunk is crossed once each way.
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> crossings;
        for (std::size_t i = 0; i < lr3.size(); ++i) {
            const auto path = tree.path(lr3[i], lr3[(i + 1) % lr3.size()]);
            for (std::size_t h = 1; h < path.size(); ++h)
                EXPECT_EQ(++crossings[std::pair(path[h - 1], path[h])], 1);
        }
    }
}

}  // namespace
}  // namespace interlace
