// Interlace: an experiment: what a configuration file holds and every flag is sugar for
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interlace/analysis/lower_bound.h"
#include "interlace/config/config_map.h"
#include "interlace/engine/step.h"
#include "interlace/experiment/cycles.h"
#include "interlace/measure/json_result.h"
#include "interlace/program/check.h"
#include "interlace/program/forwarding_table.h"

namespace interlace {

/// A broadcast on a network, as the user names it. Empty algorithm and axes stand for the defaults, which
/// resolve() fills in.
struct Experiment {
    std::string network;
    std::string group = "global";  ///< line, rectangle, global or nodes:0,5,7
    std::string axes;              ///< of a line or rectangle: x, xy, 0,1; default x, xy
    std::string source = "0";      ///< node number or coordinates, x first
    std::uint32_t packets = 32;
    std::string algorithm;  ///< paper, spanning_tree, ring or optimal; default optimal for a list of
                            ///< nodes, else paper on an iBT, spanning_tree on a torus, optimal elsewhere
    /// In place of an algorithm: a file as read_schedule() takes it, whose sends are run, each link's in
    /// their order and as early as their packets allow; algorithm is then empty or schedule.
    std::string schedule;
    std::string pattern = "best";  ///< of the paper's algorithm: 0 to 15, or best
    std::string engine = "step";   ///< step, native, systemc or rtl
    CycleOptions cycles;           ///< of the cycle engines
    std::uint64_t seed = 1;
};

/// The configuration file of an experiment (docs/experiments.md). Throws InputError with file, line and key.
Experiment read_experiment(ConfigMap config);

Json to_json(const Experiment& experiment);

struct BroadcastResult {
    Experiment experiment;  ///< resolved: nothing empty
    NodeId source;
    std::vector<std::uint32_t> patterns;  ///< of each colour, where the algorithm has them
    std::vector<std::uint32_t> split;     ///< packets of each colour, likewise
    StepRun run;
    LowerBound bound;
    std::optional<CycleResult> cycles = std::nullopt;  ///< of a cycle engine
    Json links = nullptr, wavefront = nullptr;         ///< of Records::details, in steps or cycles
    std::uint64_t sends = 0;
    std::uint64_t usable_links = 0;  ///< directed links that the group may use
    std::uint64_t table_bits = 0,
                  packed_table_bits = 0;  ///< of the largest node's forwarding table; 0: not asked for
    std::uint32_t gap() const { return run.steps - bound.steps; }
};

/// What else a run shall leave behind; an empty path: nothing. Files appear whole or not at all.
struct BroadcastFiles {
    std::string schedule;  ///< every send as write_schedule() has it
    std::string links;  ///< CSV: from,to,packets,utilisation: one row for each directed link of the network
    bool forwarding_table = false;  ///< also size the forwarding tables
};

/// Builds the program, runs it, proves it with the independent checker and bounds it from below. Throws
/// InputError for what the user can mend and std::logic_error when the checker finds a fault.
BroadcastResult run_broadcast(const Experiment& experiment, const BroadcastFiles& files = {},
                              const RunListener& listener = {});

/// Plans the experiment's program, for runs to come of any experiment that differs in engine and nodes only,
/// in this process and in those that are forked from it. Holds one program, the last. To be called while
/// there is one thread. Throws like run_broadcast.
void plan_ahead(const Experiment& experiment);
/// The same for experiments of which plan_ahead() makes the same program.
std::string program_key(const Experiment& experiment);

Json to_json(const BroadcastResult& result);

/// Anyone's schedule for the experiment's network, group, source and packets, replayed.
struct CheckResult {
    Experiment experiment;
    CheckReport report;
    LowerBound bound;
};
CheckResult run_check(const Experiment& experiment, const std::string& schedule_file);

Json to_json(const CheckResult& result);

/// The group that an experiment names, with its axes (all of the lattice's for global, none for a list of
/// nodes).
Group make_group(const Network& network, const Experiment& experiment, NodeId source);

}  // namespace interlace
