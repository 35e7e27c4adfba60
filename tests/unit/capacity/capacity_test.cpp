// Interlace: capacities against published values, closed formulas and bounds recomputed in whole numbers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/capacity/capacity.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <numeric>

#include "interlace/capacity/check_capacity.h"
#include "interlace/core/error.h"
#include "support/random_graph.h"

namespace interlace {
namespace {

/// A fraction of whole numbers.
struct Fraction {
    std::uint64_t over, under;
};
bool operator==(const Fraction& a, const Fraction& b) {
    return a.over * b.under == b.over * a.under;
}
void PrintTo(const Fraction& f, std::ostream* out) {
    *out << f.over << " / " << f.under;
}

/// Lengths of all links from those of their classes.
std::vector<std::uint32_t> of_links(const Network& network, const LinkClasses& classes,
                                    const LengthBound& bound) {
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (std::uint32_t p = 0; p < network.degree(NodeId{v}); ++p)
            lengths.push_back(bound.lengths[classes.of(NodeId{v}, p)]);
    return lengths;
}

/// What lengths prove, by Floyd and Warshall's algorithm over links counted and lengths together.
Fraction proven(const Network& network, const Demands& demands, const std::vector<std::uint32_t>& lengths,
                AllowedPaths paths) {
    constexpr std::uint64_t none = std::uint64_t{1} << 60U, hop = std::uint64_t{1} << 40U;
    const std::uint32_t n = network.node_count();
    std::vector<std::uint64_t> d(std::size_t{n} * n, none);
    Fraction result{0, 0};
    std::uint32_t link = 0;
    for (std::uint32_t v = 0; v < n; ++v) {
        for (const NodeId to : network.neighbours(NodeId{v})) {
            result.under += lengths[link];
            d[std::size_t{v} * n + to] = lengths[link++] + (paths == AllowedPaths::shortest ? hop : 0);
        }
        d[std::size_t{v} * n + v] = 0;
    }
    for (std::uint32_t k = 0; k < n; ++k)
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t j = 0; j < n; ++j)
                d[std::size_t{i} * n + j] = std::min(d[std::size_t{i} * n + j],
                                                     d[std::size_t{i} * n + k] + d[std::size_t{k} * n + j]);
    const std::uint32_t hosts = network.endpoint_count();
    for (std::uint32_t v = 0; v < hosts; ++v) {
        for (std::uint32_t to = 0; to < hosts; ++to)
            result.over += demands.each * (d[std::size_t{v} * n + to] % hop);
        if (!demands.uniform())
            for (const auto& [to, packets] : demands.more[v])
                result.over += packets * (d[std::size_t{v} * n + to] % hop);
    }
    return result;
}

Demands one_each(const std::vector<std::uint32_t>& to) {
    Demands demands{0, std::vector<std::vector<std::pair<NodeId, std::uint32_t>>>(to.size())};
    for (std::uint32_t v = 0; v < to.size(); ++v)
        if (to[v] != v) demands.more[v].emplace_back(to[v], 1);
    return demands;
}

struct Found {
    Capacity capacity;
    Fraction bound;
};

/// The capacity, after its certificate was recomputed by two other programs.
Found found(const Network& network, const Demands& demands = {}, AllowedPaths paths = AllowedPaths::any) {
    const LinkClasses classes(network, demands);
    Found result{find_capacity(network, classes, demands, paths), {}};
    const LengthBound& bound = result.capacity.bound;
    result.bound = {bound.distances, bound.all_lengths};
    EXPECT_LT(result.capacity.gap(), 0.001) << network.name();
    const auto lengths = of_links(network, classes, bound);
    const CheckedBound checked = check_capacity(network, demands, lengths, paths == AllowedPaths::shortest);
    EXPECT_EQ(checked.distances, bound.distances) << network.name();
    EXPECT_EQ(checked.lengths, bound.all_lengths) << network.name();
    if (network.node_count() <= 256) {
        EXPECT_EQ(proven(network, demands, lengths, paths), result.bound) << network.name();
    }
    return result;
}

Found found(const std::string& network, AllowedPaths paths = AllowedPaths::any) {
    return found(make_network(network), {}, paths);
}

// Two independent programs gave these, in exact fractions and closed to within 2%: 38, 179, 191 1/7, 5386.5,
// 4613.25 and 5674.28 by lengths (torus 1, bypass 2), (1; 4, 10); 8192 by (1, 6). What they left open is
// closed here.
TEST(Capacity, OfInterlacedBypassToriIsThatOfIndependentPrograms) {
    EXPECT_EQ(found("ibt:8x8:b=4").bound, (Fraction{38, 1}));
    EXPECT_EQ(found("ibt:16x16:b=4").bound, (Fraction{179, 1}));
    EXPECT_EQ(found("ibt:16x16:b=4,8").bound, (Fraction{1338, 7}));
    EXPECT_EQ(found("ibt:64x64:b=14").bound, (Fraction{10773, 2}));
    EXPECT_EQ(found("ibt:64x64:b=8,24").bound, (Fraction{18453, 4}));
    EXPECT_EQ(found("ibt:64x64:b=6").bound, (Fraction{8192, 1}));
    EXPECT_NEAR(found("ibt:64x64:b=4,16").capacity.bound.link_load(), 5674.3, 0.05);
}

TEST(Capacity, OverShortestPathsIsThatOfIndependentPrograms) {
    EXPECT_EQ(found("ibt:8x8:b=4", AllowedPaths::shortest).bound, (Fraction{48, 1}));
    EXPECT_EQ(found("ibt:16x16:b=4", AllowedPaths::shortest).bound, (Fraction{224, 1}));
    EXPECT_EQ(found("ibt:16x16:b=4,8", AllowedPaths::shortest).bound, (Fraction{694, 3}));
    EXPECT_EQ(found("ibt:64x64:b=14", AllowedPaths::shortest).bound, (Fraction{7201, 1}));
    EXPECT_EQ(found("ibt:64x64:b=6", AllowedPaths::shortest).bound, (Fraction{10665, 1}));
}

// Per dimension the packets cross the sum of min(v, n - v) over all offsets, T, half of them in each
// direction, or T over the one link where n / 2 is both; here no dimension is shorter than 3.
TEST(Capacity, OfATorusIsThatOfItsLongestDimension) {
    for (const std::vector<std::uint32_t>& sizes : {std::vector<std::uint32_t>{8},
                                                    {9},
                                                    {8, 8},
                                                    {12, 10},
                                                    {9, 9},
                                                    {7, 6},
                                                    {16, 4},
                                                    {8, 8, 4},
                                                    {5, 5, 5},
                                                    {4, 3, 3, 5}}) {
        std::uint64_t nodes = 1, most = 0;
        std::string name;
        for (const std::uint32_t n : sizes) {
            nodes *= n;
            name += (name.empty() ? "torus:" : "x") + std::to_string(n);
        }
        for (const std::uint32_t n : sizes) most = std::max(most, n / 2 * ((n + 1) / 2) * (nodes / n));
        EXPECT_EQ(found(name).bound, (Fraction{most, 2})) << name;
        EXPECT_EQ(found(name, AllowedPaths::shortest).bound, (Fraction{most, 2})) << name;
    }
}

// Half of the nodes send to the other half over the links between them: floor(n/2) ceil(n/2) N / n pairs for
// each of N / n links, which dimension order meets.
TEST(Capacity, OfAMeshIsThatOfItsMiddle) {
    EXPECT_EQ(found("mesh:8x8").bound, (Fraction{4 * 4 * 8, 1}));
    EXPECT_EQ(found("mesh:5x9").bound, (Fraction{4 * 5 * 5, 1}));
    EXPECT_EQ(found("mesh:4x4x7").bound, (Fraction{3 * 4 * 16, 1}));
    EXPECT_EQ(found("mesh:32x32").bound, (Fraction{16 * 16 * 32, 1}));
}

Network network_of(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& cables) {
    std::vector<std::pair<NodeId, NodeId>> links;
    for (const auto& [a, b] : cables) {
        links.emplace_back(a, b);
        links.emplace_back(b, a);
    }
    return {"graph", links};
}

// A complete graph sends every packet over a link of its own; a leaf of a tree takes in what all others send
// to it, and a trunk carries the product of the nodes at its ends; a hypercube of d dimensions carries d
// 2^(2d-1) hops of pairs over d 2^d links; the Petersen graph 10 (3 + 2 x 6) over 30.
TEST(Capacity, OfGraphsWithClosedFormulas) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> complete, star, path, cube, petersen;
    for (std::uint32_t a = 0; a < 7; ++a)
        for (std::uint32_t b = a + 1; b < 7; ++b) complete.emplace_back(a, b);
    for (std::uint32_t leaf = 1; leaf < 6; ++leaf) star.emplace_back(0, leaf);
    for (std::uint32_t v = 0; v + 1 < 7; ++v) path.emplace_back(v, v + 1);
    for (std::uint32_t v = 0; v < 32; ++v)
        for (std::uint32_t bit = 1; bit < 32; bit *= 2)
            if ((v & bit) == 0) cube.emplace_back(v, v | bit);
    for (std::uint32_t v = 0; v < 5; ++v) {
        petersen.emplace_back(v, (v + 1) % 5);
        petersen.emplace_back(v, v + 5);
        petersen.emplace_back(v + 5, (v + 2) % 5 + 5);
    }
    EXPECT_EQ(found(network_of(complete)).bound, (Fraction{1, 1}));
    EXPECT_EQ(found(network_of(star)).bound, (Fraction{5, 1}));
    EXPECT_EQ(found(network_of(path)).bound, (Fraction{3 * 4, 1}));
    EXPECT_EQ(found(network_of(cube)).bound, (Fraction{16, 1}));
    EXPECT_EQ(found(network_of(petersen)).bound, (Fraction{5, 1}));
}

// Links of one direction, in a ring of n: a packet to each other node crosses 1 to n - 1 links.
TEST(Capacity, OfARingOfOneDirection) {
    std::vector<std::pair<NodeId, NodeId>> links;
    for (std::uint32_t v = 0; v < 9; ++v) links.emplace_back(v, (v + 1) % 9);
    EXPECT_EQ(found(Network("ring", links)).bound, (Fraction{8 * 9 / 2, 1}));
}

// On a ring of n, k nodes on: a share x of the packets goes the short way and loads its links by x k, the
// others by (1 - x) (n - k); both are equal at k (n - k) / n. Over shortest paths alone it is k.
TEST(Capacity, OfTornadoSplitsPacketsBothWays) {
    for (const std::uint32_t n : {5U, 8U, 9U, 16U}) {
        const std::uint32_t k = (n + 1) / 2 - 1;
        std::vector<std::uint32_t> on(n), both(n * n);
        for (std::uint32_t v = 0; v < n; ++v) on[v] = (v + k) % n;
        for (std::uint32_t v = 0; v < n * n; ++v) both[v] = (v % n + k) % n + (v / n + k) % n * n;
        const Fraction split{std::uint64_t{k} * (n - k), n};
        EXPECT_NEAR(found(make_network(fmt::format("torus:{}", n)), one_each(on)).capacity.link_load,
                    static_cast<double>(split.over) / static_cast<double>(split.under), 1e-3);
        const Network square = make_network(fmt::format("torus:{}x{}", n, n));
        EXPECT_NEAR(found(square, one_each(both)).capacity.link_load,
                    static_cast<double>(split.over) / static_cast<double>(split.under), 1e-3);
        EXPECT_EQ(found(square, one_each(both), AllowedPaths::shortest).bound, (Fraction{k, 1}));
    }
}

TEST(Capacity, OfPermutationsOfRandomGraphsHasCertificatesThatHold) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const Network network = random_graph(18, 30, seed);
        std::vector<std::uint32_t> to(network.node_count());
        for (std::uint32_t v = 0; v < to.size(); ++v)
            to[v] = static_cast<std::uint32_t>((v + seed) % to.size());
        found(network);
        found(network, {}, AllowedPaths::shortest);
        found(network, one_each(to));
    }
}

// A detour is never needed over shortest paths, and may always be left out of any paths.
TEST(Capacity, OverAnyPathsIsAtLeastThatOverShortestPaths) {
    for (const char* name :
         {"ibt:12x12:b=6", "ibt:12x12:b=4", "ibt:16x8:b=4", "ibt:6x6x6:b=3", "mesh:3x4", "torus:7x6"})
        EXPECT_LE(found(name).capacity.link_load,
                  found(name, AllowedPaths::shortest).capacity.link_load * 1.001)
            << name;
}

// Lengths of 12 bits leave a gap of 0.1026% here, whatever they are; finer ones close it.
TEST(Capacity, IsSearchedForWithFinerLengthsWhereLinksDifferMuch) {
    for (const char* name : {"ibt:128x8:b=4,12", "ibt:64x16:b=4,12", "ibt:32x32:b=4,20"}) found(name);
}

TEST(Capacity, RefusesHostsThatAreNotReached) {
    const Network network(
        "halves",
        {{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{0}}, {NodeId{2}, NodeId{3}}, {NodeId{3}, NodeId{2}}});
    const Demands demands;
    EXPECT_THROW(find_capacity(network, LinkClasses(network, demands), demands, AllowedPaths::any),
                 InputError);
    EXPECT_THROW(check_capacity(network, demands, {1, 1, 1, 1}, false), InputError);
}

TEST(CheckCapacity, RefusesLengthsThatDifferWithinASpecies) {
    const Network network = make_network("torus:40x40");
    std::vector<std::uint32_t> lengths(network.link_count(), 1);
    EXPECT_EQ(check_capacity(network, {}, lengths, false).distances, 1600U * 1600 * 20);
    lengths[77] = 2;
    EXPECT_THROW(check_capacity(network, {}, lengths, false), InputError);
}

/// The packets over each link when those of every pair are split evenly over its shortest paths: equal on
/// links that a symmetry maps onto one another.
std::vector<double> betweenness(const Network& network) {
    const std::uint32_t n = network.node_count();
    std::vector<double> load(network.link_count(), 0);
    for (std::uint32_t s = 0; s < n; ++s) {
        std::vector<std::uint32_t> distance(n, UINT32_MAX), order = {s};
        std::vector<double> paths(n, 0), packets(n, 1);
        distance[s] = 0;
        paths[s] = 1;
        for (std::size_t i = 0; i < order.size(); ++i)
            for (const NodeId to : network.neighbours(NodeId{order[i]})) {
                if (distance[to] == UINT32_MAX) {
                    distance[to] = distance[order[i]] + 1;
                    order.push_back(to);
                }
                if (distance[to] == distance[order[i]] + 1) paths[to] += paths[order[i]];
            }
        for (std::size_t i = order.size(); i-- > 0;) {
            const std::uint32_t v = order[i];
            std::uint32_t link = network.first_link(NodeId{v});
            for (const NodeId to : network.neighbours(NodeId{v})) {
                if (distance[to] == distance[v] + 1) {
                    const double share = packets[to] * paths[v] / paths[to];
                    load[link] += share;
                    packets[v] += share;
                }
                ++link;
            }
        }
    }
    return load;
}

TEST(LinkClasses, JoinOnlyLinksThatAreAlike) {
    for (const char* name :
         {"torus:5x5", "torus:4x6", "torus:4x4x3", "ibt:8x8:b=4", "ibt:12x12:b=4", "ibt:16x16:b=4,8",
          "ibt:8x8:b=2", "ibt:6x6x6:b=3", "ibt:8x4:b=2", "mesh:4x4", "mesh:5x3", "mesh:3x3x3"}) {
        const Network network = make_network(name);
        const LinkClasses classes(network, Demands{});
        const std::vector<double> load = betweenness(network);
        std::vector<std::uint64_t> links(classes.count(), 0);
        std::vector<double> of_class(classes.count(), -1);
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            for (std::uint32_t p = 0; p < network.degree(NodeId{v}); ++p) {
                const std::uint32_t c = classes.of(NodeId{v}, p);
                const double here = load[network.first_link(NodeId{v}) + p];
                if (of_class[c] < 0) of_class[c] = here;
                EXPECT_NEAR(of_class[c], here, 1e-6) << name << " node " << v << " port " << p;
                ++links[c];
            }
        EXPECT_EQ(links, classes.links()) << name;
        std::uint64_t nodes = 0;
        for (const LinkClasses::Origin& origin : classes.origins()) nodes += origin.nodes;
        EXPECT_EQ(nodes, network.node_count()) << name;
    }
}

TEST(LinkClasses, AreFew) {
    const auto count = [](const char* name) { return LinkClasses(make_network(name), Demands{}).count(); };
    EXPECT_EQ(count("torus:8x8x8"), 1U);
    EXPECT_EQ(count("torus:8x4x4"), 2U);
    EXPECT_EQ(count("ibt:64x64:b=14"), 3U);  // torus links beside the bypass and across it, and bypass links
    EXPECT_EQ(count("ibt:64x64:b=8,24"), 12U);
    std::vector<std::uint32_t> one(64);  // node 0 sends to node 9
    std::iota(one.begin(), one.end(), 0);
    one[0] = 9;
    const LinkClasses exchanged(make_network("torus:8x8"), one_each(one));
    EXPECT_EQ(exchanged.origins().size(), 36U);  // only the exchange of x and y is a symmetry: (64 + 8) / 2
    EXPECT_EQ(exchanged.count(), 128U);
}

}  // namespace
}  // namespace interlace
