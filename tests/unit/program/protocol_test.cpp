// Interlace: barriers, rendezvous and copies as messages and computations
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/protocol.h"

#include <gtest/gtest.h>

#include "interlace/core/error.h"
#include "interlace/engine/switches/event.h"
#include "support/clusters.h"
#include "support/microsecond.h"

namespace interlace {
namespace {

using test::us;
using Kind = MessageProgram::Kind;

/// Whether operation `to` can only happen after `from`.
bool follows(const MessageProgram& program, std::uint32_t from, std::uint32_t to) {
    std::vector<std::vector<std::uint32_t>> next(program.operations.size());
    std::vector<std::uint32_t> receive(program.messages.size());
    for (std::uint32_t o = 0; o < program.operations.size(); ++o)
        if (program.operations[o].kind == Kind::receive) receive[program.operations[o].number] = o;
    for (std::uint32_t o = 0; o < program.operations.size(); ++o)
        if (program.operations[o].kind == Kind::send)
            next[o].push_back(receive[program.operations[o].number]);
    for (const auto& [before, after] : program.order) next[before].push_back(after);
    std::vector<bool> seen(program.operations.size(), false);
    std::vector<std::uint32_t> open = {from};
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        if (at == to) return true;
        for (const std::uint32_t o : next[at])
            if (!seen[o]) {
                seen[o] = true;
                open.push_back(o);
            }
    }
    return false;
}

// Machine 0 begins at 7 us, machine 1 at once: what waits for nothing waits for that, and so does all else of
// machine 0.
TEST(LateStarts, HoldBackAllThatAMachineDoes) {
    MessageProgram program;
    program.machines = 2;
    const OperationId send = program.send({NodeId{0}, NodeId{1}, 125});
    const OperationId answer = program.send({NodeId{1}, NodeId{0}, 125});
    const OperationId asked = program.receive(program.message_of(send));
    const OperationId answered = program.receive(program.message_of(answer));
    program.require(answer, asked);
    program.start_order.emplace_back(send, answered);
    const MessageProgram late = with_late_starts(program, {7 * us, 0});
    ASSERT_EQ(late.operations.size(), 5U);
    EXPECT_EQ(late.computations, std::vector<std::uint64_t>{7 * us});
    EXPECT_TRUE(follows(late, 4, send));
    EXPECT_EQ(late.order.size(), program.order.size() + 1);  // the receive is begun when the send is
    EXPECT_EQ(with_late_starts(program, {0, 0}).operations.size(), 4U);
}

TEST(BarriersAsMessages, HoldEveryMachineUntilAllHaveCome) {
    for (std::uint32_t n = 1; n <= 9; ++n) {
        MessageProgram program;
        program.machines = n;
        for (std::uint32_t i = 0; i < n; ++i) {
            const OperationId before = program.compute(NodeId{i}, us);
            const OperationId barrier = program.barrier(NodeId{i}, 5);
            program.require(barrier, before);
            program.require(program.compute(NodeId{i}, us), barrier);
        }
        const MessageProgram messages = with_barriers_as_messages(program);
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t j = 0; j < n; ++j) EXPECT_TRUE(follows(messages, 3 * i, 3 * j + 2)) << n;
        std::uint32_t rounds = 0;
        while (1U << rounds < n) ++rounds;
        EXPECT_EQ(messages.messages.size(), n * rounds);
    }
}

TEST(BarriersAsMessages, TakeAFrameAndItsLinksARound) {
    // Four machines on one switch, smallest frames of 125 bytes: two rounds over two links of 1 us each.
    const Network network = test::network_of(test::chain(1, 4));
    EventParameters parameters;
    parameters.frame = {1500, 0, 125};
    MessageProgram program;
    program.machines = 4;
    for (std::uint32_t i = 0; i < 4; ++i) program.barrier(NodeId{i}, 0);
    const auto result = run_event(network, Routes(network, SwitchTree(network)),
                                  with_barriers_as_messages(program), parameters);
    EXPECT_EQ(result.time_ps, 4 * us);
}

/// n0 and n1 on one switch; frames take 1 us on each of two links.
struct Pair {
    Network network;
    EventParameters parameters;
    MessageProgram program;
    OperationId send, receive;
    /// A message of `bytes`, received from `late` on; what follows the receive is operation 3.
    Pair(std::uint64_t bytes, std::uint64_t late) : network(test::network_of(test::chain(1, 2))) {
        parameters.frame = {125, 0, 125};
        program.machines = 2;
        send = program.send({NodeId{0}, NodeId{1}, bytes});
        receive = program.receive(MessageId{0});
        program.require(receive, program.compute(NodeId{1}, late));
        program.require(program.compute(NodeId{1}, 0), receive);
    }
    std::vector<std::uint64_t> times(const MessageProgram& as) const {
        return run_event(network, Routes(network, SwitchTree(network)), as, parameters).complete;
    }
};

TEST(Rendezvous, WaitsUntilTheReceiverReceives) {
    Pair eager(125, 50 * us);
    EXPECT_EQ(eager.times(with_rendezvous(eager.program, 125))[eager.send], 0U);
    EXPECT_EQ(eager.times(with_rendezvous(eager.program, 125))[eager.receive], 50 * us);
    // The question is there at 2; the receiver begins at 50 and answers; the data leave at 52.
    EXPECT_EQ(eager.times(with_rendezvous(eager.program, 124))[eager.send], 52 * us);
    EXPECT_EQ(eager.times(with_rendezvous(eager.program, 124))[3], 54 * us);
    Pair ready(125, 0);  // three ways of 2 us
    EXPECT_EQ(ready.times(with_rendezvous(ready.program, 0))[ready.receive], 6 * us);
}

TEST(Rendezvous, LetsStartWhatWaitsForTheSendToStart) {
    // Both send, and receive once they have begun to: MPI_Isend, then MPI_Irecv. A send begins with its
    // question, so both receive, and answer, at 0 and 2; the data come at 6.
    Pair pair(125, 0);
    MessageProgram both;
    both.machines = 2;
    for (const std::uint32_t i : {0U, 1U}) both.send({NodeId{i}, NodeId{1 - i}, 125});
    for (const std::uint32_t i : {0U, 1U}) both.start_order.emplace_back(i, both.receive(MessageId{1 - i}));
    const auto times = pair.times(with_rendezvous(both, 0));
    EXPECT_EQ(times[2], 6 * us);
    EXPECT_EQ(times[3], 6 * us);
}

TEST(Copies, ThatNeverEndAreRefused) {
    MessageProgram program;
    program.machines = 2;
    program.receive(program.message_of(program.send({NodeId{0}, NodeId{1}, std::uint64_t{1} << 40U})));
    // 2^40 bytes at 2^20 ps each are 2^60 ps; at 2^24 they would be 2^64, which is 0 in 64 bits.
    EXPECT_EQ(with_copies(program, UINT64_MAX, 1U << 20U).computations.back(), std::uint64_t{1} << 60U);
    EXPECT_THROW(with_copies(program, UINT64_MAX, 1U << 24U), InputError);
}

TEST(Copies, DelayWhatFollows) {
    Pair pair(125, 0);
    const auto times = pair.times(with_copies(pair.program, 125, 8'000));  // 8 ns a byte: 1 us
    EXPECT_EQ(times[pair.receive], 2 * us);
    EXPECT_EQ(times[3], 3 * us);
    EXPECT_EQ(pair.times(with_copies(pair.program, 124, 8'000))[3], 2 * us);
}

}  // namespace
}  // namespace interlace
