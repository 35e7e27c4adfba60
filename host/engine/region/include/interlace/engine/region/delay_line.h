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
        ++items_;
    }
    /// Goes on to the next cycle: what arrives in it is in due() until the next call.
    void advance() {
        leave();
        if (++now_ == slots_.size()) now_ = 0;
    }
    const std::vector<Item>& due() const { return slots_[now_]; }
    /// What arrives `cycles` after that, up to `longest` + 1.
    const std::vector<Item>& due_in(std::uint32_t cycles) const {
        return slots_[(now_ + cycles) % slots_.size()];
    }

    /// visit(delay, item) for what has not arrived: as it would be pushed now.
    template <class Visit>
    void each_coming(const Visit& visit) const {
        for (std::uint32_t delay = 0; delay + 1 < slots_.size(); ++delay)
            for (const Item& item : due_in(delay + 1)) visit(delay, item);
    }

    /// Cycles from the next on in which nothing arrives; UINT64_MAX: nothing is on its way.
    std::uint64_t idle() const {
        if (items_ == slots_[now_].size()) return UINT64_MAX;
        std::size_t next = 1;
        while (slots_[(now_ + next) % slots_.size()].empty()) ++next;
        return next - 1;
    }
    /// Goes on by `cycles` of them.
    void skip(std::uint64_t cycles) {
        leave();
        now_ = (now_ + cycles) % slots_.size();
    }

  private:
    /// What arrived in this cycle has been seen.
    void leave() {
        items_ -= slots_[now_].size();
        slots_[now_].clear();
    }

    std::vector<std::vector<Item>> slots_;
    std::size_t now_ = 0;
    std::size_t items_ = 0;  // in all slots
};

}  // namespace interlace
