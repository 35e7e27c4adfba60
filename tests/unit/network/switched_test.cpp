// Interlace: named networks of switches against the figures of their papers and against definitions
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/switched.h"

#include <gmock/gmock.h>

#include <set>

#include "interlace/core/error.h"
#include "interlace/network/metrics.h"

namespace interlace {
namespace {

using Cables = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// Each link as its lower and its higher end: throws for one that is there twice.
Cables cables_of(const SwitchPlan& plan) {
    Cables cables;
    for (const auto& [a, b] : plan.links)
        if (a == b || !cables.insert(std::minmax(a, b)).second) throw std::logic_error("a loop, or twice");
    return cables;
}

std::vector<std::uint32_t> degrees_of(const SwitchPlan& plan) {
    std::vector<std::uint32_t> degrees(plan.machines);
    for (const auto& [a, b] : cables_of(plan)) {
        ++degrees[a];
        ++degrees[b];
    }
    return degrees;
}

// Al-Fares and others, section 2.2: k^3 / 4 hosts, 5 k^2 / 4 switches, all of k ports. A host has k / 2 - 1
// others 2 links away, k^2 / 4 - k / 2 in its pod 4 away, and the rest 6.
TEST(FatTree, HasThePublishedSizesAndAllPortsInUse) {
    for (const std::uint32_t k : {2U, 4U, 6U, 8U}) {
        const SwitchPlan plan = fat_tree(k);
        EXPECT_EQ(plan.switches, 5 * k * k / 4);
        EXPECT_THAT(degrees_of(plan), testing::Each(k));
        const Network network = make_network("fattree:" + std::to_string(k));
        const std::uint32_t hosts = k * k * k / 4;
        EXPECT_EQ(network.endpoint_count(), hosts);
        const Metrics metrics = measure_network(network);
        EXPECT_EQ(metrics.diameter_hosts, 6U);
        const double near = k / 2.0 - 1, pod = k * k / 4.0 - k / 2.0;
        EXPECT_DOUBLE_EQ(metrics.mean_distance_hosts,
                         (2 * near + 4 * pod + 6 * (hosts - 1 - near - pod)) / (hosts - 1));
    }
}

// Petrini and Vanneschi: n k^(n - 1) switches; k^n hosts; two hosts whose numbers to base k first differ in
// digit i (counted from the lowest as 0) are 2 (i + 1) links apart.
TEST(KAryNTree, DistancesAreThoseToTheNearestCommonAncestors) {
    const struct { std::uint32_t k, n; } trees[] = {{2, 1}, {2, 4}, {3, 3}, {4, 2}};
    for (const auto& [k, n] : trees) {
        const SwitchPlan plan = k_ary_n_tree(k, n);
        const Network network = network_of_machines("tree", plan);
        std::uint32_t hosts = 1;
        for (std::uint32_t i = 0; i < n; ++i) hosts *= k;
        ASSERT_EQ(network.endpoint_count(), hosts);
        EXPECT_EQ(plan.switches, n * hosts / k);
        for (std::uint32_t a = 0; a < hosts; ++a) {
            const auto distance = distances_from(network, NodeId{a});
            for (std::uint32_t b = 0; b < hosts; ++b) {
                std::uint32_t expected = 0;
                for (std::uint32_t x = a, y = b; x != y; x /= k, y /= k) expected += 2;
                EXPECT_EQ(distance[b], expected) << k << "," << n << ": " << a << " to " << b;
            }
        }
        const auto degrees = degrees_of(plan);
        for (std::uint32_t s = 0; s < plan.switches; ++s)
            EXPECT_EQ(degrees[s], s < plan.switches - hosts / k ? 2 * k : k);
    }
}

// Kim and others: a h + 1 groups, one link between each two of them, a - 1 + h + p ports; three links between
// any two switches at most.
TEST(Dragonfly, HasOneLinkBetweenEachTwoGroups) {
    const struct { std::uint32_t a, h, p; } all[] = {{4, 2, 2}, {2, 1, 1}, {3, 2, 1}, {1, 3, 2}};
    for (const auto& [a, h, p] : all) {
        const SwitchPlan plan = dragonfly(a, h, p);
        const std::uint32_t groups = a * h + 1;
        EXPECT_EQ(plan.switches, groups * a);
        EXPECT_THAT(degrees_of(plan), testing::Each(a - 1 + h + p));
        std::multiset<std::pair<std::uint32_t, std::uint32_t>> between;
        for (const auto& [x, y] : cables_of(plan))
            if (x / a != y / a) between.emplace(x / a, y / a);
        for (std::uint32_t x = 0; x < groups; ++x)
            for (std::uint32_t y = x + 1; y < groups; ++y) EXPECT_EQ(between.count({x, y}), 1U);
        EXPECT_LE(measure_network(network_of_machines("dragonfly", plan)).diameter_hosts, 5U);
    }
    EXPECT_EQ(make_network("dragonfly:4,2,2").endpoint_count(), 72U);
}

// Ahn and others: linked if and only if one coordinate differs.
TEST(HyperX, DistancesAreTheCoordinatesThatDiffer) {
    const Network network = make_network("hyperx:3x4x2");
    EXPECT_FALSE(network.has_switches());
    for (std::uint32_t a = 0; a < 24; ++a) {
        const auto distance = distances_from(network, NodeId{a});
        for (std::uint32_t b = 0; b < 24; ++b)
            EXPECT_EQ(distance[b], (a % 3 != b % 3) + (a / 3 % 4 != b / 3 % 4) + (a / 12 != b / 12));
    }
}

// Kim, Dally and Abts: the k-ary n-flat has k^n machines on k^(n - 1) routers of n (k - 1) + 1 ports.
TEST(FlattenedButterfly, IsAHyperXWithAsManyMachinesAsARow) {
    const Network network = make_network("flattened_butterfly:4,3");
    EXPECT_EQ(network.endpoint_count(), 64U);
    EXPECT_EQ(network.node_count(), 64U + 16);
    EXPECT_EQ(network.max_degree(), 3U * 3 + 1);
    EXPECT_EQ(measure_network(network).diameter_hosts, 4U);
}

// Besta and Hoefler, section II-B: 2 q^2 routers, each of (3 q - d) / 2 links where q = 4 w + d, diameter 2.
TEST(SlimFly, HasDiameterTwoAndThePublishedDegree) {
    for (const std::uint32_t q : {3U, 4U, 5U, 7U, 8U, 9U, 11U, 13U, 16U, 17U, 19U, 25U, 27U}) {
        const std::int32_t d = q % 4 == 3 ? -1 : q % 4 == 1 ? 1 : 0;
        const SwitchPlan plan = slim_fly(q, 0);
        EXPECT_EQ(plan.switches, 2 * q * q);
        EXPECT_THAT(degrees_of(plan), testing::Each((3 * q - d) / 2)) << q;
        EXPECT_EQ(measure_network(network_of_routers("slimfly", plan)).diameter, 2U) << q;
    }
}

// With 50 nodes of degree 7 and diameter 2 it meets Moore's bound, 1 + 7 + 7 * 6: the Hoffman-Singleton
// graph, of which there is one. So no two neighbours have a neighbour in common, and other nodes have one.
TEST(SlimFly, OfFiveIsTheHoffmanSingletonGraph) {
    const Network network = make_network("slimfly:5");
    ASSERT_EQ(network.node_count(), 50U);
    for (std::uint32_t a = 0; a < 50; ++a)
        for (std::uint32_t b = 0; b < 50; ++b) {
            if (a == b) continue;
            std::uint32_t common = 0;
            for (const NodeId next : network.neighbours(NodeId{a}))
                common += network.link(next, NodeId{b}) ? 1 : 0;
            EXPECT_EQ(common, network.link(NodeId{a}, NodeId{b}) ? 0U : 1U);
        }
}

TEST(Crossbar, IsOneSwitch) {
    const Network network = make_network("crossbar:5");
    EXPECT_EQ(network.endpoint_count(), 5U);
    EXPECT_EQ(network.node_count(), 6U);
    EXPECT_EQ(network.degree(NodeId{5}), 5U);
}

TEST(NamedNetworks, RefuseWhatThereIsNot) {
    for (const char* const bad : {"fattree:3",
                                  "fattree:0",
                                  "fattree:4,3,2",
                                  "fattree:1,3",
                                  "fattree:100,4",
                                  "dragonfly:4,2",
                                  "dragonfly:4,0,2",
                                  "dragonfly:100000,100000,1",
                                  "hyperx:1x1",
                                  "hyperx:4x4:q=1",
                                  "hyperx:4x4:p=0",
                                  "slimfly:6",
                                  "slimfly:2",
                                  "slimfly:129",
                                  "slimfly:5:p=",
                                  "crossbar:1",
                                  "crossbar:1000001",
                                  "flattened_butterfly:4",
                                  "flattened_butterfly:1,3",
                                  "hypercube:0",
                                  "hypercube:17",
                                  "fattree:",
                                  "crossbar:8:p=2"})
        EXPECT_THROW(make_network(bad), InputError) << bad;
}

}  // namespace
}  // namespace interlace
