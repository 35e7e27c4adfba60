// Interlace: a greedy scheduler that sends the rarest packet over the most constrained link
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/program/group.h"
#include "interlace/program/program.h"

namespace interlace {

struct GreedySchedule {
    std::vector<Send> sends;                   ///< by step
    std::vector<std::uint64_t> sends_to_step;  ///< [t]: how many of them are sent in steps 1 to t
    std::uint32_t steps = 0;                   ///< limit + 1 when given up
};

/// One schedule: in each step every node is served by its links in the order of how few packets they could
/// bring, and each brings the packet that the fewest of the node's own neighbours hold, then the fewest nodes
/// hold. `seed` breaks what ties are left. Gives up past `limit` steps. Every member must be reachable.
GreedySchedule greedy_schedule(const Network& network, const IncomingLinks& incoming, const Group& group,
                               NodeId source, std::uint32_t packets, std::uint64_t seed, std::uint32_t limit);

}  // namespace interlace
