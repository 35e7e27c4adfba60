// Interlace: the step theorem: what steps, F and h say about cycles (docs/node.md, section 7)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "interlace/broadcast/torus/optimal.h"
#include "interlace/broadcast/torus/paper.h"
#include "interlace/broadcast/torus/spanning_trees.h"
#include "interlace/core/random.h"
#include "interlace/engine/checking/lockstep.h"
#include "interlace/engine/max_plus/max_plus.h"
#include "interlace/engine/native/native.h"
#include "interlace/engine/step/step.h"
#include "interlace/engine/systemc/systemc.h"
#include "interlace/engine/verilated/verilated.h"
#include "interlace/harness/programs/program_run.h"
#include "interlace/harness/traffic/traffic.h"

namespace interlace {
namespace {

/// h: docs/node.md, sections 7 and 14. Where a packet's flits come further apart, its tail need not wait for
/// its head to be granted.
std::uint64_t overhead(std::uint32_t pipeline, std::uint32_t flits = 8, std::uint32_t cycles_per_flit = 1) {
    if (pipeline == 1) return 4;
    return 17 - std::min<std::uint64_t>(2, (flits - 1) * (cycles_per_flit - 1));
}

struct Case {
    const char* network;
    std::vector<std::uint32_t> axes;
    const char* algorithm;
};

const std::vector<Case> cases = {
    {"torus:8x8", {0}, "ring"},
    {"torus:8x8", {0, 1}, "trees"},
    {"torus:4x4x4", {0, 1, 2}, "trees"},
    {"ibt:16x16:b=4", {0}, "paper"},
    {"ibt:16x16:b=4", {0}, "optimal"},
    {"ibt:8x8:b=4", {0, 1}, "paper"},
    {"ibt:8x8:b=4", {0, 1}, "optimal"},
    {"ibt:6x6x6:b=3", {0, 1}, "paper"},
    {"torus:5x4x3", {0, 1, 2}, "optimal"},
};

Program program_of(const Case& c, const Network& network, std::uint32_t packets) {
    const NodeId source{network.node_count() / 3};
    const std::string algorithm = c.algorithm;
    std::vector<Send> sends;
    if (algorithm == "ring")
        sends = ring_broadcast(network, source, c.axes.front(), packets).sends;
    else if (algorithm == "trees")
        sends = spanning_tree_broadcast(network, source, c.axes, packets);
    else if (algorithm == "paper")
        sends = paper_broadcast(network, source, c.axes, packets, paper_patterns(c.axes.size())).sends;
    else
        sends = optimal_broadcast(network, axes_group(network, source, c.axes), source, packets).sends;
    return {network, source, packets, sends};
}

std::vector<NodeId> all_nodes(const Network& network) {
    std::vector<NodeId> nodes;
    for (std::uint32_t v = 0; v < network.node_count(); ++v) nodes.emplace_back(v);
    return nodes;
}

/// Queues that never fill, store and forward.
NodeParameters infinite_queues(std::uint32_t pipeline) {
    NodeParameters node;
    node.vcs = 1;
    node.vc_depth = node.injection_depth = node.reception_depth = 512;
    node.switching = Switching::store_and_forward;
    node.pipeline = pipeline;
    return node;
}

using MakeRegion = std::unique_ptr<Region> (*)(const Fabric&, const std::vector<NodeId>&);

std::uint64_t cycles(MakeRegion make, const Network& network, const NodeParameters& node,
                     const LinkParameters& links, const Program& program, std::uint32_t flits,
                     std::uint64_t pace) {
    const Fabric fabric(network, node, links);
    std::vector<Machine::Part> parts;
    parts.push_back({all_nodes(network), make(fabric, all_nodes(network))});
    Machine machine(fabric, std::move(parts));
    const InjectionPlan plan(network, fabric, program, Forwarding::host);
    return run_program(fabric, machine, plan, {.packet_flits = flits, .pace = pace}).cycles;
}

std::unique_ptr<Region> native(const Fabric& fabric, const std::vector<NodeId>& nodes) {
    return native_region(fabric, nodes);
}

std::unique_ptr<Region> rtl(const Fabric& fabric, const std::vector<NodeId>& nodes) {
    return verilated_region(fabric, nodes);
}

std::unique_ptr<Region> systemc(const Fabric& fabric, const std::vector<NodeId>& nodes) {
    return systemc_region(fabric, nodes);
}

/// Every SystemC node that the tests of this process will need: SystemC elaborates once.
void reserve_systemc() {
    std::map<std::uint32_t, std::uint32_t> nodes;  // by their ports
    for (const Case& c : cases) {
        const Network network = make_network(c.network);
        std::uint32_t& most = nodes[Fabric(network, infinite_queues(1)).ports];
        most = std::max(most, network.node_count());
    }
    for (const auto& [ports, count] : nodes)
        for (const std::uint32_t pipeline : {1U, 7U}) systemc_reserve(ports, count, pipeline);
}

/// With slow links F c takes the place of F, and h - 1 + L that of h (docs/node.md, section 10). Pipelined
/// nodes start a packet every three cycles at most (section 14).
void prove(MakeRegion make, std::uint32_t pipeline, const Case& c, std::uint32_t flits, std::uint32_t packets,
           const LinkParameters& links = {}) {
    const Network network = make_network(c.network);
    const Program program = program_of(c, network, packets);
    const std::uint64_t steps = run_steps(network, global_group(network), program).steps;
    SCOPED_TRACE(std::string(c.network) + " " + c.algorithm + ", flits " + std::to_string(flits) +
                 ", pipeline " + std::to_string(pipeline));
    const std::uint32_t send = flits * links.cycles_per_flit;
    const std::uint64_t hop = send + overhead(pipeline, flits, links.cycles_per_flit) - 1 + links.latency;
    const std::uint64_t pace = std::max(send, pipeline == 1 ? 1U : 3U);
    EXPECT_EQ(cycles(make, network, infinite_queues(pipeline), links, program, flits, hop), steps * hop);
    const std::uint64_t free = cycles(make, network, infinite_queues(pipeline), links, program, flits, 0);
    EXPECT_EQ(free, max_plus_time(network, program, {send, hop - send, pace}));
    EXPECT_GE(free, steps * send);
    EXPECT_LE(free, steps * hop);
}

TEST(StepTheorem, HoldsOnNativeNodes) {
    for (const Case& c : cases)
        for (std::uint32_t flits = 1; flits <= 8; ++flits)
            for (const std::uint32_t pipeline : {1U, 7U}) prove(native, pipeline, c, flits, 9);
}

/// Every case, packets of 1 to 8 flits, and links of one cycle and of several.
void prove_all(MakeRegion make) {
    for (std::uint32_t i = 0; i < cases.size(); ++i) {
        for (const std::uint32_t pipeline : {1U, 7U}) {
            prove(make, pipeline, cases[i], 1 + i * 3 % 8, 5);
            prove(make, pipeline, cases[i], 1 + (i * 3 + 4) % 8, 3, {2 + i % 2, 2 + i % 3, 0});
        }
    }
}

TEST(StepTheorem, HoldsOnRtlNodes) {
    prove_all(rtl);
}

// One engine, two or three, wherever the cut runs, on one thread or four: the same cycles.
TEST(StepTheorem, HoldsWhereverTheNetworkIsCut) {
    reserve_systemc();
    for (const auto& [c, pipeline] :
         {std::pair{cases[1], 1U}, {cases[6], 1U}, {cases[1], 7U}, {cases[6], 7U}}) {
        const Network network = make_network(c.network);
        const Program program = program_of(c, network, 6);
        const std::uint64_t expected = max_plus_time(network, program, {3, overhead(pipeline)});
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            const Fabric fabric(network, infinite_queues(pipeline));
            std::vector<NodeId> nodes[4];
            for (std::uint32_t v = 0; v < network.node_count(); ++v)
                nodes[random_bits(seed, 0, v) % 4].emplace_back(v);
            std::vector<Machine::Part> parts;
            parts.push_back({nodes[0], native_region(fabric, nodes[0])});
            parts.push_back({nodes[1], native_region(fabric, nodes[1])});
            parts.push_back({nodes[2], verilated_region(fabric, nodes[2])});
            if (fabric.ports == 4)
                parts.push_back({nodes[3], systemc_region(fabric, nodes[3]), false});
            else
                parts.push_back({nodes[3], verilated_region(fabric, nodes[3])});
            Machine machine(fabric, std::move(parts), 1 + static_cast<std::uint32_t>(seed));
            const InjectionPlan plan(network, fabric, program, Forwarding::host);
            EXPECT_EQ(run_program(fabric, machine, plan, {.packet_flits = 3}).cycles, expected) << seed;
        }
    }
}

TEST(StepTheorem, HoldsOnSystemCNodes) {
    reserve_systemc();
    prove_all(systemc);
}

std::unique_ptr<Region> all_three(const Fabric& fabric, const std::vector<NodeId>& nodes) {
    std::vector<NamedRegion> regions;
    regions.push_back({"native", native_region(fabric, nodes)});
    regions.push_back({"rtl", rtl(fabric, nodes)});
    regions.push_back({"systemc", systemc(fabric, nodes)});
    return lockstep_region(fabric, nodes, std::move(regions));
}

// Every output pin of every node in every cycle of every broadcast, and every queue figure.
TEST(StepTheorem, HoldsOnAllThreeInLockstep) {
    reserve_systemc();
    prove_all(all_three);
}

// Nothing happens between two packets: alone and in lockstep the second one takes what the first did, 2 H + F
// + 1 cycles (docs/node.md, section 7), at once.
TEST(Trace, IdleTimeIsSkippedOnEveryEngine) {
    reserve_systemc();
    const Network network = make_network("torus:8x8");
    const Fabric fabric(network, node_parameters("bgl").without_unicast());
    const std::uint64_t far = 10'000'000'000;
    for (const MakeRegion make : {native, rtl, systemc, all_three}) {
        std::vector<Machine::Part> parts;
        parts.push_back({all_nodes(network), make(fabric, all_nodes(network))});
        Machine machine(fabric, std::move(parts));
        const TrafficResult result = run_trace(fabric, machine, {{0, 0, 2, 8}, {far, 2, 0, 8}});
        EXPECT_EQ(result.packets, 2U);
        EXPECT_EQ(result.latency_mean, 2 * 2 + 8 + 1);
        EXPECT_EQ(result.cycles, far + 2 * 2 + 8 + 1 + 1);
    }
}

TEST(MaxPlus, IsTheStepEngineWithoutOverhead) {
    for (const Case& c : cases) {
        const Network network = make_network(c.network);
        const Program program = program_of(c, network, 12);
        EXPECT_EQ(max_plus_time(network, program, {1, 0}),
                  run_steps(network, global_group(network), program).steps);
    }
}

}  // namespace
}  // namespace interlace
