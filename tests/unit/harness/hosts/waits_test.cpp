// Interlace: what is said about a run that is stuck
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/waits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interlace/engine/native/native.h"

namespace interlace {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A ring of four nodes with channels of one packet of one flit. Slot d of the tables leads to node d by
/// 0 -> 1 -> 2 -> 3 -> 0 alone.
class Ring : public testing::Test {
  protected:
    Ring() {
        tables_.assign(4, std::vector<std::uint32_t>(4, 0));
        for (std::uint32_t node = 0; node < 4; ++node)
            for (std::uint32_t to = 0; to < 4; ++to)
                tables_[node][to] = node == to ? 1U << fabric_.ports : 1U << port_to_next(node);
        std::vector<Machine::Part> parts(1);
        for (std::uint32_t node = 0; node < 4; ++node) parts[0].nodes.emplace_back(node);
        parts[0].region = native_region(fabric_, parts[0].nodes, &tables_);
        machine_ = std::make_unique<Machine>(fabric_, std::move(parts));
    }

    static NodeParameters tight() {
        NodeParameters node;
        node.switching = Switching::virtual_cut_through;
        node.packet_flits = node.vcs = node.vc_depth = node.reception_depth = 1;
        node.injection_depth = 4;
        return node;
    }

    std::uint32_t port_to_next(std::uint32_t node) const {
        for (std::uint32_t port = 0; port < fabric_.ports; ++port)
            if (fabric_.to(node, port).node == (node + 1) % 4) return port;
        return UINT32_MAX;
    }

    void tick(const RegionInputs& inputs) { machine_->tick(inputs, outputs_); }
    void settle() {
        for (int cycle = 0; cycle < 20; ++cycle) tick({});
    }

    Network network_ = make_network("torus:4");
    Fabric fabric_{network_, tight()};
    PortTables tables_;
    std::unique_ptr<Machine> machine_;
    RegionOutputs outputs_;
};

// Each node's packet for the node three hops on takes the channel that the next one's needs.
TEST_F(Ring, PacketsThatFillTheRingWaitInACycle) {
    RegionInputs inputs;
    for (std::uint32_t node = 0; node < 4; ++node)
        inputs.injections.push_back(
            {node, 0, 0, {make_packet({.kind = PacketKind::table, .slot = (node + 3) % 4}), 0}});
    EXPECT_EQ(who_waits(fabric_, *machine_), "");
    tick(inputs);
    settle();
    EXPECT_THAT(who_waits(fabric_, *machine_),
                AllOf(HasSubstr("4 links wait in a cycle"), HasSubstr("0->1"), HasSubstr("1->2"),
                      HasSubstr("2->3"), HasSubstr("3->0")));
}

// The first packet fills the reception queue, the second waits behind the link, the third before it.
TEST_F(Ring, AHostThatTakesNothingIsNamed) {
    RegionInputs inputs;
    const auto queue = static_cast<std::uint8_t>(
        fabric_.reception_queue(fabric_.to(0, port_to_next(0)).port, make_packet({})));
    inputs.ready.push_back({1, queue, false});
    for (int packet = 0; packet < 3; ++packet) {
        inputs.injections.assign(1, {0, 0, 0, {make_packet({.kind = PacketKind::table, .slot = 1}), 0}});
        tick(inputs);
        inputs.clear();
    }
    settle();
    EXPECT_EQ(who_waits(fabric_, *machine_),
              "; packets wait for link 0->1, reception queue " + std::to_string(queue) + " of 1");
}

}  // namespace
}  // namespace interlace
