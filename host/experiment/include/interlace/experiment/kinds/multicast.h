// Interlace: broadcast and multicast trees on a cluster of unequal workstations
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "interlace/broadcast/cluster/trees.h"
#include "interlace/experiment/kinds/cluster.h"

namespace interlace {

struct MulticastExperiment : MessageExperiment {
    std::string algorithm = "fnf";             ///< one of multicast_algorithms()
    std::vector<std::uint32_t> sources = {0};  ///< machines; each sends a message of its own
    std::vector<std::uint32_t> destinations;   ///< of every source; empty: all machines
    std::vector<double> start_us;              ///< t_ini of each machine, or one for all; empty: the file's
    std::uint64_t message = 65'536;            ///< bytes

    Json to_json() const override;
    Json run(const Preparation* prepared, const RunListener& listener) const override;
};

/// Of the section multicast. Throws InputError.
std::unique_ptr<Experiment> read_multicast(ConfigMap& config);

Choices multicast_algorithms();

struct MulticastRun {
    MulticastExperiment experiment;
    EventParameters parameters;
    std::vector<TreePlan> plans;  ///< of each source; times in picoseconds
    /// Where no machine has a start-up time, plans count this instead: how long the message keeps its
    /// sender's link and processor busy; of the slowest machine.
    std::optional<std::uint64_t> message_ps;
    MessageProgram program;             ///< as proved; empty where only the plan was asked for
    std::optional<MessageRuns> result;  ///< of a run: all sources at once
    std::uint64_t latency_ps() const;   ///< of the slowest plan, sources unaware of one another
};

/// Builds the trees, proves their program and runs it. Throws InputError, or std::logic_error where a checker
/// finds a fault.
MulticastRun run_multicast(const MulticastExperiment& experiment, const RunListener& listener = {});

Json to_json(const MulticastRun& run);

}  // namespace interlace
