// Interlace: an all-to-all broadcast on a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "interlace/broadcast/rings.h"
#include "interlace/experiment/cluster.h"

namespace interlace {

struct AllGatherExperiment {
    ClusterExperiment cluster;
    std::string algorithm = "lr3";   ///< lr1, lr2, lr3, ring, recursive_doubling or gather_broadcast
    std::uint64_t message = 65'536;  ///< bytes of each machine's message
    bool barriers = false;           ///< of a ring: after each of its P - 1 steps
    Until until = Until::run;        ///< how far to go
};

struct AllGatherRun {
    AllGatherExperiment experiment;
    EventParameters parameters;
    std::optional<Ring> ring;           ///< of an algorithm that has one
    std::string contention;             ///< of the ring: empty if no two of its messages share a link
    std::uint32_t max_path_length = 0;  ///< switches on the longest path of a message
    double lower_bound_seconds = 0;     ///< no algorithm can be faster on this tree (payload alone)
    MessageProgram program;             ///< as proved; empty where only the plan was asked for
    std::optional<MessageRuns> result;  ///< of a run
};

/// Builds the program, proves it with the independent checkers and runs it. Throws InputError for what the
/// user can mend, std::logic_error where a checker finds a fault.
AllGatherRun run_allgather(const AllGatherExperiment& experiment, const RunListener& listener = {});

/// As a configuration file (docs/experiments.md) that names everything.
Json to_json(const AllGatherExperiment& experiment, const EventParameters& parameters);
Json to_json(const AllGatherRun& run);

}  // namespace interlace
