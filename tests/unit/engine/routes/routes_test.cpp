// Interlace: paths through a cluster's switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routes/routes.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>

#include "interlace/core/error.h"
#include "interlace/network/cluster.h"
#include "interlace/network/dependency_graph.h"

namespace interlace {
namespace {

/// The nodes from one machine to another.
std::vector<NodeId> path(const Network& network, const Routes& routes, NodeId from, NodeId to) {
    std::vector<NodeId> path = {from, network.neighbours(from).front()};
    while (path.back() != to && path.size() <= network.node_count())
        path.push_back(network.target(routes.next(path.back(), to)));
    return path;
}

/// Hops from a switch to all others, over links that `allowed` lets pass.
template <class Allowed>
std::vector<unsigned> distances(const Network& network, NodeId from, const Allowed& allowed) {
    std::vector<unsigned> distance(network.node_count(), UINT_MAX);
    std::deque<NodeId> open = {from};
    distance[from] = 0;
    for (; !open.empty(); open.pop_front())
        for (const NodeId next : network.neighbours(open.front()))
            if (next >= network.endpoint_count() && distance[next] == UINT_MAX &&
                allowed(open.front(), next)) {
                distance[next] = distance[open.front()] + 1;
                open.push_back(next);
            }
    return distance;
}

/// Up, then down; as short as down alone where that leads there.
void check(const Network& network, std::uint32_t root) {
    const std::uint32_t machines = network.endpoint_count();
    const Routes routes = Routes::up_down(network, root);
    const auto level = distances(network, NodeId{machines + root}, [](NodeId, NodeId) { return true; });
    const auto up = [&](NodeId from, NodeId to) {
        return level[to] < level[from] || (level[to] == level[from] && to < from);
    };
    DependencyGraph waits(network.link_count());
    for (std::uint32_t i = 0; i < machines; ++i) {
        const NodeId home = network.neighbours(NodeId{i}).front();
        const auto straight_down = distances(network, home, [&](NodeId a, NodeId b) { return !up(a, b); });
        for (std::uint32_t j = 0; j < machines; ++j) {
            if (i == j) continue;
            const auto p = path(network, routes, NodeId{i}, NodeId{j});
            ASSERT_EQ(p.back(), NodeId{j});
            bool went_down = false;
            std::vector<Dependency> dependencies;
            for (std::size_t k = 2; k + 1 < p.size(); ++k) {
                const bool goes_up = up(p[k - 1], p[k]);
                ASSERT_FALSE(goes_up && went_down) << "up after down";
                went_down = went_down || !goes_up;
            }
            for (std::size_t k = 2; k < p.size(); ++k)
                dependencies.emplace_back(*network.link(p[k - 2], p[k - 1]), *network.link(p[k - 1], p[k]));
            EXPECT_TRUE(waits.add(dependencies).empty());
            const unsigned shortest = straight_down[p[p.size() - 2]];
            if (shortest != UINT_MAX) {
                EXPECT_EQ(p.size() - 3, shortest);
            }
        }
    }
}

TEST(Routes, GoUpAndThenDown) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto root = static_cast<std::uint32_t>(seed % 16);
        check(make_cluster("irregular", irregular_cluster(16, 8, 0.5, 32, seed)), root);
        check(make_cluster("random", random_cluster(16, 20, 3, seed)), root);
    }
    check(as_cluster(make_network("torus:4x4")), 5);
}

TEST(Routes, UpAndDownUseLinksThatATreeLeavesOut) {
    // A ring of five switches with the root s0: s2 and s3 are joined directly, which a tree from s0 is not.
    ClusterPlan plan;
    plan.switches = 5;
    plan.trunks = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}};
    plan.machines = {0, 1, 2, 3, 4};
    const Network network = make_cluster("ring", plan);
    const auto switches = [&](const Routes& routes, std::uint32_t from, std::uint32_t to) {
        return path(network, routes, NodeId{from}, NodeId{to}).size() - 2;
    };
    EXPECT_EQ(switches(Routes(network, SwitchTree(network)), 3, 2), 5U);
    EXPECT_EQ(switches(Routes::up_down(network, 0), 3, 2), 2U);  // s3 to s2 is up: a lower number
    EXPECT_EQ(switches(Routes::up_down(network, 0), 2, 3), 2U);
    EXPECT_EQ(switches(Routes::up_down(network, 0), 2, 4), 4U);  // s3 would be down and then up: by s1 and s0
    EXPECT_THROW(Routes::up_down(network, 5), InputError);
}

}  // namespace
}  // namespace interlace
