// Interlace: a spanning tree of a cluster's switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/switch_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "interlace/core/error.h"
#include "interlace/core/parts.h"
#include "interlace/core/random.h"
#include "interlace/network/cluster.h"

namespace interlace {
namespace {

/// The switches of a cluster in their own numbers.
using Adjacency = std::vector<std::vector<std::uint32_t>>;

Adjacency trunks_of(const Network& cluster) {
    const std::uint32_t first = cluster.endpoint_count();
    Adjacency adjacency(cluster.node_count() - first);
    for (std::uint32_t s = 0; s < adjacency.size(); ++s)
        for (const NodeId to : cluster.neighbours(NodeId{first + s}))
            if (to >= first) adjacency[s].push_back(to - first);
    return adjacency;
}

void add_trunk(Adjacency& tree, std::uint32_t a, std::uint32_t b) {
    tree[a].push_back(b);
    tree[b].push_back(a);
}

/// Breadth first takes the oldest switch that was reached and all its trunks; depth first goes on from the
/// newest.
Adjacency searched_tree(const Adjacency& graph, std::uint32_t root, bool breadth) {
    Adjacency tree(graph.size());
    std::vector<bool> seen(graph.size());
    std::vector<std::size_t> next(graph.size());
    std::vector<std::uint32_t> open = {root};
    seen[root] = true;
    for (std::size_t head = 0; head < open.size();) {
        const std::uint32_t s = breadth ? open[head] : open.back();
        if (next[s] == graph[s].size()) {
            if (breadth)
                ++head;
            else
                open.pop_back();
            continue;
        }
        const std::uint32_t to = graph[s][next[s]++];
        if (seen[to]) continue;
        seen[to] = true;
        open.push_back(to);
        add_trunk(tree, s, to);
    }
    return tree;
}

/// Trunks in an order drawn at random, those left out that would close a loop (section 5 of the all-gather
/// paper).
Adjacency random_tree(const Adjacency& graph, std::uint64_t seed) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> trunks;
    for (std::uint32_t s = 0; s < graph.size(); ++s)
        for (const std::uint32_t to : graph[s])
            if (s < to) trunks.emplace_back(s, to);
    std::vector<std::uint32_t> order(trunks.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(random_bits(seed, 3, a), a) < std::pair(random_bits(seed, 3, b), b);
    });
    Adjacency tree(graph.size());
    Parts parts(static_cast<std::uint32_t>(graph.size()));
    for (const std::uint32_t i : order)
        if (parts.join(trunks[i].first, trunks[i].second)) add_trunk(tree, trunks[i].first, trunks[i].second);
    return tree;
}

/// Takes away leaves without machines until there are none; the root moves on with the last of them. Returns
/// it.
std::uint32_t prune(Adjacency& tree, const std::vector<std::uint32_t>& machines_on, std::uint32_t root) {
    std::vector<std::uint32_t> leaves;
    const auto bare = [&](std::uint32_t s) { return tree[s].size() == 1 && machines_on[s] == 0; };
    for (std::uint32_t s = 0; s < tree.size(); ++s)
        if (bare(s)) leaves.push_back(s);
    while (!leaves.empty()) {
        const std::uint32_t s = leaves.back();
        leaves.pop_back();
        const std::uint32_t to = tree[s].front();
        if (s == root) root = to;
        tree[s].clear();
        std::erase(tree[to], s);
        if (bare(to)) leaves.push_back(to);
    }
    return root;
}

/// `root`, or a switch with a machine where trunks do not lead from root to one.
std::uint32_t reachable(const Adjacency& graph, std::uint32_t root, std::uint32_t of_a_machine) {
    Parts parts(static_cast<std::uint32_t>(graph.size()));
    for (std::uint32_t s = 0; s < graph.size(); ++s)
        for (const std::uint32_t to : graph[s]) parts.join(s, to);
    return parts.of(root) == parts.of(of_a_machine) ? root : of_a_machine;
}

}  // namespace

SwitchTree::SwitchTree(const Network& network, TreeKind kind, std::uint32_t root, std::uint64_t seed) {
    const Network cluster = as_cluster(network);
    const std::uint32_t first = cluster.endpoint_count();
    const Adjacency graph = trunks_of(cluster);
    if (root >= graph.size())
        throw InputError(fmt::format("cannot use root s{}", root),
                         fmt::format("s0 to s{}", graph.size() - 1));
    std::vector<std::uint32_t> switch_of;
    std::vector<std::uint32_t> machines_on(graph.size());
    for (std::uint32_t i = 0; i < first; ++i) {
        switch_of.push_back(cluster.neighbours(NodeId{i}).front() - first);
        ++machines_on[switch_of.back()];
    }
    root = reachable(graph, root, switch_of[0]);
    Adjacency tree = kind == TreeKind::random ? random_tree(graph, seed)
                                              : searched_tree(graph, root, kind == TreeKind::bfs);
    const std::vector<std::uint32_t> number = number_switches(tree, prune(tree, machines_on, root));
    for (std::uint32_t i = 0; i < first; ++i) {
        home_.push_back(number[switch_of[i]]);
        machines_[home_[i]].push_back(NodeId{i});
    }
}

std::vector<std::uint32_t> SwitchTree::number_switches(std::vector<std::vector<std::uint32_t>>& tree,
                                                       std::uint32_t root) {
    for (auto& row : tree) std::sort(row.begin(), row.end());

    std::vector<std::uint32_t> number(tree.size(), UINT32_MAX);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open = {{root, 0}};  // switch, parent's new number
    while (!open.empty()) {
        const auto [s, parent] = open.back();
        open.pop_back();
        number[s] = static_cast<std::uint32_t>(id_.size());
        depth_.push_back(id_.empty() ? 0 : depth_[parent] + 1);
        id_.push_back(s);
        parent_.push_back(parent);
        for (auto to = tree[s].rbegin(); to != tree[s].rend(); ++to)
            if (number[*to] == UINT32_MAX) open.emplace_back(*to, number[s]);
    }
    neighbours_.resize(id_.size());
    machines_.resize(id_.size());
    for (std::uint32_t s = 1; s < id_.size(); ++s) {
        neighbours_[s].push_back(parent_[s]);
        neighbours_[parent_[s]].push_back(s);
    }
    for (auto& row : neighbours_) std::sort(row.begin(), row.end());
    for (std::uint32_t s = 0; s < tree.size(); ++s)
        if (number[s] == UINT32_MAX) left_out_.push_back(s);
    return number;
}

std::vector<std::uint32_t> SwitchTree::machines_behind() const {
    std::vector<std::uint32_t> behind(size());
    for (std::uint32_t s = size(); s-- > 0;) {
        behind[s] += static_cast<std::uint32_t>(machines_[s].size());
        if (s > 0) behind[parent_[s]] += behind[s];
    }
    return behind;
}

std::vector<std::uint32_t> SwitchTree::path(NodeId from, NodeId to) const {
    std::vector<std::uint32_t> up = {home_[from]};
    std::vector<std::uint32_t> down = {home_[to]};
    while (up.back() != down.back()) {
        std::vector<std::uint32_t>& deeper = depth_[up.back()] >= depth_[down.back()] ? up : down;
        deeper.push_back(parent_[deeper.back()]);
    }
    down.pop_back();
    up.insert(up.end(), down.rbegin(), down.rend());
    return up;
}

std::uint32_t SwitchTree::length(NodeId from, NodeId to) const {
    return static_cast<std::uint32_t>(path(from, to).size());
}

std::string left_out_note(const SwitchTree& tree) {
    const auto& out = tree.left_out();
    if (out.empty()) return {};
    return fmt::format("s{} {} no machine behind {} and take{} no part", fmt::join(out, ", s"),
                       out.size() == 1 ? "has" : "have", out.size() == 1 ? "it" : "them",
                       out.size() == 1 ? "s" : "");
}

std::string idle_trunks_note(const Network& cluster, const SwitchTree& tree) {
    constexpr std::size_t max_names = 8;
    const Adjacency graph = trunks_of(cluster);
    std::vector<std::uint32_t> number(graph.size(), tree.size());  // in the tree
    for (std::uint32_t s = 0; s < tree.size(); ++s) number[tree.id(s)] = s;
    std::vector<std::string> idle;
    for (std::uint32_t a = 0; a < graph.size(); ++a)
        for (const std::uint32_t b : graph[a]) {
            if (b < a || number[a] == tree.size() || number[b] == tree.size()) continue;
            const auto& used = tree.neighbours(number[a]);
            if (!std::binary_search(used.begin(), used.end(), number[b]))
                idle.push_back(fmt::format("s{}-s{}", a, b));
        }
    if (idle.empty()) return {};
    const std::size_t count = idle.size();
    idle.resize(std::min(count, max_names));
    return fmt::format("the spanning tree leaves {} trunk{} idle: {}{}", count, count == 1 ? "" : "s",
                       fmt::join(idle, ", "),
                       count > idle.size() ? fmt::format(" and {} more", count - idle.size()) : "");
}

}  // namespace interlace
