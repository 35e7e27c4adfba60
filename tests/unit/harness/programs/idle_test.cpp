// Interlace: time in which nothing happens is skipped, and nothing else
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "interlace/broadcast/torus/optimal.h"
#include "interlace/engine/native/native.h"
#include "interlace/engine/region/delay_line.h"
#include "interlace/harness/programs/program_run.h"

namespace interlace {
namespace {

TEST(DelayLine, SaysForHowLongNothingArrives) {
    DelayLine<int> line(5);
    EXPECT_EQ(line.idle(), UINT64_MAX);
    line.push(4, 1);
    line.push(1, 2);
    EXPECT_EQ(line.idle(), 1U);  // what is pushed with delay 1 arrives in the cycle after the next
    line.skip(1);
    EXPECT_EQ(line.idle(), 0U);
    line.advance();
    EXPECT_EQ(line.due(), std::vector<int>{2});
    EXPECT_EQ(line.idle(), 2U);
    line.skip(2);
    line.advance();
    EXPECT_EQ(line.due(), std::vector<int>{1});
    EXPECT_EQ(line.idle(), UINT64_MAX);
}

std::unique_ptr<Machine> native_machine(const Fabric& fabric) {
    std::vector<Machine::Part> parts(1);
    for (std::uint32_t node = 0; node < fabric.nodes; ++node) parts[0].nodes.emplace_back(node);
    parts[0].region = native_region(fabric, parts[0].nodes);
    return std::make_unique<Machine>(fabric, std::move(parts));
}

// A flit that is on inj_flit_i in cycle 0 moves in 1, is on the link's pins in 2 and, the latency being 50,
// on the receiver's in 51; it moves to the reception queue in 52, is on rx_flit_o in 53 and taken.
TEST(Machine, SleepsWhileAFlitIsOnALongLink) {
    const Network network = make_network("mesh:3");
    const Fabric fabric(network, NodeParameters{}, {1, 50, 0});
    const auto machine = native_machine(fabric);
    RegionInputs inputs;
    RegionOutputs outputs;
    EXPECT_EQ(machine->idle(), UINT64_MAX);
    std::uint32_t port = 0;
    while (!fabric.to(0, port).linked()) ++port;
    inputs.injections.push_back({0, 0, 0, {make_packet({.slot = 1U << port}), 0}});
    machine->tick(inputs, outputs);
    EXPECT_EQ(machine->idle(), 0U);
    machine->tick({}, outputs);
    EXPECT_EQ(machine->idle(), 49U);  // 2 to 50
    machine->skip(49);
    for (int cycle = 51; cycle <= 52; ++cycle) {
        machine->tick({}, outputs);
        EXPECT_TRUE(outputs.receptions.empty()) << cycle;
    }
    machine->tick({}, outputs);
    EXPECT_EQ(outputs.receptions.size(), 1U);
}

// Who watches sees every cycle, so nothing is skipped then.
TEST(ProgramRun, IsTheSameWithAndWithoutEveryCycle) {
    const Network network = make_network("ibt:8x8:b=4");
    const auto sends = optimal_broadcast(network, global_group(network), NodeId{3}, 6).sends;
    const Program program(network, NodeId{3}, 6, sends);
    const Fabric fabric(network, NodeParameters{}, {3, 37, 5});
    const InjectionPlan plan(network, fabric, program, Forwarding::host);
    for (const std::uint64_t pace : {0, 500}) {
        ProgramRunOptions options;
        options.packet_flits = 4;
        options.pace = pace;
        const ProgramRun skipping = run_program(fabric, *native_machine(fabric), plan, options);
        std::uint64_t seen = 0;
        const auto machine = native_machine(fabric);
        machine->observe([&](std::uint64_t cycle, const auto&, const auto&) { EXPECT_EQ(cycle, seen++); });
        const ProgramRun watched = run_program(fabric, *machine, plan, options);
        EXPECT_EQ(skipping.cycles, watched.cycles);
        EXPECT_EQ(seen, watched.cycles);
        EXPECT_TRUE(skipping.queues == watched.queues);
    }
}

// Served hosts are idle, too: the same with every cycle watched.
TEST(ServedHosts, SleepWhereNothingIsToBeDone) {
    const Network network = make_network("mesh:5");
    const auto sends = optimal_broadcast(network, global_group(network), NodeId{0}, 3).sends;
    const Program program(network, NodeId{0}, 3, sends);
    const Fabric fabric(network, NodeParameters{}, {2, 300, 0});
    const InjectionPlan plan(network, fabric, program, Forwarding::host);
    ProgramRunOptions options;
    options.host = host_parameters("bgl");
    options.pace = 2'000;
    const ProgramRun skipping = run_program(fabric, *native_machine(fabric), plan, options);
    std::uint64_t seen = 0;
    std::uint64_t some = 0;
    const auto machine = native_machine(fabric);
    machine->observe([&](std::uint64_t, const auto&, const auto&) { ++seen; });
    const ProgramRun watched = run_program(fabric, *machine, plan, options);
    const auto sleeper = native_machine(fabric);
    std::uint64_t last = 0;
    sleeper->observe(
        [&](std::uint64_t cycle, const auto&, const auto&) {
            ++some;
            last = cycle;
        },
        false);
    EXPECT_EQ(run_program(fabric, *sleeper, plan, options).cycles, watched.cycles);
    EXPECT_LT(some, seen / 2);
    EXPECT_GE(last + 1, watched.receptions);
    EXPECT_EQ(last, seen - 1);  // numbers go on where cycles are left out
    EXPECT_EQ(skipping.cycles, watched.cycles);
    EXPECT_TRUE(skipping.queues == watched.queues);
    EXPECT_EQ(skipping.injection_stalls, watched.injection_stalls);
}

// A hundred seconds of a host's cycles between two packets take no time here, and nothing from what they
// take: each crosses two links alone (docs/node.md, section 7: 2 H + F + 1 cycles).
TEST(Trace, IdleTimeIsSkipped) {
    const Network network = make_network("mesh:3");
    const std::uint32_t flits = 8;
    for (const char* host : {"ideal", "bgl"}) {
        const Fabric fabric(network, NodeParameters{});
        TrafficHostOptions hosts;
        hosts.host = host_parameters(host);
        const std::uint64_t far = 10'000'000'000;
        const auto machine = native_machine(fabric);
        const TrafficResult both = run_trace(fabric, *machine, {{0, 0, 2, flits}, {far, 2, 0, flits}}, hosts);
        const TrafficResult one = run_trace(fabric, *native_machine(fabric), {{0, 0, 2, flits}}, hosts);
        EXPECT_EQ(both.packets, 2U);
        EXPECT_EQ(both.cycles, far + one.cycles);
        EXPECT_EQ(both.latency_max, one.latency_max);
        EXPECT_EQ(both.latency_mean, static_cast<double>(one.latency_max));
        if (hosts.host.ideal()) {
            EXPECT_EQ(one.latency_max, 2 * 2 + flits + 1);
        }
    }
}

// Far more cycles than could be looked at in stretches of the watchdog's: these end, or the test never does.
TEST(Trace, IdleTimeOfAnyLengthIsSkipped) {
    const Network network = make_network("mesh:3");
    NodeParameters node;
    node.switching = Switching::wormhole;  // packet by packet, native nodes count to 2^40
    const Fabric fabric(network, node);
    const std::uint64_t far = std::uint64_t{1} << 62U;
    const TrafficResult both =
        run_trace(fabric, *native_machine(fabric), {{0, 0, 2, 8}, {far, 2, 0, 8}, {far + 1'000, 2, 0, 8}});
    const TrafficResult one = run_trace(fabric, *native_machine(fabric), {{0, 0, 2, 8}});
    EXPECT_EQ(both.packets, 3U);
    EXPECT_EQ(both.cycles, far + 1'000 + one.cycles);
    EXPECT_EQ(both.latency_max, one.latency_max);
    EXPECT_EQ(both.latency_mean, static_cast<double>(one.latency_max));
}

}  // namespace
}  // namespace interlace
