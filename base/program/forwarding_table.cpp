// Interlace: a broadcast as the tables of the routers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/forwarding_table.h"

#include <algorithm>
#include <bit>

#include "interlace/core/error.h"

namespace interlace {

ForwardingTable forwarding_table(const Network& network, const Program& program) {
    ForwardingTable table;
    table.packets = program.packet_count();
    table.ports.assign(std::size_t{network.node_count()} * table.packets, 0);
    for (std::uint32_t list = 0; list < program.list_count(); ++list) {
        const NodeId node = network.origin(program.link(list));
        const std::uint32_t port = program.link(list) - network.first_link(node);
        if (port >= 64)
            throw InputError("a node has more than 64 outputs", "at most 64 for a forwarding table");
        for (const PacketId packet : program.sends(list))
            table.ports[std::size_t{node} * table.packets + packet] |= std::uint64_t{1} << port;
    }
    std::vector<std::uint64_t> masks(table.packets);
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        const auto begin = table.ports.begin() + static_cast<std::ptrdiff_t>(std::size_t{v} * table.packets);
        std::copy_n(begin, table.packets, masks.begin());
        std::sort(masks.begin(), masks.end());
        const auto distinct =
            static_cast<std::uint64_t>(std::unique(masks.begin(), masks.end()) - masks.begin());
        const std::uint64_t ports = network.degree(NodeId{v});
        table.bits_per_node = std::max(table.bits_per_node, table.packets * ports);
        const auto index_bits = static_cast<std::uint64_t>(std::bit_width(distinct - 1));
        table.packed_bits_per_node =
            std::max(table.packed_bits_per_node, table.packets * index_bits + distinct * ports);
    }
    return table;
}

}  // namespace interlace
