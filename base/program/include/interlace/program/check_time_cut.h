// Interlace: cuts of networks over time, which prove that steps are too few
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interlace/network/network.h"

namespace interlace {

/// From a node to others, or from others to the node.
enum class PacketsGo : std::uint8_t { from, to };

/// Says why packets that start at a node, or end there, take more than so many steps: each node is behind the
/// cut until a time of its own, and what is behind it at the end has not got its packets unless they crossed
/// links in time. A cut of the time-expanded network (Ford and Fulkerson 1958).
struct TimeCut {
    NodeId node{0};  ///< at which packets start, and which is before the cut from time 0 on
    PacketsGo go =
        PacketsGo::from;      ///< to: they end there instead, and all goes backwards, in time and over links
    std::uint32_t steps = 0;  ///< that are too few, if the cut proves what it claims
    std::optional<NodeId> only;  ///< the one other node whose packets these are; none: of each other node
    std::uint64_t packets = 0;   ///< of that node, or of each
    std::vector<std::uint32_t> times;  ///< [node]: 0 to steps; steps + 1: behind the cut to the end
};

struct CheckedCut {
    std::uint64_t needed = 0;    ///< packets of nodes that stay behind the cut
    std::uint64_t crossing = 0;  ///< packets that links can take across, one a step and link
    bool proves() const { return needed > crossing; }
};

/// By sums over nodes and links: a link from u to w takes packets that were at u at its time or later across
/// before w is out at its own, in max(0, times[w] - 1 - times[u]) steps. Shares no code with what finds cuts.
/// Throws InputError for a node that is not there, times that are not as many as nodes or out of range, and a
/// node whose time is not 0.
CheckedCut check_time_cut(const Network& network, const TimeCut& cut);

}  // namespace interlace
