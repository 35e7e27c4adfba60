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
#include "interlace/broadcast/collectives/time_cuts.h"
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

/// By the steps of every link, one after another, whether more packets have to cross the cut than can.
bool proves(const Network& network, const TimeCut& cut) {
    std::uint64_t crossing = 0, needed = 0;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        if (v != cut.node && v == cut.only.value_or(NodeId{v}) && cut.times[v] > cut.steps)
            needed += cut.packets;
    for (std::uint32_t step = 0; step < cut.steps; ++step)
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            for (const NodeId next : network.neighbours(NodeId{v})) {
                const std::uint32_t from = cut.go == PacketsGo::to ? +next : v,
                                    to = cut.go == PacketsGo::to ? v : +next;
                if (cut.times[from] <= step && cut.times[to] > step + 1) ++crossing;
            }
    return cut.times[cut.node] == 0 && needed > crossing;
}

// There are schedules of so many steps, so that a cut that proved more would be wrong.
void expect_cut(const Network& network, PacketsGo go, NodeId node, std::uint32_t chunks,
                std::uint32_t steps) {
    const auto cut = cut_of_all(network, go, node, chunks, steps - 1);
    ASSERT_TRUE(cut) << network.name() << " " << node << " " << chunks;
    EXPECT_TRUE(proves(network, *cut)) << network.name() << " " << node << " " << chunks;
    EXPECT_TRUE(check_time_cut(network, *cut).proves());
    EXPECT_FALSE(cut_of_all(network, go, node, chunks, steps)) << network.name();
}

TEST(TimeCuts, ProveTheBoundsOfScattersAndGathers) {
    const auto both = [](const Network& network, NodeId root, std::uint32_t chunks) {
        expect_cut(network, PacketsGo::from, root, chunks, proven_scatter(network, root, chunks));
        expect_cut(network, PacketsGo::to, root, chunks, proven_gather(network, root, chunks));
    };
    for (std::uint32_t nodes = 2; nodes <= 5; ++nodes)
        each_connected_network(nodes, [&](const Network& network) {
            for (std::uint32_t root = 0; root < nodes; ++root)
                for (const std::uint32_t chunks : {1U, 2U, 3U}) both(network, NodeId{root}, chunks);
        });
    for (const char* name :
         {"torus:8x8", "mesh:7", "mesh:7x3", "mesh:4x4", "ibt:16x16:b=4", "torus:8x4:twist=4"})
        for (const std::uint32_t root : {0U, 3U}) both(make_network(name), NodeId{root}, 1);
    // The flow bound, of a tail of two nodes at a triangle (NeedsMoreThanAnyDistanceSays).
    const Network directed("one way",
                           {{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{2}}, {NodeId{2}, NodeId{0}}});
    both(directed, NodeId{1}, 2);
}

TEST(TimeCuts, ProveHowLongPacketsTakeFromNodeToNode) {
    const Network mesh = make_network("mesh:5x3");
    // By hand: two links lead into the far corner, from nodes five links away, so that two packets arrive in
    // each step from the sixth on.
    for (const std::uint32_t packets : {1U, 2U, 3U, 4U, 9U}) {
        const std::uint32_t steps = 5 + (packets + 1) / 2;
        for (const PacketsGo go : {PacketsGo::from, PacketsGo::to}) {
            const auto cut = cut_of_one(mesh, go, NodeId{0}, NodeId{14}, packets, steps - 1);
            ASSERT_TRUE(cut) << packets;
            EXPECT_TRUE(proves(mesh, *cut)) << packets;
            EXPECT_FALSE(cut_of_one(mesh, go, NodeId{0}, NodeId{14}, packets, steps)) << packets;
        }
    }
}

TEST(TimeCuts, AreRefusedWhereTheyAreNone) {
    const Network ring = make_network("torus:4");
    const TimeCut cut{NodeId{0}, PacketsGo::from, 1, {}, 1, {0, 2, 2, 2}};
    EXPECT_EQ(check_time_cut(ring, cut).needed, 3U);
    EXPECT_EQ(check_time_cut(ring, cut).crossing, 2U);
    const auto refusal = [&](const std::function<void(TimeCut&)>& change) -> std::string {
        TimeCut changed = cut;
        change(changed);
        try {
            check_time_cut(ring, changed);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(refusal([](TimeCut& c) { c.times.pop_back(); }), HasSubstr("there are 3 times; expected 4"));
    EXPECT_THAT(refusal([](TimeCut& c) { c.times[3] = 3; }),
                HasSubstr("the time of node 3 is 3; expected 0 to 2"));
    EXPECT_THAT(refusal([](TimeCut& c) { c.times[0] = 1; }),
                HasSubstr("the time of node 0 is 1; expected 0"));
    EXPECT_THAT(refusal([](TimeCut& c) { c.node = NodeId{4}; }), HasSubstr("node 4 is not in torus:4"));
    EXPECT_THAT(refusal([](TimeCut& c) { c.only = NodeId{9}; }), HasSubstr("node 9 is not in torus:4"));
}

}  // namespace
}  // namespace interlace
