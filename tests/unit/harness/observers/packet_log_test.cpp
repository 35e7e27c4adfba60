// Interlace: logs of packets and the use of links against a hand-worked run
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/observers/packet_log.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "interlace/engine/native/native.h"
#include "interlace/harness/observers/link_use.h"
#include "interlace/harness/programs/program_run.h"

namespace interlace {
namespace {

/// One packet of 8 flits from node 0 to 1 to 2 of a line, the host of 1 forwarding it.
class TwoHops : public testing::Test {
  protected:
    void SetUp() override {
        const Program program(mesh_, NodeId{0}, 1,
                              {{*mesh_.link(NodeId{0}, NodeId{1}), PacketId{0}},
                               {*mesh_.link(NodeId{1}, NodeId{2}), PacketId{0}}});
        const InjectionPlan plan(mesh_, fabric_, program, Forwarding::host);
        std::vector<Machine::Part> parts(2);
        parts[0].nodes = {NodeId{0}, NodeId{2}};  // so that links lead from region to region
        parts[1].nodes = {NodeId{1}};
        for (auto& part : parts) part.region = native_region(fabric_, part.nodes);
        Machine machine(fabric_, std::move(parts));
        machine.watch({.links = true});
        machine.observe([&](std::uint64_t cycle, const RegionInputs& in, const RegionOutputs& out) {
            log_.observe(cycle, in, out);
            use_.observe(cycle, out);
        });
        log_.born(0, NodeId{0}, 0);
        cycles_ = run_program(fabric_, machine, plan, {}).cycles;
    }

    const Network mesh_ = make_network("mesh:3");
    const Fabric fabric_{mesh_, NodeParameters{}};
    PacketLog log_{fabric_};
    LinkUse use_{fabric_};
    std::uint64_t cycles_ = 0;
};

// docs/node.md, section 7: a head is on the link two cycles after its host shows it; a hop takes F + 4 cycles
// from host to host. Node 1 has port 0 towards node 2 and port 1 towards node 0, whose reception queue it is.
TEST_F(TwoHops, AreLoggedCycleByCycle) {
    std::ostringstream csv;
    log_.write_csv(csv);
    EXPECT_EQ(csv.str(),
              "packet,event,cycle,until,node,port,channel\n"
              "0,birth,0,0,0,0,0\n"
              "0,injection,0,7,0,0,0\n"
              "0,hop,2,9,0,0,0\n"
              "0,arrival,11,11,1,1,0\n"
              "0,injection,12,19,1,0,0\n"
              "0,hop,14,21,1,0,0\n"
              "0,arrival,23,23,2,0,0\n");
}

TEST_F(TwoHops, AreATraceOfEvents) {
    std::ostringstream text;
    log_.write_trace(text);
    const auto events = nlohmann::json::parse(text.str())["traceEvents"];
    int hops = 0;
    for (const auto& event : events)
        if (event.value("cat", "") == "hop") {
            EXPECT_EQ(event["pid"], hops);  // the node
            EXPECT_EQ(event["ts"], hops == 0 ? 2 : 14);
            EXPECT_EQ(event["dur"], 8);
            ++hops;
        }
    EXPECT_EQ(hops, 2);
}

// Eight flits in the 24 cycles of the run on either link; four directed links in all.
TEST_F(TwoHops, UseTheirLinks) {
    EXPECT_EQ(cycles_, 24U);
    EXPECT_DOUBLE_EQ(use_.utilisation(NodeId{0}, 0, cycles_), 8.0 / 24);
    EXPECT_DOUBLE_EQ(use_.utilisation(NodeId{1}, 0, cycles_), 8.0 / 24);
    EXPECT_DOUBLE_EQ(use_.utilisation(NodeId{1}, 1, cycles_), 0);
    double busy = 0;
    for (const double share : use_.over_time(cycles_)) busy += share * static_cast<double>(use_.window());
    EXPECT_DOUBLE_EQ(busy, 16.0 / 4);
}

TEST(LinkUse, KeepsAtMost256Windows) {
    const Network mesh = make_network("mesh:3");
    const Fabric fabric(mesh, NodeParameters{});
    LinkUse use(fabric);
    RegionOutputs outputs;
    outputs.sent.push_back({0, 0, 0, {}});
    for (std::uint64_t cycle = 0; cycle < 1'000; ++cycle) use.observe(cycle, outputs);
    EXPECT_EQ(use.window(), 4U);
    const auto shares = use.over_time(1'001);
    ASSERT_EQ(shares.size(), 251U);
    for (std::size_t i = 0; i < 250; ++i) EXPECT_DOUBLE_EQ(shares[i], 0.25) << i;
    EXPECT_EQ(shares[250], 0);
}

}  // namespace
}  // namespace interlace
