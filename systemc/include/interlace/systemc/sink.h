// Interlace: what packets leave through (docs/node.md, sections 4 and 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "interlace/systemc/pins.h"

namespace interlace::systemc {

/// How full, or how free: how many of a quarter, a half and three quarters of `depth` `amount` has reached.
constexpr std::uint32_t level(std::uint32_t amount, std::uint32_t depth) {
    std::uint32_t reached = 0;
    for (std::uint32_t quarters = 1; quarters <= 3; ++quarters)
        if (4 * amount >= quarters * depth) ++reached;
    return reached;
}

/// A link port or a reception queue. Each channel is held by at most one branch.
template <std::uint32_t Vcs>
class Sink {
  public:
    struct Branch {
        std::uint32_t source = 0;
        std::uint32_t next = 0;  ///< the position of its next flit in the source
        std::uint32_t left = 0;  ///< flits
    };

    std::uint32_t held = 0;               ///< mask of channels
    std::uint32_t favoured = 0;           ///< the source after the last winner ...
    std::uint32_t favoured_by_level = 0;  ///< ... and after the last of those by level
    std::uint32_t busy = 0;               ///< cycles until the link can take another flit
    std::uint32_t winners = 0;            ///< that started since the last by round robin
    std::array<std::uint32_t, Vcs> credits{};
    std::array<Branch, Vcs> branch{};
    std::uint32_t paying = 0,
                  owed = 0;  ///< pipelined: a channel's credits, which are taken when all have asked

    static constexpr std::uint32_t none = Vcs;
    /// The lowest channel of `allowed` that is free and has credits for `flits`, or `none`.
    std::uint32_t free_channel(std::uint32_t allowed, std::uint32_t flits) const {
        for (std::uint32_t rest = allowed & ~held; rest != 0; rest &= rest - 1)
            if (const auto v = static_cast<std::uint32_t>(__builtin_ctz(rest)); credits[v] >= flits) return v;
        return none;
    }

    /// Likewise: the lowest of those with the highest level of credits.
    std::uint32_t freest_channel(std::uint32_t allowed, std::uint32_t flits, std::uint32_t depth) const {
        std::uint32_t best = none;
        for (std::uint32_t rest = allowed & ~held; rest != 0; rest &= rest - 1) {
            const auto v = static_cast<std::uint32_t>(__builtin_ctz(rest));
            if (credits[v] < flits) continue;
            if (best == none || level(credits[v], depth) > level(credits[best], depth)) best = v;
        }
        return best;
    }

    /// One of `allowed` has credits for `flits`, be it held or not.
    bool has_room(std::uint32_t allowed, std::uint32_t flits) const {
        for (std::uint32_t v = 0; v < Vcs; ++v)
            if ((allowed >> v & 1U) != 0 && credits[v] >= flits) return true;
        return false;
    }

    /// Section 5, step 3: of candidates the lowest above the last winner, or else the lowest; those of high
    /// priority before all others.
    std::uint32_t arbitrate(std::uint64_t candidates, std::uint64_t high) {
        return next(favoured, (candidates & high) != 0 ? candidates & high : candidates);
    }
    /// Likewise of those of the highest level, which have a last winner of their own.
    std::uint32_t arbitrate_by_level(std::uint64_t highest) { return next(favoured_by_level, highest); }

    /// The lowest candidate from `favoured` on, or else the lowest.
    static std::uint32_t first_from(std::uint32_t favoured, std::uint64_t candidates) {
        const std::uint64_t above = candidates & ~ones(favoured);
        return static_cast<std::uint32_t>(__builtin_ctzll(above != 0 ? above : candidates));
    }

  private:
    static std::uint32_t next(std::uint32_t& favoured, std::uint64_t candidates) {
        const std::uint32_t winner = first_from(favoured, candidates);
        favoured = winner + 1;
        return winner;
    }
};

}  // namespace interlace::systemc
