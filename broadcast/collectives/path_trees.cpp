// Interlace: shortest paths from an origin to all nodes, several to each
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "path_trees.h"

#include <functional>
#include <queue>
#include <utility>

namespace interlace {

PathTrees::PathTrees(const Network& network, const std::vector<Origin>& origins, std::uint32_t of_each,
                     Draws& draws)
    : network_(network) {
    from_.reserve(network.link_count());
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        from_.insert(from_.end(), network.degree(NodeId{v}), NodeId{v});
    for (const Origin& origin : origins) {
        origin_.push_back(origin.node);
        trees_.emplace_back();
        for (const auto& lengths : origin.lengths)
            for (std::uint32_t i = 0; i < of_each; ++i)
                trees_.back().push_back(draw(origin.node, lengths, i % 2 != 0, draws));
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
            const std::uint64_t length = lengths[network_.first_link(node) + port];
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
