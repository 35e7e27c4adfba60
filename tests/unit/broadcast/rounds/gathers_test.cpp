// Interlace: tests of all-gathers and reductions in rounds, against the figures of their papers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "interlace/core/error.h"
#include "proven_rounds.h"

namespace interlace {
namespace {

using Make = std::function<Rounds(const Network&, std::uint32_t)>;

const std::vector<std::pair<const char*, Make>>& allgathers() {
    static const std::vector<std::pair<const char*, Make>> all = {
        {"ring", ring_allgather},
        {"bucket", bucket_allgather},
        {"bruck", bruck_allgather},
        {"swing", swing_allgather},
        {"recursive doubling",
         [](const Network& n, std::uint32_t c) {
             return recursive_doubling_allgather(n, c, Nearest::first);
         }},
        {"nearest last", [](const Network& n, std::uint32_t c) {
             return recursive_doubling_allgather(n, c, Nearest::last);
         }}};
    return all;
}

TEST(GathersInRounds, AreProvenWithTheirReversalsOnEveryNetwork) {
    for (const char* name : {"torus:8", "torus:3x3", "torus:5x3", "torus:4x4", "torus:8x4", "torus:6x4",
                             "torus:4x3x5", "torus:4x4x4", "mesh:4x4", "mesh:3x5", "mesh:5x4x3",
                             "ibt:8x8:b=4", "torus:5x4", "torus:7", "torus:9x5", "torus:6x10", "torus:7x3x4"})
        for (const auto& [algorithm, make] : allgathers())
            for (const std::uint32_t chunks : {1U, 3U, 8U}) {
                const Network network = make_network(name);
                Rounds rounds;
                try {
                    rounds = make(network, chunks);
                } catch (const InputError&) {
                    continue;  // a size that the algorithm does not have: NeedsSizes
                }
                SCOPED_TRACE(algorithm);
                proven_allgather(network, rounds, chunks);
                proven_reduction(network, reversed(rounds), chunks, false);
                proven_reduction(network, joined(reversed(rounds), rounds), chunks, true);
                EXPECT_EQ(rounds.packets_of_a_node(), std::uint64_t{network.node_count() - 1} * chunks)
                    << "every packet goes to a node once, and all nodes do as much";
            }
}

TEST(GathersInRounds, NeedsSizes) {
    EXPECT_THROW(recursive_doubling_allgather(make_network("torus:6x4"), 1, Nearest::first), InputError);
    EXPECT_THROW(swing_allreduce_of_vectors(make_network("torus:6x4"), 1), InputError);
}

TEST(GathersInRounds, TakesTheRoundsOfThePapers) {
    const Network torus = make_network("torus:8x4x4");
    EXPECT_EQ(ring_allgather(torus, 1).rounds.size(), 127U);
    EXPECT_EQ(bucket_allgather(torus, 6).rounds.size(), 7U + 3 + 3);
    EXPECT_EQ(recursive_doubling_allgather(torus, 1, Nearest::first).rounds.size(), 7U);
    EXPECT_EQ(swing_allgather(torus, 6).rounds.size(), 7U);
    EXPECT_EQ(swing_allgather(make_network("torus:7x5x3"), 6).rounds.size(), 3U + 2 + 1)
        << "of 6, 4 and 2 nodes";
    EXPECT_EQ(recursive_doubling_allreduce(torus, 1).rounds.size(), 7U);
    EXPECT_EQ(bruck_allgather(make_network("torus:5x5"), 1).rounds.size(), 5U) << "log2 25, rounded up";
}

TEST(GathersInRounds, RingsUseEachLinkOfASquareTorusInEachStep) {
    for (const char* name : {"torus:8x8", "torus:5x5", "torus:4x8", "torus:8x4", "torus:3x3"}) {
        const Network network = make_network(name);
        const Rounds rounds = ring_allgather(network, 4);
        ASSERT_EQ(rounds.parts, 4U) << name;
        const RoutedRounds found = proven_allgather(network, rounds, 4);
        // N - 1 rounds of four packets a node, over links to neighbours of which none has two.
        EXPECT_EQ(fullest(found), network.node_count() - 1U) << name;
        EXPECT_EQ(found.sends.back().send.step, network.node_count() - 1U) << name;
    }
}

TEST(GathersInRounds, RingsGoFromNeighbourToNeighbourWhereThereIsACycle) {
    for (const char* name : {"torus:5x3x3", "torus:6x5", "mesh:4x4", "mesh:3x4", "mesh:4x3", "mesh:3x3x4",
                             "ibt:8x8:b=4", "torus:7"})
        for (const RoundLoad& load :
             routed(make_network(name), ring_allgather(make_network(name), 2), 1).loads.rounds)
            EXPECT_EQ(load.hops, 1U) << name;
}

TEST(GathersInRounds, BucketsHaveNoCongestionOnEqualSizes) {
    for (const auto& [name, dimensions] :
         {std::pair("torus:8x8", 2U), {"torus:5x5x5", 3U}, {"torus:9", 1U}}) {
        const Network network = make_network(name);
        const RoutedRounds found =
            proven_allgather(network, bucket_allgather(network, 2 * dimensions), 2 * dimensions);
        // Psi = Xi = 1 in Table 2 of Swing: (N - 1) / 2 D of all data over each link.
        EXPECT_EQ(fullest(found), network.node_count() - 1U) << name;
    }
}

/// 1, 1, 3, 5, 11: how far Swing goes in its rounds.
std::uint64_t swing_distance(std::uint32_t round) {
    return (std::uint64_t{2} << round) / 3 + (round % 2 == 0 ? 1 : 0);
}

TEST(GathersInRounds, SwingIsAsCongestedAsItsPaperHasIt) {
    // Round s of a collective of N nodes moves N / 2^(s + 1) packets a node and part over distance(s / D),
    // and the 2 D parts share the links evenly.
    struct Case {
        const char* network;
        std::uint32_t dimensions, rounds;
        double limit;  // of Swing, Table 2, for many nodes
    };
    for (const Case& c : {Case{"torus:16x16", 2, 8, 1.19}, Case{"torus:8x8x8", 3, 9, 1.03},
                          Case{"torus:4x4x4x4", 4, 8, 1.008}}) {
        const Network network = make_network(c.network);
        std::uint64_t packets = 0;
        for (std::uint32_t s = 0; s < c.rounds; ++s)
            packets += (network.node_count() >> (s + 1)) * swing_distance(s / c.dimensions);
        const Rounds rounds = swing_allgather(network, 2 * c.dimensions);
        const std::uint64_t found = fullest(routed(network, rounds, 1));
        EXPECT_EQ(found, packets) << c.network;
        EXPECT_LE(static_cast<double>(found) / (network.node_count() - 1), c.limit + 0.005) << c.network;
    }
}

TEST(GathersInRounds, RabenseifnerIsAsCongestedAsSwingsPaperHasIt) {
    // (2^D - 1) / (2^D - 2) for many nodes; the last rounds go half a ring, half of the nodes each way.
    const Network network = make_network("torus:16x16");
    const Rounds rounds = recursive_doubling_allgather(network, 1, Nearest::last);
    const std::uint64_t distance[] = {1, 2, 4, 4};
    std::uint64_t packets = 0;
    for (std::uint32_t s = 0; s < 8; ++s) packets += (256U >> (s + 1)) * distance[s / 2];
    EXPECT_EQ(fullest(proven_allgather(network, rounds, 1)), packets);
}

TEST(ReductionsInRounds, OfWholeVectorsSendAllOfItInEachRound) {
    for (const char* name : {"torus:4x4", "torus:8x4", "torus:8", "mesh:4x4"}) {
        const Network network = make_network(name);
        const auto rounds = static_cast<std::uint32_t>(std::log2(network.node_count()));
        for (const Rounds& made :
             {recursive_doubling_allreduce(network, 1), swing_allreduce_of_vectors(network, 1)}) {
            proven_reduction(network, made, 1, true);
            EXPECT_EQ(made.rounds.size(), rounds) << name;
            EXPECT_EQ(made.packets_of_a_node(), std::uint64_t{rounds} * network.node_count()) << name;
        }
    }
}

TEST(ReductionsInRounds, FindsPlantedFaults) {
    using testing::HasSubstr;
    const Network network = make_network("torus:8");
    const std::vector<MessageSend> sends = routed(network, recursive_doubling_allreduce(network, 1), 1).sends;
    const auto problem = [&](const auto& plant) {
        std::vector<MessageSend> rows = sends;
        plant(rows);
        return check_reduction(network, 1, true, rows).problem();
    };
    ASSERT_EQ(problem([](auto&) {}), "");
    EXPECT_THAT(problem([](auto& rows) { rows.erase(rows.begin()); }),
                HasSubstr("ends without the contribution"));
    const auto of_round = [](std::uint32_t round) {
        return [round](const MessageSend& row) { return row.round == round; };
    };
    EXPECT_THAT(
        problem([&](auto& rows) { std::find_if(rows.begin(), rows.end(), of_round(1))->send.step = 1; }),
        HasSubstr("before all has come there of earlier rounds"));
    EXPECT_THAT(problem([&](auto& rows) {  // the two links of a path the other way round
                    const auto first = std::find_if(rows.begin(), rows.end(), of_round(1));
                    const auto second = std::find_if(first + 1, rows.end(), [&](const MessageSend& row) {
                        return row.message == first->message && row.send.packet == first->send.packet;
                    });
                    std::swap(first->send.step, second->send.step);
                }),
                HasSubstr("which does not go on"));
    EXPECT_THAT(problem([](auto& rows) {
                    MessageSend again = rows.back();
                    again.send.step += 1;
                    again.round += 1;
                    again.message += 1000;
                    rows.push_back(again);
                }),
                HasSubstr("has a contribution that is there already"));
    EXPECT_THAT(problem([](auto& rows) {
                    const auto other =
                        std::find_if(rows.begin() + 1, rows.end(), [&](const MessageSend& row) {
                            return row.send.from == rows[0].send.from && row.send.to == rows[0].send.to;
                        });
                    other->send.step = rows[0].send.step;
                }),
                HasSubstr("carries two packets"));
}

/// Of node 0 on a path of three nodes: step, from, to, whether it is added, round and message.
struct Row {
    std::uint32_t step, from, to;
    bool reduces;
    std::uint32_t round, message;
};

std::string problem_of_reduce(NodeId root, const std::vector<Row>& rows) {
    std::vector<MessageSend> sends;
    for (const Row& r : rows)
        sends.push_back(
            {{{r.step, NodeId{r.from}, NodeId{r.to}, PacketId{0}}, r.reduces}, r.round, r.message});
    return check_reduce(make_network("mesh:3"), root, 1, sends).problem();
}

TEST(ReductionsInRounds, ArriveInAnOrderThatLeavesNoDoubt) {
    using testing::HasSubstr;
    ASSERT_EQ(problem_of_reduce(NodeId{1}, {{1, 0, 1, true, 0, 0}, {1, 2, 1, true, 0, 1}}), "");
    // The value of node 2 comes last and replaces the sum.
    EXPECT_THAT(
        problem_of_reduce(
            NodeId{1},
            {{1, 2, 1, true, 0, 0}, {2, 1, 0, true, 1, 1}, {9, 2, 1, false, 2, 2}, {3, 0, 1, false, 2, 3}}),
        HasSubstr("which replaces or adds to what comes in the same round"));
    EXPECT_THAT(
        problem_of_reduce(
            NodeId{1},
            {{1, 2, 1, true, 0, 0}, {2, 1, 0, true, 1, 1}, {9, 2, 1, false, 2, 2}, {3, 0, 1, false, 3, 3}}),
        HasSubstr("before what comes there in earlier rounds"));
    // As one message node 1 adds nothing.
    EXPECT_THAT(problem_of_reduce(NodeId{2}, {{1, 0, 1, true, 0, 0}, {2, 1, 2, true, 1, 0}}),
                HasSubstr("but message 0 is of round 0"));
}

TEST(GathersInRounds, TakeAsManyStepsAsTheirLastSend) {
    // Relays come to know packets before the messages that bring them have come.
    const Network network = make_network("mesh:16");
    const RoutedRounds found = routed(network, recursive_doubling_allgather(network, 1, Nearest::first), 1);
    EXPECT_EQ(check_allgather(network, 1, plain(found)).steps, found.sends.back().send.step);
}

}  // namespace
}  // namespace interlace
