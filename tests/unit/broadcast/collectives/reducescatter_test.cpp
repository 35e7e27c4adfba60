// Interlace: reduce-scatters and all-reduces in which each contribution counts once
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/reducescatter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <functional>
#include <string>

#include "interlace/program/check_collective.h"
#include "support/random_graph.h"

namespace interlace {
namespace {

using testing::HasSubstr;

std::vector<ReducingSend> reducing(const std::vector<TimedSend>& sends) {
    std::vector<ReducingSend> rows;
    for (const TimedSend& send : sends) rows.push_back({send, true});
    return rows;
}

std::uint32_t proven_reduction(const Network& network, std::uint32_t chunks,
                               const SymmetricSchedule& schedule) {
    const CheckReport symmetric = check_reducescatter(network, schedule);
    EXPECT_TRUE(symmetric.valid()) << network.name() << ": " << symmetric.problem();
    const CheckReport plain = check_reduction(network, chunks, false, reducing(all_sends(network, schedule)));
    EXPECT_TRUE(plain.valid()) << network.name() << ": " << plain.problem();
    EXPECT_EQ(symmetric.steps, plain.steps);
    EXPECT_EQ(symmetric.sends, plain.sends);
    return plain.steps;
}

// N - 1 packets leave a node by its links, chunks times: as many steps as an all-gather has.
TEST(ReduceScatter, TakesAsManyStepsAsTheBound) {
    for (const auto& [specification, chunks, steps] : {std::tuple{"torus:8x8", 1U, 16U},
                                                       {"torus:12x10", 1U, 30U},
                                                       {"torus:4x4x3", 1U, 8U},
                                                       {"ibt:8x8:b=4", 1U, 13U},
                                                       {"ibt:16x16:b=4,8", 1U, 51U},
                                                       {"mesh:4x4", 1U, 8U},
                                                       {"torus:16x16", 4U, 255U},
                                                       {"torus:5", 2U, 4U}}) {
        SCOPED_TRACE(fmt::format("{} with {} chunks", specification, chunks));
        const Network network = make_network(specification);
        const OptimalAllGather found = optimal_reducescatter(network, chunks);
        EXPECT_EQ(found.bound.steps, steps);
        EXPECT_EQ(proven_reduction(network, chunks, found.schedule), steps);
    }
}

// A ring of links of one direction: a sum goes once round it.
TEST(ReduceScatter, ReversesLinksThatHaveNoReverse) {
    std::vector<std::pair<NodeId, NodeId>> links;
    for (std::uint32_t v = 0; v < 5; ++v) links.emplace_back(NodeId{v}, NodeId{(v + 1) % 5});
    const Network ring("ring", links);
    EXPECT_EQ(proven_reduction(ring, 1, optimal_reducescatter(ring, 1).schedule), 4U);
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Network network = random_graph(3 + seed % 12, 30, seed);
        AllGatherOptions options;
        options.effort = 10'000;
        proven_reduction(network, 2, optimal_reducescatter(network, 2, options).schedule);
    }
}

/// What is said of torus:4x3's reduce-scatter with one row changed.
std::string said_of_sums(const std::function<void(std::vector<ReducingSend>&)>& change) {
    const Network network = make_network("torus:4x3");
    std::vector<ReducingSend> rows = reducing(all_sends(network, optimal_reducescatter(network, 1).schedule));
    change(rows);
    return fmt::format("{}", fmt::join(check_reduction(network, 1, false, rows).problems.first(), "; "));
}

TEST(CheckReduction, FindsContributionsThatAreMissingOrTwice) {
    EXPECT_EQ(said_of_sums([](auto&) {}), "");
    EXPECT_THAT(said_of_sums([](auto& rows) { rows.pop_back(); }),
                HasSubstr("ends without the contribution"));
    EXPECT_THAT(said_of_sums([](auto& rows) {
                    rows.push_back(rows.back());
                    ++rows.back().send.step;
                }),
                HasSubstr("which has a contribution that is there already"));
    // A sum that leaves before what it waits for has come lacks that.
    EXPECT_THAT(said_of_sums([](auto& rows) {
                    for (ReducingSend& row : rows)
                        if (row.send.packet == 0) row.send.step = 1;
                }),
                HasSubstr("ends without the contribution"));
    // What comes replaces what the owner had.
    EXPECT_THAT(
        said_of_sums([](auto& rows) { rows.back().reduces = false; }),
        testing::AnyOf(HasSubstr("ends without the contribution"), HasSubstr("comes in the same step")));
}

// On two nodes by hand: packets 0 and 1, of nodes 0 and 1. Each sends its part of the other's sum, then the
// sum.
TEST(CheckReduction, ProvesAnAllReduceByHand) {
    const Network network("pair", {{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{0}}});
    const std::vector<ReducingSend> rows = {{{1, NodeId{0}, NodeId{1}, PacketId{1}}, true},
                                            {{1, NodeId{1}, NodeId{0}, PacketId{0}}, true},
                                            {{2, NodeId{0}, NodeId{1}, PacketId{0}}, false},
                                            {{2, NodeId{1}, NodeId{0}, PacketId{1}}, false}};
    EXPECT_TRUE(check_reduction(network, 1, true, rows).valid());
    EXPECT_EQ(check_reduction(network, 1, true, rows).steps, 2U);
    std::vector<ReducingSend> added = rows;
    added[2].reduces = true;
    EXPECT_THAT(check_reduction(network, 1, true, added).problem(),
                HasSubstr("which has a contribution that is there already"));
    EXPECT_THAT(check_reduction(network, 1, true, {rows[0], rows[1]}).problem(),
                HasSubstr("ends without the contribution"));
}

TEST(CheckReduction, FindsTheSameInASymmetricSchedule) {
    const Network network = make_network("torus:4x4");
    const SymmetricSchedule right = optimal_reducescatter(network, 1).schedule;
    const auto said = [&](const std::function<void(std::vector<RelativeSend>&)>& change) {
        SymmetricSchedule schedule = right;
        change(schedule.sends[0]);
        return check_reducescatter(network, schedule).problem();
    };
    EXPECT_THAT(said([](auto& sends) { sends.pop_back(); }), HasSubstr("never sends its part"));
    EXPECT_THAT(said([](auto& sends) { sends.push_back(sends.front()); }), HasSubstr("which it has no more"));
    EXPECT_THAT(said([](auto& sends) { sends.front().step = 100; }), HasSubstr("which it has sent in step"));
}

}  // namespace
}  // namespace interlace
