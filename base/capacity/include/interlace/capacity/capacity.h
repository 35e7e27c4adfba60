// Interlace: what a network can carry at most, whatever its routing, with a certificate
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "interlace/capacity/demands.h"
#include "interlace/capacity/link_classes.h"
#include "interlace/network/network.h"

namespace interlace {

/// The paths that a routing may use: any, or those with the fewest links.
enum class AllowedPaths { any, shortest };

/// Lengths of links that prove how little the fullest link can carry. Whatever the routing, packets over the
/// fullest link are at least
///
///     distances / lengths of all links,
///
/// where `distances` is the sum over all packets of the length of their shortest allowed path: all packets
/// together cross that much length, and a link that n packets cross takes n times its own (duality of
/// concurrent flow: Shahrokhi and Matula, "The maximum concurrent flow problem", 1990).
struct LengthBound {
    std::vector<std::uint32_t> lengths;  ///< of each class of links
    std::uint64_t distances = 0;         ///< of all packets
    std::uint64_t all_lengths = 1;       ///< of all links
    double link_load() const { return static_cast<double>(distances) / static_cast<double>(all_lengths); }
};

/// A share of the packets of an origin, which take shortest paths by these lengths.
struct FlowShare {
    std::uint32_t origin;                ///< index in LinkClasses::origins()
    double share;                        ///< above 0 to 1; of each origin they are 1 together
    std::vector<std::uint32_t> lengths;  ///< of each class of links
};

struct Capacity {
    double link_load = 0;            ///< packets over the fullest link, by the best routing that was found
    LengthBound bound;               ///< on the same by any routing
    std::vector<FlowShare> routing;  ///< the one that was found
    std::uint32_t rounds = 0;        ///< of shortest paths from all origins
    /// By how much, of the bound, the routing may be worse than the best one.
    double gap() const { return std::max(0.0, link_load / bound.link_load() - 1); }
};

/// The least load of the fullest link over all routings that may split packets, to a gap below `tolerance`
/// (or the least that lengths of 21 bits prove, which no network has needed): by column generation, a linear
/// program whose columns are shortest-path flows of one origin (Dantzig and Wolfe; Jones et al.,
/// "Multicommodity network flows: the impact of formulation on decomposition", 1993). `progress` hears of
/// each round's gap. Throws InputError where a host cannot reach another.
Capacity find_capacity(const Network& network, const LinkClasses& classes, const Demands& demands,
                       AllowedPaths paths, double tolerance = 0.001,
                       const std::function<void(double gap)>& progress = {});

}  // namespace interlace
