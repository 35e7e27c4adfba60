// Interlace: a pipelined broadcast on a network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interlace/broadcast/analysis/lower_bound.h"
#include "interlace/config/config_map.h"
#include "interlace/engine/step/step.h"
#include "interlace/experiment/experiment.h"
#include "interlace/experiment/kinds/broadcast_algorithms.h"
#include "interlace/experiment/nodes/cycles.h"
#include "interlace/measure/json_result.h"
#include "interlace/program/check.h"
#include "interlace/program/forwarding_table.h"
#include "interlace/program/schedule.h"

namespace interlace {

/// A broadcast on a network, as the user names it. Empty algorithm and axes stand for the defaults, which
/// resolve() fills in.
struct BroadcastExperiment : Experiment {
    std::string network;
    std::string group = "global";  ///< line, rectangle, global or nodes:0,5,7
    std::string axes;              ///< of a line or rectangle: x, xy, 0,1; default x, xy
    std::string source = "0";      ///< node number or coordinates, x first
    std::uint32_t packets = 32;
    std::string algorithm;  ///< one of broadcast_algorithms(); default optimal for a list of nodes, else
                            ///< paper on an iBT, spanning_tree on a torus, optimal elsewhere
    /// In place of an algorithm: a file as read_schedule() takes it, whose sends are run, each link's in
    /// their order and as early as their packets allow; algorithm is then empty or schedule.
    std::string schedule;
    std::string pattern = "best";  ///< of the paper's algorithm: 0 to 15, or best
    std::string engine = "step";   ///< step, native, systemc or rtl
    CycleOptions cycles;           ///< of the cycle engines
    std::uint64_t seed = 1;
    /// An algorithm of the caller's, by the name `algorithm`, in place of the known ones; no part of a
    /// configuration.
    BroadcastPlanner planner;

    Json to_json() const override;
    std::uint32_t runs() const override;
    std::vector<Measure> measures() const override;
    std::vector<QueueToSize> queues() const override;
    CycleOptions* cycle_options() override { return &cycles; }
    /// Of background traffic: its packets' numbers begin with the program's number of packets.
    Json warm_up() const override;
    std::string preparation_key() const override;
    std::shared_ptr<const Preparation> prepare() const override;
    Json run(const Preparation* prepared, const RunListener& listener) const override;
};

/// Of the section broadcast. Throws InputError.
std::unique_ptr<Experiment> read_broadcast(ConfigMap& config);

/// Groups of nodes that receive; engines that broadcasts run on.
Choices group_choices();
Choices broadcast_engines();

/// On several ranks that of the first one; others know the experiment as it was given and what nodes did.
struct BroadcastResult {
    BroadcastExperiment experiment;  ///< resolved: nothing empty
    NodeId source;
    std::vector<std::uint32_t> patterns;  ///< of each colour, where the algorithm has them
    std::vector<std::uint32_t> split;     ///< packets of each colour, likewise
    StepRun run;                          ///< without its arrivals
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

/// Builds the program, runs it, proves it with the independent checker and bounds it from below. `prepared`
/// is null or what prepare() of an experiment of the same preparation_key() returned. Throws InputError for
/// what the user can mend and std::logic_error when the checker finds a fault.
BroadcastResult run_broadcast(const BroadcastExperiment& experiment, const BroadcastFiles& files = {},
                              const RunListener& listener = {}, const Preparation* prepared = nullptr);

/// Every send of the experiment's program with its step, in the order of links. Throws like run_broadcast.
std::vector<TimedSend> make_schedule(const BroadcastExperiment& experiment, const RunListener& listener = {});

Json to_json(const BroadcastResult& result);

/// Anyone's schedule for the experiment's network, group, source and packets, replayed.
struct CheckResult {
    BroadcastExperiment experiment;
    CheckReport report;
    LowerBound bound;
    Json links = nullptr, wavefront = nullptr;  ///< of Records::details, where the schedule is valid
};
/// `lines`: of each send, where its file has it; empty: problems have no lines.
CheckResult run_check(const BroadcastExperiment& experiment, const std::vector<TimedSend>& schedule,
                      const std::vector<std::uint32_t>& lines = {});
CheckResult run_check(const BroadcastExperiment& experiment, const std::string& schedule_file);

Json to_json(const CheckResult& result);

/// The group that an experiment names, with its axes (all of the lattice's for global, none for a list of
/// nodes).
Group make_group(const Network& network, const BroadcastExperiment& experiment, NodeId source);

}  // namespace interlace
