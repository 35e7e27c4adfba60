// Interlace: the permutation under which a link carries most
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/routing/routing_tables.h"

namespace interlace {

struct WorstPermutation {
    double link_load = 0;                    ///< packets over the link, in the mean, if each node sends one
    LinkId link = LinkId{0};                 ///< the fullest
    std::vector<std::uint32_t> destination;  ///< [node]; itself: it sends nothing
};

/// Of all permutations the one under which the fullest link is fullest, by a routing that chooses paths
/// whatever the traffic is (NextHops). Exact: for each link the heaviest matching of sources and destinations
/// by the share of their packets that cross it (Towles and Dally, "Worst-case traffic for oblivious routing
/// functions", 2002); on a torus or iBT without a table, for the links of one node of each species. Nodes
/// that such a matching leaves out send to those that it leaves out. `progress` hears of the share of the
/// work done.
WorstPermutation worst_permutation(const Network& network, const Fabric& fabric, const RoutingTables& tables,
                                   const std::function<void(double)>& progress = {});

}  // namespace interlace
