// Interlace: forwarding tables by which unicast packets find their way
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "interlace/engine/fabric/default_routing.h"
#include "interlace/engine/fabric/fabric.h"

namespace interlace {

/// How many ordered pairs of different nodes have their packets cross a link, where each pair has one path.
struct LinkLoad {
    std::uint32_t max = 0;
    double mean = 0;
    std::uint64_t detours = 0;  ///< pairs whose path is longer than their distance
};

/// Tables by which unicast packets go: the slot is the destination's number.
struct RoutingTables {
    PortTables ports;
    // Of routing by table:
    std::optional<LinkLoad> load = {};
    std::vector<std::vector<std::uint16_t>> links = {};  ///< [node][destination]: that packets cross
};

/// What the routing of `fabric` asks of its tables, with the rows of its own nodes alone: nothing for
/// dimension_order; for adaptive_bubble a slot for every destination with the ports that reduce the distance;
/// for table a slot for every destination with one port and channel: shortest paths, balanced over links,
/// that can never wait for one another in a cycle (docs/routing-tables.md); for balanced the same with paths
/// that come near the uniform capacity of the network (docs/capacity.md), which on a lattice asks for CLP; or
/// what the file has that NodeParameters::routing_table names. Throws InputError for more slots than a header
/// can name, a node that cannot be reached, and, on a network with links of one direction, channels that are
/// too few.
RoutingTables routing_tables(const Network& network, const Fabric& fabric);

}  // namespace interlace
