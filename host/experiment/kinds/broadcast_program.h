// Interlace: a broadcast's program, proven, without an engine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "interlace/experiment/kinds/broadcast.h"

namespace interlace {

/// An experiment with its names looked up and its defaults filled in.
struct ResolvedBroadcast {
    /// Throws InputError.
    explicit ResolvedBroadcast(const BroadcastExperiment& experiment);

    BroadcastExperiment experiment;
    Network network;
    NodeId source;
    std::vector<std::uint32_t> axes;  ///< empty for a list of nodes and where there are no coordinates
    Group group;
};

/// A broadcast's program, what it takes in steps and what it must, proven by the checker: all that no engine
/// and no node has a part in.
struct BroadcastProgram : Preparation {
    /// Throws InputError, and std::logic_error when the checker finds a fault.
    BroadcastProgram(const BroadcastExperiment& experiment, const RunListener& listener);

    ResolvedBroadcast r;
    BroadcastPlan plan;  ///< without its sends
    Program program;
    StepRun run;
};

}  // namespace interlace
