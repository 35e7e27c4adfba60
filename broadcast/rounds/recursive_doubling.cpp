// Interlace: exchanges with the node whose number differs in one bit
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "gathering.h"
#include "grid.h"
#include "interlace/broadcast/rounds/algorithms.h"
#include "whole_vectors.h"

namespace interlace {
namespace {

NodeId partner(const Grid& grid, NodeId v, std::pair<std::uint32_t, std::uint32_t> halving) {
    return grid.with(v, halving.first, grid.coordinate(v, halving.first) ^ (1U << halving.second));
}

}  // namespace

Rounds recursive_doubling_allgather(const Network& network, std::uint32_t chunks, Nearest nearest) {
    const Grid grid(network);
    grid.require_powers_of_two("recursive doubling");
    auto halvings = grid.halvings(0);
    if (nearest == Nearest::last) std::reverse(halvings.begin(), halvings.end());
    Gathering gathering(grid.nodes(), 1, chunks);
    for (std::size_t round = 0; round < halvings.size(); ++round)
        gathering.send_all(round, 0, [&](NodeId v) { return partner(grid, v, halvings[round]); });
    return gathering.take();
}

Rounds recursive_doubling_allreduce(const Network& network, std::uint32_t chunks) {
    const Grid grid(network);
    grid.require_powers_of_two("recursive doubling");
    const auto halvings = grid.halvings(0);
    Rounds rounds;
    for (std::size_t round = 0; round < halvings.size(); ++round)
        add_whole_vectors(rounds, round, 0, grid.nodes(), chunks,
                          [&](NodeId v) { return partner(grid, v, halvings[round]); });
    return rounds;
}

}  // namespace interlace
