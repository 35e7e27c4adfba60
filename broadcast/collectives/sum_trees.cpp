// Interlace: spanning trees for the packets of an all-reduce
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "sum_trees.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "interlace/network/metrics.h"

namespace interlace {

SumTrees::SumTrees(const Network& network) : network_(network), used_(network.link_count(), 0) {
    std::vector<std::pair<NodeId, NodeId>> paired;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (const NodeId to : network.neighbours(NodeId{v})) {
            const auto back = network.link(to, NodeId{v});
            origin_.push_back(NodeId{v});
            back_.push_back(back.value_or(LinkId{static_cast<std::uint32_t>(back_.size())}));
            if (back) paired.emplace_back(NodeId{v}, to);
        }
    const Network both_ways =
        paired.size() == network.link_count() ? network : Network(network.name(), std::move(paired));
    connected_ = both_ways.node_count() == network.node_count();
    std::vector<std::uint32_t> farthest;
    for (std::uint32_t v = 0; connected_ && v < network.node_count(); ++v) {
        distance_.push_back(distances_from(both_ways, NodeId{v}));
        farthest.push_back(*std::max_element(distance_.back().begin(), distance_.back().end()));
        connected_ = farthest.back() != unreachable;
        central_.push_back(NodeId{v});
    }
    std::stable_sort(central_.begin(), central_.end(),
                     [&](NodeId a, NodeId b) { return farthest[a] < farthest[b]; });
}

std::uint32_t SumTrees::most_used() const {
    return *std::max_element(used_.begin(), used_.end());
}

/// Prim's algorithm. Of links used equally often, one from a node near the root.
SumTree SumTrees::grow(NodeId root, std::uint32_t detour, Draws& draws) const {
    using Reached = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, LinkId>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> reached;
    SumTree tree{root, std::vector<LinkId>(network_.node_count()), {}};
    std::vector<std::uint32_t> depth(network_.node_count(), UINT32_MAX);
    const auto add = [&](NodeId node, std::uint32_t at) {
        depth[node] = at;
        tree.order.push_back(node);
        for (std::uint32_t i = 0; i < network_.degree(node); ++i) {
            const LinkId link{network_.first_link(node) + i};
            const NodeId next = network_.target(link);
            if (back_[link] == link || depth[next] != UINT32_MAX) continue;
            if (at + 1 <= distance_[root][next] + detour)
                reached.emplace(used_[link], at, draws.below(UINT32_MAX), link);
        }
    };
    add(root, 0);
    while (tree.order.size() < network_.node_count()) {
        const LinkId link = std::get<LinkId>(reached.top());
        reached.pop();
        const NodeId next = network_.target(link);
        if (depth[next] != UINT32_MAX) continue;
        tree.up[next] = back_[link];
        add(next, depth[origin_[link]] + 1);
    }
    return tree;
}

void SumTrees::count(const SumTree& tree, std::uint32_t more) {
    for (const NodeId node : tree.order) {
        if (node == tree.root) continue;
        used_[tree.up[node]] += more;
        used_[back_[tree.up[node]]] += more;
    }
}

}  // namespace interlace
