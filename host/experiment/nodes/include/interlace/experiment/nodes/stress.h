// Interlace: hosts that do at random whatever hosts may do
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "interlace/experiment/nodes/cycles.h"

namespace interlace {

/// Explicit packets, each to some of the next nodes at once: of all lengths up to the node's, at any time,
/// with pauses in their middle; hosts that stop taking and go on. No packet waits for one that goes on, so
/// whatever happens, all arrive.
struct StressExperiment {
    std::string network;
    std::string engine = "native";
    CycleOptions nodes;  ///< but for hosts, forwarding, pace and background
    std::uint64_t cycles = 4'000;
    std::uint64_t seed = 1;
    double load = 0.1;       ///< chance that an idle injection queue starts a packet in a cycle
    double stall = 0.02;     ///< chance that a host changes its mind about taking from a reception queue
    bool registers = false;  ///< look at what nodes of hardware have in their registers in the end
};

/// Runs it, lets everything arrive and all credits come home; how queues and links were used. Throws
/// InputError as other runs do, NodeFault and LockstepError for hardware that is wrong, FellShort where
/// packets are left over, or a register does not hold the written value, what the pins showed, or that the
/// node is idle; NotBuiltForIt where registers are to be looked at and no node has any.
Usage run_stress(const StressExperiment& experiment);

}  // namespace interlace
