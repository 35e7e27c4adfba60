// Interlace: broadcast and multicast trees on a cluster of unequal workstations
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "interlace/broadcast/trees.h"
#include "interlace/experiment/cluster.h"

namespace interlace {

struct MulticastExperiment {
    ClusterExperiment cluster;
    std::string algorithm = "fnf";             ///< binomial, spoc, fnf or optimal_tree
    std::vector<std::uint32_t> sources = {0};  ///< machines; each sends a message of its own
    std::vector<std::uint32_t> destinations;   ///< of every source; empty: all machines
    std::vector<double> start_us;              ///< t_ini of each machine, or one for all; empty: the file's
    std::uint64_t message = 1024;              ///< bytes
    Until until = Until::run;                  ///< how far to go
};

bool is_tree_algorithm(const std::string& algorithm);

struct MulticastRun {
    MulticastExperiment experiment;
    EventParameters parameters;
    std::vector<TreePlan> plans;        ///< of each source; times in picoseconds
    MessageProgram program;             ///< as proved; empty where only the plan was asked for
    std::optional<MessageRuns> result;  ///< of a run: all sources at once
    std::uint64_t latency_ps() const;   ///< of the slowest plan, sources unaware of one another
};

/// Builds the trees, proves their program and runs it. Throws InputError, or std::logic_error where a checker
/// finds a fault.
MulticastRun run_multicast(const MulticastExperiment& experiment, const RunListener& listener = {});

/// As a configuration file (docs/experiments.md) that names everything.
Json to_json(const MulticastExperiment& experiment, const EventParameters& parameters);
Json to_json(const MulticastRun& run);

}  // namespace interlace
