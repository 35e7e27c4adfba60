// Interlace: lower bounds against brute force and an explicit time-expanded flow
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/analysis/lower_bound.h"

#include <gtest/gtest.h>

#include <queue>

#include "interlace/broadcast/analysis/formulas.h"
#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "support/random_graph.h"

namespace interlace {
namespace {

/// Maximum flow from (source, 0) to (target, steps) in the time-expanded network, by plain augmenting paths:
/// every link is an arc of capacity 1 from each step to the next, and every node keeps what it has.
std::uint32_t time_expanded_flow(const Network& network, NodeId source, NodeId target, std::uint32_t steps) {
    const std::uint32_t nodes = network.node_count();
    struct Arc {
        std::uint32_t to, capacity;
        std::size_t reverse;
    };
    std::vector<std::vector<Arc>> arcs(std::size_t{nodes} * (steps + 1));
    const auto add = [&](std::uint32_t from, std::uint32_t to, std::uint32_t capacity) {
        arcs[from].push_back({to, capacity, arcs[to].size()});
        arcs[to].push_back({from, 0, arcs[from].size() - 1});
    };
    for (std::uint32_t t = 0; t < steps; ++t)
        for (std::uint32_t v = 0; v < nodes; ++v) {
            add(t * nodes + v, (t + 1) * nodes + v, 1'000'000);
            for (const NodeId next : network.neighbours(NodeId{v}))
                add(t * nodes + v, (t + 1) * nodes + next, 1);
        }
    const std::uint32_t start = source;
    const std::uint32_t end = steps * nodes + target;
    for (std::uint32_t flow = 0;; ++flow) {
        std::vector<std::pair<std::uint32_t, std::size_t>> by(arcs.size(), {UINT32_MAX, 0});
        std::queue<std::uint32_t> queue;
        queue.push(start);
        by[start] = {start, 0};
        while (!queue.empty() && by[end].first == UINT32_MAX) {
            const std::uint32_t here = queue.front();
            queue.pop();
            for (std::size_t i = 0; i < arcs[here].size(); ++i) {
                const Arc& arc = arcs[here][i];
                if (arc.capacity == 0 || by[arc.to].first != UINT32_MAX) continue;
                by[arc.to] = {here, i};
                queue.push(arc.to);
            }
        }
        if (by[end].first == UINT32_MAX) return flow;
        for (std::uint32_t at = end; at != start; at = by[at].first) {
            Arc& arc = arcs[by[at].first][by[at].second];
            --arc.capacity;
            ++arcs[at][arc.reverse].capacity;
        }
    }
}

TEST(FlowBound, EqualsTheTimeExpandedMaximumFlowOnRandomGraphs) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Network network = random_graph(7, 10, seed);
        const Group group = global_group(network);
        for (std::uint32_t v = 1; v < network.node_count(); ++v)
            for (const std::uint32_t packets : {1U, 2U, 5U, 9U}) {
                const std::uint32_t bound = flow_bound(network, group, NodeId{0}, NodeId{v}, packets);
                EXPECT_GE(time_expanded_flow(network, NodeId{0}, NodeId{v}, bound), packets)
                    << seed << ' ' << v;
                EXPECT_LT(time_expanded_flow(network, NodeId{0}, NodeId{v}, bound - 1), packets)
                    << seed << ' ' << v;
            }
    }
}

TEST(LowerBound, FlowIsNeverBelowNeighbourhood) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Network network = random_graph(12, 20, seed);
        const Group group = global_group(network);
        EXPECT_GE(lower_bound(network, group, NodeId{0}, 6).steps,
                  neighbourhood_bound(network, group, NodeId{0}, 6).steps);
    }
}

TEST(LowerBound, KnownValues) {
    // A ring of even n needs eq. 4's steps: its far node has two links that deliver from step n/2 on.
    for (const std::uint32_t k : {1U, 2U, 7U, 32U}) {
        const Network ring = make_network("torus:16");
        EXPECT_EQ(neighbourhood_bound(ring, global_group(ring), NodeId{3}, k).steps, ring_steps(16, k));
    }
    // The iBT paper's case study: torus 64^2, k = 32 (design facts: 71).
    const Network torus = make_network("torus:64x64");
    EXPECT_EQ(neighbourhood_bound(torus, global_group(torus), NodeId{0}, 32).steps, 71U);
    // A source with one output feeds one packet a step, which the neighbourhood bound of a far node does not
    // see.
    const Network lollipop("lollipop", {{NodeId{0}, NodeId{1}},
                                        {NodeId{1}, NodeId{2}},
                                        {NodeId{1}, NodeId{3}},
                                        {NodeId{2}, NodeId{4}},
                                        {NodeId{3}, NodeId{4}}});
    const LowerBound bound = lower_bound(lollipop, global_group(lollipop), NodeId{0}, 10);
    EXPECT_EQ(bound.steps, 12U);
    EXPECT_EQ(bound.argument, "flow");
}

// One link carries a packet a step.
TEST(LowerBound, OfTwoNodesIsTheNumberOfPackets) {
    const Network line("line", {{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{0}}});
    for (const std::uint32_t packets : {1U, 7U})
        EXPECT_EQ(lower_bound(line, global_group(line), NodeId{0}, packets).steps, packets);
}

TEST(LowerBound, RefusesAMemberThatCannotBeReached) {
    const Network network("path", {{NodeId{1}, NodeId{0}}});
    EXPECT_THROW(lower_bound(network, global_group(network), NodeId{0}, 1), InputError);
}

}  // namespace
}  // namespace interlace
