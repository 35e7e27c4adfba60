// Interlace: when a program's packets arrive if nothing ever waits for room
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "interlace/network/network.h"
#include "interlace/program/program.h"

namespace interlace {

/// How long a packet keeps a link busy, and the least time from its leaving one node to its leaving the next
/// beyond that, in any unit: cycles beside the cycle engines, picoseconds where there are none.
struct HopTimes {
    std::uint64_t packet = 1;    ///< F
    std::uint64_t overhead = 0;  ///< h
    std::uint64_t pace = 0;      ///< between two starts of a send list, at least; 0: F
    /// If set, what a link of node `from` adds to h.
    std::function<std::uint64_t(NodeId from, LinkId)> latency = {};
};

/// The time at which the last packet of `program` could be forwarded: send lists send in order, a packet F
/// (or the pace) after the one before it and when its node holds it; it is held F + h after it left. A
/// max-plus system, evaluated packet by packet in the order of time. With F = 1 and h = 0, the steps of the
/// step engine.
std::uint64_t max_plus_time(const Network& network, const Program& program, const HopTimes& times);

}  // namespace interlace
