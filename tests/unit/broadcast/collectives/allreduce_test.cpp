// Interlace: all-reduces along trees, against cuts, formulas and the checker
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/allreduce.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "interlace/broadcast/collectives/time_cuts.h"
#include "interlace/core/error.h"
#include "interlace/program/check_collective.h"
#include "small_networks.h"
#include "support/random_graph.h"

namespace interlace {
namespace {

using testing::HasSubstr;

Network both_ways(const char* name, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
    std::vector<std::pair<NodeId, NodeId>> links;
    for (const auto& [a, b] : edges) {
        links.emplace_back(a, b);
        links.emplace_back(b, a);
    }
    return {name, links};
}

/// Steps of a schedule along trees that the checker proves.
std::uint32_t proven_steps(const Network& network, std::uint32_t chunks) {
    TreeOptions options;
    options.effort = 1'000'000;
    options.enough = allreduce_bound(network, chunks).steps;
    const auto rows = allreduce_on_trees(network, chunks, options);
    if (!rows) ADD_FAILURE() << network.name();
    const CheckReport report = check_reduction(network, chunks, true, *rows);
    EXPECT_TRUE(report.valid()) << network.name() << ": " << report.problem();
    EXPECT_EQ(report.sends, 2 * (network.node_count() - 1) * std::uint64_t{network.node_count()} * chunks);
    EXPECT_GE(report.steps, options.enough) << network.name();
    return static_cast<std::uint32_t>(report.steps);
}

/// The bound, which a cut proves of a step less.
std::uint32_t proven_bound(const Network& network, std::uint32_t chunks) {
    const AllReduceBound bound = allreduce_bound(network, chunks);
    const std::uint32_t packets = network.node_count() * chunks, steps = bound.steps - 1;
    if (bound.kind == AllReduceBound::Kind::sends) {
        EXPECT_EQ(bound.cut.steps, steps);
        EXPECT_EQ(bound.cut.packets, packets);
        EXPECT_TRUE(check_parts_cut(network, bound.cut).proves()) << network.name();
        return bound.steps;
    }
    auto cut = cut_of_one(network, PacketsGo::from, bound.from, bound.to, packets, steps);
    if (!cut) cut = cut_of_one(network, PacketsGo::to, bound.to, bound.from, packets, steps);
    EXPECT_TRUE(cut && check_time_cut(network, *cut).proves()) << network.name();
    return bound.steps;
}

// Of the 30 connected networks, and of rings: what a cut proves is what a schedule takes, so that none is
// shorter.
TEST(AllReduceOnTrees, IsAsShortAsAnyOnAllSmallNetworks) {
    std::uint32_t networks = 0;
    for (std::uint32_t nodes = 2; nodes <= 5; ++nodes)
        each_connected_network(nodes, [&](const Network& network) {
            ++networks;
            EXPECT_EQ(proven_steps(network, 1), proven_bound(network, 1)) << network.name();
        });
    EXPECT_EQ(networks, 1U + 2 + 6 + 21);
    for (std::uint32_t nodes = 3; nodes <= 7; ++nodes) {
        const Network ring = make_network(fmt::format("torus:{}", nodes));
        EXPECT_EQ(proven_steps(ring, 1), nodes - 1);
        EXPECT_EQ(proven_bound(ring, 1), nodes - 1);
    }
}

// On a tree all packets cross each link in both directions, one after another, and the first one has the
// diameter before it.
TEST(AllReduceOnTrees, TakesPacketsAndDiameterOnTrees) {
    for (const std::uint32_t chunks : {1U, 3U}) {
        const Network line = make_network("mesh:7");
        EXPECT_EQ(proven_steps(line, chunks), 7 * chunks - 1 + 6);
        EXPECT_EQ(proven_bound(line, chunks), 7 * chunks - 1 + 6);
        const Network star =
            both_ways("star", {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}, {0, 8}});
        EXPECT_EQ(proven_steps(star, chunks), 9 * chunks - 1 + 2);
        EXPECT_EQ(proven_bound(star, chunks), 9 * chunks - 1 + 2);
    }
}

// 64 packets leave a corner by two links, and the last has 14 links before it: 45 steps. A reduce-scatter and
// an all-gather take 32 each.
TEST(AllReduceOnTrees, OverlapsSumsAndTheirWayBackOnAMesh) {
    const Network mesh = make_network("mesh:8x8");
    EXPECT_EQ(proven_bound(mesh, 1), 14 - 1 + 64 / 2);
    EXPECT_LT(proven_steps(mesh, 1), 60U);
}

TEST(AllReduceOnTrees, IsProvenOnRandomNetworks) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Network network = dense_graph(4 + seed % 9, seed);
        proven_steps(network, 1 + seed % 2);
        proven_bound(network, 1 + seed % 2);
    }
}

// Links of one direction cannot be in a tree: of a ring of these there is none, and of a ring with some more
// links only the others are used.
TEST(AllReduceOnTrees, UsesLinksThatGoBothWays) {
    std::vector<std::pair<NodeId, NodeId>> links;
    for (std::uint32_t v = 0; v < 5; ++v) links.emplace_back(NodeId{v}, NodeId{(v + 1) % 5});
    EXPECT_FALSE(allreduce_on_trees(Network("one way", links), 1));
    for (std::uint32_t v = 0; v < 4; ++v) links.emplace_back(NodeId{v + 1}, NodeId{v});
    const Network line("line and a link", links);
    const auto rows = allreduce_on_trees(line, 1);
    ASSERT_TRUE(rows);
    EXPECT_TRUE(check_reduction(line, 1, true, *rows).valid());
    EXPECT_TRUE(std::none_of(rows->begin(), rows->end(),
                             [](const ReducingSend& row) { return row.send.from == 4 && row.send.to == 0; }));
}

TEST(AllReduceOnTrees, IsTheSameForASeed) {
    const Network mesh = make_network("mesh:4x3");
    const auto steps = [&](std::uint64_t seed) {
        TreeOptions options;
        options.seed = seed;
        options.effort = 100'000;
        std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> sends;
        const auto rows = allreduce_on_trees(mesh, 1, options);
        for (const ReducingSend& row : rows.value())
            sends.emplace_back(row.send.step, row.send.from, row.send.to, row.send.packet);
        return sends;
    };
    EXPECT_EQ(steps(3), steps(3));
    EXPECT_NE(steps(3), steps(4));
    TreeOptions options;
    options.fewer_than = allreduce_bound(mesh, 1).steps;
    EXPECT_FALSE(allreduce_on_trees(mesh, 1, options));
}

/// Over all ways to divide the network: 2 (k - 1) packets for each sum between k parts, by their links.
std::uint32_t best_of_all_parts(const Network& network, std::uint32_t chunks) {
    const std::uint32_t nodes = network.node_count();
    std::uint32_t best = 0;
    std::vector<std::uint32_t> part(nodes, 0);
    const auto divide = [&](const auto& next, std::uint32_t node, std::uint32_t parts) -> void {
        if (node < nodes) {
            for (part[node] = 0; part[node] <= parts; ++part[node])
                next(next, node + 1, std::max(parts, part[node] + 1));
            return;
        }
        std::uint32_t links = 0;
        for (std::uint32_t v = 0; v < nodes; ++v)
            for (const NodeId to : network.neighbours(NodeId{v})) links += part[v] != part[to] ? 1 : 0;
        if (parts > 1) best = std::max(best, (2 * (parts - 1) * nodes * chunks + links - 1) / links);
    };
    divide(divide, 0, 0);
    return best;
}

TEST(AllReduceBound, IsNotBelowThatOfAnyParts) {
    for (std::uint32_t nodes = 2; nodes <= 5; ++nodes)
        each_connected_network(nodes, [&](const Network& network) {
            EXPECT_GE(allreduce_bound(network, 7).steps, best_of_all_parts(network, 7)) << network.name();
        });
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Network network = random_graph(4 + seed % 4, 6, seed);
        EXPECT_GE(proven_bound(network, 9), best_of_all_parts(network, 9)) << network.name();
    }
}

// A ring of four groups of six nodes, which are all joined in a group, and by a link to each next group. Each
// of 24 sums takes six packets between groups, over eight links: 18 steps. Between two nodes two links of
// 24 packets take 12 and their distance.
TEST(AllReduceBound, FindsPartsOfTheNetwork) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t group = 0; group < 4; ++group) {
        for (std::uint32_t a = 0; a < 6; ++a)
            for (std::uint32_t b = 0; b < a; ++b) edges.emplace_back(group * 6 + a, group * 6 + b);
        edges.emplace_back(group * 6, (group + 1) % 4 * 6 + 1);
    }
    const Network groups = both_ways("groups", edges);
    const AllReduceBound bound = allreduce_bound(groups, 1);
    EXPECT_EQ(bound.kind, AllReduceBound::Kind::sends);
    EXPECT_EQ(bound.parts, 4U);
    EXPECT_EQ(bound.packets, 2U * 3 * 24);
    EXPECT_EQ(bound.links, 8U);
    EXPECT_EQ(proven_bound(groups, 1), 18U);
    EXPECT_LE(proven_steps(groups, 1), 24U);
}

TEST(AllReduceBound, NeedsNodesThatReachOneAnother) {
    EXPECT_THAT(
        [] {
            allreduce_bound(Network("one way", {{NodeId{0}, NodeId{1}}}), 1);
        },
        testing::ThrowsMessage<InputError>(HasSubstr("there is no path from node 1 to node 0")));
}

// Nodes 0 and 1 of mesh:3 together, node 2 alone: two packets of each sum cross two links.
TEST(CheckParts, CountsLinksBetweenThem) {
    const Network line = make_network("mesh:3");
    const CheckedCut cut = check_parts_cut(line, {2, 3, {0, 0, 7}});
    EXPECT_EQ(cut.needed, 2U * 3);
    EXPECT_EQ(cut.crossing, 2U * 2);
    EXPECT_TRUE(cut.proves());
    EXPECT_FALSE(check_parts_cut(line, {3, 3, {0, 0, 7}}).proves());
    EXPECT_FALSE(check_parts_cut(line, {1, 3, {4, 4, 4}}).proves());
    EXPECT_THAT(
        [&] {
            check_parts_cut(line, {2, 3, {0, 0}});
        },
        testing::ThrowsMessage<InputError>(HasSubstr("there are 2 parts; expected 3")));
}

}  // namespace
}  // namespace interlace
