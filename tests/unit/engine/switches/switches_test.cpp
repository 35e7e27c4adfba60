// Interlace: switches with little room: what they drop, what blocks, and that everything arrives all the same
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "interlace/core/random.h"
#include "interlace/engine/switches/event.h"
#include "interlace/network/cluster.h"
#include "support/microsecond.h"

namespace interlace {
namespace {

using test::us;

/// One switch; frames of 125 bytes take 1 us.
struct OneSwitch {
    Network network;
    Routes routes;
    EventParameters parameters;
    MessageProgram program;

    static Network make(std::uint32_t machines) {
        ClusterPlan plan;
        plan.switches = 1;
        plan.machines.assign(machines, 0);
        return make_cluster("one switch", plan);
    }
    explicit OneSwitch(std::uint32_t machines)
        : network(make(machines)), routes(network, SwitchTree(network)) {
        parameters.frame = {125, 0, 0};
        program.machines = machines;
    }
    void message(std::uint32_t from, std::uint32_t to, std::uint64_t frames) {
        program.receive(program.message_of(program.send({NodeId{from}, NodeId{to}, 125 * frames})));
    }
    EventResult run() const { return run_event(network, routes, program, parameters); }
};

TEST(Switches, AnOutputDropsWhatFindsNoRoom) {
    // n0, n1 and n2 send one frame each to n3 at once; there is room for two: one in transmission, one
    // waiting.
    OneSwitch c(4);
    for (std::uint32_t i = 0; i < 3; ++i) c.message(i, 3, 1);
    c.parameters.switches.capacity = 2;
    c.parameters.reliability = {100 * us, 1 * us};
    const EventResult result = c.run();
    EXPECT_EQ(result.dropped, 1U);
    EXPECT_EQ(result.retransmitted, 1U);
    EXPECT_EQ(result.time_ps, (100 + 1 + 1) * us);  // sent again after the time-out, over two links
    c.parameters.switches.capacity = 3;
    EXPECT_EQ(c.run().dropped, 0U);
    EXPECT_EQ(c.run().time_ps, (1 + 3) * us);
}

TEST(Switches, APoolIsSharedByAllOutputs) {
    // Two frames for each of n2 and n3 at once: each output has one in transmission and one waiting.
    OneSwitch c(6);
    for (std::uint32_t i : {0U, 1U, 4U, 5U}) c.message(i, 2 + i % 2, 1);
    c.parameters.switches.buffering = Buffering::shared;
    c.parameters.switches.capacity = 3;
    EXPECT_EQ(c.run().dropped, 1U);
    c.parameters.switches.capacity = 4;
    EXPECT_EQ(c.run().dropped, 0U);
    c.parameters.switches.buffering = Buffering::output;
    c.parameters.switches.capacity = 2;
    EXPECT_EQ(c.run().dropped, 0U);
}

TEST(Switches, TheFirstFrameOfAnInputBlocksThoseBehindIt) {
    // n0 -> n2 twice... n1 sends to n2 and then to n3; n0's frame for n2 is served first, as n1 is later by a
    // picosecond.
    OneSwitch c(4);
    c.parameters.workstation.start = {0, 1, 0, 0};
    c.message(0, 2, 1);
    c.message(1, 2, 1);
    c.message(1, 3, 1);
    c.program.require(OperationId{4}, OperationId{2});
    EXPECT_EQ(c.run().complete[5] / us, 3U);  // to n3, sent at 1 us: nothing in its way
    c.parameters.switches.buffering = Buffering::input;
    // n1's first frame waits for n2's link to 2 us and leaves by 3 us, its second one after that.
    EXPECT_EQ(c.run().complete[5] / us, 4U);
}

/// 8 machines send frames to 8 others, each with equal probability.
double saturation(Buffering buffering) {
    constexpr std::uint32_t frames = 20'000;
    OneSwitch c(16);
    c.parameters.switches.buffering = buffering;
    for (std::uint32_t i = 0; i < 8; ++i)
        for (std::uint32_t n = 0; n < frames; ++n) {
            c.message(i, 8 + static_cast<std::uint32_t>(random_bits(3, i, n) % 8), 1);
            const auto send = static_cast<std::uint32_t>(c.program.operations.size() - 2);
            if (n > 0) c.program.require(OperationId{send}, OperationId{send - 2});
        }
    return frames / (static_cast<double>(c.run().time_ps) / us);
}

TEST(Switches, InputQueuesSaturateWhereTheoryHasThem) {
    // Karol, Hluchyj, Morgan 1987, Table 1: N = 8, 0.6184 frames an input and slot; 58.6% for infinite N.
    EXPECT_NEAR(saturation(Buffering::input), 0.6184, 0.006);
    EXPECT_GT(saturation(Buffering::output), 0.97);
}

TEST(Switches, RenoStartsSlowly) {
    // A round trip of 1 + 1 + 10 us. Frames 0 and 1 at 0 and 1; their acknowledgements at 12 and 13 let two
    // more go each, at 12, 13, 14 and 15.
    OneSwitch c(2);
    c.message(0, 1, 6);
    c.parameters.reliability = {100 * us, 10 * us, Window::reno, 2};
    EXPECT_EQ(c.run().time_ps, (15 + 2) * us);
    c.parameters.reliability.initial_window = 4;  // at 0 to 3, 12 and 13
    EXPECT_EQ(c.run().time_ps, (13 + 2) * us);
    c.parameters.reliability.window = Window::go_back_n;
    EXPECT_EQ(c.run().time_ps, (5 + 2) * us);
}

TEST(Switches, RenoSendsAgainWhatThreeAcknowledgementsMiss) {
    // n0 sends two frames and n1, a picosecond later, eight to n2, where there is room for two. At 2, n0's
    // second one comes before n1's second one, which is lost. n1's third to fifth are there at 5, 6 and 7,
    // which n1 hears by 17.
    OneSwitch c(3);
    c.message(0, 2, 2);
    c.message(1, 2, 8);
    c.parameters.workstation.start = {0, 1, 0};
    c.parameters.switches.capacity = 2;
    c.parameters.reliability = {100 * us, 10 * us, Window::reno, 8};
    const EventResult reno = c.run();
    EXPECT_EQ(reno.dropped, 1U);
    EXPECT_EQ(reno.retransmitted, 1U);
    EXPECT_EQ(reno.time_ps / us, 17U + 2);
    c.parameters.reliability.window = Window::go_back_n;  // hears at 13 of the first, and then of no more
    EXPECT_EQ(c.run().retransmitted, 7U);
    EXPECT_EQ(c.run().time_ps / us, 13U + 100 + 6 + 2);
}

TEST(Switches, RenoWaitsTwiceAsLongEachTime) {
    // n0 and, a picosecond later, n1 send a frame to n2, where there is room for one.
    OneSwitch c(3);
    c.parameters.workstation.start = {0, 1, 0};
    c.message(0, 2, 1);
    c.message(1, 2, 1);
    c.parameters.switches.capacity = 1;
    c.parameters.reliability = {100 * us, 10 * us, Window::reno, 2};
    EXPECT_EQ(c.run().time_ps / us, 100U + 2);
    // n0 keeps n2's link busy when n1 tries again at 100, and does not at 300.
    c.message(0, 2, 200);
    c.parameters.reliability.initial_window = 200;
    EXPECT_EQ(c.run().complete[3] / us, 300U + 2);
}

TEST(Switches, EverythingArrivesHoweverLittleRoomThereIs) {
    for (const Buffering buffering : {Buffering::output, Buffering::shared, Buffering::input})
        for (const auto& [capacity, window] : {std::pair(1U, Window::go_back_n),
                                               {2U, Window::go_back_n},
                                               {5U, Window::go_back_n},
                                               {1U, Window::reno},
                                               {2U, Window::reno},
                                               {5U, Window::reno}}) {
            OneSwitch c(8);
            c.parameters.switches.buffering = buffering;
            c.parameters.switches.capacity = capacity;
            c.parameters.reliability = {200 * us, 10 * us, window, 2};
            for (std::uint32_t i = 0; i < 8; ++i)
                for (std::uint32_t j = 0; j < 8; ++j)
                    if (i != j) c.message(i, j, 9);
            const EventResult result = c.run();
            EXPECT_EQ(result.frames - result.retransmitted, 8U * 7 * 9);
            EXPECT_LE(result.dropped, result.retransmitted);
            EXPECT_EQ(result.dropped == 0, result.retransmitted == 0);
            EXPECT_GE(result.time_ps, (7 * 9 + 1) * us);
        }
}

}  // namespace
}  // namespace interlace
