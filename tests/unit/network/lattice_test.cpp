// Interlace: coordinates and links of lattices
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/lattice.h"

#include <gmock/gmock.h>

#include <bit>
#include <set>

#include "interlace/core/error.h"
#include "interlace/network/metrics.h"
#include "interlace/network/network.h"

namespace interlace {
namespace {

std::vector<std::uint32_t> neighbours(const std::string& network, std::uint32_t node) {
    const Network made = make_network(network);
    const auto span = made.neighbours(NodeId{node});
    return {span.begin(), span.end()};
}

TEST(Lattice, TorusNodeHasBothNeighboursInEveryDimension) {
    // Node 0 of a 3x4x5 torus: x 1 and 2, y 3 and 9, z 12 and 48.
    EXPECT_THAT(neighbours("torus:3x4x5", 0), testing::ElementsAre(1, 2, 3, 9, 12, 48));
}

// From the last row of four up to the first: four to the right of eight; and back likewise.
TEST(Lattice, TwistedTorusWrapsIntoAnotherColumn) {
    EXPECT_THAT(neighbours("torus:8x4:twist=4", 0), testing::ElementsAre(1, 7, 8, 4 + 24));
    EXPECT_THAT(neighbours("torus:8x4:twist=4", 1 + 24), testing::ElementsAre(2 + 24, 24, 5, 1 + 16));
    EXPECT_THAT(neighbours("torus:5x3x3:twist=0,3", 0), testing::ElementsAre(1, 4, 5, 10, 15, 2 + 30));
}

// Camara and others, 2010: a for 2a x a twisted by a, where the torus has 3a / 2; 3a / 2 for 2a x a x a
// twisted by a in both, where the torus has 2a.
TEST(Lattice, TwistedToriHaveThePublishedDiameters) {
    for (const std::uint32_t a : {4U, 6U, 8U}) {
        const std::string flat = std::to_string(2 * a) + "x" + std::to_string(a), n = std::to_string(a);
        EXPECT_EQ(measure_network(make_network("torus:" + flat)).diameter, 3 * a / 2);
        EXPECT_EQ(measure_network(make_network("torus:" + flat + ":twist=" + n)).diameter, a);
        const std::string deep = "torus:" + flat + "x" + n;
        EXPECT_EQ(measure_network(make_network(deep)).diameter, 2 * a);
        EXPECT_EQ(measure_network(make_network(deep + ":twist=" + n + "," + n)).diameter, 3 * a / 2);
    }
}

/// Nodes one up or down in one coordinate, with or without a wrap, each once.
std::set<std::uint32_t> around(const std::vector<std::uint32_t>& sizes, std::uint32_t node, bool wraps) {
    std::set<std::uint32_t> found;
    std::uint32_t stride = 1;
    for (const std::uint32_t size : sizes) {
        const std::uint32_t here = node / stride % size, rest = node - here * stride;
        if (wraps || here + 1 < size) found.insert(rest + (here + 1) % size * stride);
        if (wraps || here > 0) found.insert(rest + (here + size - 1) % size * stride);
        stride *= size;
    }
    found.erase(node);
    return found;
}

TEST(Lattice, MayHaveDimensionsOfOneAndTwoNodes) {
    for (const std::vector<std::uint32_t>& sizes :
         {std::vector<std::uint32_t>{2}, {1, 2}, {2, 4}, {4, 2}, {2, 2, 2}, {1, 8}, {3, 1, 2}, {2, 1, 1, 3}})
        for (const bool wraps : {true, false}) {
            std::string name = wraps ? "torus:" : "mesh:";
            for (const std::uint32_t size : sizes)
                name += (name.back() == ':' ? "" : "x") + std::to_string(size);
            const Network network = make_network(name);
            std::uint32_t links = 0, most = 0;
            for (std::uint32_t v = 0; v < network.node_count(); ++v) {
                const auto expected = around(sizes, v, wraps);
                EXPECT_THAT(neighbours(name, v), testing::UnorderedElementsAreArray(expected)) << name;
                links += expected.size();
                most = std::max(most, static_cast<std::uint32_t>(expected.size()));
            }
            EXPECT_EQ(network.link_count(), links) << name;
            EXPECT_EQ(network.max_degree(), most) << name;
        }
    EXPECT_THROW(make_network("torus:1"), InputError);
    EXPECT_THROW(make_network("torus:0x4"), InputError);
    EXPECT_THROW(make_network("torus:8x2:twist=4"), InputError);
}

TEST(Lattice, HypercubeDistancesAreTheBitsThatDiffer) {
    const Network network = make_network("hypercube:5");
    ASSERT_EQ(network.node_count(), 32U);
    for (std::uint32_t a = 0; a < 32; ++a) {
        const auto distance = distances_from(network, NodeId{a});
        for (std::uint32_t b = 0; b < 32; ++b)
            EXPECT_EQ(distance[b], static_cast<std::uint32_t>(std::popcount(a ^ b)));
    }
}

TEST(Lattice, MeshHasNoWrap) {
    EXPECT_THAT(neighbours("mesh:3x3", 0), testing::ElementsAre(1, 3));
    EXPECT_THAT(neighbours("mesh:3x3", 4), testing::UnorderedElementsAre(1, 3, 5, 7));
}

TEST(Lattice, BypassRunsInTheDimensionOfTheSpeciesModuloD) {
    // iBT(12^2; <4>): species (x + y) mod 2. Node (0,0) bypasses along x to (4,0) and (8,0), node (1,0) along
    // y.
    EXPECT_THAT(neighbours("ibt:12x12:b=4", 0), testing::UnorderedElementsAre(1, 11, 12, 132, 4, 8));
    EXPECT_THAT(neighbours("ibt:12x12:b=4", 1), testing::UnorderedElementsAre(0, 2, 13, 133, 1 + 48, 1 + 96));
}

TEST(Lattice, BypassLengthIsThatOfTheSpeciesOverD) {
    // iBT(16^2; <4,8>): d k = 4; species 0, 1 have length 4 and species 2, 3 length 8, which both ways is one
    // node.
    EXPECT_THAT(neighbours("ibt:16x16:b=4,8", 2), testing::UnorderedElementsAre(1, 3, 18, 242, 10));
}

TEST(Lattice, EveryLinkHasItsReverse) {
    for (const char* name : {"torus:4x3", "torus:8x4:twist=4", "torus:5x3x3:twist=0,3", "mesh:4x3",
                             "ibt:12x12x12:b=3", "ibt:16x16:b=4,8", "ibt:8x16:b=4,12"}) {
        const Network network = make_network(name);
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            for (const NodeId next : network.neighbours(NodeId{v}))
                EXPECT_TRUE(network.link(next, NodeId{v})) << name;
    }
}

// Those of a node found alone, one node after another in an order that is none.
TEST(LatticeHops, AreThoseOfEveryNode) {
    for (const char* name :
         {"torus:4x3", "torus:5x4:twist=2", "mesh:3x4x5", "mesh:3x3x3x3x3x3x3x3x3", "ibt:12x12x12:b=3",
          "ibt:16x16:b=4,8", "ibt:8x16:b=4,12", "ibt:9:b=1", "ibt:9:b=8", "ibt:6:b=15"}) {
        const Lattice lattice = *make_network(name).lattice();
        LatticeHops hops(lattice);
        for (std::uint32_t i = 0; i < lattice.node_count(); ++i) {
            const NodeId node{static_cast<std::uint32_t>(std::uint64_t{i} * 7919 % lattice.node_count())};
            const std::vector<Hop> own = hops.of(node);
            ASSERT_EQ(own, lattice.hops(node)) << name;
            for (const Hop& hop : own) {
                const NodeId far = lattice.neighbour(node, hop);
                const Hop back = lattice.hops(far).at(hops.port_back(far, hop));
                ASSERT_EQ(lattice.neighbour(far, back), node) << name << ", node " << +node;
            }
        }
    }
}

// What a network says of a lattice's links without making them: by counting them.
TEST(Lattice, NetworksCountLinksThatAreNotMade) {
    for (const char* name :
         {"torus:4x3", "torus:3x3x3x3", "mesh:3x4x5", "mesh:7", "ibt:12x12x12:b=3", "ibt:16x16:b=4,8",
          "ibt:8x16:b=4,12", "ibt:9:b=1", "ibt:9:b=8", "ibt:24x24:b=8,12"}) {
        const Network network = make_network(name);
        const std::uint32_t links = network.link_count(), most = network.max_degree();
        const Metrics metrics = measure_network(network);
        std::uint32_t counted = 0, highest = 0, lowest = UINT32_MAX;
        for (std::uint32_t v = 0; v < network.node_count(); ++v) {
            const auto degree = static_cast<std::uint32_t>(network.lattice()->hops(NodeId{v}).size());
            EXPECT_EQ(network.degree(NodeId{v}), degree);
            counted += degree;
            highest = std::max(highest, degree);
            lowest = std::min(lowest, degree);
        }
        EXPECT_EQ(links, counted) << name;
        EXPECT_EQ(most, highest) << name;
        EXPECT_EQ(metrics.degree_min, lowest) << name;
        EXPECT_EQ(metrics.degree, highest) << name;
    }
}

TEST(Lattice, TranslationBetweenNodesOfOneSpeciesKeepsLinks) {
    const Network network = make_network("ibt:12x12:b=4");
    const Lattice& lattice = *network.lattice();
    const NodeId from{0};
    const NodeId to = lattice.node({5, 3});
    ASSERT_EQ(lattice.species(from), lattice.species(to));
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (const NodeId next : network.neighbours(NodeId{v}))
            EXPECT_TRUE(
                network.link(lattice.translate(NodeId{v}, from, to), lattice.translate(next, from, to)));
}

struct Refusal {
    const char* network;
    const char* says;
};

void PrintTo(const Refusal& refusal, std::ostream* out) {
    *out << '"' << refusal.network << '"';
}

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, SaysWhatIsWrong) {
    try {
        make_network(GetParam().network);
        FAIL() << "accepted";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().says));
        EXPECT_THAT(error.what(), testing::HasSubstr("expected"));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, Refused,
    testing::Values(Refusal{"ibt:64x64:b=5", "do not close"}, Refusal{"ibt:63x63:b=6", "do not close"},
                    Refusal{"ibt:64x64:b=6,8", "do not close"}, Refusal{"ibt:64x64:b=64", "to itself"},
                    Refusal{"ibt:64x32:b=32", "to itself"}, Refusal{"ibt:64x64", "bypass"},
                    Refusal{"ibt:64x64:b=", "bypass length"}, Refusal{"torus:0x8", "size '0'"},
                    Refusal{"ibt:2x8:b=4", "2 nodes"}, Refusal{"torus:8x", "size ''"},
                    Refusal{"torus:-8", "size"}, Refusal{"torus:", "size"},
                    Refusal{"torus:65536x32768", "too many"}, Refusal{"torus:99999999999", "size"},
                    Refusal{"torus:8x8:b=2", "torus has no 'b=2'"},
                    Refusal{"torus:8x4:twist=8", "rings of 8 nodes by 8"},
                    Refusal{"torus:8x4:twist=0", "by 0"},
                    Refusal{"torus:8x4:twist=4,4", "2 dimensions by 2 numbers"},
                    Refusal{"torus:8:twist=4", "1 dimension by 1 number"},
                    Refusal{"mesh:8x4:twist=2", "mesh has no 'twist=2'"},
                    Refusal{"ibt:8x8:b=4:twist=2", "ibt has no 'twist=2'"},
                    Refusal{"torus:8x4:twist=", "twist"}, Refusal{"", "cannot use kind"},
                    Refusal{"cube:8", "cannot use kind"}, Refusal{"graph:/nowhere.csv", "cannot read"}));

}  // namespace
}  // namespace interlace
