// Interlace: what routing decides of a packet whose head has come to a source
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/routing/route.h"
#include "interlace/node/packet.h"
#include "status.h"

namespace interlace::native {

/// Writes packet, length and route into an Entry or a Held. The bit of status_o that the node sets for it, or
/// `fine`.
template <class Routed>
Status route_packet(Routed& routed, const Fabric& f, const PortTables* tables, NodeId node,
                    const Entrance& entrance, const Packet& packet) {
    const Route route = find_route(f, tables, node, entrance, packet);
    routed.packet = f.come(packet, entrance.link);
    routed.length = static_cast<std::uint8_t>(packet.length());
    routed.channels = routed.escape_channels = route.channels;
    routed.route = route.links;
    if (route.local) routed.route |= 1U << (f.ports + f.reception_queue(entrance.port, packet));
    routed.adaptive = route.adaptive;
    routed.choices = static_cast<std::uint16_t>(route.choices);
    routed.escape = route.escape;
    routed.enters = route.enters;
    const PacketKind kind = packet.kind();
    const bool by_coordinates = kind == PacketKind::unicast || kind == PacketKind::deposit;
    if (!well_formed(packet.header) || (by_coordinates && f.dimensions == 0)) return malformed;
    return route.misrouted ? misrouted : route.too_long ? too_long : fine;
}

}  // namespace interlace::native
