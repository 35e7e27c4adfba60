// Interlace: frames that reach a switch at the same time: none comes first more often than another
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interlace/engine/switches/event.h"
#include "support/clusters.h"
#include "support/microsecond.h"

namespace interlace {
namespace {

using test::us;

/// Machines 0 to n - 1 send to machine n, behind one switch, at the same times; frames of 125 bytes take 1
/// us.
struct Incast {
    std::uint32_t senders;
    Network network;
    EventParameters parameters;
    MessageProgram program;
    explicit Incast(std::uint32_t n) : senders(n), network(test::network_of(test::chain(1, n + 1))) {
        parameters.frame = {125, 0, 0};
        parameters.reliability = {100 * us, 1 * us};
        program.machines = n + 1;
    }
    /// A frame of each in every period, or one of each.
    void send(std::uint32_t rounds = 1, std::uint64_t period = 0) {
        for (std::uint32_t i = 0; i < senders; ++i)
            for (std::uint32_t k = 0; k < rounds; ++k) {
                const OperationId send = program.send({NodeId{i}, NodeId{senders}, 125});
                program.receive(program.message_of(send));
                if (period > 0) program.require(send, program.compute(NodeId{i}, period));
            }
    }
    EventResult run(std::uint64_t seed) const {
        return run_event(network, Routes(network, SwitchTree(network)), program, parameters, seed);
    }
    /// [message]: when it is received.
    std::vector<std::uint64_t> arrivals(std::uint64_t seed) const {
        const EventResult result = run(seed);
        std::vector<std::uint64_t> times(program.messages.size());
        for (std::size_t o = 0; o < program.operations.size(); ++o)
            if (program.operations[o].kind == MessageProgram::Kind::receive)
                times[program.operations[o].number] = result.complete[o];
        return times;
    }
};

/// A share `p` of `trials` that are independent, within four standard deviations.
void expect_share(double count, double trials, double p, const std::string& what) {
    EXPECT_NEAR(count / trials, p, 4 * std::sqrt(p * (1 - p) / trials)) << what;
}

TEST(Ties, LoseAlikeOverSeeds) {
    for (const Buffering buffering : {Buffering::output, Buffering::shared})
        for (const auto& [senders, room] : {std::pair(2U, 1U), {3U, 1U}, {3U, 2U}, {5U, 3U}}) {
            Incast c(senders);
            c.parameters.switches.buffering = buffering;
            c.parameters.switches.capacity = room;
            c.send();
            constexpr std::uint32_t seeds = 2000;
            std::vector<std::uint32_t> lost(senders);
            for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
                const auto arrivals = c.arrivals(seed);
                for (std::uint32_t i = 0; i < senders; ++i) lost[i] += arrivals[i] > 50 * us ? 1 : 0;
            }
            for (std::uint32_t i = 0; i < senders; ++i)
                expect_share(lost[i], seeds, (senders - room) / static_cast<double>(senders),
                             fmt::format("sender {} of {}, room for {}", i, senders, room));
        }
}

TEST(Ties, LoseAlikeWithinARun) {
    // Rounds are so far apart that whatever is lost has arrived before the next one.
    for (const std::uint32_t senders : {2U, 3U, 4U}) {
        Incast c(senders);
        c.parameters.switches.capacity = 1;
        constexpr std::uint32_t rounds = 2000;
        constexpr std::uint64_t period = 5000 * us;
        c.send(rounds, period);
        const auto arrivals = c.arrivals(7);
        const double p = 1 - 1.0 / senders;
        for (std::uint32_t i = 0; i < senders; ++i) {
            std::uint32_t lost = 0, again = 0;
            bool before = false;
            for (std::uint32_t k = 0; k < rounds; ++k) {
                const bool now = arrivals[i * rounds + k] - (k + 1) * period > 50 * us;
                lost += now ? 1 : 0;
                again += now && before ? 1 : 0;
                before = now;
            }
            expect_share(lost, rounds, p, fmt::format("sender {} of {}", i, senders));
            expect_share(again, rounds - 1, p * p, fmt::format("sender {} of {}, twice", i, senders));
        }
    }
}

TEST(Ties, AreServedAlikeWhereNothingIsLost) {
    // The first comes 2 us after it was sent, the second 3 us.
    for (const Flow flow : {Flow::drop, Flow::credit})
        for (const Buffering buffering : {Buffering::output, Buffering::input}) {
            Incast c(2);
            c.parameters.flow = flow;
            c.parameters.switches.buffering = buffering;
            constexpr std::uint32_t rounds = 2000;
            c.send(rounds, 10 * us);
            const auto arrivals = c.arrivals(3);
            std::uint32_t first = 0;
            for (std::uint32_t k = 0; k < rounds; ++k) first += arrivals[k] < arrivals[rounds + k] ? 1 : 0;
            expect_share(
                first, rounds, 0.5,
                fmt::format("flow {}, buffering {}", static_cast<int>(flow), static_cast<int>(buffering)));
        }
}

TEST(Ties, DoNotMakeOneOfTwoLongMessagesWait) {
    // Two messages of 400 frames meet at an output with room for 10: which is there first is a toss-up.
    Incast c(2);
    c.parameters.switches.capacity = 10;
    c.parameters.reliability = {200 * us, 10 * us, Window::reno, 2};
    c.program.receive(c.program.message_of(c.program.send({NodeId{0}, NodeId{2}, 400 * 125})));
    c.program.receive(c.program.message_of(c.program.send({NodeId{1}, NodeId{2}, 400 * 125})));
    std::uint32_t first = 0;
    constexpr std::uint32_t seeds = 200;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const auto arrivals = c.arrivals(seed);
        EXPECT_GT(c.run(seed).dropped, 0U);
        first += arrivals[0] < arrivals[1] ? 1 : 0;
    }
    expect_share(first, seeds, 0.5, "n0");
}

}  // namespace
}  // namespace interlace
