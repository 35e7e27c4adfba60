// Interlace: the flags of every subcommand on clusters
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.h"
#include "interlace/experiment/experiment.h"
#include "interlace/experiment/kinds/cluster.h"
#include "interlace/mpi/world.h"

namespace interlace::cli {

/// --tree, --root and --switching, in a group of the help.
void add_path_flags(CLI::App& command, ClusterOptions& experiment, const std::string& group);

/// These, and all others that every collective has.
void add_cluster_flags(CLI::App& command, ClusterOptions& experiment);

/// An experiment's configuration, less what its algorithm has by default, so that --set can choose another
/// algorithm as a file can.
template <class Collective>
Json without_defaults(const Collective& e) {
    Collective plain;
    plain.cluster = e.cluster;
    if constexpr (requires { e.algorithm; }) plain.algorithm = e.algorithm;
    const Json defaults = plain.to_json();
    Json json = e.to_json();
    for (const auto& [name, section] : defaults.items())
        if (section.is_object() && name != "event" && name != "network")
            for (const auto& [key, value] : section.items())
                if (key != "algorithm" && json[name].value(key, Json()) == value) json[name].erase(key);
    return json;
}

/// The experiment with the values that --set replaces beside those of the cluster's file (event, network),
/// which it keeps, on all ranks of mpirun.
template <class Collective>
Collective with_set_values(Collective e) {
    e.cluster.ranks = &world();
    std::vector<std::string> own, rest;
    for (const std::string& assignment : e.cluster.overrides)
        (assignment.starts_with("event.") || assignment.starts_with("network.") ? own : rest)
            .push_back(assignment);
    if (rest.empty()) return e;
    e.cluster.overrides = own;
    const ConfigMap config = ConfigMap::from_text(without_defaults(e).dump(), "--set", rest);
    auto changed = dynamic_cast<const Collective&>(*read_experiment(config));
    changed.until = e.until;
    changed.cluster.ranks = e.cluster.ranks;
    return changed;
}

/// A flag whose value is bytes: 65536, 64KiB, 1MiB, 64kB.
CLI::Option* add_bytes_flag(CLI::App& command, const std::string& name, std::uint64_t& bytes,
                            const std::string& text);

/// Throws InputError for the first of `flags` that was given: `with` what it has no meaning ("with
/// pairwise"), and what it is for.
void refuse_flags(const CLI::App& command, std::initializer_list<const char*> flags, const std::string& with,
                  const std::string& expected);

/// --plan.
void add_plan_flag(CLI::App& command, Until& until);

/// As in "79.3 ms", of several runs with its interval; of `picoseconds` a unit.
std::string time_text(const MessageRuns& result, double picoseconds = 1e9, const char* unit = "ms");

/// The lines on links and frames: sent, waiting, dropped.
void print_frames(const MessageRuns& result);

/// Prints a note on stderr.
void warn(const std::string& text);

}  // namespace interlace::cli
