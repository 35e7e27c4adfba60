// Interlace: schedules and bounds of collectives over all links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "interlace/experiment/kinds/collective.h"

namespace interlace {

/// The experiment's network. Throws InputError for one with switches.
Network direct_network(const CollectiveExperiment& experiment);

/// The capacity of the network, whose bound the independent checker has proven, too.
CapacityRun capacity_of(const CollectiveExperiment& experiment, const RunListener& listener);

/// Throws InputError for what schedule() would refuse after a search for the capacity.
void check_schedulable(const CollectiveExperiment& experiment, const Network& network);

/// The capacity of the network, which bounds the experiment's collective, if it does.
std::optional<CapacityRun> capacity_for(const CollectiveExperiment& experiment, const Network& network,
                                        const RunListener& listener);

/// `capacity` is capacity_for()'s; without it an all-to-all has the bound of a torus, or the diameter. Where
/// better bounds take longer they are looked for up to `enough` steps.
CollectiveBound bound_of(const CollectiveExperiment& experiment, const Network& network,
                         const std::optional<CapacityRun>& capacity, std::uint32_t enough);

/// All sends of a schedule without sums, or with them.
std::vector<TimedSend> rows_of_copies(const CollectiveRun& run);
std::vector<ReducingSend> rows_of_reduction(const CollectiveRun& run);

/// Each send a reduction, or none, so many steps later.
std::vector<ReducingSend> with_operation(const std::vector<TimedSend>& sends, bool reduces,
                                         std::uint32_t after_step = 0);

/// Schedules run.experiment on run.network, with the checker's report.
void schedule(CollectiveRun& run, const std::function<void(double share)>& progress);

}  // namespace interlace
