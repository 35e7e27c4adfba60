// Interlace: all-to-all exchanges on paths of a best flow, against bounds and both checkers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/routed_alltoall.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/network/metrics.h"
#include "interlace/program/check_collective.h"
#include "proven_exchange.h"
#include "small_networks.h"
#include "support/random_graph.h"

namespace interlace {
namespace {

using testing::HasSubstr;

RoutedAllToAll routed(const Network& network, std::uint32_t chunks, std::uint64_t seed = 1) {
    const LinkClasses classes(network, {});
    RoutedOptions options;
    options.seed = seed;
    return routed_alltoall(network, classes, find_capacity(network, classes, {}, AllowedPaths::any), chunks,
                           options);
}

std::uint32_t proven_routed(const Network& network, const SymmetricSchedule& schedule) {
    EXPECT_EQ(check_alltoall(network, schedule).sends, schedule.send_count(network));
    return proven_exchange(network, schedule);
}

struct Routed {
    const char* network;
    std::uint32_t chunks, steps;
};

// Independent programs: torus links of length 1 and bypass links of 2 prove 38, 179, 191.14, 1365.33, 5386.5
// and 4613.25; 1 and 6 prove 8192; 1, 4 and 10 prove 5674.3. All of these are reached, rounded up.
TEST(RoutedAllToAll, MeetsTheBoundOnBypassTori) {
    for (const Routed& c : {Routed{"ibt:8x8:b=4", 1, 38},
                            {"ibt:8x8:b=4", 3, 114},
                            {"ibt:16x16:b=4", 1, 179},
                            {"ibt:16x16:b=4,8", 1, 192},
                            {"ibt:16x16:b=4,8", 4, 765},
                            {"ibt:32x32:b=4", 1, 1366},
                            {"ibt:64x64:b=6", 1, 8192},
                            {"ibt:64x64:b=14", 1, 5387},
                            {"ibt:64x64:b=4,16", 1, 5675},
                            {"ibt:64x64:b=8,24", 1, 4614}}) {
        SCOPED_TRACE(fmt::format("{} with {} chunks", c.network, c.chunks));
        const Network network = make_network(c.network);
        const RoutedAllToAll found = routed(network, c.chunks);
        EXPECT_EQ(found.bound.steps, c.steps);
        EXPECT_EQ(proven_routed(network, found.schedule), c.steps);
    }
}

// On a mesh of n of N nodes in its longest dimension the packets of both halves cross the middle by N / n
// links.
TEST(RoutedAllToAll, MeetsTheBoundOnMeshes) {
    for (const Routed& c : {Routed{"mesh:3x3", 1, 6},
                            {"mesh:5", 1, 6},
                            {"mesh:4x4", 2, 32},
                            {"mesh:5x6", 1, 45},
                            {"mesh:8x8", 1, 128},
                            {"mesh:7x5x3", 1, 180},
                            {"mesh:16x16", 1, 1024}}) {
        SCOPED_TRACE(c.network);
        const Network network = make_network(c.network);
        const RoutedAllToAll found = routed(network, c.chunks);
        EXPECT_EQ(found.bound.steps, c.steps);
        EXPECT_EQ(proven_routed(network, found.schedule), c.steps);
    }
}

// Where symmetry makes all links alike no schedule is shorter than the sum of a node's distances over its
// links, rounded up. Of 8 x 4 nodes twisted by 4, 4, 8 and 12 are 1, 2 and 3 hops away, as in a plane, and
// the other 7 are 4 away: 84 hops over 4 links.
TEST(RoutedAllToAll, MeetsTheBoundOnTwistedTori) {
    for (const char* name : {"torus:8x4:twist=4", "torus:16x8:twist=8", "torus:5x4:twist=3",
                             "torus:8x4x4:twist=4,4", "torus:9x3:twist=3"}) {
        SCOPED_TRACE(name);
        const Network network = make_network(name);
        const std::vector<std::uint32_t> distance = distances_from(network, NodeId{0});
        const std::uint32_t sum = std::accumulate(distance.begin(), distance.end(), 0U);
        const RoutedAllToAll found = routed(network, 1);
        EXPECT_GE(found.bound.steps, (sum + network.max_degree() - 1) / network.max_degree());
        EXPECT_EQ(proven_routed(network, found.schedule), found.bound.steps);
        if (network.name() == "torus:8x4:twist=4") {
            EXPECT_EQ(found.bound.steps, 21U);
        }
    }
}

using Links = std::set<std::pair<NodeId, NodeId>>;

Network graph(const Links& links) {
    return {"graph", std::vector<std::pair<NodeId, NodeId>>(links.begin(), links.end())};
}

Links ring(std::uint32_t nodes) {
    Links links;
    for (std::uint32_t v = 0; v < nodes; ++v) links.emplace(v, (v + 1) % nodes);
    return links;
}

TEST(RoutedAllToAll, IsNearTheBoundOnGraphs) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const auto nodes = static_cast<std::uint32_t>(2 + 2 * seed);
        const Network network = random_graph(nodes, 2 * nodes, seed);
        SCOPED_TRACE(fmt::format("{} nodes, {} links", nodes, network.link_count()));
        for (const std::uint32_t chunks : {1U, 3U}) {
            const RoutedAllToAll found = routed(network, chunks, seed);
            const std::uint32_t steps = proven_routed(network, found.schedule);
            EXPECT_GE(steps, found.bound.steps);
            EXPECT_LE(steps, found.bound.steps + (found.bound.steps + 19) / 20);
        }
    }
}

// One link: a packet each way. A leaf of a star gets four packets by one link. On a one-way ring of five a
// packet makes 1 to 4 hops.
TEST(RoutedAllToAll, OfSmallNetworks) {
    const auto steps = [](const Links& links) {
        const Network network = graph(links);
        return proven_routed(network, routed(network, 1).schedule);
    };
    EXPECT_EQ(steps(ring(2)), 1U);
    EXPECT_EQ(steps(ring(5)), 10U);
    Links star;
    for (std::uint32_t leaf = 1; leaf < 5; ++leaf) {
        star.emplace(0, leaf);
        star.emplace(leaf, 0);
    }
    EXPECT_EQ(steps(star), 4U);
}

// So no search of all schedules would find a shorter one.
TEST(RoutedAllToAll, MeetsTheBoundOnAllSmallNetworks) {
    for (std::uint32_t nodes = 2; nodes <= 5; ++nodes)
        each_connected_network(nodes, [&](const Network& network) {
            for (const std::uint32_t chunks : {1U, 2U, 3U}) {
                const RoutedAllToAll found = routed(network, chunks);
                EXPECT_EQ(proven_routed(network, found.schedule), found.bound.steps)
                    << network.name() << ", " << chunks << " chunks";
            }
        });
}

TEST(RoutedAllToAll, RefusesWhatDoesNotFit) {
    const Network network = make_network("ibt:8x8:b=4");
    try {
        routed(network, 1U << 16U);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("cannot route 8388608 packets of 2 origins"));
    }
}

/// What both checkers say of a schedule after a change: whether they agree, and one's words.
std::string said_after(const std::function<void(std::vector<RelativeSend>&)>& change) {
    const Network network = make_network("mesh:3x3");
    SymmetricSchedule schedule = routed(network, 1).schedule;
    change(schedule.sends[0]);
    const CheckReport report = check_alltoall(network, schedule);
    EXPECT_EQ(report.valid(), check_alltoall(network, 1, all_sends(network, schedule)).valid());
    return report.problem();
}

TEST(CheckRoutedAllToAll, FindsWhatIsWrong) {
    EXPECT_EQ(said_after([](auto&) {}), "");
    EXPECT_THAT(said_after([](auto& sends) { sends.pop_back(); }), HasSubstr("ends at node"));
    EXPECT_THAT(said_after([](auto& sends) { sends.front().chunk = 0; }),
                HasSubstr("which it does not hold"));
    EXPECT_THAT(said_after([](auto& sends) {
                    sends.back() = sends.front();
                    sends.back().step = 9;
                }),
                HasSubstr("which it does not hold"));
    EXPECT_THAT(said_after([](auto& sends) {
                    for (RelativeSend& send : sends) send.step = 1;
                }),
                HasSubstr("step 1"));
    const Network network = make_network("mesh:3x3");
    SymmetricSchedule gather = routed(network, 1).schedule;
    gather.exchange = false;
    EXPECT_THAT(check_alltoall(network, gather).problem(), HasSubstr("of another kind of collective"));
}

}  // namespace
}  // namespace interlace
