// Interlace: frames on switches and workstations, by hand
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/switches/event.h"

#include <gmock/gmock.h>

#include <cmath>

#include "interlace/core/error.h"
#include "interlace/network/cluster.h"
#include "support/error_of.h"
#include "support/microsecond.h"

namespace interlace {
namespace {

using test::us;

/// n0 and n1 on s0, n2 and n3 on s1. Machine links of 1000 Mbps (1 us for 125 bytes), a trunk of
/// `trunk_mbps`, each with a latency of 2 us. Frames of 125 bytes.
struct TwoSwitches {
    Network network;
    SwitchTree tree;
    Routes routes;
    EventParameters parameters;
    MessageProgram program;

    static Network make(std::uint64_t trunk_mbps) {
        ClusterPlan plan;
        plan.switches = 2;
        plan.trunks = {{0, 1}};
        plan.machines = {0, 0, 1, 1};
        plan.link = {1'000'000'000, 2 * us};
        plan.trunk = {trunk_mbps * 1'000'000, 2 * us};
        return make_cluster("two switches", plan);
    }
    explicit TwoSwitches(std::uint64_t trunk_mbps = 1000)
        : network(make(trunk_mbps)), tree(network), routes(network, tree) {
        parameters.frame = {125, 0, 0};
        program.machines = 4;
    }
    OperationId message(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
        const OperationId send = program.send({NodeId{from}, NodeId{to}, bytes});
        return program.receive(program.message_of(send));
    }
    std::uint64_t arrival(OperationId receive) const {
        return run_event(network, routes, program, parameters).complete[receive];
    }
};

TEST(Event, StoreAndForwardDelaysAFrameAtEverySwitch) {
    TwoSwitches near;
    EXPECT_EQ(near.arrival(near.message(0, 1, 125)), (2 * 1 + 2 * 2) * us);  // two links
    TwoSwitches far;
    const OperationId received = far.message(0, 2, 125);
    EXPECT_EQ(far.arrival(received), (3 * 1 + 3 * 2) * us);
    far.parameters.switches.stored_from = StoredFrom::trunks;
    EXPECT_EQ(far.arrival(received), (2 * 1 + 3 * 2) * us);
}

// Two links of 1 us and 2 us, O_s of 3 us and O_r of 5 us: 14 us, and both overheads longer by 0 to 40 us,
// each as likely: 40 us more in the mean, with a standard deviation of 40 / sqrt(6).
TEST(Event, JitterMakesOverheadsLonger) {
    TwoSwitches c;
    c.parameters.workstation.send_overhead = 3 * us;
    c.parameters.workstation.receive_overhead = 5 * us;
    const OperationId received = c.message(0, 1, 125);
    EXPECT_EQ(c.arrival(received), 14 * us);
    c.parameters.workstation.jitter = 40 * us;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        const std::uint64_t time = run_event(c.network, c.routes, c.program, c.parameters, seed).time_ps;
        EXPECT_GE(time, 14 * us);
        EXPECT_LE(time, (14 + 80) * us);
        sum += static_cast<double>(time) / us;
    }
    EXPECT_NEAR(sum / 400, 14 + 40, 4 * 40 / std::sqrt(6) / 20);
}

TEST(Event, FramesFollowOneAnother) {
    TwoSwitches c;
    EXPECT_EQ(c.arrival(c.message(0, 2, 1250)), (10 + 2 + 3 * 2) * us);
    TwoSwitches slow(100);  // 10 us a frame on the trunk: its first begins when the first frame is there
    EXPECT_EQ(slow.arrival(slow.message(0, 2, 1250)), (1 + 100 + 1 + 3 * 2) * us);
}

TEST(Event, CutThroughWaitsForTheHeaderAndForNoFasterOutput) {
    TwoSwitches c;
    c.parameters.switches.forwarding = FrameSwitching::cut_through;
    c.parameters.switches.header = 25;  // 0.2 us
    const OperationId received = c.message(0, 2, 125);
    EXPECT_EQ(c.arrival(received), 1 * us + 2 * us / 5 + 3 * 2 * us);
    TwoSwitches slow(100);  // the second switch's output is ten times faster than its input
    slow.parameters.switches = c.parameters.switches;
    const OperationId late = slow.message(0, 2, 125);
    // The frame begins on the trunk after 0.2 us, is on it for 10 us, and leaves for n2 1 us before it is
    // there.
    EXPECT_EQ(slow.arrival(late), us / 5 + 10 * us + 3 * 2 * us);
}

TEST(Event, TwoMessagesShareAnOutput) {
    TwoSwitches c;
    const OperationId first = c.message(0, 2, 1250);
    const OperationId second = c.message(1, 2, 1250);
    const EventResult result = run_event(c.network, c.routes, c.program, c.parameters);
    EXPECT_EQ(std::max(result.complete[first], result.complete[second]), (20 + 2 + 3 * 2) * us);
    EXPECT_EQ(result.frames, 20U);
    EXPECT_EQ(result.longest_queue, 10U);  // two frames come while one leaves
}

TEST(Event, SendsAtTheSameTimeTakeTurns) {
    TwoSwitches c;
    const OperationId first = c.message(0, 1, 250);
    const OperationId second = c.message(0, 2, 250);
    const EventResult result = run_event(c.network, c.routes, c.program, c.parameters);
    EXPECT_EQ(result.complete[first], (3 + 1 + 4) * us);   // the third frame that leaves
    EXPECT_EQ(result.complete[second], (4 + 2 + 6) * us);  // the fourth
}

TEST(Event, OrderedSendsWaitForTheLink) {
    TwoSwitches c;
    const OperationId first = c.program.send({NodeId{0}, NodeId{1}, 250});
    const OperationId second = c.program.send({NodeId{0}, NodeId{2}, 250});
    const OperationId near = c.program.receive(MessageId{0});
    const OperationId far = c.program.receive(MessageId{1});
    c.program.require(second, first);
    const EventResult result = run_event(c.network, c.routes, c.program, c.parameters);
    EXPECT_EQ(result.complete[first], 1 * us);  // when its second frame begins
    EXPECT_EQ(result.complete[near], (2 + 1 + 4) * us);
    EXPECT_EQ(result.complete[far], (4 + 2 + 6) * us);
}

TEST(Event, WorkstationsCostWhatTheySay) {
    TwoSwitches c;
    c.parameters.workstation = {{100 * us}, 3 * us, 0, 5 * us, 0};
    const OperationId received = c.message(0, 1, 375);  // three frames
    // Start 100, then a frame every 3 us, the last at 109; each takes 2 links; receiving is slower: 5 us
    // each.
    EXPECT_EQ(c.arrival(received), (100 + 3 + 2 * 1 + 2 * 2 + 3 * 5) * us);
    c.parameters.workstation = {{0}, 0, 7 * us, 0, 0};
    EXPECT_EQ(c.arrival(received), (2 * 7 + 2 * 1 + 2 * 2) * us);
}

TEST(Event, AMessageIsStartedAfterAnother) {
    TwoSwitches c;
    c.parameters.workstation.start = {100 * us, 1, 1, 1};
    c.message(0, 1, 125);
    EXPECT_EQ(c.arrival(c.message(0, 2, 125)), (200 + 3 * 1 + 3 * 2) * us);
}

TEST(Event, IdleTimeCostsNothing) {
    // A message every 1000 s, in picoseconds: 10^16 of them. The run would not end if it went through them.
    TwoSwitches c;
    c.parameters.workstation.start = {1'000'000'000 * us};
    OperationId received;
    for (int i = 0; i < 10; ++i) received = c.message(0, 1, 125);
    EXPECT_EQ(c.arrival(received), 10'000'000'000 * us + (2 * 1 + 2 * 2) * us);
}

// 2^61 ps are 2.3 * 10^18, and 64 bits end at 18.4 * 10^18. Each of these takes longer than both.
TEST(Event, ATimeThatDoesNotFitIsRefused) {
    const auto error = [](const TwoSwitches& c) {
        return error_of([&] { run_event(c.network, c.routes, c.program, c.parameters); });
    };
    constexpr std::uint64_t thousand_seconds = 1'000'000'000 * us;
    constexpr auto says =
        "the run is longer than 2^61 ps, 26 days; expected shorter messages, faster links or shorter times";
    TwoSwitches computes;
    for (int i = 0; i < 40; ++i) computes.program.compute(NodeId{0}, 1'000'000'000'000'000'000);
    EXPECT_EQ(error(computes), says);
    TwoSwitches in_turn;
    OperationId last = in_turn.program.compute(NodeId{0}, 1'000'000'000'000'000'000);
    for (int i = 1; i < 40; ++i) {
        const OperationId next = in_turn.program.compute(NodeId{0}, 1'000'000'000'000'000'000);
        in_turn.program.require(next, last);
        last = next;
    }
    EXPECT_EQ(error(in_turn), says);
    TwoSwitches waits;  // 20,000 frames, a thousand seconds between two
    waits.parameters.workstation.gap = thousand_seconds;
    waits.message(0, 1, 20'000 * 125);
    EXPECT_EQ(error(waits), says);
    TwoSwitches starts;  // likewise, of messages
    starts.parameters.workstation.start = {thousand_seconds};
    for (int i = 0; i < 20'000; ++i) starts.message(0, 1, 1);
    EXPECT_EQ(error(starts), says);
    TwoSwitches takes;
    takes.parameters.workstation.receive_overhead = thousand_seconds;
    takes.message(0, 1, 20'000 * 125);
    EXPECT_EQ(error(takes), says);
    TwoSwitches fits;  // 2000 gaps of a thousand seconds, then two links
    fits.parameters.workstation.gap = thousand_seconds;
    EXPECT_EQ(fits.arrival(fits.message(0, 1, std::uint64_t{2001} * 125)),
              2000 * thousand_seconds + (2 + 4) * us);
}

TEST(Event, ASlowLinkIsNotFast) {
    // 64 KiB a frame at 1 kbit/s: 524 s each; 4 GiB need 34 * 10^18 ps.
    ClusterPlan plan;
    plan.switches = 1;
    plan.machines = {0, 0};
    plan.link = {1000, 0};
    const Network network = make_cluster("slow", plan);
    EventParameters parameters;
    parameters.frame = {65'536, 0, 0};
    MessageProgram program;
    program.machines = 2;
    program.receive(program.message_of(program.send({NodeId{0}, NodeId{1}, 65'536})));
    EXPECT_EQ(run_event(network, Routes(network, SwitchTree(network)), program, parameters).time_ps,
              2 * 524'288'000'000'000U);
    program.messages[0].bytes = std::uint64_t{4} << 30U;
    EXPECT_THAT(
        error_of([&] { run_event(network, Routes(network, SwitchTree(network)), program, parameters); }),
        testing::HasSubstr("26 days"));
}

TEST(Event, ABarrierWaitsForTheLastMachine) {
    TwoSwitches c;
    c.parameters.workstation.barrier = 10 * us;
    const OperationId received = c.message(0, 3, 125);
    std::vector<OperationId> passed;
    for (std::uint32_t i = 0; i < 4; ++i) passed.push_back(c.program.barrier(NodeId{i}, 0));
    c.program.require(passed[3], received);
    const EventResult result = run_event(c.network, c.routes, c.program, c.parameters);
    EXPECT_EQ(result.complete[passed[0]], (9 + 10) * us);
    EXPECT_EQ(result.time_ps, (9 + 10) * us);
}

TEST(Event, SaysWhoWaitsForEver) {
    TwoSwitches c;
    const OperationId received = c.message(2, 1, 125);
    const OperationId answer = c.program.send({NodeId{1}, NodeId{2}, 125});
    c.program.receive(MessageId{1});
    c.program.require(answer, received);
    c.program.require(received, answer);
    try {
        run_event(c.network, c.routes, c.program, c.parameters);
        FAIL();
    } catch (const FellShort& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("n1 waits to receive message 0 from n2"));
    }
}

TEST(Event, SmallFramesHaveTheirMinimum) {
    TwoSwitches c;
    c.parameters.frame = {1500, 38, 84};
    EXPECT_EQ(c.arrival(c.message(0, 1, 0)), (2 * 84 * 8) * us / 1000 + 4 * us);
    EXPECT_EQ(c.arrival(c.message(0, 1, 1501)),
              // The first frame's 1538 bytes twice, and the second's 84.
              (2 * 1538 * 8 + 84 * 8) * us / 1000 + 4 * us + (84 * 8) * us / 1000);
}

}  // namespace
}  // namespace interlace
