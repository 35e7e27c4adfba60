// Interlace: which link leads to which machine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routes.h"

namespace interlace {

Routes::Routes(const Network& cluster, const SwitchTree& tree)
    : machines_(cluster.endpoint_count()), links_(std::size_t{cluster.node_count() - machines_} * machines_) {
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
