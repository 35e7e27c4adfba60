// Interlace: shortest paths of messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "message_paths.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/error.h"

namespace interlace {
namespace {

/// Which way along a dimension: up from even coordinates where both are as long.
std::int32_t direction(const Lattice& lattice, NodeId from, NodeId to, std::uint32_t dimension) {
    const std::uint32_t at = lattice.coordinate(from, dimension), there = lattice.coordinate(to, dimension);
    const std::uint32_t size = lattice.sizes()[dimension];
    if (!lattice.wraps()) return there > at ? 1 : -1;
    const std::uint32_t up = (there + size - at) % size;
    if (2 * up == size) return at % 2 == 0 ? 1 : -1;
    return 2 * up < size ? 1 : -1;
}

}  // namespace

std::vector<LinkId> MessagePaths::path(NodeId from, NodeId to) {
    if (network_.lattice() && network_.lattice()->is_product()) return by_dimensions(from, to);
    if (entry_.empty()) {
        entry_.resize(network_.node_count());
        before_.resize(network_.node_count());
    }
    if (entry_[from].empty()) draw(from);
    std::vector<LinkId> links;
    for (NodeId at = to; at != from; at = before_[from][at]) {
        if (before_[from][at] == at)
            throw InputError(fmt::format("node {} does not reach node {} in {}", +from, +to, network_.name()),
                             "a network in which each node reaches every other");
        links.push_back(entry_[from][at]);
    }
    std::reverse(links.begin(), links.end());
    return links;
}

std::vector<LinkId> MessagePaths::by_dimensions(NodeId from, NodeId to) const {
    const Lattice& lattice = *network_.lattice();
    std::vector<LinkId> links;
    for (std::uint32_t d = 0; d < lattice.dimensions(); ++d) {
        if (lattice.coordinate(from, d) == lattice.coordinate(to, d)) continue;
        const Hop hop{d, direction(lattice, from, to, d)};
        while (lattice.coordinate(from, d) != lattice.coordinate(to, d)) {
            const NodeId next = lattice.neighbour(from, hop);
            links.push_back(network_.link_between(from, next));
            from = next;
        }
    }
    return links;
}

void MessagePaths::draw(NodeId origin) {
    const std::uint32_t nodes = network_.node_count();
    auto& entry = entry_[origin];
    auto& before = before_[origin];
    entry.resize(nodes);
    for (std::uint32_t v = 0; v < nodes; ++v) before.push_back(NodeId{v});
    std::vector<std::uint32_t> distance(nodes, UINT32_MAX), ties(nodes, 0);
    std::vector<NodeId> reached = {origin};
    distance[origin] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const NodeId v = reached[i];
        const auto neighbours = network_.neighbours(v);
        for (std::uint32_t port = 0; port < neighbours.size(); ++port) {
            const NodeId next = neighbours[port];
            if (distance[next] == UINT32_MAX) {
                distance[next] = distance[v] + 1;
                reached.push_back(next);
            }
            if (distance[next] != distance[v] + 1 || draws_.below(++ties[next]) != 0) continue;
            entry[next] = LinkId{network_.first_link(v) + port};
            before[next] = v;
        }
    }
}

}  // namespace interlace
