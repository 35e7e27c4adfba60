// Interlace: which port, channel and queue an adaptive node chooses, worked by hand (docs/node.md, section 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "interlace/engine/native/native.h"
#include "lockstep/random_configuration.h"

namespace interlace {
namespace {

/// Packets of 8 flits, queues of 32; hosts that take nothing have room for one packet.
NodeParameters adaptive(std::uint32_t vcs) {
    NodeParameters node;
    node.routing = Routing::adaptive_bubble;
    node.vcs = vcs;
    node.reception_queues = 1;
    node.reception_depth = 8;
    return node;
}

/// What a host writes into an injection queue, a flit a cycle from a cycle on.
struct Written {
    std::uint32_t node;
    std::uint8_t queue;
    std::uint64_t cycle;
    std::uint32_t sequence;
    PacketKind kind;
    std::uint32_t slot, destination;
};

/// The flits on links in the first `cycles`, in their order. Hosts are never ready where `stuck`.
std::vector<LinkFlit> sent(const Fabric& fabric, const std::vector<Written>& packets, std::uint64_t cycles,
                           bool stuck) {
    const auto region = native_region(fabric, all_nodes(fabric));
    region->queue_watch()->watch({.links = true});
    std::vector<LinkFlit> found;
    RegionOutputs outputs;
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        RegionInputs inputs;
        if (cycle == 0 && stuck)
            for (std::uint32_t v = 0; v < fabric.nodes; ++v) inputs.ready.push_back({v, 0, false});
        for (const Written& w : packets) {
            if (cycle < w.cycle || cycle >= w.cycle + 8) continue;
            const Packet packet = make_packet({.kind = w.kind,
                                               .length = 8,
                                               .slot = w.slot,
                                               .destination = w.destination,
                                               .source = w.node,
                                               .sequence = w.sequence});
            inputs.injections.push_back(
                {w.node, w.queue, 0, {packet, static_cast<std::uint8_t>(cycle - w.cycle)}});
        }
        outputs.clear();
        region->tick(inputs, outputs);
        found.insert(found.end(), outputs.sent.begin(), outputs.sent.end());
    }
    return found;
}

/// Of those the heads.
std::vector<LinkFlit> heads(const Fabric& fabric, const std::vector<Written>& packets, std::uint64_t cycles,
                            bool stuck) {
    std::vector<LinkFlit> found = sent(fabric, packets, cycles, stuck);
    std::erase_if(found, [](const LinkFlit& flit) { return !flit.flit.head(); });
    return found;
}

Written by_port(std::uint8_t queue, std::uint64_t cycle, std::uint32_t sequence, std::uint32_t port) {
    return {0, queue, cycle, sequence, PacketKind::explicit_mask, 1U << port, 0};
}

/// The packets, by sequence, that leave node 0.
std::vector<std::uint32_t> order(const NodeParameters& node) {
    const Fabric fabric(make_network("torus:4"), node);
    // When the first packet has left, in cycle 9, queue 1 holds one flit, queue 2 eight: a quarter of 32.
    const std::vector<Written> packets = {by_port(0, 0, 10, 0), by_port(1, 8, 11, 0), by_port(2, 0, 12, 0)};
    std::vector<std::uint32_t> found;
    for (const LinkFlit& head : heads(fabric, packets, 40, false))
        found.push_back(head.flit.packet.sequence());
    return found;
}

TEST(Policy, RoundRobinServesTheNextQueue) {
    EXPECT_EQ(order(adaptive(2)), (std::vector<std::uint32_t>{10, 11, 12}));
}

TEST(Policy, TheFullestQueueIsServedFirst) {
    NodeParameters node = adaptive(2);
    node.arbitration = SinkArbitration::fullest_queue;
    EXPECT_EQ(order(node), (std::vector<std::uint32_t>{10, 12, 11}));
    node.round_robin_every = 3;  // the third winner, which is alone
    EXPECT_EQ(order(node), (std::vector<std::uint32_t>{10, 12, 11}));
}

TEST(Policy, EverySecondWinnerIsByRoundRobin) {
    NodeParameters node = adaptive(2);
    node.arbitration = SinkArbitration::fullest_queue;
    node.round_robin_every = 2;
    EXPECT_EQ(order(node), (std::vector<std::uint32_t>{10, 11, 12}));
}

NodeParameters by_hops() {
    NodeParameters node;
    node.arbitration = SinkArbitration::most_hops;
    return node;
}

/// Node 1 of a line of eight sends packets 10 and 11 to node 2, and node 0 sends packet 12 there, which comes
/// to node 1 while 10 is on its way out: the sequences of the flits that node 1 sends.
std::vector<std::uint32_t> flits_of_node_1(const NodeParameters& node) {
    const Fabric fabric(make_network("mesh:8"), node);
    const std::uint32_t two = fabric.destination(NodeId{2});
    const std::vector<Written> packets = {{1, 0, 0, 10, PacketKind::unicast, 0, two},
                                          {1, 1, 0, 11, PacketKind::unicast, 0, two},
                                          {0, 0, 0, 12, PacketKind::unicast, 0, two}};
    std::vector<std::uint32_t> found;
    for (const LinkFlit& flit : sent(fabric, packets, 60, false))
        if (flit.node == 1) found.push_back(flit.flit.packet.sequence());
    return found;
}

/// `packets` of eight flits, one after the other.
std::vector<std::uint32_t> whole(std::initializer_list<std::uint32_t> packets) {
    std::vector<std::uint32_t> flits;
    for (const std::uint32_t packet : packets) flits.insert(flits.end(), 8, packet);
    return flits;
}

// Round robin goes on from injection queue 0 to queue 1. Of eight channels each, links come first.
TEST(Policy, WhoHasCrossedMoreLinksIsServedFirst) {
    EXPECT_EQ(flits_of_node_1(NodeParameters{}), whole({10, 11, 12}));
    EXPECT_EQ(flits_of_node_1(by_hops()), whole({10, 12, 11}));
    NodeParameters node = by_hops();
    node.round_robin_every = 1;  // all winners
    EXPECT_EQ(flits_of_node_1(node), whole({10, 11, 12}));
}

// Two worms start in cycle 1 and share the link flit by flit, until the third comes: it finds no channel
// before one of them has gone. On three channels its head goes in cycle 3, and then nobody else before its
// tail.
TEST(Policy, AWormFromFarOvertakesFlitByFlit) {
    NodeParameters node = by_hops();
    node.switching = Switching::wormhole;
    node.vcs = 3;
    const std::vector<std::uint32_t> flits = flits_of_node_1(node);
    EXPECT_EQ(flits.size(), 24U);
    EXPECT_EQ(std::vector<std::uint32_t>(flits.begin(), flits.begin() + 10),
              (std::vector<std::uint32_t>{10, 11, 12, 12, 12, 12, 12, 12, 12, 12}));
}

// Six links: each shows how many were crossed before it, and the checksum of that.
TEST(Policy, PacketsCountTheLinksThatTheyHaveCrossed) {
    const Fabric fabric(make_network("mesh:7"), by_hops());
    const std::vector<Written> packets = {
        {0, 0, 0, 7, PacketKind::unicast, 0, fabric.destination(NodeId{6})}};
    std::vector<std::uint32_t> hops;
    for (const LinkFlit& head : heads(fabric, packets, 60, false)) {
        hops.push_back(head.flit.packet.hops());
        EXPECT_TRUE(well_formed(head.flit.packet.header));
    }
    EXPECT_EQ(hops, (std::vector<std::uint32_t>{0, 1, 2, 3, 3, 3}));
}

/// The channels of six packets that leave node 0 by a port, the first into the reception queue behind it,
/// which nobody reads, the others into two dynamic channels.
std::vector<std::uint32_t> channels(Selection selection) {
    NodeParameters node = adaptive(3);
    node.selection = selection;
    const Fabric fabric(make_network("torus:4"), node);
    std::vector<Written> packets;
    for (std::uint32_t i = 0; i < 6; ++i) packets.push_back(by_port(0, 8 * i, i, 0));
    std::vector<std::uint32_t> found;
    for (const LinkFlit& head : heads(fabric, packets, 80, true)) found.push_back(head.vc);
    return found;
}

// Credits of the two when a packet starts: 32 32, 24 or more (the first is on its way out) 32, 24 32, 16 32,
// 8 32, 0 32.
TEST(Policy, TheLowestChannelIsTakenAsLongAsItHasRoom) {
    EXPECT_EQ(channels(Selection::round_robin), (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 1}));
}

// ... 32 32, 24 or more 32, 24 32 (both at least three quarters), 16 32, 16 24, 16 16.
TEST(Policy, TheChannelWithTheMostCreditsIsTaken) {
    EXPECT_EQ(channels(Selection::most_credits), (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 0}));
}

/// The port by which an adaptive packet from node 0 to the node diagonally beside it leaves, after three
/// packets for nobody have gone by port `crowded`: 16 credits are left of its dynamic channel's 32.
std::uint32_t way_out(Selection selection, std::uint32_t crowded) {
    NodeParameters node = adaptive(2);
    node.selection = selection;
    const Fabric fabric(make_network("torus:4x4"), node);
    std::vector<Written> packets;
    for (std::uint32_t i = 0; i < 3; ++i) packets.push_back(by_port(0, 8 * i, i, crowded));
    packets.push_back({0, 1, 60, 9, PacketKind::unicast, dynamic_bit, fabric.destination(NodeId{5})});
    for (const LinkFlit& head : heads(fabric, packets, 80, true))
        if (head.node == 0 && head.flit.packet.kind() == PacketKind::unicast) return head.port;
    return UINT32_MAX;
}

TEST(Policy, APortIsChosenInTurnOrByItsCredits) {
    std::vector<std::uint32_t> ports;  // that lead nearer
    const Fabric fabric(make_network("torus:4x4"), adaptive(2));
    for (std::uint32_t p = 0; p < 4; ++p)
        if (fabric.to(0, p).node == 1 || fabric.to(0, p).node == 4) ports.push_back(p);
    ASSERT_EQ(ports.size(), 2U);
    for (const std::uint32_t crowded : ports) {
        EXPECT_EQ(way_out(Selection::round_robin, crowded), ports[0]);
        EXPECT_EQ(way_out(Selection::most_credits, crowded), crowded == ports[0] ? ports[1] : ports[0]);
    }
}

}  // namespace
}  // namespace interlace
