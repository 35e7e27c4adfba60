// Interlace: what is on its way and arrives some cycles later
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace interlace {

/// Items that arrive after a delay of 0 to `longest` cycles beyond the next.
template <class Item>
class DelayLine {
  public:
    explicit DelayLine(std::uint32_t longest) : slots_(std::size_t{longest} + 2) {}

    void push(std::uint32_t delay, const Item& item) {
        std::size_t slot = std::size_t{now_} + delay + 1;
        if (slot >= slots_.size()) slot -= slots_.size();
        slots_[slot].push_back(item);
    }
    /// Goes on to the next cycle: what arrives in it is in due() until the next call.
    void advance() {
        slots_[now_].clear();
        if (++now_ == slots_.size()) now_ = 0;
    }
    const std::vector<Item>& due() const { return slots_[now_]; }

  private:
    std::vector<std::vector<Item>> slots_;
    std::size_t now_ = 0;
};

}  // namespace interlace
