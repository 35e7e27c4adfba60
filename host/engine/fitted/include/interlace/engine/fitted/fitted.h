// Interlace: nodes of rtl/ that are built for one experiment, when it runs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "interlace/core/run_listener.h"
#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/region/region.h"

namespace interlace {

/// verilated_region() (interlace/engine/verilated/verilated.h) with nodes that have the queues, channels and
/// table of this fabric and no more, and as constants what all of its nodes have alike (docs/node.md, 1.24).
/// In every cycle they show what the general nodes show. Nodes that no run before had are Verilated and
/// compiled first (`verilator`, and $CXX or else c++), which takes a minute or so, and are kept in
/// cache_folder("fitted"). `listener` is warned of that. Throws InputError where nodes cannot be built so, or
/// a program for it is missing; FellShort where one fails.
std::unique_ptr<Region> fitted_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                      const PortTables* tables, const RunListener& listener = {});

}  // namespace interlace
