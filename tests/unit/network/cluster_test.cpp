// Interlace: clusters from their files, at random, and their spanning trees
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/cluster.h"

#include <gmock/gmock.h>

#include "interlace/core/error.h"
#include "interlace/network/metrics.h"
#include "interlace/network/switch_tree.h"
#include "support/clusters.h"
#include "support/error_of.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

constexpr auto figure_1 =
    "network:\n  kind: cluster\n  switches: 6\n  trunks: [[0,1], [1,2], [2,3], [0,4], [3,5]]\n"
    "  machines: [0, 4, 3, 5, 5]\n  link: {rate_mbps: 100, latency_us: 1}\n"
    "  trunk: {rate_mbps: 1000, latency_us: 2.5}\n  other_trunks:\n    - {between: [2, 1], rate_mbps: 10}\n";

TEST(ClusterFile, HasMachinesThenSwitchesAndSpeeds) {
    const TemporaryFile file(figure_1);
    const Network network = make_network("cluster:" + file.path());
    EXPECT_EQ(network.node_count(), 11U);
    EXPECT_EQ(network.endpoint_count(), 5U);
    EXPECT_TRUE(network.has_switches());
    EXPECT_EQ(network.link_count(), 2U * (5 + 5));
    const auto speed = [&](std::uint32_t from, std::uint32_t to) {
        return network.speed(*network.link(NodeId{from}, NodeId{to}));
    };
    EXPECT_EQ(speed(1, 5 + 4).bits_per_second, 100'000'000U);
    EXPECT_EQ(speed(5 + 4, 1).latency_ps, 1'000'000U);
    EXPECT_EQ(speed(5 + 0, 5 + 4).bits_per_second, 1'000'000'000U);
    EXPECT_EQ(speed(5 + 0, 5 + 4).latency_ps, 2'500'000U);
    EXPECT_EQ(speed(5 + 1, 5 + 2).bits_per_second, 10'000'000U);
    EXPECT_EQ(measure_network(network).diameter, 7U);  // n1 s4 s0 s1 s2 s3 s5 n3
}

TEST(ClusterFile, ErrorsNameFileLineAndWhatIsExpected) {
    const auto with = [](const std::string& from, const std::string& to) {
        std::string text = figure_1;
        return text.replace(text.find(from), from.size(), to);
    };
    const std::vector<std::pair<std::string, std::string>> cases = {
        {with("machines:", "machine:"), ":5: machine: this is an unknown key; expected machines"},
        {with("machines:", "hosts:"), ": machines: this key is missing"},
        {with("trunks:", "trunk_list:"), ":4: trunk_list: this is an unknown key"},
        {with("[3,5]", "[3,6]"), ":4: trunks: cannot use value '6'"},
        {with("[3,5]", "[3]"), ":4: trunks: this is not a pair"},
        {with("[3,5]", "[3,3]"), "a trunk leads from s3 to itself"},
        {with("[3,5]", "[1,0]"), "the trunk [1, 0] is listed twice"},
        {with("4, 3", "6, 3"), ":5: machines: cannot use value '6'"},
        {with("[0,4], ", ""), "no trunks lead from s0 (n0) to s4 (n1)"},
        {with("[0, 4, 3, 5, 5]", "[0]"), "1 machine; expected at least two machines"},
        {with("rate_mbps: 100,", "rate_mbps: 0,"), ":6: rate_mbps: cannot use value 0"},
        {with("rate_mbps: 100,", "rate: 100,"), ":6: rate: this is an unknown key"},
        {with("[2, 1]", "[2, 4]"), "no such trunk"},
        {with("kind: cluster", "kind: star"), ":2: kind: cannot use kind 'star'"}};
    for (const auto& [text, says] : cases) {
        const TemporaryFile file(text);
        try {
            make_network("cluster:" + file.path());
            FAIL() << text;
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr(says));
            EXPECT_THAT(error.what(), testing::HasSubstr(file.path() + ":"));
        }
    }
}

// Two pairs: the machines 0 and 1, 2 and 3 reach one another only.
TEST(ClusterOfANetwork, HasToBeConnected) {
    const TemporaryFile file("from,to\n0,1\n1,0\n2,3\n3,2\n");
    const std::string error = error_of([&] { as_cluster(make_network("graph:" + file.path())); });
    EXPECT_THAT(error, testing::StartsWith("graph:" + file.path() + ": "));
    EXPECT_THAT(error, testing::HasSubstr("no trunks lead from s0 (n0) to s2 (n2)"));
}

TEST(SwitchTree, PathsCountSwitchesAndAgreeWithASearch) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const auto plain = test::random_cluster(seed, 1 + seed % 12, 12);
        const SwitchTree tree(test::network_of(plain), TreeKind::dfs,
                              static_cast<std::uint32_t>(seed) % plain.switches);
        for (std::uint32_t a = 0; a < tree.machine_count(); ++a)
            for (std::uint32_t b = 0; b < tree.machine_count(); ++b)
                ASSERT_EQ(tree.length(NodeId{a}, NodeId{b}), a == b ? 1 : test::path_length(plain, a, b))
                    << seed;
    }
}

TEST(SwitchTree, LeavesOutSwitchesWithNoMachineBehindThem) {
    // s4 and s5 hang off s0, the root, which has none itself; s6 is joined to nothing.
    test::PlainCluster plain{7, {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 5}}, {1, 1, 3}};
    const SwitchTree tree(test::network_of(plain));
    EXPECT_THAT(tree.left_out(), testing::ElementsAre(0, 4, 5, 6));
    EXPECT_EQ(tree.size(), 3U);
    EXPECT_EQ(tree.id(0), 1U);  // the root moved on
    EXPECT_EQ(left_out_note(tree), "s0, s4, s5, s6 have no machine behind them and take no part");
}

// A tree of n switches keeps n - 1 trunks.
TEST(SwitchTree, NamesTheTrunksThatItLeavesIdle) {
    const auto note = [](const Network& network, TreeKind kind = TreeKind::bfs) {
        return idle_trunks_note(network, SwitchTree(network, kind));
    };
    EXPECT_EQ(note(test::network_of({3, {{0, 1}, {1, 2}, {0, 2}}, {0, 1, 2}})),
              "the spanning tree leaves 1 trunk idle: s1-s2");
    EXPECT_EQ(note(test::network_of({3, {{0, 1}, {1, 2}, {0, 2}}, {0, 1, 2}}), TreeKind::dfs),
              "the spanning tree leaves 1 trunk idle: s0-s2");
    EXPECT_EQ(note(test::network_of({4, {{0, 1}, {1, 2}, {2, 3}}, {0, 3}})), "");
    // s3 has no machine and takes no part.
    EXPECT_EQ(note(test::network_of({4, {{0, 1}, {1, 2}, {0, 3}, {3, 2}}, {0, 1, 2}}), TreeKind::dfs), "");
    // 18 trunks join nine switches.
    EXPECT_THAT(note(as_cluster(make_network("torus:3x3"))),
                testing::AllOf(testing::StartsWith("the spanning tree leaves 10 trunks idle: s"),
                               testing::EndsWith(" and 2 more")));
}

TEST(SwitchTree, OfANetworkWithLoopsIsATreeOfEachKind) {
    const Network torus = make_network("torus:8x8");
    const SwitchTree bfs(torus, TreeKind::bfs);
    const SwitchTree dfs(torus, TreeKind::dfs);
    const SwitchTree random(torus, TreeKind::random, 0, 7);
    for (const SwitchTree* tree : {&bfs, &dfs, &random}) {
        EXPECT_EQ(tree->size(), 64U);
        std::size_t ends = 0;
        for (std::uint32_t s = 0; s < 64; ++s) {
            ends += tree->neighbours(s).size();
            for (const std::uint32_t to : tree->neighbours(s))
                EXPECT_TRUE(torus.link(NodeId{tree->id(s)}, NodeId{tree->id(to)}));
        }
        EXPECT_EQ(ends, 2U * 63);
    }
    // Breadth first, nobody is farther from the root than on the torus: 4 + 4 hops.
    std::uint32_t farthest = 0;
    std::uint32_t deepest = 0;
    for (std::uint32_t i = 1; i < 64; ++i) {
        farthest = std::max(farthest, bfs.length(NodeId{0}, NodeId{i}));
        deepest = std::max(deepest, dfs.length(NodeId{0}, NodeId{i}));
    }
    EXPECT_EQ(farthest, 9U);
    EXPECT_EQ(deepest,
              64U);  // the rows of an 8 x 8 torus have a path through all nodes, which this order finds
}

TEST(RandomCluster, HasItsMachinesDegreeAndNoLooseParts) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const ClusterPlan plan = random_cluster(100, 500, 4, seed);
        EXPECT_EQ(plan.machines.size(), 500U);
        EXPECT_GE(plan.trunks.size(), 200U);
        EXPECT_LE(plan.trunks.size(), 215U);  // those that join loose switches: about e^-4 of 100
        EXPECT_EQ(SwitchTree(make_cluster("random", plan)).machine_count(), 500U);
    }
    EXPECT_EQ(random_cluster(10, 20, 3, 5).trunks, random_cluster(10, 20, 3, 5).trunks);
    EXPECT_NE(random_cluster(10, 20, 3, 5).trunks, random_cluster(10, 20, 3, 6).trunks);
}

TEST(IrregularCluster, HasFourTrunksAndFourMachinesASwitchAtHalfConnectivity) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const ClusterPlan plan = irregular_cluster(16, 8, 0.5, 64, seed);
        std::vector<std::uint32_t> trunks(16), machines(16);
        for (const auto& [a, b] : plan.trunks) {
            ++trunks[a];
            ++trunks[b];
        }
        for (const std::uint32_t s : plan.machines) ++machines[s];
        EXPECT_THAT(trunks, testing::Each(testing::Le(4U)));
        EXPECT_GE(plan.trunks.size(), 30U);  // 32 where all ports find a partner
        EXPECT_THAT(machines, testing::Each(4U));
        EXPECT_EQ(SwitchTree(make_cluster("irregular", plan)).machine_count(), 64U);
    }
    EXPECT_THROW(irregular_cluster(16, 8, 0.5, 65, 1), InputError);
}

}  // namespace
}  // namespace interlace
