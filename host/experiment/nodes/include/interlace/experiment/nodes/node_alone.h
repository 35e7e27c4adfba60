// Interlace: a node of hardware alone: what it does that no run of a network shows
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "interlace/experiment/nodes/cycles.h"

namespace interlace {

struct AloneExperiment {
    std::string network;
    std::string engine = "native";
    CycleOptions nodes;  ///< under store and forward or cut-through
};

/// Drives the pins of each node of hardware in turn, by docs/node.md, sections 1, 3 and 8: what its registers
/// say it is, `quiesce`, `clk_en_i`, `idle` while a packet is there and while credits are missing, counters,
/// and the errors in `status_o` that a neighbour or a host can make. The packets that the nodes sent. Throws
/// FellShort for the first thing that is not so, NotBuiltForIt where no node has registers.
std::uint64_t run_alone(const AloneExperiment& experiment);

}  // namespace interlace
