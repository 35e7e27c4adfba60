// Interlace: the connected parts of a graph
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace interlace {

/// Union-find over 0 .. count - 1.
class Parts {
  public:
    explicit Parts(std::uint32_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
    std::uint32_t of(std::uint32_t item) {
        while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
        return item;
    }
    /// False if they were one part already.
    bool join(std::uint32_t a, std::uint32_t b) { return std::exchange(parent_[of(a)], of(b)) != of(b); }

  private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace interlace
