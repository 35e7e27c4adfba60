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

/// The nodes of a row that swing: all, or where they are odd in number all but the last.
std::uint32_t swinging(const Grid& grid, std::uint32_t dimension) {
    return grid.size(dimension) / 2 * 2;
}

/// Equation 1 of the paper, of a part mirrored; who does not swing is its own peer.
NodeId swung(const Grid& grid, NodeId v, std::uint32_t dimension, std::uint32_t turn, bool mirrored) {
    const std::int64_t at = grid.coordinate(v, dimension), row = swinging(grid, dimension);
    if (at == row) return v;
    const std::int64_t by = (at % 2 == 0) != mirrored ? swing_of(turn) : -swing_of(turn);
    return grid.with(v, dimension, static_cast<std::uint32_t>((at + by % row + row) % row));
}

/// Calls visit(round, part, dimension, turn, mirrored) for all rounds of all parts.
template <class Visit>
void swing_rounds(const Grid& grid, Nearest nearest, const Visit& visit) {
    std::uint32_t part = 0;
    for (const bool mirrored : {false, true})
        for (std::uint32_t first = 0; first < grid.dimensions(); ++first, ++part) {
            auto halvings = grid.halvings(first);
            if (nearest == Nearest::last) std::reverse(halvings.begin(), halvings.end());
            for (std::size_t round = 0; round < halvings.size(); ++round)
                visit(round, part, halvings[round].first, halvings[round].second, mirrored);
        }
}

/// The last node of an odd row and some others, each with each, in one round: half of them where the messages
/// of the others are the largest (turn 0), half of the rest in the next turn, and what is left in the last.
void exchange_with_last(Gathering& gathering, const Grid& grid, std::size_t round, std::uint32_t part,
                        std::uint32_t dimension, std::uint32_t turn, bool mirrored) {
    const std::uint32_t last = swinging(grid, dimension);
    const std::uint32_t end = turn + 1 == log2_of(last) ? last : last - (last >> (turn + 1));
    for (std::uint32_t i = last - (last >> turn); i < end; ++i) {
        const std::uint32_t other = mirrored ? last - 1 - i : i;
        gathering.send_all(
            round, part,
            [&](NodeId v) {
                const std::uint32_t at = grid.coordinate(v, dimension);
                return grid.with(v, dimension, at == last ? other : at == other ? last : at);
            },
            [&](NodeId origin, NodeId v) {
                return grid.coordinate(origin, dimension) == grid.coordinate(v, dimension);
            });
    }
}

}  // namespace

Rounds swing_allgather(const Network& network, std::uint32_t chunks) {
    const Grid grid(network);
    Gathering gathering(grid.nodes(), 2 * grid.dimensions(), chunks);
    swing_rounds(grid, Nearest::last,
                 [&](std::size_t round, std::uint32_t part, std::uint32_t dimension, std::uint32_t turn,
                     bool mirrored) {
                     const std::uint32_t last = swinging(grid, dimension);
                     gathering.send_all(
                         round, part, [&](NodeId v) { return swung(grid, v, dimension, turn, mirrored); },
                         [&](NodeId origin, NodeId) { return grid.coordinate(origin, dimension) != last; });
                     if (last < grid.size(dimension))
                         exchange_with_last(gathering, grid, round, part, dimension, turn, mirrored);
                 });
    return gathering.take();
}

Rounds swing_allreduce_of_vectors(const Network& network, std::uint32_t chunks) {
    const Grid grid(network);
    grid.require_powers_of_two("swing_vectors");
    Rounds rounds{2 * grid.dimensions(), false, {}};
    swing_rounds(grid, Nearest::first,
                 [&](std::size_t round, std::uint32_t part, std::uint32_t dimension, std::uint32_t turn,
                     bool mirrored) {
                     add_whole_vectors(rounds, round, part, grid.nodes(), chunks,
                                       [&](NodeId v) { return swung(grid, v, dimension, turn, mirrored); });
                 });
    return rounds;
}

}  // namespace interlace
