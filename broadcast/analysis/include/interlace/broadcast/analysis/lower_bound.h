// Interlace: how few steps a broadcast can take at all
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interlace/program/group.h"

namespace interlace {

/// A number of steps that no schedule can beat, and the argument that says so.
struct LowerBound {
    std::uint32_t steps = 0;
    std::string argument;           ///< "neighbourhood", "flow" or "tail"
    std::optional<NodeId> witness;  ///< the node that cannot be served sooner; none for "tail"
};

/// The neighbourhood bound: node v, whose neighbours u are at distance d(u) from the source, cannot hold k
/// packets before the least T with sum over u of max(0, T - d(u)) >= k, because u has nothing to send before
/// step d(u) + 1 and then at most one packet a step. The largest over the group's members. With distances by
/// links the group may use. Throws InputError where a member cannot be reached.
LowerBound neighbourhood_bound(const Network& network, const Group& group, NodeId source,
                               std::uint32_t packets);

/// The flow bound: the packets that reach v by step T form a flow over time from the source to v, in which
/// every link carries at most one packet a step and every hop takes one. Its largest value is sum over i of
/// max(0, T - l_i + 1) with l_1 <= l_2 <= ... the lengths of successive shortest augmenting paths (Ford and
/// Fulkerson 1958: a temporally repeated flow is a maximum one). The least T with that value >= k, and at
/// least the neighbourhood bound of v, which cuts the same flow just before v.
std::uint32_t flow_bound(const Network& network, const Group& group, NodeId source, NodeId target,
                         std::uint32_t packets);

/// The best of three: the neighbourhood bound of every member, the flow bound of the members with the largest
/// ones (all members where that takes at most `work_limit` link visits), and the steps that `tail_refutes`
/// (exact.h) rules out on top, until one reaches `enough` steps.
LowerBound lower_bound(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
                       std::uint32_t enough = UINT32_MAX, std::uint64_t work_limit = 20'000'000);

}  // namespace interlace
