// Interlace: ways of unicast and choices of adaptive packets (docs/node.md, section 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routing/route.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "interlace/network/metrics.h"
#include "interlace/network/network.h"

namespace interlace {
namespace {

NodeParameters adaptive(bool priority_channel = false) {
    NodeParameters node;
    node.routing = Routing::adaptive_bubble;
    node.priority_channel = priority_channel;
    return node;
}

Packet to(const Fabric& fabric, std::uint32_t node, std::uint32_t slot, bool high = false) {
    PacketFields fields;
    fields.kind = PacketKind::unicast;
    fields.high = high;
    fields.slot = slot;
    fields.destination = fabric.destination(NodeId{node});
    return make_packet(fields);
}

// The choices of every packet at every node for every other: the ports whose neighbours are nearer, by
// breadth-first search.
TEST(AdaptiveRoute, ChoosesAmongThePortsThatLeadNearerForAllPairs) {
    for (const char* name :
         {"torus:9", "torus:5x4", "torus:4x4x4", "torus:6x4x3", "mesh:7", "mesh:4x5", "mesh:3x3x3"}) {
        const Network network = make_network(name);
        const Fabric fabric(network, adaptive());
        ASSERT_TRUE(fabric.by_coordinates()) << name;
        for (std::uint32_t far = 0; far < fabric.nodes; ++far) {
            const auto distance = distances_from(network, NodeId{far});
            for (std::uint32_t v = 0; v < fabric.nodes; ++v) {
                if (v == far) continue;
                std::uint32_t nearer = 0;
                const auto neighbours = network.neighbours(NodeId{v});
                for (std::uint32_t p = 0; p < neighbours.size(); ++p)
                    if (distance[neighbours[p]] < distance[v]) nearer |= 1U << p;
                const Route route = find_route(fabric, nullptr, NodeId{v}, {}, to(fabric, far, dynamic_bit));
                ASSERT_TRUE(route.adaptive && !route.misrouted);
                ASSERT_EQ(route.choices, nearer) << name << ", " << v << " to " << far;
                ASSERT_TRUE(nearer >> route.escape & 1U) << name << ", " << v << " to " << far;
            }
        }
    }
}

// By hand, on a ring of 8: port 0 leads up, port 1 down. From 0 to 3 the short way is up, 5 hops the other.
TEST(AdaptiveRoute, GoesRoundARingAsItsHintBitsSay) {
    const Network ring = make_network("torus:8");
    const Fabric fabric(ring, adaptive());
    const std::uint32_t up = 0;
    const std::uint32_t down = 1;
    ASSERT_EQ(ring.neighbours(NodeId{0})[up], NodeId{1});
    const auto route = [&](std::uint32_t far, std::uint32_t hints) {
        return find_route(fabric, nullptr, NodeId{0}, {}, to(fabric, far, dynamic_bit | hints));
    };
    for (const std::uint32_t none : {0U, 3U}) {
        EXPECT_EQ(route(3, none).choices, 1U << up);
        EXPECT_EQ(route(3, none).escape, up);
        EXPECT_EQ(route(4, none).choices, 1U << up | 1U << down);  // as far either way
        EXPECT_EQ(route(4, none).escape, up);
    }
    EXPECT_EQ(route(3, 2).choices, 1U << down);
    EXPECT_EQ(route(3, 2).escape, down);
    EXPECT_EQ(route(4, 2).choices, 1U << down);
    EXPECT_EQ(route(4, 1).choices, 1U << up);
    EXPECT_EQ(route(5, 1).choices, 1U << up);
    EXPECT_EQ(route(3, 2 << 2).choices, 1U << up);  // of a dimension that is not there
}

TEST(AdaptiveRoute, HasNoChoiceWithoutTheDynamicBitOrWithAChannelOfItsOwn) {
    const Fabric fabric(make_network("torus:4x4"), adaptive(true));
    EXPECT_EQ(fabric.dynamic_channels(), 0b0011U);
    EXPECT_EQ(fabric.escape_channel(), 0b0100U);
    EXPECT_EQ(fabric.priority_channel(), 0b1000U);
    const auto route = [&](std::uint32_t slot, bool high) {
        return find_route(fabric, nullptr, NodeId{0}, {}, to(fabric, 5, slot, high));
    };
    EXPECT_NE(route(dynamic_bit, false).choices, 0U);
    EXPECT_EQ(route(0, false).choices, 0U);
    EXPECT_EQ(route(0, false).channels, fabric.escape_channel());
    EXPECT_EQ(route(dynamic_bit, true).choices, 0U);
    EXPECT_EQ(route(dynamic_bit, true).channels, fabric.priority_channel());
    const Fabric without(make_network("torus:4x4"), adaptive(false));
    EXPECT_NE(find_route(without, nullptr, NodeId{0}, {}, to(without, 5, dynamic_bit, true)).choices, 0U);
}

// A ring of 8, in node 3 from node 2: it goes on in its own channel, and enters anew from any other.
TEST(AdaptiveRoute, EntersARingUnlessItCameByItsOwnEscapeChannel) {
    const Fabric fabric(make_network("torus:8"), adaptive(true));
    const std::uint32_t down = 1;  // the port that leads back to node 2
    for (const bool high : {false, true})
        for (std::uint32_t vc = 0; vc < fabric.vcs; ++vc) {
            const bool own = vc == (high ? 3U : 2U);
            const Route route =
                find_route(fabric, nullptr, NodeId{3}, {true, down, vc}, to(fabric, 5, 0, high));
            EXPECT_EQ(route.enters, !own) << high << " by channel " << vc;
        }
    EXPECT_TRUE(find_route(fabric, nullptr, NodeId{3}, {}, to(fabric, 5, 0)).enters);
}

/// The fewest links that lead from one coordinate of dimension d to another through `from`'s ring or line,
/// each of which brings a packet nearer on the shorter way round, or, where both are as long, on the way that
/// `down` says.
std::uint32_t fewest_hops(const Network& network, NodeId from, std::uint32_t there, std::uint32_t d,
                          bool down) {
    const Lattice& lattice = *network.lattice();
    const std::uint32_t size = lattice.sizes()[d];
    std::vector<std::uint32_t> coordinates;
    for (std::uint32_t i = 0; i < lattice.dimensions(); ++i)
        coordinates.push_back(lattice.coordinate(from, i));
    const auto node = [&](std::uint32_t at) {
        coordinates[d] = at;
        return lattice.node(coordinates);
    };
    const std::uint32_t here = coordinates[d], up = (there + size - here) % size;
    if (!lattice.wraps())
        down = there < here;
    else if (2 * up != size)
        down = 2 * up > size;
    const std::uint32_t length = down ? size - up : up;
    // [left to go]: how many links it takes; nearer is always further on in the loop.
    std::vector<std::uint32_t> hops(size, size);
    hops[length % size] = 0;
    const auto place = [&](std::uint32_t left) { return (down ? there + left : there + size - left) % size; };
    for (std::uint32_t left = length; left > 0 && up != 0; --left)
        for (std::uint32_t nearer = 0; nearer < left; ++nearer)
            if (network.link(node(place(left)), node(place(nearer))))
                hops[nearer] = std::min(hops[nearer], hops[left] + 1);
    return hops[0];
}

/// The links that a packet of that slot crosses, or UINT32_MAX where it does not arrive.
std::uint32_t hops_of(const Fabric& fabric, std::uint32_t from, std::uint32_t far, std::uint32_t slot) {
    std::uint32_t at = from;
    Entrance entrance;
    for (std::uint32_t hops = 0; hops <= fabric.nodes; ++hops) {
        const Route route = find_route(fabric, nullptr, NodeId{at}, entrance, to(fabric, far, slot));
        if (at == far && route.local) return hops;
        if (route.misrouted || std::popcount(route.links) != 1) return UINT32_MAX;
        const FarPort next = fabric.to(at, static_cast<std::uint32_t>(std::countr_zero(route.links)));
        at = next.node;
        entrance = {true, next.port, 0};
    }
    return UINT32_MAX;
}

// Every pair, whichever way round its tie bits choose. Bypasses of half a ring lead there either way (b = 12
// is one on a ring of 8), and one longer than half a ring is the shorter way round backwards (b = 6 on a ring
// of 8).
TEST(DimensionOrderRoute, TakesTheFewestHopsForAllPairs) {
    for (const char* name :
         {"torus:5x4", "mesh:4x3", "ibt:6:b=3", "ibt:8x8:b=4", "ibt:12x8:b=4", "ibt:8x8:b=6", "ibt:8x8:b=12",
          "ibt:16x8:b=12", "ibt:16x8:b=4", "ibt:6x6x6:b=3"}) {
        const Network network = make_network(name);
        const Fabric fabric(network, {});
        const Lattice& lattice = *network.lattice();
        for (std::uint32_t far = 0; far < fabric.nodes; ++far)
            for (std::uint32_t from = 0; from < fabric.nodes; ++from)
                for (std::uint32_t slot = 0; from != far && slot < 1U << fabric.dimensions; ++slot) {
                    std::uint32_t fewest = 0;
                    std::vector<std::uint32_t> at;  // where dimension d begins
                    for (std::uint32_t d = 0; d < fabric.dimensions; ++d)
                        at.push_back(lattice.coordinate(NodeId{from}, d));
                    for (std::uint32_t d = 0; d < fabric.dimensions; ++d) {
                        const std::uint32_t there = lattice.coordinate(NodeId{far}, d);
                        fewest += fewest_hops(network, lattice.node(at), there, d, (slot >> d & 1U) != 0);
                        at[d] = there;
                    }
                    ASSERT_EQ(hops_of(fabric, from, far, slot), fewest)
                        << name << ", " << from << " to " << far << ", slot " << slot;
                }
    }
}

// In each dimension of ibt:8x8:b=4 the offsets 0 to 3 and back take 0, 1, 2, 3, 3, 2, 1 hops, and 4 takes one
// in the half of the nodes that have its bypass, and four in the others.
TEST(DimensionOrderRoute, HasTheMeanHopsOfItsRings) {
    const Network network = make_network("ibt:8x8:b=4");
    const Fabric fabric(network, {});
    std::uint32_t sum = 0;
    for (std::uint32_t far = 0; far < fabric.nodes; ++far)
        for (std::uint32_t from = 0; from < fabric.nodes; ++from)
            for (std::uint32_t slot = 0; from != far && slot < 4; ++slot)
                sum += hops_of(fabric, from, far, slot);
    EXPECT_EQ(sum, 4 * 64 * 8 * 2 * (12 + (1 + 4) / 2.0));
}

}  // namespace
}  // namespace interlace
