// Interlace: forwarding tables of unicast packets against bounds, and free from cycles of waits
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routing/routing_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/network/metrics.h"
#include "support/random_graph.h"

namespace interlace {
namespace {

/// The network as a user's graph: its links in random order under random node numbers, but for `broken`
/// cables.
Network as_graph(const Network& network, std::uint64_t seed, std::uint32_t broken = 0) {
    std::vector<std::uint32_t> number(network.node_count());
    for (std::uint32_t v = 0; v < number.size(); ++v) number[v] = v;
    for (std::uint32_t v = static_cast<std::uint32_t>(number.size()) - 1; v > 0; --v)
        std::swap(number[v], number[random_bits(seed, 0, v) % (v + 1)]);
    std::set<std::pair<NodeId, NodeId>> links;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (const NodeId next : network.neighbours(NodeId{v})) links.emplace(number[v], number[next]);
    for (std::uint32_t i = 0; i < broken; ++i) {
        const auto cable =
            *std::next(links.begin(), static_cast<std::ptrdiff_t>(random_bits(seed, 1, i) % links.size()));
        links.erase(cable);
        links.erase({cable.second, cable.first});
    }
    return {network.name() + " as a graph", {links.begin(), links.end()}};
}

/// What the tables do, found by following every packet through them.
struct Followed {
    std::uint64_t hops = 0, min_hops = 0;
    std::vector<std::uint32_t> load;  ///< [link]: pairs
    std::uint32_t channels = 0;       ///< the highest that an entry names, plus one
    bool cycles = false;
};

/// Whether the relation has a cycle: what waits for nothing is taken away until nothing is left.
bool has_cycle(const std::set<std::pair<std::uint32_t, std::uint32_t>>& waits, std::uint32_t channels) {
    std::vector<std::vector<std::uint32_t>> waiters(channels);
    std::vector<std::uint32_t> waits_for(channels, 0);
    for (const auto& [from, to] : waits) {
        waiters[to].push_back(from);
        ++waits_for[from];
    }
    std::vector<std::uint32_t> gone;
    for (std::uint32_t i = 0; i < channels; ++i)
        if (waits_for[i] == 0) gone.push_back(i);
    for (std::size_t i = 0; i < gone.size(); ++i)
        for (const std::uint32_t waiter : waiters[gone[i]])
            if (--waits_for[waiter] == 0) gone.push_back(waiter);
    return gone.size() < channels;
}

Followed follow(const Network& network, std::uint32_t vcs, Routing routing = Routing::table) {
    NodeParameters node;
    node.vcs = vcs;
    node.routing = routing;
    const Fabric fabric(network, node);
    const RoutingTables tables = routing_tables(network, fabric);
    Followed f;
    f.load.assign(network.link_count(), 0);
    std::set<std::pair<std::uint32_t, std::uint32_t>> waits;
    for (std::uint32_t from = 0; from < network.node_count(); ++from) {
        const auto distance = distances_from(network, NodeId{from});
        for (std::uint32_t to = 0; to < network.node_count(); ++to) {
            f.min_hops += distance[to];
            std::vector<std::uint32_t> before;
            for (NodeId v{from}; v != to;) {
                const std::uint32_t entry = tables.ports[v][to];
                const std::uint32_t port_mask = entry & ((1U << fabric.ports) - 1);
                EXPECT_EQ(std::popcount(port_mask), 1);
                EXPECT_LT(std::countr_zero(port_mask), static_cast<int>(network.degree(v)));
                const std::uint32_t link =
                    network.first_link(v) + static_cast<std::uint32_t>(std::countr_zero(port_mask));
                const std::uint32_t channels = channels_of_entry(entry);
                const std::uint32_t mask = channels == 0 ? (1U << vcs) - 1 : channels;
                EXPECT_LT(mask, 1U << vcs);
                std::vector<std::uint32_t> now;
                for (std::uint32_t k = 0; k < vcs; ++k)
                    if ((mask >> k & 1U) != 0) {
                        now.push_back(link * vcs + k);
                        f.channels = std::max(f.channels, k + 1);
                    }
                for (const std::uint32_t a : before)
                    for (const std::uint32_t b : now) waits.emplace(a, b);
                before = now;
                ++f.load[link];
                v = network.target(LinkId{link});
                if (++f.hops > std::uint64_t{1} << 40U || before.empty()) throw FellShort("lost");
            }
            EXPECT_EQ(tables.ports[to][to], 1U << fabric.ports);
        }
    }
    f.cycles = has_cycle(waits, network.link_count() * vcs);
    EXPECT_EQ(tables.load->max, *std::max_element(f.load.begin(), f.load.end()));
    EXPECT_DOUBLE_EQ(tables.load->mean, static_cast<double>(f.hops) / network.link_count());
    EXPECT_EQ(tables.load->detours == 0, f.hops == f.min_hops);
    return f;
}

// Every pair takes at least its distance, so some link has at least sum of distances / links, which an 8 x 8
// torus (64 x 256 / 256 = 64: a row has distances of 16 in all) meets by symmetry. Whatever its nodes are
// called, and whichever ports they have: nothing piles up anywhere.
TEST(RoutingTables, BalanceTheLinksOfATorus) {
    for (std::uint64_t seed = 0; seed < 4; ++seed)
        for (const std::uint32_t vcs : {2U, 4U}) {
            const Network torus = make_network("torus:8x8");
            const Followed f = follow(seed == 0 ? torus : as_graph(torus, seed), vcs);
            EXPECT_EQ(f.hops, 64 * 256U);
            EXPECT_EQ(f.hops, f.min_hops);
            EXPECT_FALSE(f.cycles);
            EXPECT_LE(*std::max_element(f.load.begin(), f.load.end()), 72U) << seed;  // 64 + 1/8
            EXPECT_GE(*std::min_element(f.load.begin(), f.load.end()), 56U) << seed;
        }
}

// A torus that has lost two cables carries less than a whole one, whose links have 64 pairs: its shortest
// ways are longer. It carries more than a mesh, which has lost sixteen: there 32 x 32 pairs cross the 8 links
// of the middle each way, so one has 128 or more.
TEST(RoutingTables, GoRoundBrokenLinks) {
    for (std::uint64_t seed = 1; seed < 5; ++seed) {
        const Followed f = follow(as_graph(make_network("torus:8x8"), seed, 2), 2);
        EXPECT_EQ(f.hops, f.min_hops);
        EXPECT_GT(f.hops, 64 * 256U);
        EXPECT_FALSE(f.cycles);
        const std::uint32_t most = *std::max_element(f.load.begin(), f.load.end());
        EXPECT_GT(most, 64U);
        EXPECT_LT(most, 128U) << seed;
    }
}

// Dimension order needs two channels on a torus and one on a mesh (Dally and Seitz, 1987), and takes shortest
// ways: so do tables. Over the i-th cut of a row of 8 nodes i (8 - i) x 8 pairs go each way: 128 at most.
TEST(RoutingTables, NeedNoMoreChannelsThanDimensionOrder) {
    for (const char* name : {"torus:16x16", "torus:7", "torus:5x4x3", "torus:3x12", "torus:8x4:twist=4",
                             "torus:16x8:twist=8", "torus:8x4x4:twist=4,4", "torus:9x6:twist=3"})
        for (const std::uint32_t vcs : {2U, 3U, 4U}) {
            const Followed torus = follow(make_network(name), vcs);
            EXPECT_EQ(torus.hops, torus.min_hops) << name << " " << vcs;
            EXPECT_FALSE(torus.cycles) << name << " " << vcs;
        }
    const Followed mesh = follow(make_network("mesh:8x8"), 1);
    EXPECT_EQ(mesh.hops, mesh.min_hops);
    EXPECT_FALSE(mesh.cycles);
    EXPECT_EQ(*std::max_element(mesh.load.begin(), mesh.load.end()), 128U);
}

// Four channels are all that a link can have, so this many have to do.
TEST(RoutingTables, NeedAtMostFourChannelsOnAnInterlacedBypassTorus) {
    for (const char* name : {"ibt:16x16:b=4", "ibt:16x16:b=4,8"}) {
        const Followed f = follow(make_network(name), 4);
        EXPECT_EQ(f.hops, f.min_hops) << name;
        EXPECT_FALSE(f.cycles) << name;
    }
}

// On the two channels of the node `wide` most pairs of nodes still have shortest ways, and none has much
// more.
TEST(RoutingTables, AreNearlyShortestOnTwoChannelsOfAnyInterlacedBypassTorus) {
    for (const char* name :
         {"ibt:8x8:b=4", "ibt:64:b=8", "ibt:9x9x9:b=3", "ibt:24x24:b=4,12", "ibt:32x16:b=8,12"}) {
        const Followed f = follow(make_network(name), 2);
        EXPECT_FALSE(f.cycles) << name;
        EXPECT_LE(static_cast<double>(f.hops), 1.02 * static_cast<double>(f.min_hops)) << name;
    }
}

// Links at random, which no coordinates order: all that is known is the distances.
TEST(RoutingTables, AreNearlyShortestOnTwoChannelsOfARandomGraph) {
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
        std::vector<std::pair<NodeId, NodeId>> links;
        for (std::uint32_t v = 0; v < 160; ++v)
            for (std::uint32_t i = 0; i < 2; ++i) {
                const auto to = static_cast<std::uint32_t>((v + 1 + random_bits(seed, v, i) % 159) % 160);
                links.emplace_back(v, to);
                links.emplace_back(to, v);
            }
        const Followed f = follow(Network("random", links), 2);
        EXPECT_FALSE(f.cycles) << seed;
        EXPECT_LE(static_cast<double>(f.hops), 1.04 * static_cast<double>(f.min_hops)) << seed;
    }
}

/// Up*/down* routing (Schroeder et al., "Autonet", 1991) from node 0, written from its words: the shortest
/// ways that never go up (nearer to node 0, or as near to a lower number) after they went down, and of those,
/// one pair after the other, the one over the least loads.
Followed up_down(const Network& network) {
    const auto level = distances_from(network, NodeId{0});
    const std::uint32_t nodes = network.node_count();
    Followed f;
    f.load.assign(network.link_count(), 0);
    for (std::uint32_t from = 0; from < nodes; ++from) {
        // Node v is state v while the way goes up, and nodes + v once it has gone down.
        std::vector<std::uint32_t> hops(2 * nodes, UINT32_MAX), sum(2 * nodes, 0), came(2 * nodes),
            by(2 * nodes);
        std::vector<std::uint32_t> reached = {from};
        hops[from] = 0;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            const std::uint32_t state = reached[i];
            const NodeId v{state % nodes};
            for (std::uint32_t p = 0; p < network.degree(v); ++p) {
                const NodeId next = network.neighbours(v)[p];
                const bool up = level[next] < level[v] || (level[next] == level[v] && next < v);
                if (up && state >= nodes) continue;
                const std::uint32_t there = next + (up ? 0 : nodes);
                const std::uint32_t link = network.first_link(v) + p;
                if (hops[there] == UINT32_MAX) reached.push_back(there);
                const auto now = std::pair{hops[state] + 1, sum[state] + f.load[link]};
                if (now >= std::pair{hops[there], sum[there]}) continue;
                std::tie(hops[there], sum[there]) = now;
                came[there] = state;
                by[there] = link;
            }
        }
        for (std::uint32_t to = 0; to < nodes; ++to) {
            std::uint32_t state = hops[to] < hops[nodes + to] ? to : nodes + to;
            if (to == from) continue;
            f.hops += hops[state];
            for (; state != from; state = came[state]) ++f.load[by[state]];
        }
    }
    return f;
}

/// The sum over ordered pairs of their distance, divided by the sum of the lengths of links, where bypass
/// links have length 2 and all others 1: no paths have less on their fullest link (duality of concurrent
/// flows).
double bound_by_lengths(const Network& network) {
    const Lattice& lattice = *network.lattice();
    const auto length = [&](NodeId a, NodeId b) {
        for (std::uint32_t d = 0; d < lattice.dimensions(); ++d) {
            const std::uint32_t size = lattice.sizes()[d];
            const std::uint32_t apart = (lattice.coordinate(a, d) + size - lattice.coordinate(b, d)) % size;
            if (apart > 1 && apart + 1 < size) return 2U;
        }
        return 1U;
    };
    double distances = 0, lengths = 0;
    for (std::uint32_t from = 0; from < network.node_count(); ++from) {
        for (const NodeId to : network.neighbours(NodeId{from})) lengths += length(NodeId{from}, to);
        std::vector<std::uint32_t> distance(network.node_count(), UINT32_MAX);
        distance[from] = 0;
        for (bool shorter = true; shorter;) {  // Bellman, Ford
            shorter = false;
            for (std::uint32_t v = 0; v < network.node_count(); ++v)
                for (const NodeId to : network.neighbours(NodeId{v})) {
                    if (distance[v] == UINT32_MAX || distance[v] + length(NodeId{v}, to) >= distance[to])
                        continue;
                    distance[to] = distance[v] + length(NodeId{v}, to);
                    shorter = true;
                }
        }
        for (const std::uint32_t d : distance) distances += d;
    }
    return distances / lengths;
}

// The bounds of docs/routing-tables.md.
TEST(RoutingTables, LoadTheirLinksMoreThanAnyPathsMust) {
    for (const auto& [name, bound] : {std::pair("torus:8x8", 64.0),
                                      {"ibt:8x8:b=4", 38.0},
                                      {"ibt:16x16:b=4", 179.0},
                                      {"ibt:16x16:b=4,8", 191.14}}) {
        const Network network = make_network(name);
        EXPECT_NEAR(bound_by_lengths(network), bound, 0.005) << name;
        const Followed followed = follow(network, 4);
        EXPECT_GE(*std::max_element(followed.load.begin(), followed.load.end()), bound) << name;
    }
}

// At most 6% above the bound, on the two channels of the node `wide`: any paths that carry more than by
// fewest hops are longer. Under other node numbers and as a graph, where each link has a length of its own,
// at most 10%.
TEST(BalancedTables, ComeNearTheBoundOfAnyPaths) {
    for (const auto& [name, bound] : {std::pair("torus:8x8", 64.0),
                                      {"ibt:8x8:b=4", 38.0},
                                      {"ibt:16x16:b=4", 179.0},
                                      {"ibt:16x16:b=4,8", 191.14}}) {
        const Network network = make_network(name);
        const Followed f = follow(network, 2, Routing::balanced);
        EXPECT_FALSE(f.cycles) << name;
        EXPECT_GE(*std::max_element(f.load.begin(), f.load.end()), bound) << name;
        EXPECT_LE(*std::max_element(f.load.begin(), f.load.end()), 1.06 * bound) << name;
        EXPECT_GE(f.hops, f.min_hops);
    }
    const Followed graph = follow(as_graph(make_network("ibt:8x8:b=4"), 1), 4, Routing::balanced);
    EXPECT_FALSE(graph.cycles);
    EXPECT_GE(*std::max_element(graph.load.begin(), graph.load.end()), 38U);
    EXPECT_LE(*std::max_element(graph.load.begin(), graph.load.end()), 1.1 * 38);
}

// On a line every packet's path is given. Over the middle of mesh:8x8 each link has to carry 128 pairs
// (above), and need not carry more than by shortest paths (131, docs/routing-tables.md).
TEST(BalancedTables, AreTheOnlyPathsWhereThereIsNoChoice) {
    const Followed line = follow(make_network("mesh:6"), 1, Routing::balanced);
    EXPECT_EQ(line.hops, line.min_hops);
    EXPECT_EQ(*std::max_element(line.load.begin(), line.load.end()), 9U) << "3 x 3 pairs cross the middle";
    const Followed mesh = follow(make_network("mesh:8x8"), 2, Routing::balanced);
    EXPECT_GE(*std::max_element(mesh.load.begin(), mesh.load.end()), 128U);
    EXPECT_LE(*std::max_element(mesh.load.begin(), mesh.load.end()), 131U);
}

TEST(BalancedTables, AreFreeFromDeadlockOnAnyNetworkAndNumberOfChannels) {
    for (const char* name : {"torus:5", "torus:4x4", "torus:8x4:twist=4", "torus:12x3:twist=5", "mesh:4x3",
                             "ibt:8x8:b=4", "ibt:9x9x9:b=3"})
        for (const std::uint32_t vcs : {1U, 3U})
            EXPECT_FALSE(follow(make_network(name), vcs, Routing::balanced).cycles) << name << " " << vcs;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        EXPECT_FALSE(follow(random_graph(12, 20, seed), 4, Routing::balanced).cycles) << seed;
        for (const std::uint32_t vcs : {1U, 2U})
            EXPECT_FALSE(follow(dense_graph(9, seed), vcs, Routing::balanced).cycles) << seed;
    }
}

// On one channel, which is all that up*/down* needs, and on two.
TEST(RoutingTables, AreShorterAndMoreEvenThanUpDown) {
    for (const char* name : {"torus:8x8", "mesh:8x8", "ibt:8x8:b=4"}) {
        const Network network = make_network(name);
        const Followed other = up_down(network);
        for (const std::uint32_t vcs : {1U, 2U}) {
            const Followed f = follow(network, vcs);
            const auto most = [](const Followed& x) {
                return *std::max_element(x.load.begin(), x.load.end());
            };
            EXPECT_LE(f.hops, other.hops) << name << " " << vcs;
            EXPECT_LT(most(f), most(other)) << name << " " << vcs;
        }
    }
}

// Where links go both ways one channel is enough for some way (a tree's), and with more of them ways are
// shortest. In one direction a ring with one channel has a cycle of waits, whatever the tables.
TEST(RoutingTables, FindAWayOnAnyNumberOfChannels) {
    for (const char* name : {"torus:5", "torus:4x4", "torus:8x8", "mesh:4x3", "ibt:8x8:b=4"}) {
        const Followed f = follow(make_network(name), 1);
        EXPECT_FALSE(f.cycles) << name;
        EXPECT_GE(f.hops, f.min_hops) << name;
    }
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Network directed = random_graph(12, 20, seed);
        const Followed f = follow(directed, 4);
        EXPECT_FALSE(f.cycles) << seed;
        EXPECT_EQ(f.hops, f.min_hops) << seed;
        const Network dense = dense_graph(9, seed);
        for (const std::uint32_t vcs : {1U, 2U}) EXPECT_FALSE(follow(dense, vcs).cycles) << seed;
    }
    EXPECT_THROW(
        follow(Network("one way", {{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{2}}, {NodeId{2}, NodeId{0}}}),
               1),
        InputError);
}

}  // namespace
}  // namespace interlace
