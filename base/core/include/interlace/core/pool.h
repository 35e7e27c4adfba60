// Interlace: objects that come and go, under numbers that stay
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace interlace {

/// Those that are dropped are made again first.
template <class Item>
class Pool {
  public:
    std::uint32_t make() {
        if (spare_.empty()) {
            items_.emplace_back();
            return static_cast<std::uint32_t>(items_.size() - 1);
        }
        const std::uint32_t index = spare_.back();
        spare_.pop_back();
        if (spare_.size() >= ahead) __builtin_prefetch(&items_[spare_[spare_.size() - ahead]], 1);
        items_[index] = {};
        return index;
    }
    void drop(std::uint32_t index) { spare_.push_back(index); }
    Item& operator[](std::uint32_t index) { return items_[index]; }
    const Item& operator[](std::uint32_t index) const { return items_[index]; }

  private:
    static constexpr std::size_t ahead = 8;  // items for which memory is asked before their turn

    std::vector<Item> items_;
    std::vector<std::uint32_t> spare_;
};

}  // namespace interlace
