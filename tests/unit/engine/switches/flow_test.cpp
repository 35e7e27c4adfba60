// Interlace: switches that make senders wait, by hand
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "interlace/core/error.h"
#include "interlace/engine/switches/event.h"
#include "interlace/network/cluster.h"
#include "support/microsecond.h"

namespace interlace {
namespace {

using test::us;

/// n0, n1, n2 on s0, n3 on s1; frames of 125 bytes take 1 us on the machines' links and, on the trunk, as
/// long as `trunk_mbps` says; every link has the latency `latency`.
struct Chain {
    Network network;
    Routes routes;
    EventParameters parameters;
    MessageProgram program;

    static Network make(std::uint64_t trunk_mbps, std::uint64_t latency) {
        ClusterPlan plan;
        plan.switches = 2;
        plan.trunks = {{0, 1}};
        plan.machines = {0, 0, 0, 1};
        plan.link = {1'000'000'000, latency};
        plan.trunk = {trunk_mbps * 1'000'000, latency};
        return make_cluster("chain", plan);
    }
    explicit Chain(Flow flow, std::uint64_t trunk_mbps = 1000, std::uint64_t latency = 2 * us)
        : network(make(trunk_mbps, latency)), routes(network, SwitchTree(network)) {
        parameters.frame = {125, 0, 0};
        parameters.flow = flow;
        parameters.switches.header = 25;
        program.machines = 4;
    }
    OperationId message(std::uint32_t from, std::uint32_t to, std::uint64_t frames) {
        return program.receive(program.message_of(program.send({NodeId{from}, NodeId{to}, 125 * frames})));
    }
    EventResult run() const { return run_event(network, routes, program, parameters); }
};

TEST(Flow, ASenderWaitsForTheCreditOfTheRoomItNeeds) {
    for (const Buffering buffering : {Buffering::input, Buffering::output}) {
        Chain c(Flow::credit);
        c.parameters.switches.buffering = buffering;
        c.message(0, 1, 5);
        EXPECT_EQ(c.run().time_ps, (5 + 1 + 4) * us);  // infinite room
        // A frame that is sent at 0 is at the switch at 3, has left it at 4, and its sender knows at 6.
        c.parameters.switches.capacity = 1;
        EXPECT_EQ(c.run().time_ps, (4 * 6 + 6) * us);
        // Frames 0 to 4 at 0, 1, 6, 7, 12.
        c.parameters.switches.capacity = 2;
        EXPECT_EQ(c.run().time_ps, (12 + 6) * us);
        EXPECT_EQ(c.run().dropped, 0U);
    }
}

TEST(Flow, CreditsGoBackThroughSwitches) {
    // A frame takes 10 us on the trunk, and 10 us to leave the input of s1, at its link's rate: a credit is
    // back after 10 + 2 + 10 + 2 us.
    Chain c(Flow::credit, 100);
    c.parameters.switches.buffering = Buffering::input;
    c.parameters.switches.capacity = 3;
    c.message(0, 3, 10);
    c.message(1, 3, 10);
    EXPECT_EQ(c.run().time_ps, (1 + 200 + 1 + 3 * 2) * us);
    c.parameters.switches.capacity = 2;  // two frames every 24 us, the last one 10 us after the one before it
    EXPECT_EQ(c.run().time_ps, (1 + 9 * 24 + 20 + 1 + 3 * 2) * us);
    EXPECT_EQ(c.run().dropped, 0U);
    c.parameters.flow = Flow::drop;
    EXPECT_GT(c.run().dropped, 0U);
}

TEST(Flow, APauseTakesWhatIsAlreadyOnItsWay) {
    // The second frame is there at 4 and asks for a pause, which n0 hears at 6: it has sent six frames. They
    // leave every 10 us from 3 on, the fifth by 53; n0 hears that it may go on at 55, before the sixth has
    // left.
    Chain c(Flow::pause, 100);
    c.parameters.switches.pause_at = 2;
    c.parameters.switches.resume_at = 1;
    c.message(0, 3, 10);
    EXPECT_EQ(c.run().time_ps, (1 + 100 + 1 + 3 * 2) * us);
    c.parameters.switches.capacity = 6;
    EXPECT_EQ(c.run().dropped, 0U);
    c.parameters.switches.capacity = 5;
    EXPECT_EQ(c.run().dropped, 1U);
    // The news of a smallest frame of 125 bytes takes 1 us longer, in which one more frame comes.
    c.parameters.frame.minimum = 125;
    c.parameters.switches.capacity = 7;
    EXPECT_EQ(c.run().dropped, 0U);
    c.parameters.switches.capacity = 6;
    EXPECT_EQ(c.run().dropped, 1U);
}

TEST(Flow, ResumedTooLateAnOutputStandsStill) {
    // Paused as above with six frames in the switch; n0 goes on when all have left, at 63, and hears so at
    // 65: its frame is there at 68.
    Chain c(Flow::pause, 100);
    c.parameters.switches.pause_at = 2;
    c.parameters.switches.resume_at = 0;
    c.message(0, 3, 10);
    EXPECT_EQ(c.run().time_ps, (68 + 40 + 1 + 2 * 2) * us);
}

TEST(Flow, OutputsTakeInputsInTurnOrAsTheyAsk) {
    // n0 and, a picosecond later, n2 have frames for n3, and n0 goes first; n1's comes 1 us later, when n2
    // has waited for 1 us.
    Chain c(Flow::credit, 1000, 0);
    c.parameters.switches.buffering = Buffering::input;
    c.parameters.workstation.start = {0, 1 * us, 1, 0};
    c.message(0, 3, 2);
    const OperationId second = c.message(1, 3, 1);
    const OperationId third = c.message(2, 3, 1);
    EXPECT_EQ(c.run().complete[third] / us, 1U + 1 + 1 + 1);
    EXPECT_GT(c.run().complete[second], c.run().complete[third]);
    c.parameters.switches.arbitration = Arbitration::round_robin;
    EXPECT_EQ(c.run().complete[second] / us, 1U + 1 + 1 + 1);
    EXPECT_EQ(c.run().complete[third] / us, 1U + 1 + 1 + 2);
}

TEST(Flow, SwitchesThatCannotDoItAreRefused) {
    const auto refused = [](const std::string& event) {
        try {
            read_event_parameters(ConfigMap::from_text(event, "my.yaml"));
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refused("flow: credit\nswitch: {buffering: shared}"),
              "my.yaml:1: flow: cannot use flow credit with buffering shared; expected input or output: "
              "credits are for the room of a "
              "single link");
    EXPECT_EQ(refused("switch: {pause_at: 3, resume_at: 3}\nflow: pause"),
              "my.yaml:2: flow: cannot use flow pause with pause_at 3 and resume_at 3; expected pause_at "
              "above resume_at");
    EXPECT_EQ(refused("flow: stop"),
              "my.yaml:1: flow: cannot use flow 'stop'; expected drop, pause or credit");
}

}  // namespace
}  // namespace interlace
