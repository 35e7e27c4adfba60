// Interlace: what happens in which cycle to come
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace interlace {

/// Numbers of things that are due in some cycle, the order among those of one cycle being of no meaning.
class Calendar {
  public:
    /// `cycle` is at least `now`.
    [[gnu::always_inline]] void add(std::uint64_t now, std::uint64_t cycle, std::uint32_t item) {
        ++items_;
        if (cycle - now >= days) return add_far(cycle, item);
        push(cycle % days, item);
    }
    /// Whether visit() calls fetch(): everything else is the same.
    void fetch_ahead(bool fetches) { fetches_ = fetches; }
    /// Hands over what is due in cycle `now`, and what is added for it meanwhile. Every cycle in which
    /// something is due has its call.
    ///
    /// Some items before its turn, each fetch(item) one after the other may ask memory for what it needs.
    template <class Visit, class... Fetch>
    void visit(std::uint64_t now, const Visit& visit, const Fetch&... fetch) {
        if (items_ == 0) return;
        come_near(now);
        Day& due = near_[now % days];
        if (due.size == 0) return;
        for (std::size_t i = 0; i < due.size; ++i) {
            if (fetches_) {
                std::size_t then = i + ahead * sizeof...(fetch);
                [[maybe_unused]] const auto fetch_then = [&](const auto& one) {
                    if (then < due.size) one(due.items[then]);
                    then -= ahead;
                };
                (fetch_then(fetch), ...);
            }
            visit(due.items[i]);
        }
        items_ -= due.size;
        busy_[now % days / 64] &= ~(std::uint64_t{1} << now % 64);
        due.size = 0;
        spare_.push_back(std::exchange(due, {}));
    }
    /// The first cycle from `now` on in which something is due that `counts(item)`; UINT64_MAX: none.
    template <class Counts>
    std::uint64_t next(std::uint64_t now, const Counts& counts) const {
        const auto any = [&](const auto& day) { return std::any_of(day.begin(), day.end(), counts); };
        std::uint64_t first = UINT64_MAX;
        if (items_ == 0) return first;
        for (auto day = far_.begin(); day != far_.end() && first == UINT64_MAX; ++day)
            if (any(day->second)) first = day->first;
        const std::uint64_t end = std::min(first, now + days);
        for (std::uint64_t cycle = now; (cycle = next_busy(cycle, end)) < end; ++cycle)
            if (any(near_[cycle % days])) return cycle;
        return first;
    }
    std::uint64_t next(std::uint64_t now) const {
        return next(now, [](std::uint32_t) { return true; });
    }

    /// visit(cycle, item) for all that is due from `now` on.
    template <class Visit>
    void each(std::uint64_t now, const Visit& visit) const {
        for (std::uint64_t cycle = now; cycle < now + days; ++cycle)
            for (const std::uint32_t item : near_[cycle % days]) visit(cycle, item);
        for (const auto& [cycle, items] : far_)
            for (const std::uint32_t item : items) visit(cycle, item);
    }

  private:
    static constexpr std::size_t days = 1024;
    static constexpr std::size_t ahead = 4;  // items, about a hundred nanoseconds

    struct Day {
        std::unique_ptr<std::uint32_t[]> items;  // NOLINT(*-avoid-c-arrays)
        std::uint32_t size = 0, room = 0;
        const std::uint32_t* begin() const { return items.get(); }
        const std::uint32_t* end() const { return items.get() + size; }
    };

    [[gnu::always_inline]] void push(std::size_t number, std::uint32_t item) {
        Day& day = near_[number];
        busy_[number / 64] |= std::uint64_t{1} << number % 64;
        if (day.size == day.room) make_room(day);
        day.items[day.size++] = item;
    }
    /// What a day needed of memory the next days get: that is warm, and there are many days.
    [[gnu::noinline]] void make_room(Day& day) {
        if (day.room == 0 && !spare_.empty()) {
            day = std::move(spare_.back());
            spare_.pop_back();
            return;
        }
        const std::uint32_t room = std::max(8U, 2 * day.room);
        auto items = std::make_unique<std::uint32_t[]>(room);  // NOLINT(*-avoid-c-arrays)
        std::copy(day.begin(), day.end(), items.get());
        day = {std::move(items), day.size, room};
    }
    [[gnu::noinline]] void add_far(std::uint64_t cycle, std::uint32_t item) { far_[cycle].push_back(item); }

    void come_near(std::uint64_t now) {
        while (!far_.empty() && far_.begin()->first - now < days) {
            for (const std::uint32_t item : far_.begin()->second) push(far_.begin()->first % days, item);
            far_.erase(far_.begin());
        }
    }
    /// The first cycle from `cycle` on, and before `end`, that near_ has something of; or one from `end` on.
    std::uint64_t next_busy(std::uint64_t cycle, std::uint64_t end) const {
        while (cycle < end) {
            const std::uint64_t bits = busy_[cycle % days / 64] >> cycle % 64;
            if (bits != 0) return cycle + static_cast<std::uint32_t>(std::countr_zero(bits));
            cycle += 64 - cycle % 64;
        }
        return end;
    }

    std::vector<Day> near_{days}, spare_;
    std::array<std::uint64_t, days / 64> busy_{};  // bits: days that have something
    std::map<std::uint64_t, std::vector<std::uint32_t>> far_;
    std::size_t items_ = 0;
    bool fetches_ = true;
};

}  // namespace interlace
