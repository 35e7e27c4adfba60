// Interlace: anyone's program of messages on a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/experiment/kinds/cluster.h"

namespace interlace {

struct ReplayExperiment : MessageExperiment {
    std::string goal;  ///< a file (program/goal.h)

    Json to_json() const override;
    Json run(const Preparation* prepared, const RunListener& listener) const override;
};

/// Of the section replay. Throws InputError.
std::unique_ptr<Experiment> read_replay(ConfigMap& config);

struct ReplayRun {
    ReplayExperiment experiment;
    EventParameters parameters;
    std::uint32_t ranks = 0;  ///< machine i is rank i
    MessageProgram program;
    MessageRuns result;
    std::vector<double> rank_seconds;  ///< until the last operation of each rank was complete, in the mean
};

/// Throws InputError for a file that is not GOAL or has more ranks than the cluster machines, FellShort for a
/// program that gets stuck.
ReplayRun run_replay(const ReplayExperiment& experiment, const RunListener& listener = {});

Json to_json(const ReplayRun& run);

}  // namespace interlace
