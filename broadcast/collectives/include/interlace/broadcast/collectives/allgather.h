// Interlace: all-gathers in as few steps as any schedule can take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "interlace/network/network.h"
#include "interlace/program/symmetric_schedule.h"

namespace interlace {

/// What no all-gather of `chunks` packets a node can do without: steps, and why.
struct AllGatherBound {
    enum class Kind : std::uint8_t {
        diameter,  ///< `node` is so far from the origin farthest from it
        degree,    ///< all packets of others enter `node` by its `links` links
        flow       ///< of a gather to `node`: in a step less at most `packets` packets of others come to it
    };
    Kind kind = Kind::degree;
    std::uint32_t steps = 0;
    NodeId node{0};
    std::uint32_t links = 0;
    std::uint64_t packets = 0;
};

/// The bound by flows (scatter.h) is looked for up to `enough` steps, on networks that are small enough. It
/// takes in the cuts: what leaves a set of nodes by few links, and the hops before and behind them. Throws
/// InputError where a node does not reach another.
AllGatherBound allgather_bound(const Network& network, std::uint32_t chunks, std::uint32_t enough = 0);

/// A schedule with its certificate: when its steps equal the bound's, none is shorter.
struct OptimalAllGather {
    SymmetricSchedule schedule;
    std::uint32_t steps = 0;
    AllGatherBound bound;
};

struct AllGatherOptions {
    std::uint64_t seed = 1;
    /// Work to spend on closing a gap, in packets delivered; one schedule is built whatever it is.
    std::uint64_t effort = 20'000'000;
    std::function<void(double share)> progress;  ///< of the first schedule, after each step
};

/// Every node ends with the `chunks` packets of every node, each link carries at most one packet a step. In
/// each step the outputs with the fewest packets to choose from come first; each sends a packet to a
/// neighbour that lacks it and has the fewest others to get it from. Throws InputError where a node does not
/// reach another, and where the product of chunks, classes of nodes (Translations) and nodes is more than
/// 2^25.
OptimalAllGather optimal_allgather(const Network& network, std::uint32_t chunks,
                                   const AllGatherOptions& options = {});

}  // namespace interlace
