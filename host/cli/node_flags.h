// Interlace: the flags that describe nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "interlace/experiment/experiment.h"
#include "value_flags.h"

namespace interlace::cli {

/// What --help says of --details.
inline constexpr const char* details_text =
    "With --json: each link's use, and when each node had each packet, for interlace report";

/// What flags say of a run on nodes that is no part of its experiment.
struct NodeFlags {
    Records records;
    CheckpointOptions checkpoint;
    std::uint32_t device_return = 0;  ///< seconds
};

/// What a command takes where nobody says otherwise.
struct NodeDefaults {
    const char* node = "bgl";
    const char* level = "pins";
};

/// Under this name --help lists the options of the cycle engines.
inline constexpr const char* node_group = "Nodes, for the cycle engines";

/// --node, --links, --host, --rtl-nodes, --systemc-nodes, --device, --shadow, --level, --lockstep, --regions,
/// --threads.
void add_node_flags(CLI::App& command, Values& values, NodeFlags& flags, const NodeDefaults& defaults = {});

/// --checkpoint, --every and --resume.
void add_checkpoint_flags(CLI::App& command, CheckpointOptions& checkpoint);
/// Throws InputError for one of the first two without the other.
void check_checkpoint_flags(const CheckpointOptions& checkpoint);

/// --trace, --trace-nodes, --packet-log and --queue-use.
void add_record_flags(CLI::App& command, Records& records);

/// --seeds: runs of `what`; `otherwise`: how many where the flag is not given.
CLI::Option* add_seeds_flag(CLI::App& command, Values& values, const std::string& what,
                            const std::string& otherwise);

/// Throws InputError if an option of node_group was given, or --set for nodes: the step engine has none.
void refuse_node_flags(const CLI::App& command, const Values& values);

/// Puts them, and the ranks of mpirun, where the experiment has them. Throws InputError for one of
/// --checkpoint and --every alone.
void take_node_flags(const NodeFlags& flags, CycleOptions& options);

/// " +- 1.2 (95%, 30 runs, 5 to 9)"; nothing of one run.
std::string interval_text(const Sample& sample);

/// The mean of whole numbers: to a tenth where it is none.
std::string mean_text(const Sample& sample);

/// A line on how nodes switch and how fast links are.
void print_node(const NodeParameters& node, const LinkParameters& links);

/// A line for each class of queues: depth, most flits held, mean, stall cycles.
void print_queues(const NodeParameters& node, const Usage& queues);

/// The lines on a program's run on nodes, whose schedule has so many steps.
void print_cycles(const CycleResult& run, const CycleOptions& options, const std::string& engine,
                  std::uint32_t steps);

}  // namespace interlace::cli
