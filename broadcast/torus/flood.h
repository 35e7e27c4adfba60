// Interlace: packets that flood a set of links, first come first served
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/program/program.h"

namespace interlace {

/// The links that one colour of a broadcast may use, as a graph of its own.
struct ColourLinks {
    std::vector<NodeId> nodes;         ///< that take part, ascending
    std::vector<std::uint32_t> first;  ///< nodes + 1 entries into the two below
    std::vector<std::uint32_t> to;     ///< index in `nodes` of the link's far end
    std::vector<LinkId> link;
};

struct Flood {
    std::vector<Send> sends;  ///< by step; packets from 0
    std::uint32_t steps = 0;
};

/// Steps of the line rule (Zhang and Deng 2012, section 4.1): a node forwards a newly received packet on
/// every link whose far end has neither got it nor is being sent it in this step; each link takes packets in
/// the order in which its node got them. `reversed` has one entry for each link of the node with index
/// `source`: whether it sends the message from its last packet to its first.
Flood flood(const ColourLinks& links, std::uint32_t source, const std::vector<bool>& reversed,
            std::uint32_t packets);

}  // namespace interlace
