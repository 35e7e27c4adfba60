// Interlace: the list of lattices against all that can be typed
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/list_lattices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "interlace/core/error.h"
#include "interlace/network/network.h"

namespace interlace {
namespace {

using Numbers = std::vector<std::uint32_t>;
using Links = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A network up to the names of its nodes, as far as translations, a change of all signs and the order of
/// axes go: of all sets of links that these make the first, behind the sizes.
std::pair<Numbers, Links> without_names(const Network& network) {
    const Lattice& lattice = *network.lattice();
    const std::uint32_t d = lattice.dimensions();
    std::set<std::pair<Numbers, Links>> made;
    Numbers axes(d);
    std::iota(axes.begin(), axes.end(), 0U);
    do {
        Numbers sizes;
        for (const std::uint32_t axis : axes) sizes.push_back(lattice.sizes()[axis]);
        const Lattice renamed(Lattice::Kind::torus, sizes);
        for (std::uint32_t shift = 0; shift < lattice.species_count(); ++shift)
            for (const bool mirrored : {false, true}) {
                const auto name = [&](NodeId node) {
                    Numbers at;
                    for (std::uint32_t i = 0; i < d; ++i) {
                        const std::uint32_t size = sizes[i];
                        const std::uint32_t x = lattice.coordinate(node, axes[i]) + (i == 0 ? shift : 0);
                        at.push_back(mirrored ? (2 * size - x % size - 1) % size : x % size);
                    }
                    return +renamed.node(at);
                };
                Links links;
                for (std::uint32_t v = 0; v < network.node_count(); ++v)
                    for (const NodeId to : network.neighbours(NodeId{v}))
                        links.emplace_back(name(NodeId{v}), name(to));
                std::sort(links.begin(), links.end());
                made.emplace(sizes, std::move(links));
            }
    } while (std::next_permutation(axes.begin(), axes.end()));
    return *made.begin();
}

/// All lists of `count` numbers from 1 to `most`.
std::vector<Numbers> all_lists(std::uint32_t count, std::uint32_t most) {
    std::vector<Numbers> lists = {{}};
    for (std::uint32_t i = 0; i < count; ++i) {
        std::vector<Numbers> longer;
        for (const Numbers& list : lists)
            for (std::uint32_t n = 1; n <= most; ++n) {
                longer.push_back(list);
                longer.back().push_back(n);
            }
        lists = std::move(longer);
    }
    return lists;
}

/// All lists of `count` numbers whose product is `product`.
std::vector<Numbers> all_products(std::uint32_t count, std::uint32_t product) {
    if (count == 0) return product == 1 ? std::vector<Numbers>{{}} : std::vector<Numbers>{};
    std::vector<Numbers> lists;
    for (std::uint32_t n = 1; n <= product; ++n)
        for (Numbers list :
             product % n == 0 ? all_products(count - 1, product / n) : std::vector<Numbers>{}) {
            list.push_back(n);
            lists.push_back(std::move(list));
        }
    return lists;
}

/// What the constructor takes of everything that can be typed: any sizes that make so many nodes, any lengths
/// up to `longest`.
std::set<std::pair<Numbers, Links>> all_that_can_be_typed(const std::string& kind, std::uint32_t nodes,
                                                          std::uint32_t dimensions, std::uint32_t lengths,
                                                          std::uint32_t longest) {
    std::set<std::pair<Numbers, Links>> networks;
    for (const Numbers& sizes : all_products(dimensions, nodes)) {
        if (*std::min_element(sizes.begin(), sizes.end()) < 3) continue;  // not in the lists
        for (const Numbers& bypass : all_lists(lengths, longest)) try {
                const std::string name =
                    fmt::format("{}:{}{}", kind, fmt::join(sizes, "x"), lengths > 0 ? ":b=" : "") +
                    fmt::format("{}", fmt::join(bypass, ","));
                networks.insert(without_names(make_network(name)));
            } catch (const InputError&) {
            }
    }
    return networks;
}

void expect_all_once(const std::string& kind, const LatticeQuery& query, std::uint32_t longest,
                     const std::set<std::pair<Numbers, Links>>& others = {}) {
    auto typed = all_that_can_be_typed(kind, query.nodes, query.dimensions, query.lengths, longest);
    for (const auto& other : others) typed.erase(other);
    std::set<std::pair<Numbers, Links>> listed;
    for (const std::string& name : list_lattices(query))
        EXPECT_TRUE(listed.insert(without_names(make_network(name))).second) << name << " is there twice";
    EXPECT_EQ(listed.size(), typed.size())
        << kind << query.nodes << "/" << query.dimensions << "/" << query.lengths;
    EXPECT_TRUE(listed == typed);
}

TEST(ListLattices, HasEveryTorusAndMeshOnce) {
    for (const std::uint32_t nodes : {2U, 3U, 8U, 24U, 27U, 36U, 60U})
        for (const std::uint32_t dimensions : {1U, 2U, 3U}) {
            expect_all_once("torus", {Lattice::Kind::torus, nodes, dimensions}, 0);
            expect_all_once("mesh", {Lattice::Kind::mesh, nodes, dimensions}, 0);
        }
}

TEST(ListLattices, HasEveryInterlacedBypassTorusOfOneLengthOnce) {
    for (const std::uint32_t nodes : {16U, 25U, 64U, 72U, 96U}) {
        expect_all_once("ibt", {Lattice::Kind::ibt, nodes, 1, 1}, 2 * nodes);
        expect_all_once("ibt", {Lattice::Kind::ibt, nodes, 2, 1}, 60);
    }
    expect_all_once("ibt", {Lattice::Kind::ibt, 216, 3, 1}, 40);
    expect_all_once("ibt", {Lattice::Kind::ibt, 12 * 6 * 9, 3, 1}, 40);
}

// Of two lengths those that are one, written twice, are in the list of one length.
TEST(ListLattices, HasEveryInterlacedBypassTorusOfTwoLengthsOnce) {
    for (const auto& [nodes, dimensions, longest] :
         std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>{
             {24, 1, 30}, {64, 2, 20}, {16 * 24, 2, 24}, {12 * 20, 2, 40}, {12 * 24, 2, 30}})
        expect_all_once("ibt", {Lattice::Kind::ibt, nodes, dimensions, 2}, longest,
                        all_that_can_be_typed("ibt", nodes, dimensions, 1, longest));
}

TEST(ListLattices, HasEveryInterlacedBypassTorusOfThreeLengthsOnce) {
    for (const auto& [nodes, dimensions, longest] :
         std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>{{27, 1, 27}, {12 * 18, 2, 18}})
        expect_all_once("ibt", {Lattice::Kind::ibt, nodes, dimensions, 3}, longest,
                        all_that_can_be_typed("ibt", nodes, dimensions, 1, longest));
}

/// A network of rings up to the order and the direction of its axes: of the ways to number its nodes as they
/// are met from node 0, axis by axis, and to write down the neighbours of each, the first. No arithmetic of
/// twists.
Numbers as_it_is_met(const Network& network) {
    const std::uint32_t d = network.lattice()->dimensions(), n = network.node_count();
    Numbers axes(d);
    std::iota(axes.begin(), axes.end(), 0U);
    std::set<Numbers> ways;
    do {
        for (std::uint32_t mirrored = 0; mirrored < 1U << d; ++mirrored) {
            Numbers number(n, n), met = {0}, way;
            number[0] = 0;
            for (std::size_t i = 0; i < met.size(); ++i)
                for (std::uint32_t port = 0; port < 2 * d; ++port) {
                    const std::uint32_t axis = axes[port / 2], backwards = port ^ (mirrored >> axis & 1U);
                    const NodeId next = network.neighbours(NodeId{met[i]})[2 * axis + backwards % 2];
                    if (number[next] == n) {
                        number[next] = static_cast<std::uint32_t>(met.size());
                        met.push_back(next);
                    }
                    way.push_back(number[next]);
                }
            ways.insert(std::move(way));
        }
    } while (std::next_permutation(axes.begin(), axes.end()));
    return *ways.begin();
}

TEST(ListLattices, HasEveryTwistedTorusOnce) {
    for (const std::uint32_t nodes : {9U, 12U, 24U, 27U, 36U, 48U, 60U, 64U})
        for (const std::uint32_t dimensions : {2U, 3U})
            for (const Twists twists : {Twists::half, Twists::all}) {
                std::set<Numbers> typed, listed;
                for (const Numbers& sizes : all_products(dimensions, nodes))
                    for (const Numbers& plus_one : all_lists(dimensions - 1, sizes[0])) try {
                            Numbers twist = plus_one;
                            for (std::uint32_t& by : twist) --by;
                            const bool halves =
                                std::all_of(twist.begin(), twist.end(),
                                            [&](std::uint32_t by) { return by == 0 || 2 * by == sizes[0]; });
                            if (twists == Twists::half && !halves) continue;
                            typed.insert(as_it_is_met(make_network(fmt::format(
                                "torus:{}:twist={}", fmt::join(sizes, "x"), fmt::join(twist, ",")))));
                        } catch (const InputError&) {
                        }
                for (const std::string& name : list_lattices({Lattice::Kind::torus, nodes, dimensions}))
                    typed.erase(as_it_is_met(make_network(name)));
                for (const std::string& name :
                     list_lattices({Lattice::Kind::twisted_torus, nodes, dimensions, 0, twists}))
                    EXPECT_TRUE(listed.insert(as_it_is_met(make_network(name))).second) << name;
                EXPECT_EQ(listed.size(), typed.size()) << nodes << "/" << dimensions;
                EXPECT_TRUE(listed == typed) << nodes << "/" << dimensions;
            }
}

// By hand: a ring of 8 or of 16 with 4 rows moved by half of it, 4 of 8 by half of 4. Seen along y,
// 4x8:twist=2 is a ring of 16 with 2 rows, and none of the others; 4x4:twist=2 a ring of 8 in which x closes
// after 2 of 4.
TEST(ListLattices, HasTheTwistedToriThatWerePublished) {
    EXPECT_THAT(list_lattices({Lattice::Kind::twisted_torus, 32}),
                testing::ElementsAre("torus:8x4:twist=4", "torus:4x8:twist=2"));
    EXPECT_THAT(list_lattices({Lattice::Kind::twisted_torus, 16}), testing::ElementsAre("torus:4x4:twist=2"));
    EXPECT_THAT(list_lattices({Lattice::Kind::twisted_torus, 128, 3}),
                testing::Contains("torus:8x4x4:twist=4,4"));
}

// By hand: sizes 16 x 16 (multiples of 2 k), lengths 2, 4, 6, 8, and with k = 2 4 and 8; 32 x 8: multiples of
// 2 but not of 8, 10 is 2 on 8 and 10 on 32 (a way of its own), 14 is 2 and 14; k = 2: 4 and 12.
TEST(ListLattices, IsWhatAHandFindsOf256Nodes) {
    EXPECT_THAT(list_lattices({Lattice::Kind::ibt, 256}),
                testing::UnorderedElementsAre(
                    "ibt:16x16:b=2", "ibt:16x16:b=4", "ibt:16x16:b=6", "ibt:16x16:b=8", "ibt:16x16:b=4,8",
                    "ibt:32x8:b=2", "ibt:32x8:b=4", "ibt:32x8:b=6", "ibt:32x8:b=10", "ibt:32x8:b=12",
                    "ibt:32x8:b=14", "ibt:32x8:b=4,12", "ibt:64x4:b=2", "ibt:64x4:b=6", "ibt:64x4:b=10",
                    "ibt:64x4:b=14", "ibt:64x4:b=18", "ibt:64x4:b=22", "ibt:64x4:b=26", "ibt:64x4:b=30"));
    EXPECT_THAT(list_lattices({Lattice::Kind::torus, 64}),
                testing::UnorderedElementsAre("torus:64", "torus:16x4", "torus:8x8", "torus:4x4x4"));
    EXPECT_TRUE(list_lattices({Lattice::Kind::ibt, 250}).empty());
    EXPECT_TRUE(list_lattices({Lattice::Kind::mesh, 64, 4}).empty());
}

TEST(ListLattices, HasAllTwistsOfAsManyNodesAsItSays) {
    std::size_t most = 0;
    for (std::uint32_t nodes = 3; default_twists(nodes) == Twists::all; ++nodes)
        most = std::max(most, list_lattices({Lattice::Kind::twisted_torus, nodes, 0, 0, Twists::all}).size());
    EXPECT_GT(most, 1000U);
}

TEST(ListLattices, RefusesWhatNobodyReads) {
    EXPECT_THROW(list_lattices({Lattice::Kind::ibt, 1U << 16U, 1, 2}), InputError);
    EXPECT_THROW(list_lattices({Lattice::Kind::ibt, 1U << 24U}), InputError);
    EXPECT_FALSE(list_lattices({Lattice::Kind::torus, 1U << 24U}).empty());
}

}  // namespace
}  // namespace interlace
