// Interlace: a cluster with back-pressure is the same on the event engine and on nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/engine/checking/lockstep.h"
#include "interlace/engine/native/native.h"
#include "interlace/engine/systemc/systemc.h"
#include "interlace/engine/verilated/verilated.h"
#include "interlace/harness/messages/message_run.h"
#include "interlace/network/cluster.h"
#include "interlace/program/protocol.h"
#include "support/rank_threads.h"

namespace interlace {
namespace {

/// Numbers from a seed, one after another.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : seed_(seed) {}
    std::uint32_t below(std::uint32_t end) {
        return static_cast<std::uint32_t>(random_bits(seed_, 0, index_++) % end);
    }

  private:
    std::uint64_t seed_, index_ = 0;
};

constexpr std::uint64_t cycle = 128'000;  // picoseconds: a flit of 16 bytes at 1000 Mbps
constexpr std::uint32_t max_ports = 8;

ClusterPlan random_plan(std::uint64_t seed) {
    for (std::uint64_t attempt = 0;; ++attempt) {
        Draw draw(random_bits(seed, 1, attempt));
        const std::uint32_t switches = 1 + draw.below(4);
        ClusterPlan plan =
            random_cluster(switches, 2 + draw.below(6), (switches - 1) / 2.0, draw.below(1000));
        plan.link.latency_ps = (1 + draw.below(4)) * cycle;
        plan.trunk.latency_ps = (1 + draw.below(4)) * cycle;
        const Network network = make_cluster("", plan);
        std::uint32_t degree = 0;
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            degree = std::max(degree, network.degree(NodeId{v}));
        if (degree <= max_ports) return plan;
    }
}

/// Switches with room for few frames, workstations of all kinds.
EventParameters random_parameters(std::uint64_t seed, std::uint32_t machines) {
    Draw draw(random_bits(seed, 2, 0));
    EventParameters p;
    const std::uint32_t flits = 3 + draw.below(9);
    p.frame = {flits * 16 - 6, 6, flits * 16};
    p.flow = Flow::credit;
    p.switches.forwarding =
        draw.below(2) == 0 ? FrameSwitching::store_and_forward : FrameSwitching::cut_through;
    p.switches.buffering = Buffering::input;
    p.switches.arbitration = Arbitration::round_robin;
    p.switches.header = 16;
    p.switches.capacity = 1 + draw.below(4);
    WorkstationParameters& w = p.workstation;
    w.start.clear();
    for (std::uint32_t m = 0; m < machines; ++m) w.start.push_back(draw.below(3) * 7 * cycle);
    w.send_overhead = draw.below(2) * 5 * cycle;
    w.gap = draw.below(3) * 6 * cycle;
    w.receive_overhead = (3 + draw.below(2) * draw.below(20)) * cycle;
    w.barrier = (3 + draw.below(5)) * cycle;
    w.stall_probability = draw.below(2) * 0.2;
    w.stall = 11 * cycle;
    return p;
}

/// Of each two machines that exchange several messages, now and then: receives take what starts first.
void match_at_random(MessageProgram& program, std::uint64_t seed) {
    Draw draw(random_bits(seed, 5, 0));
    if (draw.below(3) == 0) return;
    for (const auto& operation : program.operations)
        if (operation.kind == MessageProgram::Kind::barrier) return;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> pairs;
    for (std::uint32_t m = 0; m < program.messages.size(); ++m)
        pairs[{program.messages[m].from, program.messages[m].to}].push_back(m);
    program.matching.envelopes.resize(program.messages.size());
    std::uint32_t envelopes = 0;
    for (const auto& [pair, messages] : pairs) {
        if (messages.size() < 2 || draw.below(4) == 0) continue;
        for (const std::uint32_t m : messages)
            if (draw.below(5) != 0) program.matching.envelopes[m] = envelopes;
        ++envelopes;
    }
}

/// Messages among machines, several at once, some after others, and now and then a barrier.
MessageProgram random_program(std::uint64_t seed, std::uint32_t machines, std::uint32_t mtu) {
    Draw draw(random_bits(seed, 3, 0));
    MessageProgram program;
    program.machines = machines;
    std::vector<std::vector<OperationId>> of(machines);  // since the last barrier, and that
    const auto after_some = [&](OperationId operation, std::uint32_t machine) {
        if (!of[machine].empty()) program.require(operation, of[machine].front());
        for (const OperationId before : of[machine])
            if (draw.below(4) == 0 && before != of[machine].front()) {
                if (draw.below(3) == 0)
                    program.start_order.emplace_back(before, operation);
                else
                    program.require(operation, before);
            }
        of[machine].push_back(operation);
    };
    const std::uint32_t messages = 5 + draw.below(40);
    for (std::uint32_t i = 0; i < messages; ++i) {
        const std::uint32_t from = draw.below(machines);
        const std::uint32_t to = (from + 1 + draw.below(machines - 1)) % machines;
        const OperationId send = program.send({NodeId{from}, NodeId{to}, draw.below(5 * mtu)});
        after_some(send, from);
        after_some(program.receive(program.message_of(send)), to);
        if (draw.below(15) != 0) continue;
        for (std::uint32_t m = 0; m < machines; ++m) {
            const OperationId barrier = program.barrier(NodeId{m}, i);
            for (const OperationId before : of[m]) program.require(barrier, before);
            of[m] = {barrier};
        }
    }
    if (draw.below(4) == 0) program = with_barriers_as_messages(program);
    match_at_random(program, seed);
    return draw.below(3) == 0 ? with_rendezvous(program, draw.below(3 * mtu)) : program;
}

using MakeRegions = std::unique_ptr<Region> (*)(const Fabric&, const std::vector<NodeId>&, const PortTables*);

struct Case {
    Network network;
    Routes routes;
    EventParameters parameters;
    MessageProgram program;
    explicit Case(std::uint64_t seed)
        : network(make_cluster("random", random_plan(seed))),
          routes(network, SwitchTree(network)),
          parameters(random_parameters(seed, network.endpoint_count())),
          program(random_program(seed, network.endpoint_count(), parameters.frame.mtu)) {}

    /// Whether it does, where receives take what starts first.
    bool ends() const {
        try {
            run_event(network, routes, program, parameters, 5);
        } catch (const FellShort&) {
            return false;
        }
        return true;
    }

    MessageRun run_on(MakeRegions make) const { return run_divided(make, {}, 1); }

    /// In regions that end before these nodes, shared out among the ranks in their order.
    MessageRun run_divided(MakeRegions make, const std::vector<std::uint32_t>& ends, std::uint32_t threads,
                           Communicator& ranks = no_other_ranks()) const {
        const ClusterNodes nodes = cluster_nodes(network, routes, parameters);
        std::vector<std::vector<NodeId>> regions(1);
        for (std::uint32_t v = 0; v < network.node_count(); ++v) {
            if (std::find(ends.begin(), ends.end(), v) != ends.end()) regions.emplace_back();
            regions.back().emplace_back(v);
        }
        std::vector<Machine::Part> parts;
        NodeRange own;
        for (std::uint32_t i = 0; i < regions.size(); ++i) {
            if (i * ranks.size() / regions.size() != ranks.rank()) continue;
            if (parts.empty()) own.first = regions[i].front();
            own.count += static_cast<std::uint32_t>(regions[i].size());
            parts.push_back({regions[i], nullptr});
        }
        const Fabric fabric(network, nodes.node, nodes.links, own);
        for (Machine::Part& part : parts) part.region = make(fabric, part.nodes, &nodes.tables);
        Machine machine(fabric, std::move(parts), threads, {}, ranks);
        return run_messages(fabric, machine, nodes, program, parameters, 5);
    }
};

/// Every operation is complete in the same cycle.
void compare(MakeRegions make, std::uint64_t seed) {
    SCOPED_TRACE("case " + std::to_string(seed));
    const Case c(seed);
    if (!c.ends()) {
        if (seed % 100 == 0) {
            EXPECT_THROW(c.run_on(make), FellShort);
        }
        return;
    }
    const EventResult event = run_event(c.network, c.routes, c.program, c.parameters, 5);
    const MessageRun nodes = c.run_on(make);
    ASSERT_EQ(nodes.complete, event.complete);
    EXPECT_EQ(nodes.frames, event.frames);
    EXPECT_EQ(nodes.cycles * cycle, event.time_ps);
}

std::unique_ptr<Region> native(const Fabric& fabric, const std::vector<NodeId>& nodes,
                               const PortTables* tables) {
    return native_region(fabric, nodes, tables);
}

/// All three engines, pin by pin.
std::unique_ptr<Region> all_three(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                  const PortTables* tables) {
    std::vector<NamedRegion> regions;
    regions.push_back({"native", native_region(fabric, nodes, tables)});
    regions.push_back({"rtl", verilated_region(fabric, nodes, tables)});
    regions.push_back({"systemc", systemc_region(fabric, nodes, tables)});
    return lockstep_region(fabric, nodes, std::move(regions), "");
}

/// Worms of 10 flits from n0 and n1, on s0, to n2 and n3, on s1, over one trunk; latencies of one cycle.
MessageRun two_worms(std::uint32_t first_to, std::uint32_t second_to, std::uint32_t room) {
    ClusterPlan plan;
    plan.switches = 2;
    plan.trunks = {{0, 1}};
    plan.machines = {0, 0, 1, 1};
    plan.link.latency_ps = plan.trunk.latency_ps = cycle;
    Case c(0);
    c.network = make_cluster("two switches", plan);
    c.routes = Routes::up_down(c.network, 0);
    c.parameters.switches.forwarding = FrameSwitching::wormhole;
    c.parameters.switches.capacity = room;
    c.parameters.frame = {154, 6, 48};
    c.parameters.workstation = {};
    c.parameters.workstation.receive_overhead = 3 * cycle;
    c.program = {};
    c.program.machines = 4;
    for (const auto& [from, to] : {std::pair(0U, first_to), {1U, second_to}})
        c.program.receive(c.program.message_of(c.program.send({NodeId{from}, NodeId{to}, 154})));
    return c.run_on(native);
}

TEST(ClusterEngines, WormsTakeTurnsOnATrunk) {
    // By hand (docs/node.md, section 7): a worm's head goes on two cycles after it came; three links, ten
    // flits on the last one, three cycles until the machine has it: 2 * 2 + 10 + 1 + 3 = 18.
    const MessageRun alone = two_worms(1, 2, 4);
    EXPECT_EQ(alone.complete[3] / cycle, 18U);
    EXPECT_EQ(alone.complete[1] / cycle, 16U);  // n0 to n1: two links
    // On a trunk with one channel the second worm comes when the first one's tail has gone: 10 cycles later.
    EXPECT_EQ(two_worms(2, 3, 4).complete[1] / cycle, 18U);
    EXPECT_EQ(two_worms(2, 3, 4).complete[3] / cycle, 28U);
    EXPECT_EQ(two_worms(2, 2, 4).complete[3] / cycle, 28U);
    // A flit's credit is back four cycles after it moved: on the link in the next, moved on in the one after
    // that, then on credit_o, and it counts from the next on. So room for two lets flits go in cycles 0, 1,
    // 4, 5, ..., the tenth in 17 instead of 9; room for one in 0, 4, ..., 36.
    EXPECT_EQ(two_worms(1, 2, 2).complete[3] / cycle, 18U + 17 - 9);
    EXPECT_EQ(two_worms(1, 2, 1).complete[3] / cycle, 18U + 36 - 9);
}

TEST(ClusterEngines, NodesDoWhatTheEventEngineDoes) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        compare(native, seed);
        if (HasFailure()) return;
    }
}

/// Where a network is cut into 2 to 5 regions, at random.
std::vector<std::uint32_t> random_ends(std::uint64_t seed, std::uint32_t nodes) {
    Draw draw(random_bits(seed, 4, 0));
    std::set<std::uint32_t> ends;
    for (const std::size_t count = 1 + draw.below(4); ends.size() < std::min<std::size_t>(count, nodes - 1);)
        ends.insert(1 + draw.below(nodes - 1));
    return {ends.begin(), ends.end()};
}

/// Every operation in the same cycle, and every queue as full for as long.
void expect_same(const MessageRun& run, const MessageRun& of_one_region) {
    EXPECT_EQ(run.complete, of_one_region.complete);
    EXPECT_EQ(run.frames, of_one_region.frames);
    EXPECT_EQ(run.time_ps, of_one_region.time_ps);
    EXPECT_EQ(run.queues, of_one_region.queues);
}

TEST(ClusterEngines, DoNotDependOnTheCutTheThreadsOrTheRanks) {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        SCOPED_TRACE("case " + std::to_string(seed));
        const Case c(seed);
        if (!c.ends()) continue;
        const MessageRun one = c.run_on(native);
        const std::vector<std::uint32_t> ends = random_ends(seed, c.network.node_count());
        expect_same(c.run_divided(native, ends, 1), one);
        if (seed % 10 == 0) {  // which wait for one another in every cycle
            expect_same(c.run_divided(native, ends, 2), one);
            const auto ranks =
                static_cast<std::uint32_t>(std::min<std::size_t>(2 + seed / 10 % 2, ends.size() + 1));
            run_on_ranks(ranks,
                         [&](Communicator& rank) { expect_same(c.run_divided(native, ends, 1, rank), one); });
        }
        if (HasFailure()) return;
    }
}

// A host knows two cycles late that a frame of its own has left; so a barrier which that completes is the one
// of which others hear with the least time to spare. Barriers of every length meet stretches at every cycle.
TEST(ClusterEngines, HearOfBarriersThatASendCompletes) {
    Case c(0);
    WorkstationParameters& w = c.parameters.workstation;
    w = {};
    w.receive_overhead = 3 * cycle;
    const NodeId first{0}, last{c.network.endpoint_count() - 1};
    c.program = {};
    c.program.machines = c.network.endpoint_count();
    const OperationId before = c.program.send({first, last, 10});
    for (std::uint32_t m = 0; m < c.program.machines; ++m) c.program.barrier(NodeId{m}, 0);
    c.program.require(OperationId{1}, before);
    const OperationId after = c.program.send({last, first, 10});
    c.program.require(after, OperationId{+last + 1});
    c.program.receive(c.program.message_of(before));
    c.program.receive(c.program.message_of(after));
    for (std::uint64_t barrier = 3; barrier <= 12; ++barrier)
        for (std::uint64_t start = 0; start <= 12; ++start) {
            w.barrier = barrier * cycle;
            w.start.assign(c.program.machines, 0);
            w.start.front() = start * cycle;
            const EventResult event = run_event(c.network, c.routes, c.program, c.parameters, 5);
            EXPECT_EQ(c.run_divided(native, {1, +last}, 1).complete, event.complete)
                << barrier << ' ' << start;
        }
}

TEST(ClusterEngines, OfHardwareDoNotDependOnTheRanks) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Case c(seed);
        if (!c.ends()) continue;
        const std::vector<std::uint32_t> ends = random_ends(seed, c.network.node_count());
        const MakeRegions rtl = [](const Fabric& fabric, const std::vector<NodeId>& nodes,
                                   const PortTables* tables) {
            return verilated_region(fabric, nodes, tables);
        };
        const MessageRun one = c.run_on(native);
        run_on_ranks(2, [&](Communicator& rank) { expect_same(c.run_divided(rtl, ends, 1, rank), one); });
    }
}

/// What came of a run, or what was said of it.
std::string outcome_of(const std::function<void()>& run) {
    try {
        run();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "ran";
}

TEST(ClusterEngines, SayOnRanksWhatTheyWaitFor) {
    // n1 never sends what n0 waits for; the message from n0 to n1 arrives.
    Case c(0);
    c.program = {};
    c.program.machines = c.network.endpoint_count();
    c.program.receive(c.program.message_of(c.program.send({NodeId{0}, NodeId{1}, 10})));
    c.program.send({NodeId{1}, NodeId{0}, 10});
    c.program.require(OperationId{2}, OperationId{3});
    c.program.receive(MessageId{1});
    const std::string alone = outcome_of([&] { c.run_on(native); });
    EXPECT_THAT(alone, ::testing::StartsWith(
                           "nothing has moved for 100001 cycles: n1 waits to send message 1 to n0"));
    run_on_ranks(2, [&](Communicator& rank) {
        EXPECT_EQ(outcome_of([&] { c.run_divided(native, {1}, 1, rank); }), alone);
    });
}

/// What is said of case 0 with a change that nodes cannot represent.
template <class Change>
std::string refusal(const Change& change) {
    Case c(0);
    change(c.parameters);
    try {
        cluster_nodes(c.network, c.routes, c.parameters);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

TEST(ClusterEngines, WhatNodesCannotRepresentIsRefused) {
    using ::testing::HasSubstr;
    using P = EventParameters;
    EXPECT_EQ(refusal([](P&) {}), "");
    EXPECT_EQ(
        refusal([](P& p) {
            p.flow = Flow::drop;
            p.switches.buffering = Buffering::output;
        }),
        Case(0).network.name() +
            ": cannot use event.flow that is not credit; event.switch.buffering that is not input on a cycle "
            "engine; expected event.flow: credit; event.switch.buffering: input");
    EXPECT_THAT(refusal([](P& p) { p.reliability.window = Window::reno; }), HasSubstr("window: go_back_n"));
    EXPECT_THAT(refusal([](P& p) { p.flow = Flow::pause; }), HasSubstr("event.flow"));
    EXPECT_THAT(refusal([](P& p) { p.other_switches[0] = p.switches; }), HasSubstr("event.other_switches"));
    EXPECT_THAT(refusal([](P& p) { p.switches.buffering = Buffering::output; }),
                HasSubstr("buffering: input"));
    EXPECT_THAT(refusal([](P& p) { p.switches.arbitration = Arbitration::first_come; }),
                HasSubstr("arbitration: round_robin"));
    EXPECT_THAT(refusal([](P& p) { p.switches.output_room = 1; }), HasSubstr("output_room 1"));
    EXPECT_THAT(refusal([](P& p) { p.switches.delay_ps = cycle; }), HasSubstr("delay_us"));
    EXPECT_THAT(refusal([](P& p) { p.switches.stored_from = StoredFrom::trunks; }), HasSubstr("stored_from"));
    EXPECT_THAT(refusal([](P& p) { p.frame.minimum = 32; }), HasSubstr("frames of one size"));
    EXPECT_THAT(refusal([](P& p) { p.frame = {26, 6, 32}; }), HasSubstr("3 to 64 flits"));
    EXPECT_THAT(refusal([](P& p) { p.frame = {1034, 6, 1040}; }), HasSubstr("3 to 64 flits"));
    EXPECT_THAT(refusal([](P& p) { p.switches.header = 15; }), HasSubstr("in flits of 15 bytes"));
    EXPECT_THAT(
        refusal([](P& p) { p.workstation.receive_overhead = 2 * cycle; }),
        HasSubstr("receive_overhead_us of 0.256 us on a cycle engine; expected 3 or more whole cycles"));
    EXPECT_THAT(refusal([](P& p) { p.workstation.gap = 1; }), HasSubstr("gap_us"));
    EXPECT_THAT(refusal([](P& p) { p.workstation.start = {0, 5}; }), HasSubstr("start_us"));
    EXPECT_THAT(refusal([](P& p) { p.workstation.start_skew = cycle; }), HasSubstr("start_skew_us: 0"));
    EXPECT_THAT(refusal([](P& p) { p.workstation.jitter = cycle; }), HasSubstr("jitter_us: 0"));
    Case barrier(0);
    barrier.parameters.workstation.barrier = 2 * cycle;
    barrier.program.barrier(NodeId{0}, 9999);
    EXPECT_THROW(barrier.run_on(native), InputError);
}

TEST(ClusterEngines, SoDoRtlAndSystemC) {
    for (const std::uint32_t ports : {2U, 4U, 6U, 8U}) systemc_reserve(ports, 16);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        compare(all_three, seed);
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace interlace
