// Interlace: scatters and gathers in few steps over all links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/network/network.h"
#include "interlace/program/schedule.h"

namespace interlace {

/// What no scatter can do without. Of a kind:
/// - distance: the `packets` for nodes `distance` or more links away leave the root by its `links` links, the
/// last of
///   them distance - 1 steps before the end. The worst of all distances.
/// - flow: in a step less a largest flow over time has `packets` packets, which is not all.
struct ScatterBound {
    enum class Kind : std::uint8_t { distance, flow };
    Kind kind = Kind::distance;
    std::uint32_t steps = 0, distance = 1, links = 0;
    std::uint64_t packets = 0;
};

/// Of `chunks` packets from the root to each other node. Flows are searched until one has all packets, the
/// bound reaches `enough` steps, or steps times links are some millions. Throws InputError where the root
/// does not reach a node, and for 2^32 steps or more.
ScatterBound scatter_bound(const Network& network, NodeId root, std::uint32_t chunks, std::uint32_t enough);

/// A schedule with its certificate: when its steps equal the bound's, none is shorter.
struct OptimalScatter {
    std::vector<TimedSend> sends;  ///< by step; packet node * chunks + chunk
    ScatterBound bound;
};

struct ScatterOptions {
    std::uint64_t seed = 1;
    /// Work to spend on closing a gap, in links of paths that are looked at; one schedule is built whatever
    /// it is.
    std::uint64_t effort = 10'000'000;
};

/// The root sends `chunks` packets to each other node, each link carries at most one packet a step. Packets
/// take shortest paths, such that the links' loads are as even as can be; those with most hops to go come
/// first. Throws InputError as scatter_bound() does, and for more than 2^22 packets or 2^27 hops.
OptimalScatter optimal_scatter(const Network& network, NodeId root, std::uint32_t chunks,
                               const ScatterOptions& options = {});

/// Each other node sends `chunks` packets to the root: a scatter on reversed links, reversed in time.
OptimalScatter optimal_gather(const Network& network, NodeId root, std::uint32_t chunks,
                              const ScatterOptions& options = {});

}  // namespace interlace
