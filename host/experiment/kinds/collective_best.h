// Interlace: the choice among all algorithms of a collective over links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/experiment/kinds/collective.h"

namespace interlace {

inline constexpr const char* best_algorithm = "best";

/// Runs all that the network allows, and returns the fastest for the message or, without one, that of fewest
/// steps for the same chunks, with what each took.
CollectiveRun run_best(const CollectiveExperiment& experiment, const RunListener& listener);

/// Its choices and crossovers.
void add_choices(Json& json, const CollectiveRun& run);

}  // namespace interlace
