// Interlace: the independent checker of bounds on what a network can carry
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/capacity/demands.h"
#include "interlace/network/network.h"

namespace interlace {

/// What lengths of links prove: whatever the routing, some link carries at least distances / lengths packets.
struct CheckedBound {
    std::uint64_t distances = 0;  ///< the sum over all packets of the length of their shortest allowed path
    std::uint64_t lengths = 0;    ///< of all links; 0: they prove nothing
};

/// `length` [link]. Paths are any, or where `fewest_links` only those with the fewest links. Shares no code
/// with the search for such lengths: shortest paths by Dijkstra's algorithm from every host, or, where a
/// torus or iBT has over 1,024 nodes and the demands are uniform, from one of each species, after a check
/// that lengths are the same at all nodes of a species. Throws InputError where a host is not reached, or
/// lengths differ in a species.
CheckedBound check_capacity(const Network& network, const Demands& demands,
                            const std::vector<std::uint32_t>& length, bool fewest_links);

}  // namespace interlace
