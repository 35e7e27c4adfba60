// Interlace: what adaptive packets may choose, and what their bits do (docs/node.md, section 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/region/route.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace interlace
