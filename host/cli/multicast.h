// Interlace: broadcast trees of unequal workstations on the command line
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.h"
#include "interlace/experiment/kinds/multicast.h"

namespace interlace::cli {

/// --tini, --message and --plan, in a group of the help.
void add_tree_flags(CLI::App& command, MulticastExperiment& experiment, const std::string& group);

int run_multicast_and_print(const MulticastExperiment& experiment, bool json);

}  // namespace interlace::cli
