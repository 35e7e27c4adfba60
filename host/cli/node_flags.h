// Interlace: the flags that describe nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "interlace/experiment/experiment.h"

namespace interlace::cli {

/// What --help says of --details.
inline constexpr const char* details_text =
    "With --json: each link's use, and when each node had each packet, for interlace report";

struct NodeFlags {
    std::string name = "bgl";
    std::string links = "unit";
    std::string host = "ideal";
    std::string level = "pins";
};

/// Under this name --help lists the options of the cycle engines.
inline constexpr const char* node_group = "Nodes, for the cycle engines";

/// --node, --links, --host, --rtl-nodes, --systemc-nodes, --device, --shadow, --level, --lockstep, --regions,
/// --threads.
void add_node_flags(CLI::App& command, NodeFlags& flags, CycleOptions& options);

/// --checkpoint, --every and --resume.
void add_checkpoint_flags(CLI::App& command, CheckpointOptions& checkpoint);
/// Throws InputError for one of the first two without the other.
void check_checkpoint_flags(const CheckpointOptions& checkpoint);

/// --trace, --trace-nodes, --packet-log and --queue-use.
void add_record_flags(CLI::App& command, Records& records);

/// --seeds: runs of `what`; `otherwise`: how many where the flag is not given.
CLI::Option* add_seeds_flag(CLI::App& command, std::uint32_t& seeds, const std::string& what,
                            const std::string& otherwise);

/// Throws InputError if an option of node_group was given, or one of `overrides` is for nodes: the step
/// engine has none.
void refuse_node_flags(const CLI::App& command, const std::vector<std::string>& overrides);

/// --set.
void add_set_flag(CLI::App& command, std::vector<std::string>& overrides);

/// The node, links and hosts that the flags describe, and a region for every thread. Throws InputError.
void resolve_node_flags(const NodeFlags& flags, CycleOptions& options);

/// " +- 1.2 (95%, 30 runs, 5 to 9)"; nothing of one run.
std::string interval_text(const Sample& sample);

/// The mean of whole numbers: to a tenth where it is none.
std::string mean_text(const Sample& sample);

/// A line for each class of queues: depth, most flits held, mean, stall cycles.
void print_queues(const NodeParameters& node, const Usage& queues);

}  // namespace interlace::cli
