// Interlace: the flags that describe nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "interlace/experiment/cycles.h"

namespace interlace::cli {

struct NodeFlags {
    std::string name = "bgl";
    std::vector<std::string> overrides;  ///< node.KEY=VALUE
};

/// --node, --set, --rtl-nodes, --systemc-nodes, --lockstep.
void add_node_flags(CLI::App& command, NodeFlags& flags, CycleOptions& options);

/// The node that --node and --set node.KEY=VALUE describe. Throws InputError.
NodeParameters flagged_node(const NodeFlags& flags);

}  // namespace interlace::cli
