// Interlace: programs on nodes: links, hosts and forwarding against hand-worked times
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/programs/program_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interlace/broadcast/torus/optimal.h"
#include "interlace/broadcast/torus/paper.h"
#include "interlace/broadcast/torus/spanning_trees.h"
#include "interlace/core/error.h"
#include "interlace/engine/max_plus/max_plus.h"
#include "interlace/engine/native/native.h"
#include "interlace/engine/step/step.h"
#include "interlace/harness/hosts/deadlock.h"
#include "support/rank_threads.h"

namespace interlace {
namespace {

NodeParameters node_with(Switching switching, std::uint32_t flits, std::uint32_t depth = 512) {
    NodeParameters node;
    node.switching = switching;
    node.packet_flits = flits;
    node.vc_depth = node.injection_depth = node.reception_depth = depth;
    return node;
}

struct Setting {
    NodeParameters node;
    LinkParameters links = {};
    HostParameters host = {};
    Forwarding forwarding = Forwarding::host;
    std::uint64_t pace = 0;
    std::uint32_t regions = 1, threads = 1;
    bool interleaved = false;  // a region's nodes do not follow one another
    std::uint64_t seed = 1;
    std::optional<TrafficOptions> background = std::nullopt;
};

ProgramRun run(const Network& network, const Program& program, const Setting& setting,
               Communicator& ranks = no_other_ranks()) {
    // As many regions of each rank.
    const NodeRange own = nodes_of_rank(network.node_count(), ranks);
    const Fabric fabric(network, setting.node, setting.links, own);
    InjectionPlan all(network, fabric, program, setting.forwarding);
    EXPECT_TRUE(secure(network, fabric, setting.host, all).free);
    const InjectionPlan plan = ranks.alone() ? std::move(all) : InjectionPlan(all.part(own));
    std::vector<Machine::Part> parts(setting.regions / ranks.size());
    for (std::uint32_t i = 0; i < own.count; ++i)
        parts[setting.interleaved ? i % parts.size() : i * parts.size() / own.count].nodes.emplace_back(
            own.first + i);
    for (Machine::Part& part : parts) part.region = native_region(fabric, part.nodes, &plan.tables());
    Machine machine(fabric, std::move(parts), setting.threads, {}, ranks);
    machine.watch({.occupancy = true});
    EXPECT_EQ(machine.shares().size(), setting.interleaved ? 1 : setting.regions / ranks.size());
    ProgramRunOptions options;
    options.packet_flits = setting.node.packet_flits;
    options.pace = setting.pace;
    options.host = setting.host;
    options.seed = setting.seed;
    options.background = setting.background;
    ProgramRun result = run_program(fabric, machine, plan, options);
    result.injection_stalls = ranks.gather_values(result.injection_stalls);
    return result;
}

/// `packets` along 0 -> 1 -> ... -> nodes - 1 of a mesh.
Program chain(const Network& mesh, std::uint32_t packets) {
    std::vector<Send> sends;
    for (std::uint32_t v = 0; v + 1 < mesh.node_count(); ++v)
        for (std::uint32_t p = 0; p < packets; ++p)
            sends.push_back({*mesh.link(NodeId{v}, NodeId{v + 1}), PacketId{p}});
    return {mesh, NodeId{0}, packets, sends};
}

// docs/node.md, section 10: F c + 3 + L cycles a hop.
TEST(ProgramRun, HopsTakeWhatTheirLinksTake) {
    const Network mesh = make_network("mesh:5");
    for (const std::uint32_t c : {1U, 3U, 8U})
        for (const std::uint32_t latency : {1U, 2U, 7U})
            for (const Switching switching :
                 {Switching::store_and_forward, Switching::virtual_cut_through, Switching::wormhole}) {
                const Setting setting{node_with(switching, 4), {c, latency, 0}};
                EXPECT_EQ(run(mesh, chain(mesh, 1), setting).cycles, 4 * (4 * c + 3 + latency));
                // Packets follow one another without a gap.
                EXPECT_EQ(run(mesh, chain(mesh, 5), setting).cycles,
                          4 * std::uint64_t{4 * c + 3 + latency} + std::uint64_t{4} * 4 * c);
            }
}

// A bypass link of length 4 takes latency_per_hop three times more.
TEST(ProgramRun, BypassLinksTakeLonger) {
    const Network ibt = make_network("ibt:8x8:b=4");
    const Program one(ibt, NodeId{0}, 1, {{*ibt.link(NodeId{0}, NodeId{4}), PacketId{0}}});
    EXPECT_EQ(run(ibt, one, {node_with(Switching::store_and_forward, 4), {2, 3, 5}}).cycles,
              4 * 2 + 3 + (3 + 3 * 5));
}

// Under router forwarding only the first hop passes the injection queue, and only the last one the host:
// H (F + 1) + 3 by store and forward, 2 H + F + 2 by cut-through (docs/node.md, section 7).
TEST(ProgramRun, RoutersForwardWithoutHosts) {
    const Network mesh = make_network("mesh:6");
    for (const Forwarding forwarding : {Forwarding::table, Forwarding::deposit})
        for (const std::uint32_t f : {1U, 5U, 8U}) {
            Setting setting{node_with(Switching::store_and_forward, f), {}, {}, forwarding};
            EXPECT_EQ(run(mesh, chain(mesh, 1), setting).cycles, 5 * (f + 1) + 3);
            EXPECT_EQ(run(mesh, chain(mesh, 7), setting).cycles, 5 * (f + 1) + 3 + 6 * f);
            setting.node.switching = Switching::virtual_cut_through;
            EXPECT_EQ(run(mesh, chain(mesh, 1), setting).cycles, 2 * 5 + f + 2);
        }
}

// H (F + 7) + 10 and 8 H + F + 9 on pipelined nodes (section 14), where a router that stores and forwards
// leaves two cycles between packets.
TEST(ProgramRun, PipelinedRoutersForwardWithoutHosts) {
    const Network mesh = make_network("mesh:6");
    for (const Forwarding forwarding : {Forwarding::table, Forwarding::deposit})
        for (const std::uint32_t f : {1U, 5U, 8U}) {
            Setting setting{node_with(Switching::store_and_forward, f), {}, {}, forwarding};
            setting.node.pipeline = 7;
            EXPECT_EQ(run(mesh, chain(mesh, 1), setting).cycles, 5 * (f + 7) + 10);
            EXPECT_EQ(run(mesh, chain(mesh, 7), setting).cycles, 5 * (f + 7) + 10 + 6 * (f + 2));
            setting.node.switching = Switching::virtual_cut_through;
            EXPECT_EQ(run(mesh, chain(mesh, 1), setting).cycles, 8 * 5 + f + 9);
            EXPECT_EQ(run(mesh, chain(mesh, 7), setting).cycles, 8 * 5 + f + 9 + 6 * std::max(f, 3U));
        }
}

// A deposit that turns once: two lines, with the host between them. Each line costs what it costs alone: a
// line's H (F + 1) + 3 counts from the host's first flit to the cycle in which a host could send on.
TEST(ProgramRun, DepositsTurnAtAHost) {
    const Network mesh = make_network("mesh:4x4");
    std::vector<Send> sends;
    for (const auto& [from, to] : {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 7}, {7, 11}})
        sends.push_back(
            {*mesh.link(NodeId{static_cast<std::uint32_t>(from)}, NodeId{static_cast<std::uint32_t>(to)}),
             PacketId{0}});
    const Program program(mesh, NodeId{0}, 1, sends);
    const std::uint64_t f = 6;
    EXPECT_EQ(
        run(mesh, program, {node_with(Switching::store_and_forward, 6), {}, {}, Forwarding::deposit}).cycles,
        (3 * (f + 1) + 3) + (2 * (f + 1) + 3));
}

struct Case {
    const char* network;
    std::vector<std::uint32_t> axes;
    bool paper;
};

Program program_of(const Case& c, const Network& network, std::uint32_t packets) {
    const NodeId source{network.node_count() / 3};
    if (c.paper)
        return {network, source, packets,
                paper_broadcast(network, source, c.axes, packets, paper_patterns(c.axes.size())).sends};
    return {network, source, packets, spanning_tree_broadcast(network, source, c.axes, packets)};
}

const std::vector<Case> cases = {{"torus:8x8", {0, 1}, false},
                                 {"torus:4x4x4", {0, 1, 2}, false},
                                 {"ibt:8x8:b=4", {0, 1}, true},
                                 {"ibt:16x16:b=4", {0}, true}};

void expect_same(const ProgramRun& one, const ProgramRun& other) {
    EXPECT_EQ(one.cycles, other.cycles);
    EXPECT_EQ(one.start, other.start);
    EXPECT_EQ(one.receptions, other.receptions);
    EXPECT_EQ(one.queues, other.queues);
    EXPECT_EQ(one.injection_stalls, other.injection_stalls);
    EXPECT_EQ(one.background.accepted_load, other.background.accepted_load);
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    EXPECT_PRED2(same, one.background.latency_mean, other.background.latency_mean);
    EXPECT_PRED2(same, one.background.latency_before, other.background.latency_before);
}

/// `cuts`: regions and threads.
void expect_same_when_cut(const Network& network, const Program& program, Setting setting,
                          const ProgramRun& whole,
                          const std::vector<std::pair<std::uint32_t, std::uint32_t>>& cuts) {
    for (const auto& [regions, threads] : cuts) {
        SCOPED_TRACE(fmt::format("{}, {} regions, {} threads", network.name(), regions, threads));
        setting.regions = regions;
        setting.threads = threads;
        expect_same(run(network, program, setting), whole);
    }
}

// Every forwarding delivers everything, not before the step count's F cycles a step could, and whatever the
// cut and the threads in the same number of cycles.
TEST(ProgramRun, DoesNotDependOnTheCutOrTheThreads) {
    for (const Case& c : cases) {
        const Network network = make_network(c.network);
        const Program program = program_of(c, network, 12);
        for (const Forwarding forwarding : {Forwarding::host, Forwarding::table, Forwarding::deposit})
            for (const char* host : {"ideal", "bgl"}) {
                Setting setting{node_with(Switching::virtual_cut_through, 8, 32)};
                setting.links = {2, 3, 1};
                setting.forwarding = forwarding;
                setting.host = host_parameters(host);
                const ProgramRun whole = run(network, program, setting);
                EXPECT_EQ(whole.receptions, program.send_count());
                for (const bool interleaved : {false, true}) {
                    setting.interleaved = interleaved;
                    expect_same_when_cut(network, program, setting, whole, {{2, 2}, {3, 1}, {4, 3}, {7, 7}});
                }
            }
    }
}

// Nor does what hosts send of unicast traffic in between.
TEST(ProgramRun, OverTrafficDoesNotDependOnTheCutOrTheThreads) {
    for (const Case& c : cases) {
        const Network network = make_network(c.network);
        const Program program = program_of(c, network, 12);
        for (const char* host : {"ideal", "bgl"})
            for (const std::uint64_t warmup : {std::uint64_t{300}, detect_warmup}) {
                Setting setting{node_with(Switching::virtual_cut_through, 8, 32)};
                setting.host = host_parameters(host);
                setting.background = TrafficOptions{.load = 0.02, .packet_flits = 8, .warmup = warmup};
                const ProgramRun whole = run(network, program, setting);
                EXPECT_GT(whole.background.accepted_load, 0.0);
                expect_same_when_cut(network, program, setting, whole, {{2, 2}, {5, 3}});
            }
    }
}

// Nor does it depend on the ranks, which share nothing but messages: all of them say the same.
TEST(ProgramRun, DoesNotDependOnTheRanks) {
    for (const Case& c : cases) {
        const Network network = make_network(c.network);
        const Program program = program_of(c, network, 12);
        for (const Switching switching : {Switching::virtual_cut_through, Switching::wormhole})
            for (const bool background : {false, true}) {
                Setting setting{node_with(switching, 8, 32)};
                setting.links = {2, 3, 1};
                setting.host = host_parameters(background ? "bgl" : "ideal");
                if (background)
                    setting.background = TrafficOptions{.load = 0.02, .packet_flits = 8, .warmup = 300};
                const ProgramRun whole = run(network, program, setting);
                EXPECT_EQ(whole.receptions, program.send_count());
                for (const std::uint32_t ranks : {2U, 4U}) {
                    SCOPED_TRACE(fmt::format("{}, {} ranks", network.name(), ranks));
                    setting.regions = 2 * ranks;
                    setting.threads = 2;
                    run_on_ranks(ranks, [&](Communicator& rank) {
                        expect_same(run(network, program, setting, rank), whole);
                    });
                    setting.regions = setting.threads = 1;
                }
            }
    }
}

// The step theorem with links that are slow and far: steps x (F c + 3 + L) when paced, the max-plus value
// when not.
TEST(ProgramRun, TheStepTheoremKnowsLinks) {
    for (const Case& c : cases) {
        const Network network = make_network(c.network);
        const Program program = program_of(c, network, 9);
        const std::uint64_t steps = run_steps(network, global_group(network), program).steps;
        Setting setting{node_with(Switching::store_and_forward, 5), {3, 4, 0}};
        const std::uint64_t hop = 5 * 3 + 3 + 4;
        EXPECT_EQ(run(network, program, setting).cycles, max_plus_time(network, program, {15, 7}));
        setting.pace = hop;
        EXPECT_EQ(run(network, program, setting).cycles, steps * hop);
        EXPECT_EQ(max_plus_time(network, program, {15, 7, hop}), steps * hop);
    }
}

// Over a bypass link of length 4 a hop takes F c + 3 + (3 + 3 x 5) = 29 cycles, over a torus link 14: a
// packet that arrives over either is sent on at once, and the pace of the slower one is an upper bound of a
// step.
TEST(ProgramRun, PacedStepsAreShorterOverFasterLinks) {
    const Network ibt = make_network("ibt:8x8:b=4");
    const LinkId bypass = *ibt.link(NodeId{0}, NodeId{4}), torus = *ibt.link(NodeId{4}, NodeId{5});
    const Program two(ibt, NodeId{0}, 1, {{bypass, PacketId{0}}, {torus, PacketId{0}}});
    Setting setting{node_with(Switching::store_and_forward, 4), {2, 3, 5}};
    setting.pace = 29;
    EXPECT_EQ(run(ibt, two, setting).cycles, 29 + 14);
    const auto latency = [&](NodeId, LinkId link) { return std::uint64_t{link == bypass ? 18U : 3U}; };
    EXPECT_EQ(max_plus_time(ibt, two, {8, 3, 29, latency}), 29 + 14);
}

// One packet over one link: the tail is in the reception queue F + 3 cycles after the source began, then a
// server reads it for as long as it takes (docs/node.md, section 11).
TEST(ServedHosts, TakeTheirTimeForAPacket) {
    const Network mesh = make_network("mesh:3");
    const std::uint64_t f = 8;
    Setting setting{node_with(Switching::store_and_forward, 8)};
    setting.host.servers = 1;
    const Program one(mesh, NodeId{0}, 1, {{*mesh.link(NodeId{0}, NodeId{1}), PacketId{0}}});
    EXPECT_EQ(run(mesh, one, setting).cycles, (f + 3) + f);
    setting.host.receive_cycles = 20;
    EXPECT_EQ(run(mesh, one, setting).cycles, (f + 3) + 20);
    // Sent on: the second hop begins when the first is over. The cost of sending comes behind the flits.
    setting.host.send_cycles = 30;
    EXPECT_EQ(run(mesh, chain(mesh, 1), setting).cycles, 2 * ((f + 3) + 20));
    // The second packet is there before the relay's server has sent the first: received, sent on, received.
    EXPECT_EQ(run(mesh, chain(mesh, 2), setting).cycles, (f + 3) + 20 + 30 + 20 + (f + 3) + 20);
}

// A relay with one server receives and sends k packets one after the other: nothing can be faster than the
// work of one host, and here the host is never idle once the first packet is there.
TEST(ServedHosts, AreBusyWithOnePacketAtATime) {
    const Network mesh = make_network("mesh:3");
    Setting setting{node_with(Switching::virtual_cut_through, 4)};
    setting.host.servers = 1;
    setting.host.receive_cycles = 10;
    setting.host.send_cycles = 10;
    setting.host.copy_cycles = 5;
    const std::uint64_t k = 20;
    // The relay's server: k x (10 + 15) from the cycle in which the first tail is in its reception queue (F +
    // 3), less the copying behind the last packet's flits; then the last packet's way to the end and its
    // reception.
    const std::uint64_t all = (4 + 3) + k * 25 - 15 + (4 + 3) + 10;
    EXPECT_EQ(run(mesh, chain(mesh, k), setting).cycles, all);
}

// One server, packets of 2 flits, an injection queue of 1: a flit that is written in cycle t is on
// rx_flit_o in t + 4, its credit back in t + 3. The source writes in 0, 3 (packet 0), 6, 9 (packet 1). The
// relay reads packet 0 from 7 to 17 and writes its first flit; in 18 it waits for room, and packet 1 has been
// there since 13: it reads that until 28. Then it writes in 28, 31, 34; the last host reads from 32 to 42 and
// to 52.
TEST(ServedHosts, ServeAnotherQueueWhileAPacketWaits) {
    const Network mesh = make_network("mesh:3");
    Setting setting{node_with(Switching::virtual_cut_through, 2)};
    setting.node.injection_depth = 1;
    setting.host.servers = 1;
    setting.host.receive_cycles = 10;
    EXPECT_EQ(run(mesh, chain(mesh, 2), setting).cycles, 52U);
    // With a server for each queue nobody waits: packet 1 is read from 17 to 27 beside, its flits are written
    // in 27 and 30, and it is read at the end from 34 to 44.
    setting.host.servers = 2;
    EXPECT_EQ(run(mesh, chain(mesh, 2), setting).cycles, 44U);
}

// Hops of F c + 3 + L cycles (section 10) in which no host sees anything move for longer than the watchdog's
// 10,000 cycles.
TEST(ProgramRun, ASlowLinkIsNoLockUp) {
    const Network mesh = make_network("mesh:3");
    for (const Switching switching :
         {Switching::store_and_forward, Switching::virtual_cut_through, Switching::wormhole}) {
        const Setting setting{node_with(switching, 64), {255, 1, 0}};
        EXPECT_EQ(run(mesh, chain(mesh, 1), setting).cycles, 2 * (64 * 255 + 3 + 1));
    }
}

TEST(ServedHosts, ManyServersThatCostNothingAreAlmostIdeal) {
    const Network ibt = make_network("ibt:8x8:b=4");
    const Program program = program_of(cases[2], ibt, 16);
    Setting setting{node_with(Switching::store_and_forward, 8)};
    const std::uint64_t ideal = run(ibt, program, setting).cycles;
    setting.host.servers = 1'000;
    const std::uint64_t many = run(ibt, program, setting).cycles;
    // A served host begins to read when the whole packet is there: F cycles more a hop.
    const std::uint64_t steps = run_steps(ibt, global_group(ibt), program).steps;
    EXPECT_GE(many, ideal);
    EXPECT_LE(many, ideal + steps * 8);
}

TEST(ServedHosts, WithLittleMemoryHoldBackWhatTheyCannotKeep) {
    const Network mesh = make_network("mesh:5");
    Setting setting{node_with(Switching::virtual_cut_through, 4, 8)};
    setting.node.vcs = 1;
    setting.host.servers = 2;
    setting.host.memory_packets = 1;
    const ProgramRun one = run(mesh, chain(mesh, 12), setting);
    setting.host.memory_packets = 0;
    const ProgramRun any = run(mesh, chain(mesh, 12), setting);
    EXPECT_EQ(one.receptions, any.receptions);
    EXPECT_GT(one.cycles, any.cycles);
}

/// Cycles of one packet over one link under seeds 1 to `seeds`.
std::vector<double> one_hop_under_seeds(const HostParameters& host, std::uint64_t seeds,
                                        const std::optional<TrafficOptions>& background = {}) {
    const Network mesh = make_network("mesh:3");
    const Program one(mesh, NodeId{0}, 1, {{*mesh.link(NodeId{0}, NodeId{1}), PacketId{0}}});
    Setting setting{node_with(Switching::store_and_forward, 8)};
    setting.host = host;
    setting.background = background;
    std::vector<double> cycles;
    for (setting.seed = 1; setting.seed <= seeds; ++setting.seed)
        cycles.push_back(static_cast<double>(run(mesh, one, setting).cycles));
    return cycles;
}

double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// F + 3 cycles to the reception queue and F to read it; then 0 to 40 cycles more, all as likely: 20 +- 11.8
// in the mean.
TEST(ServedHosts, TakeLongerByTheJitter) {
    HostParameters host;
    host.jitter_cycles = 40;
    const auto cycles = one_hop_under_seeds(host, 400);
    EXPECT_EQ(*std::min_element(cycles.begin(), cycles.end()), 19);
    EXPECT_EQ(*std::max_element(cycles.begin(), cycles.end()), 19 + 40);
    EXPECT_NEAR(mean_of(cycles), 19 + 20, 4 * 11.8 / 20);
}

// Both hosts begin at a random time U up to 1000: the reading begins at the later of U_0 + 11 and U_1, in the
// mean at 2/3 of 1000 (and some 5), with a standard deviation of 1000 / sqrt(18).
TEST(ServedHosts, BeginWithinTheSkew) {
    HostParameters host;
    host.start_skew_cycles = 1'000;
    const auto cycles = one_hop_under_seeds(host, 400);
    EXPECT_GE(*std::min_element(cycles.begin(), cycles.end()), 19);
    EXPECT_LE(*std::max_element(cycles.begin(), cycles.end()), 1'000 + 19);
    EXPECT_NEAR(mean_of(cycles), 666.7 + 5.5 + 8, 4 * 235.7 / 20);
}

// The same from the program's begin, whenever that is: what is in the way here is a flit in a million cycles.
TEST(ServedHosts, SkewCountsFromTheProgramsBegin) {
    HostParameters host;
    host.start_skew_cycles = 1'000;
    const TrafficOptions background{.load = 1e-6, .packet_flits = 8, .warmup = 5'000};
    EXPECT_EQ(one_hop_under_seeds(host, 100, background), one_hop_under_seeds(host, 100));
}

// Node 0 has made a packet of the background in cycle 0 when the program begins in cycle 1, and makes one in
// every cycle from then on, each for node 1, as the program's packet is. That stands second in the queue: its
// first flit is written in cycle F, F - 1 later than it could be alone, which takes F + 4 (section 7).
TEST(Background, PacketsTakeTheirTurnAtTheInjectionQueue) {
    const Network mesh = make_network("mesh:3");
    const Program program(mesh, NodeId{0}, 1, {{*mesh.link(NodeId{0}, NodeId{1}), PacketId{0}}});
    for (const std::uint32_t flits : {1U, 4U, 8U}) {
        Setting setting{node_with(Switching::virtual_cut_through, flits)};
        setting.node.injection_queues = 1;
        EXPECT_EQ(run(mesh, program, setting).cycles, flits + 4);
        setting.background = {.load = static_cast<double>(flits), .packet_flits = flits, .warmup = 1};
        setting.background->pattern.fixed = {1, 1, 2};
        const ProgramRun behind = run(mesh, program, setting);
        EXPECT_EQ(behind.start, 1U);
        EXPECT_EQ(behind.receptions, 1U);
        EXPECT_EQ(behind.cycles, flits + 4 + flits - 1);
    }
}

// Whatever hosts and forwarding: the program ends, later than alone in the mean, and what is offered is
// carried all the while (0.1 flits of 16 nodes in 40 runs of 150 cycles or more: 1,200 packets or more, 3% by
// chance).
TEST(Background, IsCarriedWhileTheProgramRuns) {
    const Network torus = make_network("torus:4x4");
    const Program program(torus, NodeId{0}, 24, spanning_tree_broadcast(torus, NodeId{0}, {0, 1}, 24));
    for (const Forwarding forwarding : {Forwarding::host, Forwarding::table, Forwarding::deposit})
        for (const bool served : {false, true}) {
            Setting setting{node_with(Switching::virtual_cut_through, 8)};
            setting.node.vcs = 4;
            setting.forwarding = forwarding;
            if (served) setting.host = host_parameters("bgl");
            const std::uint64_t alone = run(torus, program, setting).cycles;
            setting.background = {.load = 0.1, .packet_flits = 8, .warmup = detect_warmup};
            double accepted = 0;
            double cycles = 0;
            for (setting.seed = 1; setting.seed <= 40; ++setting.seed) {
                setting.background->seed = setting.seed;
                const ProgramRun over = run(torus, program, setting);
                EXPECT_EQ(over.receptions, program.send_count());
                accepted += over.background.accepted_load / 40;
                cycles += static_cast<double>(over.cycles) / 40;
                EXPECT_GT(over.background.latency_mean, 8);
                EXPECT_GE(over.start, 1'000U);
            }
            EXPECT_NEAR(accepted, 0.1, 0.012);
            EXPECT_GT(cycles, static_cast<double>(alone));
        }
}

// A host makes a packet in some eight million cycles here: nothing arrives, and what has not arrived is not
// fast.
TEST(Background, OfNoPacketHasNoLatency) {
    const Network mesh = make_network("mesh:3");
    const Program one(mesh, NodeId{0}, 1, {{*mesh.link(NodeId{0}, NodeId{1}), PacketId{0}}});
    Setting setting{node_with(Switching::virtual_cut_through, 8)};
    setting.background = {.load = 1e-6, .packet_flits = 8, .warmup = 10};
    const ProgramRun over = run(mesh, one, setting);
    EXPECT_TRUE(std::isnan(over.background.latency_mean));
    EXPECT_TRUE(std::isnan(over.background.latency_before));
    EXPECT_EQ(over.background.accepted_load, 0);
}

TEST(Background, MoreThanTheNetworkCarriesIsRefused) {
    const Network torus = make_network("torus:4x4");
    const Program program(torus, NodeId{0}, 2, spanning_tree_broadcast(torus, NodeId{0}, {0, 1}, 2));
    Setting setting{node_with(Switching::virtual_cut_through, 8)};
    setting.background = {.load = 4, .packet_flits = 8, .warmup = detect_warmup};
    EXPECT_THROW(run(torus, program, setting), FellShort);
}

/// Packets 0 and 1 both leave the source on both of its links, each first on another one.
Program two_forks(const Network& torus) {
    std::vector<Send> sends;
    for (const auto& [from, to, packet] :
         {std::tuple{0U, 1U, 0U}, {0U, 1U, 1U}, {0U, 3U, 1U}, {0U, 3U, 0U}, {1U, 2U, 0U}, {3U, 2U, 1U}})
        sends.push_back({*torus.link(NodeId{from}, NodeId{to}), PacketId{packet}});
    return {torus, NodeId{0}, 2, sends};
}

// Flits of which one branch is still to come keep their room: an injection queue of less than a packet never
// gets the tail that would let the first link go.
TEST(Deadlock, OfReplicatedPacketsThatAreInjectedInPartsIsSeen) {
    const Network torus = make_network("torus:4");
    for (const std::uint32_t depth : {7U, 8U}) {
        Setting setting{node_with(Switching::virtual_cut_through, 8)};
        setting.node.injection_depth = depth;
        setting.forwarding = Forwarding::table;
        const Fabric fabric(torus, setting.node);
        const Program program = two_forks(torus);
        InjectionPlan plan(torus, fabric, program, Forwarding::table);
        EXPECT_EQ(secure(torus, fabric, {}, plan).free, depth == 8);
        if (depth == 8) {
            EXPECT_GT(run(torus, program, setting).cycles, 0U);
            continue;
        }
        std::vector<NodeId> nodes = {NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}};
        std::vector<Machine::Part> parts;
        parts.push_back({nodes, native_region(fabric, nodes, &plan.tables())});
        Machine machine(fabric, std::move(parts));
        ProgramRunOptions options;
        options.packet_flits = 8;
        EXPECT_THROW(run_program(fabric, machine, plan, options), FellShort);
    }
    // One link at the source: the rest of a packet follows its head.
    Setting chain_setting{node_with(Switching::store_and_forward, 8)};
    chain_setting.node.injection_depth = 1;
    chain_setting.forwarding = Forwarding::table;
    const Network mesh = make_network("mesh:5");
    EXPECT_GT(run(mesh, chain(mesh, 3), chain_setting).cycles, 0U);
}

/// What the send lists of some nodes inject: node, port and each packet's header.
std::vector<std::tuple<std::uint32_t, std::uint32_t, std::vector<std::uint64_t>>> injected(
    const InjectionPlan& plan, NodeRange nodes) {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::vector<std::uint64_t>>> lists;
    for (const InjectionPlan::SendList& list : plan.lists()) {
        if (!nodes.contains(list.node)) continue;
        std::vector<std::uint64_t> packets;
        for (std::size_t i = 0; i < list.packets.size(); ++i) {
            PacketFields fields = plan.fields(list, i);
            fields.sequence = list.packets[i];
            const Packet packet = make_packet(fields);
            packets.insert(packets.end(), {packet.header, packet.identity});
        }
        lists.emplace_back(list.node, list.port, packets);
    }
    return lists;
}

// Three ranges of nodes, which are all, under every way to forward; parts outlive the plan and its program.
TEST(InjectionPlan, OfSomeNodesIsWhatTheseDoInThatOfAll) {
    for (const Case& c : cases) {
        const Network network = make_network(c.network);
        const std::uint32_t nodes = network.node_count();
        const Fabric fabric(network, node_with(Switching::store_and_forward, 4));
        for (const Forwarding forwarding : {Forwarding::host, Forwarding::table, Forwarding::deposit}) {
            SCOPED_TRACE(fmt::format("{}, {}", c.network, static_cast<int>(forwarding)));
            std::vector<InjectionPlan> parts;
            const std::vector<NodeRange> ranges = {
                {0, nodes / 5}, {nodes / 5, 1}, {nodes / 5 + 1, nodes - nodes / 5 - 1}};
            {
                const Program program = program_of(c, network, 6);
                const InjectionPlan all(network, fabric, program, forwarding);
                for (const NodeRange& range : ranges) parts.emplace_back(all.part(range));
            }
            const Program program = program_of(c, network, 6);
            const InjectionPlan all(network, fabric, program, forwarding);
            std::uint64_t arrivals = 0;
            for (std::size_t i = 0; i < ranges.size(); ++i) {
                const auto due = parts[i].arrivals(ranges[i]);
                EXPECT_EQ(injected(parts[i], {0, nodes}), injected(all, ranges[i]));
                EXPECT_EQ(due, all.arrivals(ranges[i]));
                arrivals += std::accumulate(due.begin(), due.end(), std::uint64_t{0});
                EXPECT_EQ(parts[i].packet_count(), 6U);
                EXPECT_EQ(parts[i].origins().source, program.origins().source);
                EXPECT_EQ(parts[i].send_count(), program.send_count());
                EXPECT_EQ(parts[i].tables().size(), all.tables().size());
                for (std::uint32_t v = 0; v < all.tables().size(); ++v)
                    EXPECT_EQ(parts[i].tables()[v],
                              ranges[i].contains(v) ? all.tables()[v] : std::vector<std::uint32_t>());
            }
            EXPECT_EQ(arrivals, program.send_count());
        }
    }
}

/// Two packets around a ring of three, one each way beyond the other's end: both relays hold one and send
/// one.
TEST(Deadlock, OfMemoryIsSeen) {
    const Network torus = make_network("torus:4");
    std::vector<Send> sends;
    for (const auto& [from, to, packet] :
         {std::tuple{0, 1, 0}, {1, 2, 0}, {0, 3, 1}, {3, 2, 1}, {2, 1, 1}, {2, 3, 0}})
        sends.push_back(
            {*torus.link(NodeId{static_cast<std::uint32_t>(from)}, NodeId{static_cast<std::uint32_t>(to)}),
             PacketId{static_cast<std::uint32_t>(packet)}});
    const Program program(torus, NodeId{0}, 2, sends);
    const Fabric fabric(torus, node_with(Switching::store_and_forward, 4));
    InjectionPlan plan(torus, fabric, program, Forwarding::host);
    HostParameters host;
    EXPECT_TRUE(secure(torus, fabric, host, plan).free);
    host.memory_packets = 1;
    const DeadlockCheck check = secure(torus, fabric, host, plan);
    EXPECT_FALSE(check.free);
    EXPECT_NE(check.how.find("memory of 2"), std::string::npos) << check.how;
    host.memory_packets = 2;  // as many as there are
    EXPECT_TRUE(secure(torus, fabric, host, plan).free);
}

/// Two trees in one column of four nodes, each with two links that the other waits for: on two channels they
/// do not meet.
TEST(Deadlock, OfTreesIsSeenAndResolvedByChannels) {
    const Network torus = make_network("torus:3x4");  // node x + 3 y
    std::vector<Send> sends;
    const auto way = [&](const std::vector<std::uint32_t>& nodes, std::uint32_t packet) {
        for (std::size_t i = 1; i < nodes.size(); ++i)
            sends.push_back({*torus.link(NodeId{nodes[i - 1]}, NodeId{nodes[i]}), PacketId{packet}});
    };
    way({0, 1, 4, 7, 10}, 0);
    way({0, 2, 5, 8, 7, 10, 1, 4}, 1);
    const Program program(torus, NodeId{0}, 2, sends);
    NodeParameters node = node_with(Switching::store_and_forward, 4, 4);
    node.vcs = 1;
    {
        const Fabric fabric(torus, node);
        InjectionPlan plan(torus, fabric, program, Forwarding::table);
        const DeadlockCheck check = secure(torus, fabric, {}, plan);
        EXPECT_FALSE(check.free);
        EXPECT_NE(check.how.find("channels may wait in a cycle"), std::string::npos) << check.how;
    }
    node.vc_depth = 8;  // two packets: as many as cross any link
    {
        const Fabric fabric(torus, node);
        InjectionPlan plan(torus, fabric, program, Forwarding::table);
        EXPECT_TRUE(secure(torus, fabric, {}, plan).free);
    }
    node.vc_depth = 4;
    node.vcs = 2;
    const Fabric fabric(torus, node);
    InjectionPlan plan(torus, fabric, program, Forwarding::table);
    EXPECT_TRUE(secure(torus, fabric, {}, plan).free);
    for (const auto& table : plan.tables())
        for (std::uint32_t slot = 0; slot < table.size(); ++slot)
            EXPECT_EQ(channels_of_entry(table[slot]), table[slot] == 0 ? 0 : 1U << slot);
    EXPECT_EQ(run(torus, program, {node, {}, {}, Forwarding::table}).receptions, program.send_count());
}

/// On several channels packets overtake one another; a host that must send the one that it has no memory to
/// receive waits for ever.
TEST(Deadlock, OfOvertakenPacketsIsSeen) {
    const Network mesh = make_network("mesh:4");
    const Program program = chain(mesh, 5);
    NodeParameters node = node_with(Switching::virtual_cut_through, 4, 8);
    HostParameters host;
    host.memory_packets = 1;
    for (const std::uint32_t vcs : {1U, 2U}) {
        node.vcs = vcs;
        const Fabric fabric(mesh, node);
        InjectionPlan plan(mesh, fabric, program, Forwarding::host);
        EXPECT_EQ(secure(mesh, fabric, host, plan).free, vcs == 1);
    }
}

TEST(InjectionPlan, RefusesWhatRoutersCannotForward) {
    const Network mesh = make_network("mesh:3x3");
    // Node 4 gets the packet twice.
    std::vector<Send> sends;
    for (const auto& [from, to] : {std::pair{0U, 1U}, {0U, 3U}, {1U, 4U}, {3U, 4U}})
        sends.push_back({*mesh.link(NodeId{from}, NodeId{to}), PacketId{0}});
    const Program program(mesh, NodeId{0}, 1, sends);
    const Fabric fabric(mesh, node_with(Switching::store_and_forward, 4));
    EXPECT_NO_THROW(InjectionPlan(mesh, fabric, program, Forwarding::host));
    EXPECT_THROW(InjectionPlan(mesh, fabric, program, Forwarding::table), InputError);
    EXPECT_THROW(InjectionPlan(mesh, fabric, program, Forwarding::deposit), InputError);
    const Fabric worm(mesh, node_with(Switching::wormhole, 4));
    const Program line(mesh, NodeId{0}, 1, {{*mesh.link(NodeId{0}, NodeId{1}), PacketId{0}}});
    InjectionPlan by_table(mesh, worm, line, Forwarding::table);
    EXPECT_THROW(secure(mesh, worm, {}, by_table), InputError);
}

}  // namespace
}  // namespace interlace
