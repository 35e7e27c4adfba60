// Interlace: who a broadcast is for
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interlace/network/network.h"

namespace interlace {

/// The nodes that must end with every packet, and the nodes that may carry packets on the way.
struct Group {
    std::vector<bool> member;   ///< one entry a node
    std::uint32_t size = 0;     ///< number of members, the source among them
    bool members_only = false;  ///< true: only links between members are used (line and rectangle)

    bool may_carry(NodeId node) const { return !members_only || member[node]; }
    /// `member` where it limits the links, else empty: what distances_from takes.
    std::vector<bool> carriers() const { return members_only ? member : std::vector<bool>{}; }
};

Group global_group(const Network& network);
/// `targets` and the source; other nodes may relay.
Group node_group(const Network& network, NodeId source, const std::vector<NodeId>& targets);
/// The nodes that differ from `source` in the dimensions `axes` only: a line (one axis), a rectangle (two),
/// and so on. Throws InputError where the network has no coordinates, or an axis is out of range or named
/// twice.
Group axes_group(const Network& network, NodeId source, const std::vector<std::uint32_t>& axes);

/// "x", "xy", "zx" or numbers from 0 as in "0,1": dimensions from 0. Throws InputError.
std::vector<std::uint32_t> parse_axes(const std::string& text);

/// Number of directed links that the group may use.
std::uint64_t usable_links(const Network& network, const Group& group);

}  // namespace interlace
