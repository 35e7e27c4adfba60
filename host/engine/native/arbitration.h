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
    /// Of `candidates`, a mask of sources that is not 0; `running`: of worms, those of branches that have
    /// started; `high(source)`, `level(source)`: the priority of the packet, the level of it or of its queue.
    template <class High, class Level>
    std::uint32_t choose(const Fabric& f, std::uint64_t candidates, std::uint64_t running, const High& high,
                         const Level& level) {
        if (!is_single(candidates)) {
            std::uint64_t first = 0;
            each_bit(candidates, [&](std::uint32_t s) { first |= std::uint64_t{high(s) ? 1U : 0U} << s; });
            if (first != 0) candidates = first;
        }
        if (!f.by_level()) return next(last_, candidates);
        if (winners_ + 1U == f.parameters.round_robin_every && (candidates & ~running) != 0)
            return next(last_, candidates & ~running);
        return next(last_by_level_, highest(candidates, level));
    }

    /// As choose() of a branch that has started and asks alone.
    void won_alone(bool by_level, std::uint8_t source) { (by_level ? last_by_level_ : last_) = source; }

    /// The winner starts.
    void started(const Fabric& f) {
        if (f.by_level())
            winners_ =
                winners_ + 1U >= f.parameters.round_robin_every ? 0 : static_cast<std::uint8_t>(winners_ + 1);
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
    /// Of candidates those of the highest level.
    template <class Level>
    static std::uint64_t highest(std::uint64_t candidates, const Level& level) {
        std::uint64_t found = 0;
        std::uint32_t best = 0;
        each_bit(candidates, [&](std::uint32_t source) {
            const std::uint32_t own = level(source);
            if (own > best) found = 0;
            best = std::max(best, own);
            if (own == best) found |= std::uint64_t{1} << source;
        });
        return found;
    }

    static constexpr std::uint8_t none = 255;
    std::uint8_t last_ = none, last_by_level_ = none;
    std::uint8_t winners_ = 0;  // that started since the last by round robin
};

}  // namespace interlace::native
