// Interlace: which link leads to which machine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routes/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interlace/core/error.h"

namespace interlace {
namespace {

constexpr std::uint32_t unreachable = UINT32_MAX;

/// Which links of a cluster go up, and the switches from the root on: a link up leads to an earlier one.
class UpAndDown {
  public:
    UpAndDown(const Network& cluster, std::uint32_t root)
        : cluster_(cluster), machines_(cluster.endpoint_count()), rank_(cluster.node_count(), unreachable) {
        const std::uint32_t switches = cluster.node_count() - machines_;
        if (root >= switches)
            throw InputError(fmt::format("cannot use root {}", root),
                             fmt::format("a switch from 0 to {}", switches - 1));
        std::vector<std::uint32_t> level(cluster.node_count(), unreachable);
        order_ = {NodeId{machines_ + root}};
        level[order_.front()] = 0;
        for (std::size_t i = 0; i < order_.size(); ++i)
            for (const NodeId next : cluster.neighbours(order_[i]))
                if (next >= machines_ && level[next] == unreachable) {
                    level[next] = level[order_[i]] + 1;
                    order_.push_back(next);
                }
        std::sort(order_.begin(), order_.end(),
                  [&](NodeId a, NodeId b) { return std::pair(level[a], +a) < std::pair(level[b], +b); });
        for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
    }
    const std::vector<NodeId>& order() const { return order_; }
    bool up(NodeId from, NodeId to) const { return rank_[to] < rank_[from]; }

    /// [node]: links of the shortest way down from a switch to switch `home`.
    std::vector<std::uint32_t> down_to(NodeId home) const {
        std::vector<std::uint32_t> links(cluster_.node_count(), unreachable);
        links[home] = 0;
        for (auto at = order_.begin() + rank_[home]; at != order_.begin();) {
            --at;  // what is further up, nearest first; so all below it is known
            for (const NodeId next : cluster_.neighbours(*at))
                if (next >= machines_ && !up(*at, next) && links[next] != unreachable)
                    links[*at] = std::min(links[*at], links[next] + 1);
        }
        return links;
    }

  private:
    const Network& cluster_;
    std::uint32_t machines_;
    std::vector<NodeId> order_;
    std::vector<std::uint32_t> rank_;
};

}  // namespace

Routes::Routes(const Network& cluster)
    : machines_(cluster.endpoint_count()),
      links_(std::size_t{cluster.node_count() - machines_} * machines_, none) {}

Routes Routes::up_down(const Network& cluster, std::uint32_t root) {
    Routes routes(cluster);
    const UpAndDown ways(cluster, root);
    for (std::uint32_t to = 0; to < routes.machines_; ++to) {
        const NodeId home = cluster.neighbours(NodeId{to}).front();
        std::vector<std::uint32_t> length = ways.down_to(home);
        for (const NodeId at : ways.order()) {
            // Down if that is possible; those further up are settled.
            const bool goes_down = length[at] != unreachable;
            std::uint32_t shortest = unreachable;
            std::vector<NodeId> next;
            for (const NodeId n : cluster.neighbours(at)) {
                if (n < routes.machines_ || ways.up(at, n) == goes_down || length[n] == unreachable ||
                    length[n] > shortest)
                    continue;
                if (length[n] < shortest) next.clear();
                shortest = length[n];
                next.push_back(n);
            }
            if (!goes_down) length[at] = shortest + 1;
            routes.links_[std::size_t{at - routes.machines_} * routes.machines_ + to] =
                *cluster.link(at, at == home ? NodeId{to} : next[to % next.size()]);
        }
    }
    return routes;
}

Routes::Routes(const Network& cluster, const SwitchTree& tree) : Routes(cluster) {
    const auto node = [&](std::uint32_t s) { return NodeId{machines_ + tree.id(s)}; };
    for (std::uint32_t s = 0; s < tree.size(); ++s) {
        const auto set = [&](NodeId machine, NodeId next) {
            links_[std::size_t{node(s) - machines_} * machines_ + machine] = *cluster.link(node(s), next);
        };
        // What is behind a neighbour, by a search from it that does not come back.
        for (const NodeId machine : tree.machines(s)) set(machine, machine);
        for (const std::uint32_t neighbour : tree.neighbours(s)) {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> open = {{neighbour, s}};
            while (!open.empty()) {
                const auto [at, from] = open.back();
                open.pop_back();
                for (const NodeId machine : tree.machines(at)) set(machine, node(neighbour));
                for (const std::uint32_t to : tree.neighbours(at))
                    if (to != from) open.emplace_back(to, at);
            }
        }
    }
}

}  // namespace interlace
