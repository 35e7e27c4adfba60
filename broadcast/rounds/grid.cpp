// Interlace: the rows and columns that algorithms go along
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "grid.h"

#include <fmt/format.h>

#include <bit>

#include "interlace/core/error.h"

namespace interlace {

Grid::Grid(const Network& network) : name_(network.name()), nodes_(network.node_count()), sizes_{nodes_} {
    if (network.lattice()) sizes_ = network.lattice()->sizes();
    std::uint32_t stride = 1;
    for (const std::uint32_t size : sizes_) {
        strides_.push_back(stride);
        stride *= size;
    }
}

NodeId Grid::moved(NodeId node, std::uint32_t dimension, std::int64_t by) const {
    const std::int64_t n = size(dimension);
    const std::int64_t there = (coordinate(node, dimension) + by % n + n) % n;
    return with(node, dimension, static_cast<std::uint32_t>(there));
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> Grid::halvings(std::uint32_t first) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> rounds;
    for (std::uint32_t turn = 0, left = 1; left > 0; ++turn) {
        left = 0;
        for (std::uint32_t i = 0; i < dimensions(); ++i) {
            const std::uint32_t dimension = (first + i) % dimensions();
            if (turn >= log2_of(size(dimension) / 2 * 2)) continue;
            rounds.emplace_back(dimension, turn);
            ++left;
        }
    }
    return rounds;
}

void Grid::require_powers_of_two(const std::string& algorithm) const {
    for (const std::uint32_t size : sizes_)
        if (!std::has_single_bit(size))
            throw InputError("cannot run " + algorithm + " on " + name_,
                             fmt::format("a power of two nodes in each dimension, not {}", size));
}

std::uint32_t log2_of(std::uint32_t count) {
    return static_cast<std::uint32_t>(std::bit_width(count - 1));
}

}  // namespace interlace
