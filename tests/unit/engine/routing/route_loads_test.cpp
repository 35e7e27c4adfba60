// Interlace: loads of routings and worst permutations against paths that the test follows itself
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routing/route_loads.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "interlace/engine/routing/worst_permutation.h"
#include "support/random_graph.h"

namespace interlace {
namespace {

/// A network with nodes that route packets in some way.
struct Routed {
    Routed(const Network& of, Routing routing, std::uint32_t vcs = 2)
        : network(of), fabric(network, parameters(routing, vcs)), tables(routing_tables(network, fabric)) {}

    static NodeParameters parameters(Routing routing, std::uint32_t vcs) {
        NodeParameters node;
        node.vcs = vcs;
        node.packet_flits = 4;
        node.routing = routing;
        return node;
    }
    std::vector<double> loads(const Demands& demands = {}) const {
        return route_loads(network, fabric, tables, demands);
    }
    WorstPermutation worst() const { return worst_permutation(network, fabric, tables); }

    Network network;
    Fabric fabric;
    RoutingTables tables;
};

/// The shares of the packets from one node to another that cross each link, by dimension order
/// (docs/node.md, 4.9 ff.): in each dimension the shorter way round, by the longest hop that does not
/// overshoot; where both ways are equal one half each, or all of them up if `halves` is not.
using Shares = std::map<std::uint32_t, double>;
Shares by_order(const Network& network, std::uint32_t from, std::uint32_t to, bool halves,
                bool longest = true) {
    const Lattice& lattice = *network.lattice();
    Shares shares;
    NodeId at{from};
    for (std::uint32_t d = 0; d < lattice.dimensions(); ++d) {
        const auto size = static_cast<std::int32_t>(lattice.sizes()[d]);
        const auto start = static_cast<std::int32_t>(lattice.coordinate(at, d));
        const auto end = static_cast<std::int32_t>(lattice.coordinate(NodeId{to}, d));
        const std::int32_t up = (end - start + size) % size;
        std::vector<std::pair<std::int32_t, double>> ways;  // sign, share
        if (!lattice.wraps()) {
            ways = {{end > start ? 1 : -1, 1.0}};
        } else if (2 * up == size && halves) {
            ways = {{1, 0.5}, {-1, 0.5}};
        } else {
            ways = {{2 * up <= size ? 1 : -1, 1.0}};
        }
        NodeId arrived = at;
        for (const auto& [sign, share] : ways) {
            NodeId v = at;
            std::int32_t left = !lattice.wraps() ? std::abs(end - start) : sign > 0 ? up : size - up;
            while (left > 0) {
                const auto hops = lattice.hops(v);
                std::uint32_t best = 0;
                std::int32_t most = 0;
                for (std::uint32_t p = 0; p < hops.size(); ++p) {
                    if (hops[p].dimension != d) continue;
                    std::int32_t length = hops[p].offset * sign;
                    if (lattice.wraps()) length = ((length % size) + size) % size;
                    if (length < 1 || length > left || length <= most || (!longest && length > 1)) continue;
                    most = length;
                    best = p;
                }
                shares[network.first_link(v) + best] += share;
                v = lattice.neighbour(v, hops[best]);
                left -= most;
            }
            arrived = v;
        }
        at = arrived;
    }
    return shares;
}

/// The same by a table.
Shares by_table(const Routed& routed, std::uint32_t from, std::uint32_t to) {
    Shares shares;
    for (NodeId v{from}; v != to;) {
        const std::uint32_t entry = routed.tables.ports[v][to] & 0xffffU;
        std::uint32_t port = 0;
        while ((entry >> port & 1U) == 0) ++port;
        const LinkId link{routed.network.first_link(v) + port};
        shares[link] += 1;
        v = routed.network.target(link);
    }
    return shares;
}

/// [link]: of uniform traffic.
template <class SharesOf>
std::vector<double> uniform_loads(const Network& network, const SharesOf& shares_of) {
    std::vector<double> loads(network.link_count(), 0);
    for (std::uint32_t from = 0; from < network.node_count(); ++from)
        for (std::uint32_t to = 0; to < network.node_count(); ++to)
            if (from != to)
                for (const auto& [link, share] : shares_of(from, to)) loads[link] += share;
    return loads;
}

void expect_equal(const std::vector<double>& found, const std::vector<double>& expected,
                  const std::string& name) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-6) << name << " link " << i;
}

TEST(RouteLoads, ByDimensionOrderAreThoseOfEveryPair) {
    for (const char* name : {"torus:8x8", "torus:5x4", "torus:4x4x3", "mesh:4x5", "ibt:8x8:b=4",
                             "ibt:8x8:b=2", "ibt:16x16:b=4,8"}) {
        const Routed routed(make_network(name), Routing::dimension_order);
        const auto expected = uniform_loads(
            routed.network, [&](auto from, auto to) { return by_order(routed.network, from, to, true); });
        expect_equal(routed.loads(), expected, name);
        Demands explicitly{
            0, std::vector<std::vector<std::pair<NodeId, std::uint32_t>>>(routed.network.node_count())};
        for (std::uint32_t from = 0; from < routed.network.node_count(); ++from)
            for (std::uint32_t to = 0; to < routed.network.node_count(); ++to)
                if (from != to) explicitly.more[from].emplace_back(to, 1);
        expect_equal(routed.loads(explicitly), expected, name);
    }
}

// A torus of equal even sizes n: N n / 8 packets over every link.
TEST(RouteLoads, OfATorusAreEven) {
    for (const double load : Routed(make_network("torus:8x8"), Routing::dimension_order).loads())
        EXPECT_DOUBLE_EQ(load, 64);
    for (const double load : Routed(make_network("torus:100x100"), Routing::dimension_order).loads())
        ASSERT_DOUBLE_EQ(load, 125'000);
}

TEST(RouteLoads, OfEscapeChannelsAreThoseOfStepsAlone) {
    for (const char* name : {"torus:6x6", "ibt:8x8:b=4"}) {
        const Routed routed(make_network(name), Routing::adaptive_bubble);
        expect_equal(routed.loads(),
                     uniform_loads(routed.network,
                                   [&](auto from, auto to) {
                                       return by_order(routed.network, from, to, false, false);
                                   }),
                     name);
    }
}

TEST(RouteLoads, ByTableAreThoseOfEveryPath) {
    std::vector<Network> networks = {make_network("ibt:8x8:b=4"), make_network("torus:4x4")};
    for (std::uint64_t seed = 1; seed <= 4; ++seed) networks.push_back(random_graph(14, 20, seed));
    for (const Network& network : networks) {
        const Routed routed(network, Routing::table, 4);
        const std::vector<double> loads = routed.loads();
        expect_equal(loads,
                     uniform_loads(network, [&](auto from, auto to) { return by_table(routed, from, to); }),
                     network.name());
        EXPECT_DOUBLE_EQ(*std::max_element(loads.begin(), loads.end()), routed.tables.load->max);
    }
}

/// The most packets over a link under any permutation of few nodes, by trying all.
template <class SharesOf>
double worst_of_all(const Network& network, const SharesOf& shares_of) {
    const std::uint32_t n = network.node_count();
    std::vector<std::vector<Shares>> shares(n, std::vector<Shares>(n));
    for (std::uint32_t from = 0; from < n; ++from)
        for (std::uint32_t to = 0; to < n; ++to)
            if (from != to) shares[from][to] = shares_of(from, to);
    std::vector<std::uint32_t> to(n);
    std::iota(to.begin(), to.end(), 0);
    double worst = 0;
    std::vector<double> loads(network.link_count());
    do {
        std::fill(loads.begin(), loads.end(), 0);
        for (std::uint32_t v = 0; v < n; ++v)
            for (const auto& [link, share] : shares[v][to[v]]) loads[link] += share;
        worst = std::max(worst, *std::max_element(loads.begin(), loads.end()));
    } while (std::next_permutation(to.begin(), to.end()));
    return worst;
}

/// The load of the permutation found, by the routing's loads, and that it is one.
void expect_to_be_one(const Routed& routed, const WorstPermutation& worst) {
    std::vector<std::uint32_t> sorted = worst.destination;
    std::sort(sorted.begin(), sorted.end());
    for (std::uint32_t v = 0; v < sorted.size(); ++v) ASSERT_EQ(sorted[v], v);
    Demands demands{0, std::vector<std::vector<std::pair<NodeId, std::uint32_t>>>(sorted.size())};
    for (std::uint32_t v = 0; v < sorted.size(); ++v)
        if (worst.destination[v] != v) demands.more[v].emplace_back(worst.destination[v], 1);
    const std::vector<double> loads = routed.loads(demands);
    EXPECT_NEAR(loads[worst.link], worst.link_load, 1e-6);
    EXPECT_NEAR(*std::max_element(loads.begin(), loads.end()), worst.link_load, 1e-6);
}

TEST(WorstPermutation, OfATorusOfNineNodesIsThatOfAllPermutations) {
    const Routed routed(make_network("torus:3x3"), Routing::dimension_order);
    const WorstPermutation worst = routed.worst();
    expect_to_be_one(routed, worst);
    EXPECT_DOUBLE_EQ(worst.link_load, worst_of_all(routed.network, [&](auto from, auto to) {
                         return by_order(routed.network, from, to, true);
                     }));
}

TEST(WorstPermutation, OfSmallNetworksByTableIsThatOfAllPermutations) {
    std::vector<std::pair<NodeId, NodeId>> mesh;  // 3 x 2
    for (const auto& [a, b] :
         {std::pair{0U, 1U}, {1U, 2U}, {3U, 4U}, {4U, 5U}, {0U, 3U}, {1U, 4U}, {2U, 5U}}) {
        mesh.emplace_back(a, b);
        mesh.emplace_back(b, a);
    }
    std::vector<Network> networks = {Network("mesh", mesh)};
    for (std::uint64_t seed = 1; seed <= 6; ++seed) networks.push_back(random_graph(7, 8, seed));
    for (const Network& network : networks) {
        const Routed routed(network, Routing::table, 4);
        const WorstPermutation worst = routed.worst();
        expect_to_be_one(routed, worst);
        EXPECT_DOUBLE_EQ(worst.link_load, worst_of_all(network, [&](auto from, auto to) {
                             return by_table(routed, from, to);
                         }));
    }
}

// Towles and Dally 2002: 2 / 7 of a flit a node and cycle where ties are split, a quarter where all go one
// way.
TEST(WorstPermutation, OfTorus8x8IsThePublishedOne) {
    const Routed split(make_network("torus:8x8"), Routing::dimension_order);
    expect_to_be_one(split, split.worst());
    EXPECT_DOUBLE_EQ(split.worst().link_load, 3.5);
    const Routed one_way(make_network("torus:8x8"), Routing::adaptive_bubble);
    expect_to_be_one(one_way, one_way.worst());
    EXPECT_DOUBLE_EQ(one_way.worst().link_load, 4);
}

}  // namespace
}  // namespace interlace
