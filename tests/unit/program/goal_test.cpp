// Interlace: programs as GOAL text, and barriers as messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/goal.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "interlace/broadcast/allgather.h"
#include "interlace/broadcast/exchange.h"
#include "interlace/core/error.h"
#include "interlace/engine/event.h"
#include "support/clusters.h"

namespace interlace {
namespace {

using Kind = MessageProgram::Kind;
constexpr std::uint64_t us = 1'000'000;  // in picoseconds

TEST(Goal, IsWrittenAsLogGopSimReadsIt) {
    MessageProgram program;
    program.machines = 3;
    const OperationId first = program.send({NodeId{0}, NodeId{1}, 100});
    const OperationId second = program.send({NodeId{0}, NodeId{1}, 0});
    const OperationId there = program.receive(MessageId{0});
    program.receive(MessageId{1});
    const OperationId work = program.compute(NodeId{1}, 2'000'500);
    program.require(second, first);
    program.start_order.emplace_back(there, work);
    EXPECT_EQ(to_goal(program),
              "num_ranks 3\n"
              "\nrank 0 {\nl1: send 100b to 1 tag 0\nl2: send 1b to 1 tag 1\nl2 requires l1\n}\n"
              "\nrank 1 {\nl1: recv 100b from 0 tag 0\nl2: recv 1b from 0 tag 1\nl3: calc 2001\nl3 irequires "
              "l1\n}\n"
              "\nrank 2 {\n}\n");
}

/// By machine, since GOAL has ranks one after another.
void expect_same(const MessageProgram& a, const MessageProgram& b) {
    ASSERT_EQ(a.machines, b.machines);
    ASSERT_EQ(a.operations.size(), b.operations.size());
    std::vector<std::uint32_t> of_a, of_b, place_a(a.operations.size()), place_b(b.operations.size());
    for (std::uint32_t machine = 0; machine < a.machines; ++machine)
        for (const auto& [program, of, place] : {std::tuple(&a, &of_a, &place_a), {&b, &of_b, &place_b}})
            for (std::uint32_t o = 0; o < program->operations.size(); ++o)
                if (program->operations[o].machine == machine) {
                    (*place)[o] = static_cast<std::uint32_t>(of->size());
                    of->push_back(o);
                }
    for (std::size_t i = 0; i < of_a.size(); ++i) {
        const auto& x = a.operations[of_a[i]];
        const auto& y = b.operations[of_b[i]];
        ASSERT_EQ(x.kind, y.kind);
        ASSERT_EQ(x.machine, y.machine);
        const Message& m = a.messages[x.number];
        const Message& n = b.messages[y.number];
        EXPECT_EQ(std::tuple(+m.from, +m.to, std::max<std::uint64_t>(m.bytes, 1)),
                  std::tuple(+n.from, +n.to, n.bytes));
    }
    const auto orders = [](const MessageProgram& program, const std::vector<std::uint32_t>& place) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (const auto& [before, after] : program.order) pairs.emplace_back(place[before], place[after]);
        std::sort(pairs.begin(), pairs.end());
        return pairs;
    };
    EXPECT_EQ(orders(a, place_a), orders(b, place_b));
}

TEST(Goal, ReadsWhatItWrote) {
    const Network network = test::network_of(test::figure_1());
    const SwitchTree tree(network);
    const auto plan = schedule_exchange(tree);
    for (const MessageProgram& program :
         {ring_allgather(ring_lr1(tree), 1000, false), recursive_doubling_allgather(7, 5),
          scheduled_exchange(tree, plan.phases, 300,
                             {Synchronisation::Pairs::sender, 1, false, false, true})})
        expect_same(program, read_goal(to_goal(program), "x"));
}

TEST(Goal, RunsWhatOthersWrote) {
    // One switch, 1000 Mbps, no latency: 125 bytes take 1 us on each of two links.
    const MessageProgram program = read_goal(R"(
num_ranks 3
/* a comment
   of two lines */
rank 1 {
  calc 3000 // without a label
  a: calc 5000 cpu 0
  get: recv 125b from 0 tag 7
  b: calc 1000
  b requires get
  late: send 125b to 2
  late irequires b
}
rank 0 { l1: send 125b to 1 tag 7 nic 0 }
rank 2 { x: recv 200b from 1 }
)",
                                             "x");
    ClusterPlan one;
    one.switches = 1;
    one.machines = {0, 0, 0};
    const Network network = make_cluster("one switch", one);
    EventParameters parameters;
    parameters.frame = {125, 0, 0};
    const EventResult result = run_event(network, Routes(network, SwitchTree(network)), program, parameters);
    EXPECT_EQ(result.complete[1], 8 * us);  // two computations, one after the other
    EXPECT_EQ(result.complete[2], 2 * us);
    EXPECT_EQ(result.complete[3], 9 * us);  // waits for the machine, too
    EXPECT_EQ(result.complete[6], 4 * us);  // late began with b, when the message was there, at 2 us
}

TEST(Goal, SaysWhereItIsWrong) {
    const auto error = [](const std::string& text) {
        try {
            read_goal(text, "x.goal");
        } catch (const InputError& input) {
            return std::string(input.what());
        }
        return std::string("nothing");
    };
    EXPECT_EQ(error("rank 0 {}"), "x.goal:1: 'rank'; expected 'num_ranks'");
    EXPECT_EQ(error("num_ranks 2\nrank 2 {}"), "x.goal:2: a rank '2'; expected a whole number from 0 to 1");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n send 5 to 1 }"), "x.goal:3: '5'; expected bytes, as in 1024b");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n recv 5b from -1 }"),
              "x.goal:3: a rank '-1'; expected a whole number from 0 to 1");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n a: calc 5\n a: calc 6 }"),
              "x.goal:4: label 'a' twice in a rank; expected each label once");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n a: calc 5\n a requires b }"),
              "x.goal:4: label 'b'; expected a label of an operation above, in the same rank");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n send 5b to 1 }"),
              "x.goal:3: a send that no recv matches; expected as many of each of a pair and tag");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n recv 5b from 1\n}"),
              "x.goal:3: a recv that no send matches; expected as many of each of a pair and tag");
    EXPECT_EQ(error("num_ranks 2\nrank 0 { send 5b to 1 }\n rank 1 { recv 4b from 0 }"),
              "x.goal:3: a recv of 4 bytes for a message of 5; expected as many bytes, or more");
    EXPECT_EQ(error("num_ranks 2\nrank 0 { send 5b to 0 }"),
              "x.goal:2: a message from rank 0 to itself; expected another rank");
    EXPECT_EQ(error("num_ranks 2\nrank 0 { calc 5 cpu 1 }"),
              "x.goal:2: cpu '1'; expected a whole number from 0 to 0");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n\n a: calc 5"),
              "x.goal:4: ''; expected send, recv, calc, a label or }");
}

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
    ClusterPlan one;
    one.switches = 1;
    one.machines = {0, 0, 0, 0};
    const Network network = make_cluster("one switch", one);
    EventParameters parameters;
    parameters.frame = {1500, 0, 125};
    MessageProgram program;
    program.machines = 4;
    for (std::uint32_t i = 0; i < 4; ++i) program.barrier(NodeId{i}, 0);
    const auto result = run_event(network, Routes(network, SwitchTree(network)),
                                  with_barriers_as_messages(program), parameters);
    EXPECT_EQ(result.time_ps, 4 * us);
}

}  // namespace
}  // namespace interlace
