// Interlace: what is made of nodes with pins whatever they show
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/pins/detail/pin_region.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "interlace/engine/machine/machine.h"
#include "interlace/engine/native/native.h"

namespace interlace {
namespace {

/// The pins of an il_node of 2 ports with nothing behind them.
struct Puppet {
    std::uint64_t rst_ni = 0, clk_en_i = 0, cfg_valid_i = 0, cfg_addr_i = 0, cfg_data_i = 0, cfg_read_i = 0;
    std::uint64_t link_valid_i = 0, link_vc_i = 0, credit_i = 0, inj_valid_i = 0, rx_ready_i = 0;
    std::uint64_t link_valid_o = 0, link_vc_o = 0, credit_o = 0, inj_credit_o = 0, rx_valid_o = 0,
                  stall_o = 0, status_o = 0, cfg_data_o = 0;
    std::array<std::uint32_t, 36> link_flit_i{}, inj_flit_i{}, link_flit_o{}, rx_flit_o{};
    std::array<std::uint32_t, 4> rx_count_o{};
};

class Puppets final : public detail::PinRegion<Puppet> {
  public:
    Puppets(const Fabric& fabric, const std::vector<NodeId>& nodes)
        : PinRegion(fabric, nodes), puppets_(nodes.size()) {
        std::vector<Puppet*> models;
        for (Puppet& puppet : puppets_) models.push_back(&puppet);
        configure(std::move(models), nullptr, 512);
    }
    Puppet& at(std::uint32_t node) { return puppets_[node]; }

  private:
    void clock(const std::vector<std::uint32_t>& awake) override {
        for (const std::uint32_t n : awake) silence(puppets_[n]);
    }
    std::vector<Puppet> puppets_;
};

/// Ports of node 0 of a mesh:3 that have no link, and the one that has.
class End : public testing::Test {
  protected:
    End() {
        for (unlinked_ = 0; fabric_.from(0, unlinked_).linked();) ++unlinked_;
    }

    /// What the pin of that name shows; fails where there is none.
    std::uint64_t pin(const Pins& pins, const std::string& name) const {
        const auto names = fabric_.pin_names();
        const auto found =
            std::find_if(names.begin(), names.end(), [&](const auto& one) { return one.name == name; });
        if (found == names.end()) throw std::out_of_range("no pin " + name);
        return pins[static_cast<std::size_t>(found - names.begin())];
    }

    const Network mesh_ = make_network("mesh:3");
    const Fabric fabric_{mesh_, NodeParameters{}};
    const std::vector<NodeId> nodes_ = {NodeId{0}, NodeId{1}, NodeId{2}};
    std::uint32_t unlinked_ = 0;
    RegionOutputs outputs_;
};

// A wire that ends nowhere: the pins show it (to lockstep), and nobody hears of it.
TEST_F(End, WhatANodeShowsWhereThereIsNoLinkGoesNowhere) {
    Puppets puppets(fabric_, nodes_);
    puppets.watch({.occupancy = true, .links = true});
    puppets.at(0).credit_o = std::uint64_t{3} << unlinked_ * 4 * detail::amount_bits;
    puppets.at(0).link_valid_o = 1U << unlinked_;
    puppets.tick({}, outputs_);
    EXPECT_TRUE(outputs_.credits.empty());
    EXPECT_TRUE(outputs_.flits.empty());
    EXPECT_TRUE(outputs_.sent.empty());
    EXPECT_EQ(puppets.usage().hops, 0U);
    const Pins pins = puppets.pins(NodeId{0});
    const auto names = fabric_.pin_names();
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string& name = names[i].name;
        const std::uint64_t shown = name == fmt::format("credit_o[{}].vc0", unlinked_)   ? 3
                                    : name == fmt::format("link_valid_o[{}]", unlinked_) ? 1
                                                                                         : 0;
        EXPECT_EQ(pins[i], shown) << name;
    }
}

// Between regions of hardware go the words of the pins, whatever they say; native nodes make packets of them.
TEST_F(End, TokensOfHardwareAreWords) {
    const std::uint32_t port = unlinked_ == 0 ? 1 : 0;
    Puppets left(fabric_, {NodeId{0}});
    Puppets right(fabric_, {NodeId{1}, NodeId{2}});
    const RawFlit noise{{0x0123456789abcdef, 0xfedcba9876543210}, 1};
    left.at(0).link_valid_o = 1U << port;
    detail::set_flit(left.at(0).link_flit_o, port, noise);
    left.tick({}, outputs_);
    EXPECT_TRUE(outputs_.flits.empty());
    ASSERT_EQ(outputs_.raw_flits.size(), 1U);
    RegionInputs inputs;
    const FarPort far = fabric_.to(0, port);
    inputs.raw_flits.push_back({far.node, far.port, 0, outputs_.raw_flits.front().flit});
    RegionOutputs ignored;
    right.tick(inputs, ignored);
    const RawFlit shown = detail::get_flit(right.at(0).link_flit_i, far.port);
    EXPECT_EQ(shown.word[0], noise.word[0]);
    EXPECT_EQ(shown.word[1], noise.word[1]);
    EXPECT_EQ(shown.ends, noise.ends);

    const Packet packet = make_packet({.length = 3, .source = 7, .sequence = 9});
    const auto native = native_region(fabric_, {NodeId{1}, NodeId{2}});
    outputs_.clear();
    for (std::uint8_t flit = 0; flit < 9; ++flit) {
        inputs.clear();
        if (flit < 3) inputs.raw_flits.push_back({far.node, far.port, 0, raw({packet, flit})});
        native->tick(inputs, outputs_);
    }
    ASSERT_EQ(outputs_.receptions.size(), 1U);
    EXPECT_EQ(outputs_.receptions.front().packet.header, packet.header);
    EXPECT_EQ(outputs_.receptions.front().packet.identity, packet.identity);
    EXPECT_EQ(native->pins(NodeId{1}).back(), 0U);
    inputs.raw_flits = {{far.node, far.port, 0, {{1, 2}, 0}}};  // of no packet
    native->tick(inputs, outputs_);
    EXPECT_EQ(native->pins(NodeId{1}).back(), 2U);
}

// An error that a native node shows ends a run, too.
TEST_F(End, AMachineEndsWithTheFirstErrorOfANode) {
    std::vector<Machine::Part> parts;
    parts.push_back({nodes_, native_region(fabric_, nodes_)});
    Machine machine(fabric_, std::move(parts));
    RegionInputs inputs;
    inputs.injections.push_back({0, 0, 0, {make_packet({.slot = 1U << unlinked_}), 0}});
    try {
        machine.tick(inputs, outputs_);
        FAIL();
    } catch (const NodeFault& fault) {
        EXPECT_EQ(
            std::string(fault.what()),
            "node 0, cycle 1: status_o bit 2, misrouted: a packet without a route, or with one that the "
            "node cannot follow");
    }
}

TEST_F(End, NodesAtRestAreIdle) {
    Puppets puppets(fabric_, nodes_);
    puppets.tick({}, outputs_);
    puppets.tick({}, outputs_);
    EXPECT_EQ(puppets.idle(), UINT64_MAX);
    puppets.skip(10'000'000'000);
    RegionInputs inputs;
    inputs.injections.push_back({0, 0, 0, {make_packet({.slot = 1}), 0}});
    puppets.tick(inputs, outputs_);
    EXPECT_EQ(puppets.idle(), 0U);
}

// Whoever asks for pins need not have said so: they are those of the node alone in a region, beside others
// and of one that has not ticked. A flit that is on inj_flit_i in cycle 0 is on the link's pins in cycle 2,
// its credit on inj_credit_o too.
TEST_F(End, PinsOfNativeNodesCanAlwaysBeAskedFor) {
    const std::uint32_t port = unlinked_ == 0 ? 1 : 0;
    for (const auto& nodes : {nodes_, {NodeId{0}}}) {
        const auto region = native_region(fabric_, nodes);
        const Pins quiet = region->pins(NodeId{0});
        RegionInputs inputs;
        inputs.injections.push_back({0, 1, 0, {make_packet({.slot = 1U << port}), 0}});
        for (std::uint64_t cycle = 1; cycle <= 3; ++cycle) {
            region->tick(inputs, outputs_);
            inputs.clear();
            const Pins pins = region->pins(NodeId{0});
            EXPECT_EQ(pins, region->pins(NodeId{0}));
            for (const std::string& name :
                 {fmt::format("link_valid_o[{}]", port), std::string("inj_credit_o[1]")})
                EXPECT_EQ(pin(pins, name), cycle == 2 ? 1U : 0U) << name << " " << cycle;
            if (cycle != 2) {
                EXPECT_EQ(pins, quiet) << cycle;
            }
        }
    }
}

}  // namespace
}  // namespace interlace
