// Interlace: all-gathers at their lower bounds, proven by both checkers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/allgather.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <string>

#include "interlace/core/error.h"
#include "interlace/program/check_collective.h"
#include "small_networks.h"
#include "support/random_graph.h"

namespace interlace {
namespace {

using testing::HasSubstr;

/// Proven both ways; its steps.
std::uint32_t proven_gather(const Network& network, std::uint32_t chunks, const OptimalAllGather& found) {
    const CheckReport symmetric = check_allgather(network, found.schedule);
    EXPECT_TRUE(symmetric.valid()) << network.name() << ": " << symmetric.problem();
    const std::vector<TimedSend> sends = all_sends(network, found.schedule);
    const CheckReport plain = check_allgather(network, chunks, sends);
    EXPECT_TRUE(plain.valid()) << network.name() << ": " << plain.problem();
    EXPECT_EQ(symmetric.steps, plain.steps);
    EXPECT_EQ(symmetric.sends, plain.sends);
    EXPECT_EQ(symmetric.sends, sends.size());
    EXPECT_EQ(plain.redundant_sends, 0U);
    EXPECT_EQ(found.steps, plain.steps);
    return plain.steps;
}

struct Gathered {
    const char* network;
    std::uint32_t chunks, steps;
};

// The larger of the diameter and (N - 1) C / D, rounded up. Steps as independent programs found them for the
// first eleven; ibt:16x16:b=4,8 has nodes with five links in, torus:8x4x3 is bound by 95 / 6.
TEST(AllGather, TakesAsManyStepsAsTheBound) {
    for (const Gathered& c : {Gathered{"torus:8x8", 1, 16},
                              {"torus:12x10", 1, 30},
                              {"torus:16x4", 1, 16},
                              {"torus:9x9", 1, 20},
                              {"torus:5x5x5", 1, 21},
                              {"torus:4x4x3", 1, 8},
                              {"ibt:8x8:b=4", 1, 13},
                              {"ibt:16x16:b=4", 1, 43},
                              {"ibt:12x12:b=6", 1, 29},
                              {"ibt:12x12x12:b=3", 1, 216},
                              {"ibt:16x16:b=4,8", 1, 51},
                              {"torus:16x16", 1, 64},
                              {"torus:32x32", 1, 256},
                              {"torus:6x6x6", 1, 36},
                              {"torus:8x8x8", 1, 86},
                              {"torus:10x10x10", 1, 167},
                              {"torus:16x16", 4, 255},
                              {"torus:8x4x3", 1, 16},
                              {"torus:3x3", 1, 2},
                              {"torus:5", 1, 2},
                              {"torus:4", 3, 5},
                              {"torus:7x3", 2, 10},
                              {"torus:8x4:twist=4", 1, 8},
                              {"torus:5x3x3:twist=0,3", 2, 15},
                              {"torus:8x4x4:twist=4,4", 1, 22},
                              {"mesh:4x4", 1, 8},
                              {"mesh:5x4x3", 1, 20},
                              {"mesh:3", 2, 4}}) {
        SCOPED_TRACE(fmt::format("{} with {} chunks", c.network, c.chunks));
        const Network network = make_network(c.network);
        const OptimalAllGather found = optimal_allgather(network, c.chunks);
        EXPECT_EQ(found.bound.steps, c.steps);
        EXPECT_EQ(proven_gather(network, c.chunks, found), c.steps);
    }
}

TEST(AllGather, OfAMillionNodesMeetsItsBound) {
    const Network network = make_network("torus:1000x1000");
    const OptimalAllGather found = optimal_allgather(network, 1);
    EXPECT_EQ(found.steps, 250'000U);  // 999,999 / 4
    const CheckReport report = check_allgather(network, found.schedule);
    EXPECT_TRUE(report.valid()) << report.problem();
    EXPECT_EQ(report.sends, std::uint64_t{1'000'000} * 999'999);
}

TEST(AllGather, RunsOnAnyConnectedGraph) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Network network = random_graph(3 + seed % 20, 20 + seed % 3 * 20, seed);
        const std::uint32_t chunks = 1 + seed % 3;
        SCOPED_TRACE(fmt::format("seed {}, {} nodes", seed, network.node_count()));
        AllGatherOptions options;
        options.effort = 200'000;
        const OptimalAllGather found = optimal_allgather(network, chunks, options);
        EXPECT_GE(proven_gather(network, chunks, found), found.bound.steps);
    }
}

// So no search of all schedules would find a shorter one.
TEST(AllGather, MeetsTheBoundOnAllSmallNetworks) {
    for (std::uint32_t nodes = 2; nodes <= 5; ++nodes)
        each_connected_network(nodes, [&](const Network& network) {
            for (const std::uint32_t chunks : {1U, 2U, 3U}) {
                const OptimalAllGather found = optimal_allgather(network, chunks);
                EXPECT_EQ(proven_gather(network, chunks, found), found.bound.steps)
                    << network.name() << ", " << chunks << " chunks";
            }
        });
}

// Two sets of four nodes, all linked with one another, and a link between node 3 of the one and node 4 of the
// other. Node 3's packet crosses it in step 1, those of the others in steps 2 to 4, and then go on to the
// three behind.
TEST(AllGather, FindsTheBoundOfABottleneck) {
    std::vector<std::pair<NodeId, NodeId>> links = {{NodeId{3}, NodeId{4}}, {NodeId{4}, NodeId{3}}};
    for (std::uint32_t v = 0; v < 4; ++v)
        for (std::uint32_t u = 0; u < 4; ++u)
            if (u != v)
                for (const std::uint32_t first : {0U, 4U}) links.emplace_back(first + v, first + u);
    const Network network("bottleneck", links);
    EXPECT_EQ(allgather_bound(network, 1).steps, 3U);  // diameter, and seven packets by three links
    const OptimalAllGather found = optimal_allgather(network, 1);
    EXPECT_EQ(found.bound.kind, AllGatherBound::Kind::flow);
    EXPECT_EQ(found.bound.steps, 5U);
    EXPECT_EQ(proven_gather(network, 1, found), 5U);
}

TEST(AllGather, SaysWhichNodeIsNotReached) {
    const Network network("graph", {{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{0}}, {NodeId{0}, NodeId{2}}});
    try {
        optimal_allgather(network, 1);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("there is no path from node 2 to node 0"));
    }
}

/// What the checker of written-out sends says of torus:4x3's schedule after a change.
std::string said_of_sends(const std::function<void(std::vector<TimedSend>&)>& change) {
    const Network network = make_network("torus:4x3");
    std::vector<TimedSend> sends = all_sends(network, optimal_allgather(network, 1).schedule);
    change(sends);
    return check_allgather(network, 1, sends).problem();
}

TEST(CheckAllGather, FindsWhatIsWrong) {
    EXPECT_EQ(said_of_sends([](auto&) {}), "");
    EXPECT_THAT(said_of_sends([](auto& sends) { sends.pop_back(); }), HasSubstr("never receives packet"));
    EXPECT_THAT(said_of_sends([](auto& sends) { sends.back().step = 1; }),
                HasSubstr("which it does not hold"));
    EXPECT_THAT(said_of_sends([](auto& sends) { sends.front().to = sends.front().from; }),
                HasSubstr("but there is no such link"));
    EXPECT_THAT(said_of_sends([](auto& sends) { sends.front().packet = PacketId{12}; }),
                HasSubstr("but packets are 0 to 11"));
    EXPECT_THAT(said_of_sends([](auto& sends) { sends.front().step = 0; }),
                HasSubstr("but the first step is 1"));
    EXPECT_THAT(said_of_sends([](auto& sends) { sends.front().from = NodeId{12}; }),
                HasSubstr("but nodes are 0 to 11"));
    EXPECT_THAT(said_of_sends([](auto& sends) { sends.push_back(sends.front()); }),
                HasSubstr("carries two packets"));
}

/// What the checker of symmetric schedules says of ibt:8x8:b=4's after a change.
std::string said_of_symmetric(const std::function<void(SymmetricSchedule&)>& change) {
    const Network network = make_network("ibt:8x8:b=4");
    SymmetricSchedule schedule = optimal_allgather(network, 1).schedule;
    change(schedule);
    const CheckReport report = check_allgather(network, schedule);
    const CheckReport plain = check_allgather(network, schedule.chunks, all_sends(network, schedule));
    EXPECT_EQ(report.valid(), plain.valid()) << report.problem() << " / " << plain.problem();
    return report.problem();
}

TEST(CheckAllGather, FindsTheSameInASymmetricSchedule) {
    EXPECT_EQ(said_of_symmetric([](auto&) {}), "");
    EXPECT_THAT(said_of_symmetric([](auto& s) { s.sends[0].pop_back(); }), HasSubstr("never receives chunk"));
    EXPECT_THAT(said_of_symmetric([](auto& s) { s.sends[1].back().step = 1; }),
                HasSubstr("which it does not hold"));
    EXPECT_THAT(said_of_symmetric([](auto& s) { s.sends[0].insert(s.sends[0].begin(), s.sends[0].front()); }),
                HasSubstr("carries packets of nodes 0 and 0"));
}

// A node of class 1 sends its own packet again, by a link that one of node 0 takes in this step.
TEST(CheckAllGather, FindsClassesThatUseOneLink) {
    const Network network = make_network("ibt:8x8:b=4");
    const Lattice& lattice = *network.lattice();
    EXPECT_THAT(said_of_symmetric([&](SymmetricSchedule& s) {
                    const auto by_class_1 = std::find_if(
                        s.sends[0].begin(), s.sends[0].end(),
                        [&](const RelativeSend& send) { return lattice.species(send.from) == 1; });
                    ASSERT_NE(by_class_1, s.sends[0].end());
                    RelativeSend again = *by_class_1;
                    again.from = s.sends[1].front().from;
                    const auto later =
                        std::find_if(s.sends[1].begin(), s.sends[1].end(),
                                     [&](const RelativeSend& send) { return send.step > again.step; });
                    s.sends[1].insert(later, again);
                }),
                HasSubstr("carries packets of nodes 0 and 1"));
}

TEST(CheckAllGather, FindsASymmetryThatIsNone) {
    const Network torus = make_network("torus:4x4");
    const SymmetricSchedule of_a_torus = optimal_allgather(torus, 1).schedule;
    EXPECT_THAT(check_allgather(make_network("mesh:4x4"), of_a_torus).problem(),
                HasSubstr("there are sends of 1 classes, not of 16"));
}

}  // namespace
}  // namespace interlace
