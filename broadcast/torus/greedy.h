// Interlace: a greedy scheduler that sends the rarest packet over the most constrained link
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interlace/program/group.h"
#include "interlace/program/program.h"

namespace interlace {

struct GreedySchedule {
    std::vector<Send> sends;  ///< by step
    std::uint32_t steps = 0;  ///< limit + 1 when given up
};

/// Which packet a link brings.
enum class Preference {
    rarest_nearby,   ///< the one that the fewest of the receiver's own neighbours hold, then the fewest nodes
    rarest_outward,  ///< the one that the fewest nodes farther from the source hold, then the one that left
                     ///< it first
};

/// One schedule: in each step every node is served by its links in the order of how few packets they could
/// bring. `seed` breaks the ties that the preference leaves. Gives up past `limit` steps. Every member must
/// be reachable.
GreedySchedule greedy_schedule(const Network& network, const IncomingLinks& incoming, const Group& group,
                               NodeId source, std::uint32_t packets, Preference preference,
                               std::uint64_t seed, std::uint32_t limit,
                               const std::function<void(double)>& progress = {});

}  // namespace interlace
