// Interlace: no run locks up that was not said to
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "hunt/lock_ups.h"

#ifdef INTERLACE_SYSTEMC
#include "interlace/engine/systemc/systemc.h"
#endif

namespace interlace {
namespace {

/// 400 configurations, or, for the long haul, as many as LOCK_UPS says.
std::uint64_t configurations_to_try() {
    const char* wanted = std::getenv("LOCK_UPS");
    return wanted == nullptr ? 400 : std::stoull(wanted);
}

/// False of what no such node can do: worms.
bool pipelined(NodeParameters& node) {
    node.pipeline = 7;
    return node.switching != Switching::wormhole;
}

void hunt(const std::string& engine, bool pipeline = false) {
    const std::uint64_t configurations = configurations_to_try();
    std::uint64_t noted = 0;
    std::uint64_t stuck = 0;
    std::uint64_t refused = 0;
    for (std::uint64_t seed = 0; seed < configurations; ++seed) {
        LockUpCase c = random_broadcast(seed);
        if (!pipeline || pipelined(c.options.node)) try {
                const LockUpOutcome outcome = run_case(c, engine, seed);
                if (outcome.note.empty()) {
                    EXPECT_EQ(outcome.stuck, "") << c.text;
                }
                noted += outcome.note.empty() ? 0 : 1;
                stuck += outcome.stuck.empty() ? 0 : 1;
            } catch (const InputError& error) {
                ++refused;  // a packet that comes twice by table, ways in a cycle by table
            }
        TrafficCase traffic = random_trace(seed);
        if (!pipeline || pipelined(traffic.experiment.nodes.node)) {
            EXPECT_EQ(run_case(traffic, engine).stuck, "") << traffic.text;
        }
    }
    std::printf("%s: of %lu broadcasts %lu were refused, %lu noted, %lu locked up\n", engine.c_str(),
                configurations, refused, noted, stuck);
    EXPECT_GT(stuck, configurations / 50) << "a hunt where nothing is";
    EXPECT_LT(noted + refused, configurations / 2) << "notes on everything are none";
}

/// What `interlace broadcast` says and does.
LockUpOutcome broadcast(const Network& network, NodeId source, std::uint32_t packets,
                        const CycleOptions& options) {
    const auto sends = optimal_broadcast(network, global_group(network), source, packets).sends;
    return run_case({network, Program(network, source, packets, sends), options, ""}, "native", 1);
}

// One server a host, which took nothing while the packet that it wrote found no room.
TEST(LockUps, OfHostsThatWaitForOneAnotherDoNotHappen) {
    const Network ibt = make_network("ibt:8x8:b=4");
    CycleOptions options;
    options.node = {.packet_flits = 2,
                    .vcs = 1,
                    .vc_depth = 2,
                    .injection_queues = 2,
                    .injection_depth = 1,
                    .reception_queues = 1,
                    .reception_depth = 2,
                    .switching = Switching::wormhole};
    options.host.servers = 1;
    options.host.receive_cycles = options.host.send_cycles = 5;
    const LockUpOutcome alone = broadcast(ibt, NodeId{0}, 20, options);
    EXPECT_EQ(alone.note, "");
    EXPECT_EQ(alone.stuck, "");

    options = {};
    options.node.injection_depth = 1;
    options.host.servers = 1;
    options.background.traffic.load = 0.3;
    options.seeds = 1;
    const LockUpOutcome over_traffic = broadcast(make_network("mesh:3"), NodeId{0}, 1, options);
    EXPECT_EQ(over_traffic.note, "");
    EXPECT_EQ(over_traffic.stuck, "");
}

// Half a flit a cycle from each of three nodes is what their hosts cannot write: 3 cycles a flit. But all
// that is made at a tenth of that arrives.
TEST(LockUps, OfTrafficDoNotHappen) {
    for (const double load : {0.5, 0.05}) {
        TrafficExperiment experiment;
        experiment.network = "mesh:3";
        experiment.nodes.node.injection_depth = 1;
        experiment.nodes.host.servers = 1;
        experiment.nodes.seeds = 1;
        experiment.traffic.load = load;
        experiment.traffic.packet_flits = 8;
        experiment.traffic.cycles = 2'000;
        const TrafficResult result = run_traffic(experiment).results.front();
        EXPECT_GT(result.packets - result.packets_missing, result.packets / 2);
        if (load < 0.1) {
            EXPECT_EQ(result.packets_missing, 0U);
        }
    }
}

// Its first branch has moved seven flits, and the queue that holds them for the other has no room for the
// eighth.
TEST(LockUps, OfOnePacketInPartsAreNoted) {
    CycleOptions options;
    options.forwarding = "table";
    for (const std::uint32_t depth : {7U, 8U}) {
        options.node.injection_depth = depth;
        const LockUpOutcome outcome = broadcast(make_network("mesh:3"), NodeId{1}, 1, options);
        EXPECT_EQ(outcome.note.empty(), depth == 8) << outcome.note;
        EXPECT_EQ(outcome.stuck.empty(), depth == 8) << outcome.stuck;
        if (depth == 7) {
            EXPECT_NE(outcome.note.find("injection queues of 7 flits"), std::string::npos) << outcome.note;
        }
    }
    // At an end it leaves by one link, and the rest follows.
    options.node.injection_depth = 1;
    const LockUpOutcome outcome = broadcast(make_network("mesh:3"), NodeId{0}, 3, options);
    EXPECT_EQ(outcome.note + outcome.stuck, "");
}

TEST(LockUps, AreNotedBeforeTheRunOnNativeNodes) {
    hunt("native");
}

TEST(LockUps, AreNotedBeforeTheRunOnPipelinedNodes) {
    hunt("native", true);
}

#ifdef INTERLACE_SYSTEMC
TEST(LockUps, AreNotedBeforeTheRunOnSystemCNodes) {
    for (const std::uint32_t ports : built_ports) systemc_reserve(ports, 16);
    hunt("systemc");
}
#endif

#ifdef INTERLACE_RTL
TEST(LockUps, AreNotedBeforeTheRunOnRtlNodes) {
    hunt("rtl");
}
#endif

}  // namespace
}  // namespace interlace
