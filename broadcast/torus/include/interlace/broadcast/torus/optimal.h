// Interlace: broadcasts in as few steps as any schedule can take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interlace/broadcast/analysis/lower_bound.h"
#include "interlace/program/program.h"

namespace interlace {

/// A schedule with its certificate: when steps equals bound.steps, no schedule is shorter.
struct OptimalBroadcast {
    std::vector<Send> sends;  ///< by step
    std::uint32_t steps = 0;
    LowerBound bound;
    std::uint32_t attempts = 0;  ///< schedules built until the bound was met or the effort was spent
};

struct OptimalOptions {
    std::uint64_t seed = 1;
    /// Work to spend on closing a gap, in packet deliveries considered; at least one schedule is built
    /// whatever it is.
    std::uint64_t effort = 2'000'000;
    /// Called after each step of the first schedule with the share of it that is built.
    std::function<void(double share)> progress;
};

/// Schedules a broadcast of `packets` packets (1 or more) from `source` to the group, on any network. See
/// docs/optimal.md for the scheduler and how often it meets the bound. Throws InputError where a member
/// cannot be reached.
OptimalBroadcast optimal_broadcast(const Network& network, const Group& group, NodeId source,
                                   std::uint32_t packets, const OptimalOptions& options = {});

}  // namespace interlace
