// Interlace: tests of exchanges and trees in rounds, against the figures of their papers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "interlace/core/error.h"
#include "proven_rounds.h"

namespace interlace {
namespace {

RoutedRounds proven_alltoall(const Network& network, const Rounds& rounds, std::uint32_t chunks) {
    const RoutedRounds found = routed(network, rounds, 1);
    const CheckReport report = check_alltoall(network, chunks, plain(found));
    EXPECT_TRUE(report.valid()) << network.name() << ": " << report.problem();
    return found;
}

TEST(ExchangesInRounds, AreProven) {
    for (const char* name : {"torus:3x3", "torus:8", "torus:5x4", "torus:4x4x3", "mesh:4x3", "ibt:8x8:b=4"})
        for (const std::uint32_t chunks : {1U, 2U}) {
            const Network network = make_network(name);
            const std::uint64_t others = network.node_count() - 1;
            EXPECT_EQ(direct_alltoall(network, chunks).packets_of_a_node(), others * chunks);
            EXPECT_EQ(pairwise_alltoall(network, chunks).rounds.size(), others) << name;
            for (const Rounds& rounds : {direct_alltoall(network, chunks), pairwise_alltoall(network, chunks),
                                         bruck_alltoall(network, chunks)})
                proven_alltoall(network, rounds, chunks);
            if (std::string(name) != "torus:8")
                proven_alltoall(network, two_phase_alltoall(network, chunks), chunks);
        }
    EXPECT_THROW(two_phase_alltoall(make_network("torus:8"), 1), InputError);
}

TEST(ExchangesInRounds, BruckSendsHalfOfAllInEachRound) {
    // Bruck and others 1997: N / 2 blocks in each of log2 N rounds.
    const Rounds rounds = bruck_alltoall(make_network("torus:8x4"), 1);
    EXPECT_EQ(rounds.rounds.size(), 5U);
    EXPECT_EQ(rounds.packets_of_a_node(), 5U * 16);
}

TEST(ExchangesInRounds, DirectMessagesFillLinksEvenly) {
    // N / n x floor(n x n / 4) hops a node in a dimension of n, over two links: what every exchange needs.
    for (const auto& [name, packets] :
         {std::pair("torus:8x8", 64U), {"torus:8x4x4", 128U}, {"torus:9x9", 90U}}) {
        const Network network = make_network(name);
        const RoutedRounds found = proven_alltoall(network, direct_alltoall(network, 1), 1);
        EXPECT_EQ(fullest(found), packets) << name;
        EXPECT_EQ(found.loads.rounds.at(0).starts, network.node_count() - 1) << name;
    }
}

TEST(ExchangesInRounds, TheTwoPhasesFillTheLongestDimensionAndThenTheOthers) {
    const Network network = make_network("torus:8x4x4");
    const RoutedRounds found = proven_alltoall(network, two_phase_alltoall(network, 1), 1);
    ASSERT_EQ(found.loads.rounds.size(), 2U);
    // Along 8: 16 packets for each of 7 others, 16 x 16 hops over two links. Then in planes of 4 x 4: 8 times
    // 4 x 4 hops in each dimension, over two.
    EXPECT_EQ(found.loads.rounds[0].packets, 16U * 16 / 2);
    EXPECT_EQ(found.loads.rounds[1].packets, 8U * 4 * 4 / 2);
    EXPECT_EQ(found.loads.rounds[0].starts, 7U);
    EXPECT_EQ(found.loads.rounds[1].starts, 15U);
}

TEST(TreesInRounds, AreProvenForEveryRoot) {
    for (const char* name : {"torus:3x3", "torus:4x4", "torus:8", "mesh:5x3", "ibt:8x8:b=4"}) {
        const Network network = make_network(name);
        for (std::uint32_t root = 0; root < network.node_count(); root += 5)
            for (const RoundTree tree : {RoundTree::binomial, RoundTree::bine}) {
                if (tree == RoundTree::bine && (network.node_count() & (network.node_count() - 1)) != 0)
                    continue;
                const Rounds scatter = tree_scatter(network, tree, NodeId{root}, 2);
                CheckReport report =
                    check_scatter(network, NodeId{root}, 2, plain(routed(network, scatter, 1)));
                EXPECT_TRUE(report.valid()) << name << ": " << report.problem();
                report = check_gather(network, NodeId{root}, 2,
                                      plain(routed(network, reversed_copies(scatter), 1)));
                EXPECT_TRUE(report.valid()) << name << ": " << report.problem();
                const Rounds reduce = reversed(tree_broadcast(network, tree, NodeId{root}, 3));
                report = check_reduce(network, NodeId{root}, 3, routed(network, reduce, 1).sends);
                EXPECT_TRUE(report.valid()) << name << ": " << report.problem();
            }
    }
    EXPECT_THROW(tree_scatter(make_network("torus:6"), RoundTree::bine, NodeId{0}, 1), InputError);
}

TEST(TreesInRounds, TakeAsManyRoundsAsDoublingsNeed) {
    for (const auto& [name, rounds] : {std::pair("torus:8", 3U), {"torus:9", 4U}, {"torus:5x5", 5U}}) {
        const Network network = make_network(name);
        EXPECT_EQ(tree_scatter(network, RoundTree::binomial, NodeId{0}, 1).rounds.size(), rounds);
        EXPECT_EQ(dissemination_barrier(network).rounds.size(), rounds);
    }
}

TEST(TreesInRounds, BineGoesTwoThirdsAsFarAsBinomial) {
    // A binomial broadcast on a ring of 2^m makes 2^(m - 1 - k) sends over 2^k links for each k, Bine over
    // (2^(k + 1) + (-1)^k) / 3: one third less in the limit (arXiv 2508.17311).
    const Network ring = make_network("torus:1024");
    const auto hops = [&](RoundTree tree) {
        return routed(ring, tree_broadcast(ring, tree, NodeId{0}, 1), 1).sends.size();
    };
    std::uint64_t binomial = 0, bine = 0;
    for (std::uint32_t k = 0; k < 10; ++k) {
        binomial += (std::uint64_t{512} >> k) << k;
        bine += (std::uint64_t{512} >> k) * ((std::uint64_t{2} << k) / 3 + (k % 2 == 0 ? 1 : 0));
    }
    EXPECT_EQ(hops(RoundTree::binomial), binomial);
    EXPECT_EQ(hops(RoundTree::bine), bine);
}

TEST(BarriersInRounds, TellEveryNodeOfEveryOther) {
    for (const char* name : {"torus:3x3", "torus:8x4", "mesh:5x3"}) {
        const Network network = make_network(name);
        const CheckReport report =
            check_barrier(network, plain(routed(network, dissemination_barrier(network), 1)));
        EXPECT_TRUE(report.valid()) << name << ": " << report.problem();
    }
}

}  // namespace
}  // namespace interlace
