// Interlace: the flags that describe nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "node_flags.h"

#include "interlace/core/error.h"

namespace interlace::cli {

void add_node_flags(CLI::App& command, NodeFlags& flags, CycleOptions& options) {
    command
        .add_option("--node", flags.name,
                    "The nodes of the cycle engines: bgl, bgl_ten, minimal, wide or a file")
        ->capture_default_str();
    command
        .add_option("--set", flags.overrides,
                    "Replace a value of the node: node.vc_depth=16 (may be repeated)")
        ->allow_extra_args(false);
    command.add_option("--rtl-nodes", options.rtl_nodes, "These nodes are RTL whatever the engine: 0,5,17");
    command.add_option("--systemc-nodes", options.systemc_nodes,
                       "These nodes are SystemC whatever the engine");
    command.add_option("--lockstep", options.lockstep,
                       "Engines that run beside, every pin compared: rtl,systemc");
}

NodeParameters flagged_node(const NodeFlags& flags) {
    std::vector<std::string> overrides;
    for (const std::string& assignment : flags.overrides) {
        if (!assignment.starts_with("node."))
            throw InputError("--set '" + assignment + "'", "node.KEY=VALUE, as in node.vc_depth=16");
        overrides.push_back(assignment.substr(5));
    }
    return read_node(ConfigMap::from_text("{base: " + flags.name + "}", "--node", overrides));
}

}  // namespace interlace::cli
