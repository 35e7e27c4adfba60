// Interlace: all-gathers on Hamiltonian cycles
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "gathering.h"
#include "grid.h"
#include "interlace/broadcast/rounds/algorithms.h"

namespace interlace {
namespace {

using Cycle = std::vector<NodeId>;

/// Copies of a cycle, layer upon layer of a dimension, become one: up through all nodes but the first of each
/// layer, forwards and backwards in turn, and down by the first nodes.
Cycle through_layers(const Grid& grid, const Cycle& cycle, std::uint32_t dimension) {
    const std::uint32_t layers = grid.size(dimension);
    Cycle all;
    for (std::uint32_t layer = 0; layer < layers; ++layer)
        for (std::size_t i = 1; i < cycle.size(); ++i) {
            const std::size_t at = layer % 2 == 0 ? i : cycle.size() - i;
            all.push_back(grid.with(cycle[at], dimension, layer));
        }
    for (std::uint32_t layer = layers; layer-- > 0;) all.push_back(grid.with(cycle[0], dimension, layer));
    return all;
}

/// A mesh needs an even number of layers the first time, as its rows do not close.
Cycle hamiltonian_cycle(const Grid& grid) {
    std::vector<std::uint32_t> dimensions(grid.dimensions());
    std::iota(dimensions.begin(), dimensions.end(), 0);
    const auto even = std::find_if(dimensions.begin(), dimensions.end(),
                                   [&](std::uint32_t d) { return d > 0 && grid.size(d) % 2 == 0; });
    if (dimensions.size() > 1 && even != dimensions.end()) std::iter_swap(dimensions.begin() + 1, even);
    if (dimensions.size() > 1 && even == dimensions.end()) std::swap(dimensions[0], dimensions[1]);
    Cycle cycle;
    for (std::uint32_t i = 0; i < grid.size(dimensions[0]); ++i)
        cycle.push_back(grid.with(NodeId{0}, dimensions[0], i));
    for (std::size_t i = 1; i < dimensions.size(); ++i) cycle = through_layers(grid, cycle, dimensions[i]);
    return cycle;
}

/// Each row but one link of it, then one row on; the other cycle is of the links that this one leaves.
std::optional<std::pair<Cycle, Cycle>> two_cycles(const Grid& grid, std::uint32_t along,
                                                  std::uint32_t across) {
    const std::uint32_t columns = grid.size(along), rows = grid.size(across);
    if (rows % columns != 0 || std::gcd(rows, columns - 1) != 1) return {};
    Cycle one, other;
    std::vector<bool> goes_along(grid.nodes());  // [node]: how the first cycle leaves it
    NodeId v{0};
    for (std::uint32_t i = 0; i < grid.nodes(); ++i) {
        one.push_back(v);
        goes_along[v] = i % columns != columns - 1;
        v = grid.moved(v, goes_along[v] ? along : across, 1);
    }
    for (std::uint32_t i = 0; i < grid.nodes(); ++i) {
        other.push_back(v);
        v = grid.moved(v, goes_along[v] ? across : along, 1);
    }
    return std::pair(one, other);
}

std::vector<Cycle> cycles_of(const Network& network) {
    const Grid grid(network);
    if (network.lattice() && network.lattice()->has_rings() && network.lattice()->has_rows() &&
        grid.dimensions() == 2)
        for (const std::uint32_t along : {0U, 1U})
            if (const auto two = two_cycles(grid, along, 1 - along)) return {two->first, two->second};
    return {hamiltonian_cycle(grid)};
}

}  // namespace

Rounds ring_allgather(const Network& network, std::uint32_t chunks) {
    std::vector<Cycle> cycles = cycles_of(network);
    for (std::size_t i = 0, count = cycles.size(); i < count; ++i)
        cycles.emplace_back(cycles[i].rbegin(), cycles[i].rend());
    const std::uint32_t nodes = network.node_count(), parts = static_cast<std::uint32_t>(cycles.size());
    Rounds rounds{parts, false, {}};
    for (std::uint32_t round = 0; round + 1 < nodes; ++round)
        for (std::uint32_t part = 0; part < parts; ++part)
            for (std::uint32_t i = 0; i < nodes; ++i) {
                const Cycle& cycle = cycles[part];
                RoundMessage message{cycle[i], cycle[(i + 1) % nodes], {}, false, part};
                add_packets(message.packets, cycle[(i + nodes - round) % nodes], part, parts, chunks);
                add_message(rounds, round, std::move(message));
            }
    return rounds;
}

}  // namespace interlace
