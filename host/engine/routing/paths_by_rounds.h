// Interlace: next hops that go up and down in rounds, one round a virtual channel
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "balanced_paths.h"

namespace interlace {

/// One path from every node to every other, in rounds: a virtual channel is a round. In a round a packet goes
/// up and then down (Schroeder et al., "Autonet", 1991), and it never goes back to an earlier round (Skeie et
/// al., "LASH-TOR", 2004). So no packets wait for one another in a cycle. A lattice's nodes are as high as
/// their numbers; on other networks the node with the smallest sum of distances is the highest, and the
/// nearer to it, the higher; with `levels` nodes are the higher, the more hops they are from the nearest
/// host, as in a tree whose leaves are hosts. Nodes take the fewest hops that the rounds of those before them
/// on the way leave; of such paths, hops over the links with the least loads. Measured in `lengths` they take
/// the paths of the least sum of lengths, each times a price that rises with the link's load, and
/// destinations take turns four times. None where some node has no such path: on a network that has links
/// without a link back, or on few channels.
std::optional<Paths> paths_by_rounds(const Network& network, std::uint32_t channels,
                                     const LinkLengths& lengths, bool levels = false);

}  // namespace interlace
