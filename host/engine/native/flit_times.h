// Interlace: the cycles in which a packet's flits pass a place, as far as they are known
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace interlace::native {

/// One cycle for each flit, in ascending order: evenly spaced ones in two numbers, as they nearly always are,
/// any others in a table.
class FlitTimes {
  public:
    std::uint32_t count() const { return count_; }
    bool empty() const { return count_ == 0; }
    /// Of the i-th flit, i < count().
    std::uint64_t at(std::uint32_t i) const {
        return table_ ? (*table_)[i] : first_ + std::uint64_t{step_} * i;
    }
    std::uint64_t last() const { return at(count_ - 1U); }
    /// All `step` cycles apart, if there are several.
    bool even() const { return !table_; }
    std::uint32_t step() const { return step_; }

    void set(std::uint64_t first, std::uint32_t step, std::uint32_t count) {
        table_.reset();
        first_ = first;
        step_ = step;
        count_ = static_cast<std::uint8_t>(count);
    }
    void append(std::uint64_t cycle) {
        if (count_ == 0) {
            set(cycle, 1, 1);
            return;
        }
        if (count_ == 1 && !table_) step_ = static_cast<std::uint32_t>(cycle - first_);
        if (!table_ && cycle != at(count_)) {
            table_ = std::make_unique<std::array<std::uint64_t, longest>>();
            for (std::uint32_t i = 0; i < count_; ++i) (*table_)[i] = first_ + std::uint64_t{step_} * i;
        }
        if (table_) (*table_)[count_] = cycle;
        ++count_;
    }

    /// How many flits pass up to `cycle`.
    std::uint32_t until(std::uint64_t cycle) const {
        if (table_)
            return static_cast<std::uint32_t>(
                std::upper_bound(table_->begin(), table_->begin() + count_, cycle) - table_->begin());
        if (count_ == 0 || cycle < first_) return 0;
        const std::uint64_t since = step_ == 1 ? cycle - first_ : (cycle - first_) / step_;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(since + 1, count_));
    }
    /// Whether one passes in `cycle`; then it is flit until(cycle) - 1.
    bool passes(std::uint64_t cycle) const {
        const std::uint32_t i = until(cycle);
        return i != 0 && at(i - 1) == cycle;
    }

  private:
    static constexpr std::uint32_t longest = 64;  // flits of a packet

    std::uint64_t first_ = 0;
    std::uint32_t step_ = 1;
    std::uint8_t count_ = 0;
    std::unique_ptr<std::array<std::uint64_t, longest>> table_;
};

}  // namespace interlace::native
