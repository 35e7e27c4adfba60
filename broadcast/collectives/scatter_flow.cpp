// Interlace: scatters as flows over time
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "scatter_flow.h"

#include <lemon/preflow.h>
#include <lemon/smart_graph.h>

#include <algorithm>

#include "interlace/network/metrics.h"

namespace interlace {

bool ScatterFlow::is_small(const Network& network, std::uint32_t steps, std::uint64_t flows) {
    constexpr std::uint64_t arcs = 1'000'000;
    const std::uint64_t of_step = std::uint64_t{network.link_count()} + network.node_count();
    return steps <= arcs / of_step && flows <= 10 * arcs / (steps * of_step);
}

ScatterFlow::ScatterFlow(const Network& network, NodeId root, std::uint32_t chunks, std::uint32_t steps,
                         std::optional<NodeId> only)
    : nodes_(network.node_count()), chunks_(chunks), root_(root), cut_(nodes_, steps + 1), moves_(steps) {
    const std::vector<std::uint32_t> distance = distances_from(network, root);
    const auto packets = static_cast<int>((nodes_ - 1) * chunks);
    lemon::SmartDigraph graph;
    lemon::SmartDigraph::ArcMap<int> capacity(graph);
    for (std::uint32_t i = 0; i < nodes_ * (steps + 1) + 1; ++i) graph.addNode();
    const auto node = [&](std::uint32_t step, std::uint32_t v) {
        return lemon::SmartDigraph::nodeFromId(static_cast<int>(step * nodes_ + v));
    };
    const auto sink = node(steps + 1, 0);
    struct Arc {
        lemon::SmartDigraph::Arc arc;
        std::uint32_t step;
        NodeId from, to;
    };
    std::vector<Arc> arcs;
    for (std::uint32_t v = 0; v < nodes_; ++v) {
        for (std::uint32_t step = distance[v]; step < steps; ++step) {
            capacity[graph.addArc(node(step, v), node(step + 1, v))] = packets;
            for (const NodeId to : network.neighbours(NodeId{v})) {
                arcs.push_back({graph.addArc(node(step, v), node(step + 1, to)), step, NodeId{v}, to});
                capacity[arcs.back().arc] = 1;
            }
        }
        if (v != root && v == only.value_or(NodeId{v}))
            capacity[graph.addArc(node(steps, v), sink)] = static_cast<int>(chunks);
    }
    lemon::Preflow<lemon::SmartDigraph> flow(graph, capacity, node(0, root), sink);
    flow.run();
    most_ = static_cast<std::uint64_t>(flow.flowValue());
    for (std::uint32_t v = 0; v < nodes_; ++v)
        for (std::uint32_t step = steps + 1; step-- > distance[v] && flow.minCut(node(step, v));)
            cut_[v] = step;
    for (const Arc& arc : arcs)
        if (flow.flow(arc.arc) > 0) moves_[arc.step].push_back({arc.from, arc.to});
}

/// Backwards in time, from where each packet ends.
std::vector<TimedSend> ScatterFlow::sends() const {
    std::vector<std::vector<std::uint32_t>> there(nodes_);  // [node]: packets after the step
    for (std::uint32_t v = 0; v < nodes_; ++v)
        for (std::uint32_t chunk = 0; v != root_ && chunk < chunks_; ++chunk)
            there[v].push_back(v * chunks_ + chunk);
    std::vector<TimedSend> sends;
    for (auto step = static_cast<std::uint32_t>(moves_.size()); step-- > 0;) {
        std::vector<std::vector<std::uint32_t>> before(nodes_);
        for (const Move& move : moves_[step]) {
            const std::uint32_t packet = there[move.to].back();
            there[move.to].pop_back();
            before[move.from].push_back(packet);
            sends.push_back({step + 1, move.from, move.to, PacketId{packet}});
        }
        for (std::uint32_t v = 0; v < nodes_; ++v)
            before[v].insert(before[v].end(), there[v].begin(), there[v].end());
        there = std::move(before);
    }
    std::reverse(sends.begin(), sends.end());
    return sends;
}

FewestSteps fewest_steps(const Network& network, NodeId root, std::uint32_t chunks, std::uint32_t first,
                         std::uint32_t enough, std::uint64_t flows) {
    const std::uint64_t packets = (network.node_count() - std::uint64_t{1}) * chunks;
    FewestSteps fewest{first, 0};
    std::uint32_t tried = first, ahead = 0;
    for (std::uint32_t most = enough; fewest.steps < most; ahead = 2 * ahead + 1) {
        if (!ScatterFlow::is_small(network, tried, flows)) return fewest;
        const std::uint64_t arrive = ScatterFlow(network, root, chunks, tried).most();
        if (arrive == packets)
            most = tried;
        else
            fewest = {tried + 1, arrive};
        tried = fewest.steps + std::min(ahead, (most - fewest.steps) / 2);
    }
    return fewest;
}

}  // namespace interlace
