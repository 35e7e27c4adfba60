// Interlace: a broadcast as the tables of the routers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/program/program.h"

namespace interlace {

/// What a router needs to forward a broadcast by itself: for each node and packet the set of output ports.
struct ForwardingTable {
    std::uint32_t packets = 0;
    std::vector<std::uint64_t>
        ports;  ///< [node * packets + packet]: bit p set: send to port p; empty: consume only

    std::uint64_t ports_of(NodeId node, PacketId packet) const {
        return ports[std::size_t{node} * packets + packet];
    }
    /// Bits of the largest node's table: packets x ports, one bit a port.
    std::uint64_t bits_per_node = 0;
    /// Bits of the largest node's table when equal entries are stored once: packets x ceil(log2 distinct) for
    /// the index, and distinct x ports for the masks.
    std::uint64_t packed_bits_per_node = 0;
};

/// Throws InputError when a node has more than 64 outputs.
ForwardingTable forwarding_table(const Network& network, const Program& program);

}  // namespace interlace
