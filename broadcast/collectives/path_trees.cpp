// Interlace: shortest paths from the first node of each class to all nodes, several to each
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "path_trees.h"

#include <functional>
#include <queue>
#include <set>
#include <utility>

namespace interlace {

PathTrees::PathTrees(const Network& network, const Translations& translations, const LinkClasses& classes,
                     const Capacity& capacity, std::uint32_t of_each, Draws& draws)
    : network_(network),
      translations_(translations),
      classes_(classes),
      weight_(std::size_t{translations.classes()} * network.max_degree(), 0),
      trees_(translations.classes()) {
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (std::uint32_t port = 0; port < network.degree(NodeId{v}); ++port) {
            from_.emplace_back(v);
            use_.push_back(translations.class_of(NodeId{v}) * network.max_degree() + port);
            weight_[use_.back()] = capacity.bound.lengths[classes.of(NodeId{v}, port)];
        }
    for (std::uint32_t c = 0; c < translations.classes(); ++c) {
        const NodeId origin = translations.firsts()[c];
        std::set<std::vector<std::uint32_t>> lengths = {capacity.bound.lengths};
        for (const FlowShare& share : capacity.routing)
            if (share.origin == classes.origin_of(origin)) lengths.insert(share.lengths);
        for (const auto& by : lengths)
            for (std::uint32_t i = 0; i < of_each; ++i)
                trees_[c].push_back(draw(origin, by, i % 2 != 0, draws));
    }
}

/// Dijkstra's algorithm. Of the links by which equally short paths come to a node, the one that ranks first:
/// by ranks of the ports, so that on a lattice all paths follow one order of the dimensions, or each time at
/// random. As few links of a path as can be are of length 0.
std::vector<LinkId> PathTrees::draw(NodeId origin, const std::vector<std::uint32_t>& lengths, bool by_port,
                                    Draws& draws) const {
    using Reached = std::pair<std::uint64_t, NodeId>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
    std::vector<std::uint64_t> distance(network_.node_count(), UINT64_MAX);
    std::vector<std::uint32_t> rank_of_entry(network_.node_count()), rank_of_port(network_.max_degree());
    std::vector<LinkId> entry(network_.node_count(), LinkId{0});
    std::vector<bool> done(network_.node_count(), false);
    for (std::uint32_t& rank : rank_of_port) rank = draws.below(UINT32_MAX);
    distance[origin] = 0;
    queue.push({0, origin});
    while (!queue.empty()) {
        const NodeId node = queue.top().second;
        queue.pop();
        if (done[node]) continue;
        done[node] = true;
        const auto neighbours = network_.neighbours(node);
        for (std::uint32_t port = 0; port < neighbours.size(); ++port) {
            const NodeId next = neighbours[port];
            if (done[next]) continue;
            const std::uint64_t length = lengths[classes_.of(node, port)];
            const std::uint64_t there = distance[node] + (length == 0 ? 1 : length * network_.node_count());
            if (there > distance[next]) continue;
            const std::uint32_t rank = by_port ? rank_of_port[port] : draws.below(UINT32_MAX);
            if (there == distance[next] && rank >= rank_of_entry[next]) continue;
            if (there < distance[next]) queue.push({there, next});
            distance[next] = there;
            rank_of_entry[next] = rank;
            entry[next] = LinkId{network_.first_link(node) + port};
        }
    }
    return entry;
}

}  // namespace interlace
