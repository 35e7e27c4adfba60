// Interlace: which nodes of a region have something to do
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace interlace::native {

/// A bit for each node, so that they are run in the order in which their states lie in memory.
class ActiveNodes {
  public:
    explicit ActiveNodes(std::size_t nodes) : words_((nodes + 63) / 64, 0) {}

    void add(std::uint32_t node) {
        std::uint64_t& word = words_[node / 64];
        const std::uint64_t bit = std::uint64_t{1} << node % 64;
        count_ += (word & bit) == 0 ? 1U : 0U;
        word |= bit;
    }
    bool empty() const { return count_ == 0; }

    /// Keeps those of which run(node) says so.
    template <class Run>
    void run(const Run& run) {
        if (count_ == 0) return;
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t left = words_[i]; left != 0; left &= left - 1) {
                const auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
                if (run(static_cast<std::uint32_t>(i * 64) + bit)) continue;
                words_[i] &= ~(std::uint64_t{1} << bit);
                --count_;
            }
    }

  private:
    std::vector<std::uint64_t> words_;
    std::size_t count_ = 0;
};

}  // namespace interlace::native
