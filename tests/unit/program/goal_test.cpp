// Interlace: programs as GOAL text
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/goal.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "interlace/broadcast/cluster/allgather.h"
#include "interlace/broadcast/cluster/exchange.h"
#include "interlace/core/error.h"
#include "interlace/engine/switches/event.h"
#include "support/clusters.h"
#include "support/microsecond.h"

namespace interlace {
namespace {

using test::us;
using Kind = MessageProgram::Kind;

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

TEST(Goal, KeepsTheTagsOfAnEnvelopeAndTheRoomOfItsReceives) {
    const std::string text =
        "num_ranks 2\n"
        "\nrank 0 {\nl1: send 8b to 1 tag 0\nl2: send 100b to 1 tag 1\nl3: send 9b to 1 tag 0\nl3 requires "
        "l1\n}\n"
        "\nrank 1 {\nl1: recv 20b from 0 tag 0\nl2: recv 100b from 0 tag 1\nl3: recv 30b from 0 tag "
        "0\n}\n";
    const MessageProgram program = read_goal(text, "x");
    EXPECT_EQ(program.envelope_of(MessageId{0}), program.envelope_of(MessageId{2}));
    EXPECT_TRUE(program.envelope_of(MessageId{0}).has_value());
    EXPECT_FALSE(program.envelope_of(MessageId{1}).has_value());
    EXPECT_EQ(to_goal(program), text);
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
    const Network network = test::network_of(test::chain(1, 3));
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
    EXPECT_EQ(error("rank 0 {}"), "x.goal:1: cannot read 'rank'; expected 'num_ranks'");
    EXPECT_EQ(error("num_ranks 2\nrank 2 {}"),
              "x.goal:2: cannot use a rank '2'; expected a whole number from 0 to 1");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n send 5 to 1 }"),
              "x.goal:3: cannot read '5'; expected bytes, as in 1024b");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n recv 5b from -1 }"),
              "x.goal:3: cannot use a rank '-1'; expected a whole number from 0 to 1");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n a: calc 5\n a: calc 6 }"),
              "x.goal:4: label 'a' is defined twice in a rank; expected each label once");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n a: calc 5\n a requires b }"),
              "x.goal:4: there is no label 'b'; expected a label of an operation above, in the same rank");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n send 5b to 1 }"),
              "x.goal:3: no recv matches a send; expected one recv for each send of a pair of ranks and tag");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n recv 5b from 1\n}"),
              "x.goal:3: no send matches a recv; expected one recv for each send of a pair of ranks and tag");
    EXPECT_EQ(error("num_ranks 2\nrank 0 { send 5b to 1 }\n rank 1 { recv 4b from 0 }"),
              "x.goal:3: a recv of 4 bytes matches a send of 5; expected at least that many bytes");
    EXPECT_EQ(error("num_ranks 2\nrank 0 { send 5b to 0 }"),
              "x.goal:2: a message goes from rank 0 to itself; expected another rank");
    EXPECT_EQ(error("num_ranks 2\nrank 0 { calc 5 cpu 1 }"),
              "x.goal:2: cannot use cpu '1'; expected a whole number from 0 to 0");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n garbage\n}"),
              "x.goal:3: cannot read 'garbage'; expected send, recv, calc, a label or }");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n a: calc 5\n a needs\n}"),
              "x.goal:4: cannot read 'needs'; expected requires or irequires");
    EXPECT_EQ(error("num_ranks 1\nrank 0 { calc 1 /* one */ }\n/* rank 1 {\n calc 2 }\n"),
              "x.goal:3: a comment has no end; expected */");
    EXPECT_EQ(error("num_ranks 1 /*/"), "x.goal:1: a comment has no end; expected */");
    EXPECT_EQ(error("num_ranks 2\nrank 0 {\n\n a: calc 5"),
              "x.goal:4: cannot read ''; expected send, recv, calc, a label or }");
}

}  // namespace
}  // namespace interlace
