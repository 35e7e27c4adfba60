// Interlace: a complete exchange on a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "interlace/broadcast/cluster/exchange.h"
#include "interlace/experiment/kinds/cluster.h"

namespace interlace {

struct AllToAllExperiment : MessageExperiment {
    std::string algorithm = "scheduled";  ///< one of alltoall_algorithms()
    std::string sync = "sender_all";      ///< of a schedule: one of alltoall_syncs(), Table 5 among them
    std::uint32_t block = 8;              ///< phases of a block of a partial synchronisation
    std::uint64_t message = 65'536;       ///< bytes that each machine has for each other one
    std::string permutation = "shift";    ///< of a shuffle: one of alltoall_permutations()
    std::string window = "off";  ///< of a shuffle: off, a number, or auto: eqs. 3 and 4 with the least room
    bool reorder = false;        ///< of a shuffle: eq. 5

    Json to_json() const override;
    std::vector<Measure> measures() const override;
    Json run(const Preparation* prepared, const RunListener& listener) const override;
};

/// Of the section alltoall. Throws InputError.
std::unique_ptr<Experiment> read_alltoall(ConfigMap& config);

Choices alltoall_algorithms();
Choices alltoall_syncs();
Choices alltoall_permutations();

/// Whether the algorithm is a choice among others: tuned or best.
bool chooses(const AllToAllExperiment& experiment);

/// An algorithm with all that it is told: "scheduled, sender_partial (8)", "shuffle, xor, window auto,
/// reordered".
std::string name_of(const AllToAllExperiment& experiment);

struct AllToAllRun {
    AllToAllExperiment experiment;
    AllToAllExperiment ran;  ///< the same, or what tuned or best has chosen
    EventParameters parameters;
    std::optional<ExchangePlan> plan;  ///< of a schedule
    std::uint32_t machines = 0;
    std::uint32_t root = 0;    ///< of the plan, by the switch's own number
    std::uint64_t load = 0;    ///< messages over the busiest link: the fewest phases
    double peak_mbps = 0;      ///< aggregate throughput that no exchange on this tree exceeds (payload alone)
    std::uint32_t window = 0;  ///< of a shuffle; 0: none
    /// Of a lattice, the aggregate throughput that no exchange exceeds: over the machines' own links, one
    /// each; over the links between the halves of a dimension, all links of the lattice used.
    std::optional<double> machine_links_mbps, bisection_mbps;
    MessageProgram program;             ///< as proved; empty where only the plan was asked for
    std::optional<MessageRuns> result;  ///< of a run
    /// Of tuned and best, all that were run, with their mean seconds, in that order.
    std::vector<std::pair<AllToAllExperiment, double>> tried = {};

    /// Aggregate, payload alone.
    Sample throughput_mbps() const;
};

/// Builds the program, proves it with the independent checkers and runs it; `tuned` and `best` do so with all
/// that they choose from. Where the listener takes notes, `tuned` runs the other algorithms, too, and says
/// which one is faster. Throws InputError, or std::logic_error where a checker finds a fault.
AllToAllRun run_alltoall(const AllToAllExperiment& experiment, const RunListener& listener = {});

Json to_json(const AllToAllRun& run);

}  // namespace interlace
