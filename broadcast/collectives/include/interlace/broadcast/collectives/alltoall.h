// Interlace: all-to-all exchanges on a torus in as few steps as any schedule can take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "interlace/network/network.h"
#include "interlace/program/exchange_schedule.h"

namespace interlace {

/// What no all-to-all of `chunks` packets a pair can do without on a torus. A packet makes min(v, n - v) hops
/// in a dimension of n nodes, v being its offset there, whatever else it does. The N nodes have N links in
/// each of a dimension's two directions.
struct AllToAllBound {
    enum class Kind : std::uint8_t {
        links,    ///< half of the hops that the packets of a node make in `dimension`, rounded up
        diameter  ///< links between the nodes that are farthest from one another
    };
    Kind kind = Kind::links;
    std::uint32_t steps = 0;
    std::uint32_t dimension = 0;
    std::uint64_t hops = 0;  ///< in the dimension, of the packets of a node
};

/// Throws InputError for any network but a torus, and for more than 2^32 steps.
AllToAllBound alltoall_bound(const Network& network, std::uint32_t chunks);

/// A schedule with its certificate: when its steps equal the bound's, none is shorter.
struct OptimalAllToAll {
    ExchangeSchedule schedule;
    AllToAllBound bound;
};

/// Every node sends `chunks` packets to every other, each link carries at most one packet a step. Offsets are
/// the jobs and directions the machines of an open shop with unit operations: on a torus hops commute, so any
/// order of them is a path, and by Koenig's theorem the operations take as many steps as the busiest machine
/// or the longest job. Of the offsets of half a ring, which may go either way, half go up; where their number
/// is odd, even and odd nodes send the last one different ways. Meets the bound on every torus. Throws
/// InputError as the bound does, and where steps times links of a node are more than 2^30.
OptimalAllToAll optimal_alltoall(const Network& network, std::uint32_t chunks,
                                 const std::function<void(double share)>& progress = {});

}  // namespace interlace
