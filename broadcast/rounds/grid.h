// Interlace: the rows and columns that algorithms go along
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interlace/network/network.h"

namespace interlace {

/// A lattice's coordinates; of another network one row, by numbers.
class Grid {
  public:
    explicit Grid(const Network& network);

    std::uint32_t nodes() const { return nodes_; }
    std::uint32_t dimensions() const { return static_cast<std::uint32_t>(sizes_.size()); }
    std::uint32_t size(std::uint32_t dimension) const { return sizes_[dimension]; }
    std::uint32_t coordinate(NodeId node, std::uint32_t dimension) const {
        return node / strides_[dimension] % sizes_[dimension];
    }
    /// With that coordinate instead.
    NodeId with(NodeId node, std::uint32_t dimension, std::uint32_t coordinate) const {
        return NodeId{node + strides_[dimension] * coordinate -
                      strides_[dimension] * this->coordinate(node, dimension)};
    }
    /// `by` nodes on, modulo the size.
    NodeId moved(NodeId node, std::uint32_t dimension, std::int64_t by) const;

    /// Rounds of an algorithm that halves each dimension's size again and again, of an odd size that of all
    /// but one: the dimension of each and which of that dimension's rounds it is, dimensions in turn from
    /// `first` on, those that are done left out.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> halvings(std::uint32_t first) const;

    /// Throws InputError unless all sizes are.
    void require_powers_of_two(const std::string& algorithm) const;

  private:
    std::string name_;
    std::uint32_t nodes_;
    std::vector<std::uint32_t> sizes_, strides_;
};

/// Rounded up; of 1: 0.
std::uint32_t log2_of(std::uint32_t count);

/// (1 - (-2)^(round + 1)) / 3: 1, -1, 3, -5, 11, ...
constexpr std::int64_t swing_of(std::uint32_t round) {
    return (1 - ((round % 2 == 0 ? -1 : 1) * (std::int64_t{2} << round))) / 3;
}

}  // namespace interlace
