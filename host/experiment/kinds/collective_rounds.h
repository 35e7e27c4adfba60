// Interlace: the algorithms of papers for collectives over links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "interlace/broadcast/rounds/rounds.h"
#include "interlace/experiment/kinds/collective.h"

namespace interlace {

struct RoundAlgorithm {
    DirectCollective collective;
    const char* name;
    const char* text;
    /// Of the experiment, with its chunks. Throws InputError where the network has not the nodes for it.
    Rounds (*make)(const CollectiveExperiment& e, const Network& network);
};

/// The experiment's algorithm; none: optimal, or best.
const RoundAlgorithm* round_algorithm(const CollectiveExperiment& e);

/// Whether machines of a cluster have an algorithm of that name.
bool is_of_machines_too(const std::string& algorithm);

/// What goes at the same time in directions of its own; 1 of optimal.
std::uint32_t parts_of(const CollectiveExperiment& e, const Network& network);

/// Costs and rounds alone, of an algorithm whose schedule may be too large; none where it does not run.
std::optional<CollectiveRun> cost_of_rounds(const CollectiveExperiment& experiment);

/// Schedules by the algorithm, packet by packet, with the checker's report.
void schedule_rounds(CollectiveRun& run, const RoundAlgorithm& algorithm);

}  // namespace interlace
