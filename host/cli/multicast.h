// Interlace: broadcast trees of unequal workstations on the command line
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster_flags.h"
#include "command.h"

namespace interlace::cli {

/// --tini, --routing, --message and --plan, in a group of the help.
void add_tree_flags(CLI::App& command, Values& values, Until& until, const std::string& group);

int run_multicast_and_print(const ClusterFlags& flags);

}  // namespace interlace::cli
