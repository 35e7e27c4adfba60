// Interlace: the step engine against hand-worked traces
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/step/step.h"

#include <gmock/gmock.h>

#include "interlace/program/check.h"
#include "interlace/program/forwarding_table.h"

namespace interlace {
namespace {

/// k packets along a path of 4 nodes (a directed chain on a mesh), in order.
Program chain(const Network& network, std::uint32_t packets) {
    std::vector<Send> sends;
    for (std::uint32_t v = 0; v < 3; ++v)
        for (std::uint32_t p = 0; p < packets; ++p)
            sends.push_back({*network.link(NodeId{v}, NodeId{v + 1}), PacketId{p}});
    return {network, NodeId{0}, packets, sends};
}

TEST(StepEngine, PipelinesAChain) {
    const Network network = make_network("mesh:4");
    const StepRun run = run_steps(network, global_group(network), chain(network, 5));
    EXPECT_EQ(run.steps, 3U + 5 - 1);
    EXPECT_EQ(run.arrival[3 * 5 + 4], 7U);
    EXPECT_EQ(run.arrival[2 * 5 + 0], 2U);
    EXPECT_THAT(run.sends_in_step, testing::ElementsAre(1, 2, 3, 3, 3, 2, 1));
    EXPECT_EQ(run.peak_packets_in_flight, 3U);
    EXPECT_EQ(run.peak_packets_waiting, 1U);  // each packet is sent on in the step after its arrival
    EXPECT_EQ(run.peak_list_waiting, 1U);
    EXPECT_DOUBLE_EQ(run.link_utilisation, 15.0 / (6 * 7));
}

TEST(StepEngine, PacketsWaitBehindASendListThatSendsThemInAnotherOrder) {
    // Node 1 gets packets 0, 1, 2 in steps 1, 2, 3 and sends 2 first: all three wait at the end of step 3.
    const Network network = make_network("mesh:3");
    std::vector<Send> sends;
    const LinkId first = *network.link(NodeId{0}, NodeId{1});
    const LinkId second = *network.link(NodeId{1}, NodeId{2});
    for (const std::uint32_t p : {0U, 1U, 2U}) sends.push_back({first, PacketId{p}});
    for (const std::uint32_t p : {2U, 0U, 1U}) sends.push_back({second, PacketId{p}});
    const Program program(network, NodeId{0}, 3, sends);
    const StepRun run = run_steps(network, global_group(network), program);
    EXPECT_EQ(run.steps, 6U);
    EXPECT_EQ(run.peak_packets_waiting, 3U);
    EXPECT_EQ(run.peak_list_waiting, 3U);
    EXPECT_TRUE(
        check_schedule(network, global_group(network), NodeId{0}, 3, timed_sends(network, program, run))
            .valid());
}

TEST(StepEngine, RefusesASendListThatWaitsForEver) {
    const Network network = make_network("mesh:3");
    const Program program(network, NodeId{0}, 1, {{*network.link(NodeId{1}, NodeId{2}), PacketId{0}}});
    EXPECT_THROW(run_steps(network, global_group(network), program), std::logic_error);
}

TEST(ForwardingTable, HoldsThePortsOfEachPacket) {
    const Network network = make_network("mesh:4");
    const ForwardingTable table = forwarding_table(network, chain(network, 5));
    EXPECT_EQ(table.ports_of(NodeId{0}, PacketId{4}), 1U);  // its only port
    EXPECT_EQ(table.ports_of(NodeId{1}, PacketId{0}), 1U);  // port 0 leads to the right
    EXPECT_EQ(table.ports_of(NodeId{3}, PacketId{0}), 0U);
    EXPECT_EQ(table.bits_per_node, 5U * 2);
    EXPECT_EQ(table.packed_bits_per_node, 2U);  // one mask of two ports serves all packets
}

}  // namespace
}  // namespace interlace
