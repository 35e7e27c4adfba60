// Interlace: what happens some cycles later
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace interlace::systemc {

/// Items that are due up to three cycles after the one in which they were pushed; 0: in it.
template <class Item>
class Delay {
  public:
    void push(std::uint32_t cycles, const Item& item) {
        ring_[(now_ + cycles) % ring_.size()].push_back(item);
    }
    const std::vector<Item>& due() const { return ring_[now_]; }
    /// The end of the cycle.
    void advance() {
        ring_[now_].clear();
        now_ = (now_ + 1) % static_cast<std::uint32_t>(ring_.size());
    }
    bool empty() const {
        for (const auto& items : ring_)
            if (!items.empty()) return false;
        return true;
    }
    /// state(value), of plain values and vectors of them, saves them or loads them.
    template <class State>
    void state(State& state) {
        for (auto& items : ring_) state(items);
        state(now_);
    }
    void clear() {
        for (auto& items : ring_) items.clear();
    }

  private:
    std::array<std::vector<Item>, 4> ring_;
    std::uint32_t now_ = 0;
};

}  // namespace interlace::systemc
