// Interlace: the cycles in which a packet's flits pass a place, as far as they are known
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "interlace/core/archive.h"

namespace interlace::native {

/// One cycle for each flit, in ascending order: evenly spaced ones in two numbers, as they nearly always are,
/// any others in a table. 16 bytes, because every packet under way has two of them.
class FlitTimes {
  public:
    FlitTimes() = default;
    FlitTimes(FlitTimes&& other) noexcept : first_(other.first_), step_(other.step_), count_(other.count_) {
        other.step_ = 1;
    }
    FlitTimes& operator=(FlitTimes&& other) noexcept {
        std::swap(first_, other.first_);
        std::swap(step_, other.step_);
        std::swap(count_, other.count_);
        return *this;
    }
    ~FlitTimes() { drop_table(); }

    std::uint32_t count() const { return count_; }
    bool empty() const { return count_ == 0; }
    /// Of the i-th flit, i < count().
    std::uint64_t at(std::uint32_t i) const {
        return even() ? first_ + std::uint64_t{step_} * i : (*table())[i];
    }
    std::uint64_t last() const { return at(count_ - 1U); }
    /// All step() cycles apart, if there are several.
    bool even() const { return step_ != in_table; }
    std::uint32_t step() const { return step_; }

    void set(std::uint64_t first, std::uint32_t step, std::uint32_t count) {
        drop_table();
        first_ = first;
        step_ = step;
        count_ = static_cast<std::uint8_t>(count);
    }
    void append(std::uint64_t cycle) {
        if (count_ == 0) {
            set(cycle, 1, 1);
            return;
        }
        if (count_ == 1 && even() && cycle - first_ < in_table)
            step_ = static_cast<std::uint32_t>(cycle - first_);
        if (even() && cycle != at(count_)) make_table();
        if (!even()) (*table())[count_] = cycle;
        ++count_;
    }

    /// How many flits pass up to `cycle`.
    std::uint32_t until(std::uint64_t cycle) const {
        if (!even())
            return static_cast<std::uint32_t>(
                std::upper_bound(table()->begin(), table()->begin() + count_, cycle) - table()->begin());
        if (count_ == 0 || cycle < first_) return 0;
        const std::uint64_t since = step_ == 1   ? cycle - first_
                                    : step_ == 0 ? count_
                                                 : (cycle - first_) / step_;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(since + 1, count_));
    }
    std::uint32_t before(std::uint64_t cycle) const { return cycle == 0 ? 0 : until(cycle - 1); }
    /// Whether one passes in `cycle`; then it is flit until(cycle) - 1.
    bool passes(std::uint64_t cycle) const {
        const std::uint32_t i = until(cycle);
        return i != 0 && at(i - 1) == cycle;
    }

    void state(Archive& archive) {
        std::uint8_t count = count_;
        std::uint32_t step = step_;
        archive(count, step);
        if (step != in_table) {
            std::uint64_t first = first_;
            archive(first);
            if (archive.loads()) set(first, step, count);
            return;
        }
        for (std::uint8_t i = 0; i < count; ++i) {
            std::uint64_t cycle = archive.loads() ? 0 : at(i);
            archive(cycle);
            if (archive.loads()) append(cycle);
        }
    }

  private:
    static constexpr std::uint32_t longest = 64;  // flits of a packet
    static constexpr std::uint32_t in_table = UINT32_MAX;
    using Table = std::array<std::uint64_t, longest>;

    /// Then `first_` is where it is.
    Table* table() const { return reinterpret_cast<Table*>(first_); }
    void make_table() {
        auto made = std::make_unique<Table>();
        for (std::uint32_t i = 0; i < count_; ++i) (*made)[i] = at(i);
        first_ = reinterpret_cast<std::uintptr_t>(made.release());
        step_ = in_table;
    }
    void drop_table() {
        if (!even()) const std::unique_ptr<Table> dropped(table());
        step_ = 1;
    }

    std::uint64_t first_ = 0;
    std::uint32_t step_ = 1;
    std::uint8_t count_ = 0;
};
static_assert(sizeof(FlitTimes) == 16);

}  // namespace interlace::native
