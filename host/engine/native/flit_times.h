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

/// Cycles that native nodes packet by packet can tell apart, from 0 on: of a run no more.
inline constexpr std::uint64_t most_cycles = std::uint64_t{1} << 40;

/// One cycle for each flit, in ascending order: evenly spaced ones in one word, as they nearly always are,
/// any others in a table. 8 bytes, because every packet in flight and every sink has them.
class FlitTimes {
  public:
    FlitTimes() = default;
    FlitTimes(FlitTimes&& other) noexcept : word_(std::exchange(other.word_, nothing)) {}
    FlitTimes& operator=(FlitTimes&& other) noexcept {
        std::swap(word_, other.word_);
        return *this;
    }
    ~FlitTimes() { drop_table(); }

    std::uint32_t count() const { return word_ & count_mask; }
    bool empty() const { return count() == 0; }
    /// Of the i-th flit, i < count().
    std::uint64_t at(std::uint32_t i) const {
        return even() ? first() + std::uint64_t{step()} * i : (*table())[i];
    }
    std::uint64_t last() const { return at(count() - 1U); }
    /// All step() cycles apart, if there are several.
    bool even() const { return (word_ & in_table) == 0; }
    std::uint32_t step() const { return word_ >> step_shift & longest_step; }

    /// `first` + `step` * (`count` - 1) < most_cycles, `step` < 2^16, `count` <= 64.
    void set(std::uint64_t first, std::uint32_t step, std::uint32_t count) {
        drop_table();
        word_ = word(first, step, count);
    }
    void append(std::uint64_t cycle) {
        if (empty()) {
            set(cycle, 1, 1);
            return;
        }
        if (count() == 1 && even() && cycle - first() <= longest_step)
            word_ = word(first(), static_cast<std::uint32_t>(cycle - first()), 1);
        if (even() && cycle != at(count())) make_table();
        if (!even()) (*table())[count()] = cycle;
        ++word_;
    }

    /// How many flits pass up to `cycle`.
    std::uint32_t until(std::uint64_t cycle) const {
        if (!even())
            return static_cast<std::uint32_t>(
                std::upper_bound(table()->begin(), table()->begin() + count(), cycle) - table()->begin());
        if (empty() || cycle < first()) return 0;
        const std::uint64_t since = step() == 1   ? cycle - first()
                                    : step() == 0 ? count()
                                                  : (cycle - first()) / step();
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(since + 1, count()));
    }
    std::uint32_t before(std::uint64_t cycle) const { return cycle == 0 ? 0 : until(cycle - 1); }
    /// Whether one passes in `cycle`; then it is flit until(cycle) - 1.
    bool passes(std::uint64_t cycle) const {
        const std::uint32_t i = until(cycle);
        return i != 0 && at(i - 1) == cycle;
    }

    void state(Archive& archive) {
        std::uint8_t flits = static_cast<std::uint8_t>(count());
        bool evenly = even();
        archive.below(flits, longest + 1U);
        archive(evenly);
        if (evenly) {
            std::uint64_t cycle = first();
            std::uint32_t apart = step();
            archive.below(cycle, most_cycles - longest * longest_step);
            archive.below(apart, longest_step + 1);
            if (archive.loads()) set(cycle, apart, flits);
            return;
        }
        for (std::uint8_t i = 0; i < flits; ++i) {
            std::uint64_t cycle = archive.loads() ? 0 : at(i);
            archive.below(cycle, most_cycles);
            archive.expect(i == 0 || cycle >= last());
            if (archive.loads()) append(cycle);
        }
    }

  private:
    static constexpr std::uint32_t longest = 64;  // flits of a packet
    using Table = std::array<std::uint64_t, longest>;

    // A word is, from its lowest bit on, the count, whether there is a table, and 16 bits of step and 40 of
    // the first cycle, or where the table is.
    static constexpr std::uint64_t count_mask = 127, in_table = 128, longest_step = 0xffff;
    static constexpr unsigned step_shift = 8, first_shift = 24, table_shift = 8;
    static constexpr std::uint64_t word(std::uint64_t first, std::uint32_t step, std::uint32_t count) {
        return first << first_shift | std::uint64_t{step} << step_shift | count;
    }
    static constexpr std::uint64_t nothing = std::uint64_t{1} << step_shift;

    std::uint64_t first() const { return word_ >> first_shift; }
    Table* table() const { return reinterpret_cast<Table*>(word_ >> table_shift); }
    void make_table() {
        auto made = std::make_unique<Table>();
        for (std::uint32_t i = 0; i < count(); ++i) (*made)[i] = at(i);
        word_ = std::uint64_t{reinterpret_cast<std::uintptr_t>(made.release())} << table_shift | in_table |
                count();
    }
    void drop_table() {
        if (!even()) const std::unique_ptr<Table> dropped(table());
        word_ = nothing;
    }

    std::uint64_t word_ = nothing;
};
static_assert(sizeof(FlitTimes) == 8);

}  // namespace interlace::native
