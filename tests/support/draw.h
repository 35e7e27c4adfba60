// Interlace: random choices for tests
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "interlace/core/random.h"

namespace interlace {

/// Numbers of one seed, each call another.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : seed_(seed) {}
    /// 0 to choices - 1.
    std::uint32_t operator()(std::uint32_t choices) { return static_cast<std::uint32_t>(bits() % choices); }
    std::uint64_t bits() { return random_bits(seed_, 78, next_++); }
    bool one_in(std::uint32_t cases) { return (*this)(cases) == 0; }
    template <class Item, std::size_t count>
    Item of(const std::array<Item, count>& items) {
        return items[(*this)(count)];
    }
    /// Some bits of `mask`, at least one of a mask that has any.
    std::uint32_t subset(std::uint32_t mask) {
        const std::uint32_t some = mask & static_cast<std::uint32_t>(bits());
        return some != 0 ? some : one_bit(mask);
    }
    std::uint32_t one_bit(std::uint32_t mask) {
        if (mask == 0) return 0;
        for (std::uint32_t skip = (*this)(static_cast<std::uint32_t>(__builtin_popcount(mask))); skip > 0;
             --skip)
            mask &= mask - 1;
        return mask & ~(mask - 1);
    }

  private:
    std::uint64_t seed_, next_ = 0;
};

}  // namespace interlace
