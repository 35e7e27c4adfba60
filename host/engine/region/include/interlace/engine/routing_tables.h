// Interlace: forwarding tables by which unicast packets find their way
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/engine/fabric.h"

namespace interlace {

/// Slots that a header can name.
inline constexpr std::uint32_t most_slots = 4096;

/// Tables, and the slot by which a packet from one node to another uses them.
struct RoutingTables {
    PortTables ports;
    std::vector<std::uint16_t> slots;  ///< [from * nodes + to]; empty: the destination's number
    std::uint32_t slot(std::uint32_t nodes, std::uint32_t from, std::uint32_t to) const {
        return slots.empty() ? to : slots[std::size_t{from} * nodes + to];
    }
};

/// What the routing of `fabric` asks of its tables: nothing for dimension_order; for adaptive_bubble a slot
/// for every destination with the ports that reduce the distance; for table one of these (the lowest), and a
/// channel for each pair of nodes, the lowest on which the dependencies of all its routes stay acyclic
/// (layered shortest paths: Skeie, Lysne and Theiss, "Layered shortest path (LASH) routing", 2002), with a
/// slot for every destination and channel in use. Throws InputError for more slots than a header can name, a
/// node that cannot be reached, and channels that are too few.
RoutingTables routing_tables(const Network& network, const Fabric& fabric);

}  // namespace interlace
