// Interlace: packets that flood a set of links, served by the way that they came
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/program/program.h"

namespace interlace {

/// How packets move on a link of a line. The order is the one in which the links into a node claim packets.
enum class Way : std::uint8_t { right_torus, left_torus, right_bypass, left_bypass };
inline constexpr std::size_t ways = 4;

/// The links that one colour of a broadcast may use, as a graph of its own. All links into a node run along
/// one dimension, and no two of them the same way.
struct ColourLinks {
    std::vector<NodeId> nodes;         ///< that take part, ascending
    std::vector<std::uint32_t> first;  ///< nodes + 1 entries into the two below
    std::vector<std::uint32_t> to;     ///< index in `nodes` of the link's far end
    std::vector<LinkId> link;
    std::vector<Way> way;
};

struct Flood {
    std::vector<Send> sends;  ///< by step; packets from 0
    std::uint32_t steps = 0;
};

/// Steps of the line rule (Zhang and Deng 2012, section 4.1, and what docs/ibt-paper.md adds to it): a node
/// forwards a newly received packet on every link whose far end has neither got it nor is being sent it in
/// this step. Where several links could bring a node the same packet in a step, they claim it in the order of
/// `Way`. A link takes the packets that its node got over its left bypass first (those that moved to the left
/// on it), then those over the right bypass, right torus and left torus; packets that came the same way in
/// the order in which they came. So nothing depends on how nodes are numbered. `reversed` has one entry for
/// each link of the node with index `source`: whether it sends the message from its last packet to its first.
Flood flood(const ColourLinks& links, std::uint32_t source, const std::vector<bool>& reversed,
            std::uint32_t packets);

}  // namespace interlace
