// Interlace: the flags of every subcommand on clusters
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.h"
#include "interlace/experiment/experiment.h"
#include "interlace/experiment/kinds/cluster.h"
#include "interlace/mpi/world.h"
#include "value_flags.h"

namespace interlace::cli {

/// What the user said of an experiment on a cluster.
struct ClusterFlags {
    std::string network;
    Values values;
    Until until = Until::run;
    bool json = false;
};

/// --tree, --root and --switching, in a group of the help.
void add_path_flags(CLI::App& command, Values& values, const std::string& group);

/// NETWORK, these, and all others that every collective has.
void add_cluster_flags(CLI::App& command, ClusterFlags& flags);

/// --routing.
CLI::Option* add_routing_flag(CLI::App& command, Values& values);

/// The configuration of an experiment of the kind `kind`. Throws InputError.
ConfigMap cluster_configuration(const ClusterFlags& flags, const std::string& kind);

/// The experiment of the kind `kind`, on all ranks of mpirun. Throws InputError.
template <class Collective>
Collective experiment_of(const ClusterFlags& flags, const std::string& kind) {
    auto experiment = experiment_of<Collective>(cluster_configuration(flags, kind));
    experiment.until = flags.until;
    experiment.cluster.ranks = &world();
    return experiment;
}

/// Throws InputError for the first of `flags` that was given: `with` what it has no meaning ("with
/// pairwise"), and what it is for.
void refuse_flags(const CLI::App& command, std::initializer_list<const char*> flags, const std::string& with,
                  const std::string& expected);

/// --plan.
CLI::Option* add_plan_flag(CLI::App& command, Until& until);

/// As in "79.3 ms", of several runs with its interval; of `picoseconds` a unit.
std::string time_text(const MessageRuns& result, double picoseconds = 1e9, const char* unit = "ms");

/// The lines on links and frames: sent, waiting, dropped.
void print_frames(const MessageRuns& result);

/// Prints a note on stderr.
void warn(const std::string& text);

}  // namespace interlace::cli
