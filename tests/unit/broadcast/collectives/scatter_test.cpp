// Interlace: scatters, gathers and barriers, against bounds, exhaustive search and the checker
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/scatter.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "interlace/broadcast/collectives/barrier.h"
#include "interlace/broadcast/collectives/reducescatter.h"
#include "interlace/core/error.h"
#include "interlace/program/check_collective.h"
#include "small_networks.h"

namespace interlace {
namespace {

using testing::HasSubstr;

std::uint32_t at_bound(const Network& network, const OptimalScatter& found, const CheckReport& report) {
    EXPECT_TRUE(report.valid()) << network.name() << ": " << report.problem();
    EXPECT_EQ(report.steps, found.bound.steps) << network.name();
    return report.steps;
}

std::uint32_t proven_scatter(const Network& network, NodeId root, std::uint32_t chunks) {
    const OptimalScatter found = optimal_scatter(network, root, chunks);
    return at_bound(network, found, check_scatter(network, root, chunks, found.sends));
}

std::uint32_t proven_gather(const Network& network, NodeId root, std::uint32_t chunks) {
    const OptimalScatter found = optimal_gather(network, root, chunks);
    return at_bound(network, found, check_gather(network, root, chunks, found.sends));
}

struct Scattered {
    const char* network;
    std::uint32_t root, chunks, steps;
};

// All packets leave by the links of the root; on mesh:7 from node 1 the last node's packet needs five hops,
// and from node 3 of mesh:7x3, whose row has 7 nodes, 20 packets leave by three links.
TEST(Scatter, TakesAsManyStepsAsTheBound) {
    for (const Scattered& c : {Scattered{"torus:8x8", 0, 1, 16},
                               {"torus:8x8", 9, 4, 63},
                               {"torus:10x10x10", 5, 1, 167},
                               {"ibt:16x16:b=4", 3, 2, 85},
                               {"ibt:64x64:b=8,24", 0, 1, 683},
                               {"mesh:8x8", 0, 1, 32},
                               {"mesh:4x4", 8, 1, 5},
                               {"mesh:7", 1, 1, 5},
                               {"mesh:7x3", 3, 1, 7}}) {
        SCOPED_TRACE(fmt::format("{} from node {}", c.network, c.root));
        const Network network = make_network(c.network);
        EXPECT_EQ(proven_scatter(network, NodeId{c.root}, c.chunks), c.steps);
        EXPECT_EQ(proven_gather(network, NodeId{c.root}, c.chunks), c.steps);
    }
}

/// The fewest steps by search over all positions of the packets, one for each node but the root.
class EveryScatter {
  public:
    EveryScatter(const Network& network, NodeId root) : network_(network) {
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            if (v != root) to_.emplace_back(v);
        now_.insert(Places(to_.size(), root));
    }

    std::uint32_t steps() {
        for (std::uint32_t step = 0;; ++step) {
            if (now_.contains(to_)) return step;
            const std::set<Places> before = std::move(now_);
            now_.clear();
            for (Places places : before) move(places, 0, {});
        }
    }

  private:
    using Places = std::vector<NodeId>;  // of the packets

    void move(Places& places, std::size_t packet, std::set<std::pair<NodeId, NodeId>> links) {
        if (packet == places.size()) {
            now_.insert(places);
            return;
        }
        const NodeId from = places[packet];
        move(places, packet + 1, links);
        for (const NodeId to : network_.neighbours(from)) {
            if (!links.emplace(from, to).second) continue;
            places[packet] = to;
            move(places, packet + 1, links);
            places[packet] = from;
            links.erase({from, to});
        }
    }

    const Network& network_;
    Places to_;
    std::set<Places> now_;
};

TEST(Scatter, IsAsShortAsAnyOnAllSmallNetworks) {
    std::uint32_t networks = 0;
    for (std::uint32_t nodes = 2; nodes <= 5; ++nodes)
        each_connected_network(nodes, [&](const Network& network) {
            ++networks;
            for (std::uint32_t root = 0; root < nodes; ++root) {
                const std::uint32_t steps = EveryScatter(network, NodeId{root}).steps();
                EXPECT_EQ(proven_scatter(network, NodeId{root}, 1), steps) << network.name();
                EXPECT_EQ(proven_gather(network, NodeId{root}, 1), steps) << network.name();
            }
        });
    EXPECT_EQ(networks, 1U + 2 + 6 + 21);
}

// Of nine packets seven, for nodes 3 to 9, cross the link from 1 to 3 in steps 2 to 8, that of node 3 last: 8
// steps. In seven steps six cross, five of them in time for the nodes behind, the sixth for node 3; nodes 1
// and 2 have theirs.
TEST(Scatter, FindsTheFlowBound) {
    std::vector<std::pair<NodeId, NodeId>> links;
    const auto both_ways = [&](std::uint32_t a, std::uint32_t b) {
        links.emplace_back(a, b);
        links.emplace_back(b, a);
    };
    both_ways(0, 1);
    both_ways(0, 2);
    both_ways(1, 3);
    for (std::uint32_t leaf = 4; leaf < 10; ++leaf) both_ways(3, leaf);
    const Network network("bottleneck", links);
    EXPECT_EQ(proven_scatter(network, NodeId{0}, 1), 8U);
    const ScatterBound bound = scatter_bound(network, NodeId{0}, 1, UINT32_MAX);
    EXPECT_EQ(bound.kind, ScatterBound::Kind::flow);
    EXPECT_EQ(bound.packets, 8U);  // of nine in seven steps
}

TEST(Scatter, RefusesWhatIsNotReached) {
    const Network network("one way", std::vector<std::pair<NodeId, NodeId>>{{NodeId{0}, NodeId{1}}});
    EXPECT_EQ(proven_scatter(network, NodeId{0}, 3), 3U);
    EXPECT_THAT([&] { optimal_scatter(network, NodeId{1}, 1); },
                testing::ThrowsMessage<InputError>(HasSubstr("node 0 cannot be reached from node 1")));
}

TEST(CheckScatter, FindsWhatIsWrong) {
    const Network network = make_network("mesh:3x3");
    const std::vector<TimedSend> sends = optimal_scatter(network, NodeId{4}, 1).sends;
    const auto said = [&](const std::function<void(std::vector<TimedSend>&)>& change) {
        std::vector<TimedSend> changed = sends;
        change(changed);
        return check_scatter(network, NodeId{4}, 1, changed).problem();
    };
    EXPECT_EQ(said([](auto&) {}), "");
    EXPECT_THAT(said([](auto& rows) { rows.pop_back(); }), HasSubstr("never receives packet"));
    EXPECT_THAT(said([](auto& rows) { rows.push_back(rows.back()); }), HasSubstr("carries two packets"));
    EXPECT_THAT(said([](auto& rows) { rows.back().step = 1; }), testing::Not(""));
    EXPECT_THAT(check_scatter(network, NodeId{0}, 1, sends).problem(), HasSubstr("does not hold"));
}

// As many steps as links are between the nodes that are farthest from one another.
TEST(Barrier, TakesTheDiameter) {
    for (const auto& [name, steps] : {std::pair{"torus:8x8", 8U}, {"mesh:5x4", 7U}, {"torus:5x5x5", 6U}}) {
        const Network network = make_network(name);
        const CheckReport report = check_barrier(network, optimal_barrier(network));
        EXPECT_TRUE(report.valid()) << report.problem();
        EXPECT_EQ(report.steps, steps) << name;
    }
}

// On a line node 0 tells node 1 in the first step alone, and the last node hears of it in the last one.
TEST(CheckBarrier, FindsWhatIsWrong) {
    const Network network = make_network("mesh:4");
    std::vector<TimedSend> first = optimal_barrier(network), last = first;
    first.erase(first.begin());
    EXPECT_THAT(check_barrier(network, first).problem(),
                HasSubstr("node 1 ends without the contribution of node 0"));
    last.pop_back();
    EXPECT_THAT(check_barrier(network, last).problem(),
                HasSubstr("node 3 ends without the contribution of node 0"));
}

}  // namespace
}  // namespace interlace
