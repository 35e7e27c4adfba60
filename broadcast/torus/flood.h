// Interlace: packets that flood a set of links, served by direction of arrival
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interlace/program/program.h"

namespace interlace {

/// How packets move on a link of a line. The order is the one in which the links into a node claim packets.
enum class Direction : std::uint8_t { right_torus, left_torus, right_bypass, left_bypass };
inline constexpr std::size_t directions = 4;

/// The links that one colour of a broadcast may use, as a graph of its own. All links into a node run along
/// one dimension, and no two of them in the same direction.
struct ColourLinks {
    std::vector<NodeId> nodes;         ///< that take part, ascending
    std::vector<std::uint32_t> first;  ///< nodes + 1 entries into the two below
    std::vector<std::uint32_t> to;     ///< index in `nodes` of the link's far end
    std::vector<LinkId> link;
    std::vector<Direction> direction;
};

struct Flood {
    std::vector<Send> sends;  ///< of each link in the order of its steps; packets from 0
    std::uint32_t steps = 0;
};

/// Steps of the line rule (Zhang and Deng 2012, section 4.1, and what docs/ibt-paper.md adds to it): a node
/// forwards a newly received packet on every link whose far end has neither got it nor is being sent it in
/// this step. Where several links could bring a node the same packet in a step, they claim it in the order of
/// `Direction`. A link takes the packets that its node got over its left bypass first (those that moved to
/// the left on it), then those over the right bypass, right torus and left torus; packets of the same
/// direction in the order in which they came. So nothing depends on how nodes are numbered.
///
/// Lines, nodes that links join in both directions, are flooded one after another, each when those are that
/// links come from: whatever comes to a line depends on these and itself alone.
class Flooding {
  public:
    /// `links` stays as long as this. Links from line to line must not lead in a cycle.
    Flooding(const ColourLinks& links, std::uint32_t source);

    /// `reversed` has one entry for each link of the node with index `source`: whether it sends the message
    /// from its last packet to its first. Nothing where it takes `below` steps or more. Throws
    /// std::logic_error where lines lead in a cycle.
    std::optional<Flood> flood(const std::vector<bool>& reversed, std::uint32_t packets,
                               std::uint32_t below) const;

  private:
    class Engine;
    /// A link into a line: its number in ColourLinks, and the node that it comes from.
    struct Entry {
        std::uint32_t link, from;
    };

    void number_lines();

    const ColourLinks& links_;
    std::uint32_t source_;
    std::vector<std::uint32_t> line_;          // of each node
    std::vector<std::uint32_t> place_;         // of each node among its line's
    std::vector<std::uint32_t> first_member_;  // of each line, and behind the last
    std::vector<std::uint32_t> members_;       // by line
    std::vector<std::uint32_t> first_entry_;   // of each line, and behind the last
    std::vector<Entry> entries_;               // by line, and of one line by the nodes that they come from
};

}  // namespace interlace
