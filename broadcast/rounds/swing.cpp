// Interlace: Swing (arXiv 2401.09356): exchanges at short distances, in turn on both sides
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "gathering.h"
#include "grid.h"
#include "interlace/broadcast/rounds/algorithms.h"
#include "whole_vectors.h"

namespace interlace {
namespace {

/// Equation 1 of the paper, of a part mirrored.
NodeId swung(const Grid& grid, NodeId v, std::uint32_t dimension, std::uint32_t turn, bool mirrored) {
    const bool forwards = (grid.coordinate(v, dimension) % 2 == 0) != mirrored;
    return grid.moved(v, dimension, forwards ? swing_of(turn) : -swing_of(turn));
}

/// Calls visit(round, part, peer) for all rounds of all parts.
template <class Visit>
void swing_rounds(const Grid& grid, Nearest nearest, const Visit& visit) {
    std::uint32_t part = 0;
    for (const bool mirrored : {false, true})
        for (std::uint32_t first = 0; first < grid.dimensions(); ++first, ++part) {
            auto halvings = grid.halvings(first);
            if (nearest == Nearest::last) std::reverse(halvings.begin(), halvings.end());
            for (std::size_t round = 0; round < halvings.size(); ++round)
                visit(round, part, [&](NodeId v) {
                    return swung(grid, v, halvings[round].first, halvings[round].second, mirrored);
                });
        }
}

}  // namespace

Rounds swing_allgather(const Network& network, std::uint32_t chunks) {
    const Grid grid(network);
    grid.require_even("swing");
    Gathering gathering(grid.nodes(), 2 * grid.dimensions(), chunks);
    swing_rounds(grid, Nearest::last, [&](std::size_t round, std::uint32_t part, const auto& peer) {
        gathering.send_all(round, part, peer);
    });
    return gathering.take();
}

Rounds swing_allreduce_of_vectors(const Network& network, std::uint32_t chunks) {
    const Grid grid(network);
    grid.require_powers_of_two("swing_vectors");
    Rounds rounds{2 * grid.dimensions(), false, {}};
    swing_rounds(grid, Nearest::first, [&](std::size_t round, std::uint32_t part, const auto& peer) {
        add_whole_vectors(rounds, round, part, grid.nodes(), chunks, peer);
    });
    return rounds;
}

}  // namespace interlace
