// Interlace: collectives over links on the routers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "interlace/experiment/kinds/collective.h"
#include "interlace/program/program.h"

namespace interlace {

/// Throws InputError for an engine, or a collective and algorithm, that do not go together.
void check_engine(const CollectiveExperiment& experiment);

/// Every send, of which a node adds sums to what it has; each sum ends at one node. Steps give the order of
/// sends alone. Throws InputError where sums go over several links, or leave a node twice.
std::vector<ReducingSend> rows_between_neighbours(const CollectiveRun& run);

/// The schedule as hosts send it, link by link: every packet from neighbour to neighbour, a sum once from
/// each node. Throws InputError where sums go over several links, or nodes and packets are too many.
Program program_of(const CollectiveRun& run);

/// Runs the schedule on the experiment's engine. Called by all ranks, each of which has scheduled.
void run_on_routers(CollectiveRun& run, const RunListener& listener);

}  // namespace interlace
