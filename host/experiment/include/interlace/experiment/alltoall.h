// Interlace: a complete exchange on a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "interlace/broadcast/exchange.h"
#include "interlace/experiment/cluster.h"

namespace interlace {

struct AllToAllExperiment {
    ClusterExperiment cluster;
    /// scheduled, pairwise, staggered, post_all or shuffle; or the fastest of several: tuned, of all ways to
    /// keep phases apart; best, of these and all other algorithms
    std::string algorithm = "scheduled";
    std::string sync = "sender_all";    ///< of a schedule: a name of Table 5, or none, dummy
    std::uint32_t block = 8;            ///< phases of a block of a partial synchronisation
    std::uint64_t message = 65'536;     ///< bytes that each machine has for each other one
    std::string permutation = "shift";  ///< of a shuffle: shift, xor or edge_colour
    std::string window = "off";  ///< of a shuffle: off, a number, or auto: eqs. 3 and 4 with the least room
    bool reorder = false;        ///< of a shuffle: eq. 5
    Until until = Until::run;    ///< how far to go
};

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
    std::optional<double> bisection_mbps;  ///< the same of a lattice, all links used
    MessageProgram program;                ///< as proved; empty where only the plan was asked for
    std::optional<MessageRuns> result;     ///< of a run
    /// Of tuned and best, all that were run, with their mean seconds, in that order.
    std::vector<std::pair<AllToAllExperiment, double>> tried = {};

    /// Aggregate, payload alone.
    Sample throughput_mbps() const;
};

/// Builds the program, proves it with the independent checkers and runs it; `tuned` and `best` do so with all
/// that they choose from. Where the listener takes notes, `tuned` runs the other algorithms, too, and says
/// which one is faster. Throws InputError, or std::logic_error where a checker finds a fault.
AllToAllRun run_alltoall(const AllToAllExperiment& experiment, const RunListener& listener = {});

/// As a configuration file (docs/experiments.md) that names everything.
Json to_json(const AllToAllExperiment& experiment, const EventParameters& parameters);
Json to_json(const AllToAllRun& run);

}  // namespace interlace
