// Interlace: binomial and Bine trees, and a barrier
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "gathering.h"
#include "grid.h"
#include "interlace/broadcast/rounds/algorithms.h"
#include "interlace/core/error.h"

namespace interlace {
namespace {

/// By numbers relative to the root, those before it counted from the end.
struct Edge {
    std::uint32_t parent, child, round;
};

/// [edge]: by round. A node that has joined sends in each round after.
std::vector<Edge> edges_of(const Network& network, RoundTree tree) {
    const std::uint32_t nodes = network.node_count(), rounds = log2_of(nodes);
    if (tree == RoundTree::bine && !std::has_single_bit(nodes))
        throw InputError("cannot run bine on " + network.name(),
                         "a power of two nodes, not " + std::to_string(nodes));
    std::vector<Edge> edges;
    std::vector<std::uint32_t> joined = {0};
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const std::uint32_t left = rounds - 1 - round;
        for (std::size_t i = 0, count = joined.size(); i < count; ++i) {
            const std::uint32_t v = joined[i];
            const std::int64_t by = tree == RoundTree::binomial ? std::int64_t{1} << left
                                    : v % 2 == 0                ? swing_of(left)
                                                                : -swing_of(left);
            if (tree == RoundTree::binomial && v + by >= nodes) continue;
            joined.push_back(static_cast<std::uint32_t>((v + by + nodes) % nodes));
            edges.push_back({v, joined.back(), round});
        }
    }
    return edges;
}

/// [node]: itself and all that it leads to.
std::vector<std::vector<std::uint32_t>> descendants(const std::vector<Edge>& edges, std::uint32_t nodes) {
    std::vector<std::vector<std::uint32_t>> below(nodes);
    for (std::uint32_t v = 0; v < nodes; ++v) below[v] = {v};
    for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge)
        below[edge->parent].insert(below[edge->parent].end(), below[edge->child].begin(),
                                   below[edge->child].end());
    return below;
}

/// packets(message, child): those that go to it.
template <class Packets>
Rounds rounds_of(const Network& network, const std::vector<Edge>& edges, NodeId root,
                 const Packets& packets) {
    const auto absolute = [&](std::uint32_t v) {
        const std::uint32_t node = v + root, nodes = network.node_count();
        return NodeId{node < nodes ? node : node - nodes};
    };
    Rounds rounds;
    for (const Edge& edge : edges) {
        RoundMessage message{absolute(edge.parent), absolute(edge.child), {}};
        packets(message.packets, edge.child);
        add_message(rounds, edge.round, std::move(message));
    }
    return rounds;
}

}  // namespace

Rounds tree_scatter(const Network& network, RoundTree tree, NodeId root, std::uint32_t chunks) {
    const std::uint32_t nodes = network.node_count();
    const std::vector<Edge> edges = edges_of(network, tree);
    const auto below = descendants(edges, nodes);
    return rounds_of(network, edges, root, [&](std::vector<std::uint32_t>& packets, std::uint32_t child) {
        for (const std::uint32_t v : below[child]) add_packets(packets, (v + root) % nodes, 0, 1, chunks);
    });
}

Rounds tree_broadcast(const Network& network, RoundTree tree, NodeId root, std::uint32_t chunks) {
    return rounds_of(network, edges_of(network, tree), root,
                     [&](std::vector<std::uint32_t>& packets, std::uint32_t) {
                         packets.resize(chunks);
                         std::iota(packets.begin(), packets.end(), 0);
                     });
}

Rounds dissemination_barrier(const Network& network) {
    const std::uint32_t nodes = network.node_count();
    Rounds rounds;
    for (std::uint32_t k = 0; k < log2_of(nodes); ++k)
        for (std::uint32_t v = 0; v < nodes; ++v)
            add_message(rounds, k, {NodeId{v}, NodeId{(v + (1U << k)) % nodes}, {0}, true});
    return rounds;
}

}  // namespace interlace
