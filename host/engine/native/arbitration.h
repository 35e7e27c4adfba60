// Interlace: which of those that ask for a sink is served (docs/node.md, section 5, step 3)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "interlace/engine/fabric/fabric.h"

namespace interlace::native {

/// Calls `visit(i)` for each bit i that is set.
template <class Visit>
void each_bit(std::uint64_t bits, const Visit& visit) {
    for (; bits != 0; bits &= bits - 1) visit(static_cast<std::uint32_t>(std::countr_zero(bits)));
}

/// One at most.
inline bool is_single(std::uint64_t bits) {
    return (bits & (bits - 1)) == 0;
}

/// A sink's winners so far.
class Arbiter {
  public:
    /// Of `candidates`, a mask of sources that is not 0; `high(source)`, `fullness(source)`: the priority of
    /// the packet, the level of the queue.
    template <class High, class Fullness>
    std::uint32_t choose(const Fabric& f, std::uint64_t candidates, const High& high,
                         const Fullness& fullness) {
        if (!is_single(candidates)) {
            std::uint64_t first = 0;
            each_bit(candidates, [&](std::uint32_t s) { first |= std::uint64_t{high(s) ? 1U : 0U} << s; });
            if (first != 0) candidates = first;
        }
        if (!f.by_fullness() || is_round_robins_turn(f.parameters.round_robin_every))
            return next(last_, candidates);
        return next(last_of_fullest_, fullest(candidates, fullness));
    }

  private:
    /// The lowest candidate above the last winner, or else the lowest.
    static std::uint32_t next(std::uint8_t& last_winner, std::uint64_t candidates) {
        if (last_winner < 63) {
            const std::uint64_t above = candidates & ~((std::uint64_t{2} << last_winner) - 1);
            if (above != 0) candidates = above;
        }
        last_winner = static_cast<std::uint8_t>(std::countr_zero(candidates));
        return last_winner;
    }
    /// Of winners every so many.
    bool is_round_robins_turn(std::uint32_t every) {
        const std::uint32_t winners = winners_ + 1U;
        winners_ = static_cast<std::uint8_t>(winners >= every ? 0 : winners);
        return winners == every;
    }
    /// Of candidates those whose queues are of the highest level.
    template <class Fullness>
    static std::uint64_t fullest(std::uint64_t candidates, const Fullness& fullness) {
        std::uint64_t found = 0;
        std::uint32_t highest = 0;
        each_bit(candidates, [&](std::uint32_t source) {
            const std::uint32_t full = fullness(source);
            if (full > highest) found = 0;
            highest = std::max(highest, full);
            if (full == highest) found |= std::uint64_t{1} << source;
        });
        return found;
    }

    static constexpr std::uint8_t none = 255;
    std::uint8_t last_ = none, last_of_fullest_ = none;
    std::uint8_t winners_ = 0;  // since the last by round robin
};

}  // namespace interlace::native
