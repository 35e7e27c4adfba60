// Interlace: credits of channels, those on their way back included
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "interlace/core/archive.h"

namespace interlace {

/// Credits that come back one by one and count from cycle `first` on, `step` cycles apart (0: all at once),
/// the last of them with `more`.
struct Return {
    std::uint64_t first = 0;
    std::uint32_t step = 0;
    std::uint16_t count = 0, more = 0;
};

inline void state_of(Return& what, Archive& archive) {
    archive(what.first, what.step, what.count, what.more);
    archive.expect(what.count > 0);
}

/// The credits of many channels in each cycle, asked for cycle after cycle; less than 2^31 of each. A channel
/// that nothing comes back to takes 4 bytes: large networks wait for memory.
class Credits {
  public:
    void reserve(std::size_t channels) { channels_.reserve(channels); }
    void add_channel(std::uint32_t credits) { channels_.push_back({credits}); }

    /// Credits that count in `cycle`.
    std::uint32_t at(std::size_t channel, std::uint64_t cycle) {
        Channel& c = channels_[channel];
        while (c.expects() && returns_[c.first()].what.first <= cycle) take(c, cycle);
        return credits(c);
    }
    /// Asks memory for a channel that will be needed soon.
    [[gnu::always_inline]] void fetch(std::size_t channel) const {
        __builtin_prefetch(&channels_[channel], 1);
    }
    /// What comes back, some time later.
    [[gnu::always_inline]] void fetch_returns(std::size_t channel) const {
        if (channels_[channel].expects()) __builtin_prefetch(&returns_[channels_[channel].first()], 1);
    }
    void pay(std::size_t channel, std::uint32_t amount) { credits(channels_[channel]) -= amount; }
    void give(std::size_t channel, std::uint32_t amount) { credits(channels_[channel]) += amount; }
    /// What comes back later than what was added before.
    void add(std::size_t channel, const Return& what) {
        Channel& c = channels_[channel];
        const std::uint32_t index = make({what, none, c.value, none});
        if (c.expects())
            returns_[returns_[c.first()].last].next = index;
        else
            c.expect(index);
        returns_[c.first()].last = index;
    }
    /// Forgets what does not count in `cycle` yet.
    void cut(std::size_t channel, std::uint64_t cycle) {
        at(channel, cycle);
        Channel& c = channels_[channel];
        while (c.expects()) drop_first(c);
    }
    /// The first cycle from `cycle` on in which there are so many; UINT64_MAX: none is known.
    std::uint64_t when(std::size_t channel, std::uint32_t wanted, std::uint64_t cycle) {
        std::uint64_t there = at(channel, cycle);
        if (there >= wanted) return cycle;
        std::uint64_t found = UINT64_MAX;
        each(channels_[channel], [&](const Return& r) {
            const std::uint64_t missing = wanted - there;
            there += std::uint64_t{r.count} + r.more;
            if (there < wanted) return true;
            found = r.first + r.step * (std::min<std::uint64_t>(missing, r.count) - 1);
            return false;
        });
        return found;
    }

    /// Of a channel, as `cycle` ends or later; loaded ones have had no return, and all their credits.
    void state(std::size_t channel, std::uint64_t cycle, Archive& archive) {
        const std::uint32_t all = at(channel, cycle);
        std::uint32_t now = all;
        std::vector<Return> returns;
        each(channels_[channel], [&](const Return& r) {
            returns.push_back(r);
            return true;
        });
        archive(now);
        std::uint64_t sum = now, after = cycle;
        archive.each(returns, [&](Archive& a, Return& r) {
            state_of(r, a);
            a.expect(r.first > std::exchange(after, r.first - 1));
            a.expect((sum += std::uint64_t{r.count} + r.more) <= all);
        });
        if (!archive.loads()) return;
        archive.expect(now <= all);
        channels_[channel] = {now};
        for (const Return& what : returns) add(channel, what);
    }

  private:
    static constexpr std::uint32_t none = UINT32_MAX;
    /// Its credits; or, where some come back, the first of those, which has the credits.
    struct Channel {
        static constexpr std::uint32_t flag = 1U << 31U;
        std::uint32_t value;
        bool expects() const { return (value & flag) != 0; }
        std::uint32_t first() const { return value & ~flag; }
        void expect(std::uint32_t first) { value = first | flag; }
    };
    /// Half a cache line.
    struct alignas(32) Listed {
        Return what;
        std::uint32_t next;           // `none`: it is the last
        std::uint32_t credits, last;  // of the first
    };
    static_assert(sizeof(Listed) == 32);

    std::uint32_t& credits(Channel& c) { return c.expects() ? returns_[c.first()].credits : c.value; }

    /// As long as visit(return) says true, the first one first.
    template <class Visit>
    void each(const Channel& c, const Visit& visit) const {
        for (std::uint32_t i = c.expects() ? c.first() : none; i != none; i = returns_[i].next)
            if (!visit(returns_[i].what)) return;
    }

    std::uint32_t make(const Listed& item) {
        if (spare_.empty()) {
            returns_.push_back(item);
            return static_cast<std::uint32_t>(returns_.size() - 1);
        }
        const std::uint32_t index = spare_.back();
        spare_.pop_back();
        returns_[index] = item;
        return index;
    }
    void drop_first(Channel& c) {
        const std::uint32_t first = c.first();
        const Listed& dropped = returns_[first];
        spare_.push_back(first);
        if (dropped.next == none) {
            c = {dropped.credits};
            return;
        }
        c.expect(dropped.next);
        returns_[dropped.next].credits = dropped.credits;
        returns_[dropped.next].last = dropped.last;
    }
    /// Of the first that come back, those that count in `cycle`.
    void take(Channel& c, std::uint64_t cycle) {
        Return& r = returns_[c.first()].what;
        const std::uint64_t last = r.first + std::uint64_t{r.step} * (r.count - 1U);
        if (last <= cycle) {
            credits(c) += std::uint32_t{r.count} + r.more;
            drop_first(c);
            return;
        }
        const std::uint64_t since = cycle - r.first;
        const auto some = static_cast<std::uint16_t>((r.step == 1 ? since : since / r.step) + 1);
        credits(c) += some;
        r.count = static_cast<std::uint16_t>(r.count - some);
        r.first += std::uint64_t{some} * r.step;
    }

    std::vector<Channel> channels_;
    std::vector<Listed> returns_;
    std::vector<std::uint32_t> spare_;
};

}  // namespace interlace
