// Interlace: collectives over the links of a direct network, as commands
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster_flags.h"
#include "interlace/experiment/kinds/collective.h"

namespace interlace::cli {

/// What the user said of a collective, on links or between machines.
struct CollectiveFlags {
    ClusterFlags cluster;
    std::string schedule, certificate, goal, msccl;  ///< to write
};

/// --chunks, --root, --write-schedule and --write-certificate, as far as the collective has them.
void add_collective_flags(CLI::App& command, CollectiveFlags& flags, DirectCollective collective);

/// Runs the collective on links that the flags mean, or else `otherwise`. The exit code.
int run_collective_or(const CLI::App& command, const CollectiveFlags& flags, DirectCollective collective,
                      const std::function<int()>& otherwise);

}  // namespace interlace::cli
