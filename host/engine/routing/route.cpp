// Interlace: where a packet goes next
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routing/route.h"

#include <bit>

#include "interlace/engine/fabric/registers.h"

namespace interlace {
namespace {

/// A packet may ask for a table where there are none.
bool has_entry(const PortTables* tables, NodeId node, std::uint32_t slot) {
    return tables != nullptr && !tables->empty() && slot < (*tables)[node].size();
}

/// What the table says of a slot; 0 beyond it.
std::uint32_t table_entry(const PortTables* tables, NodeId node, std::uint32_t slot) {
    return has_entry(tables, node, slot) ? (*tables)[node][slot] : 0;
}

/// A table has at least the slots that nodes of hardware are built with.
bool has_slot(const PortTables* tables, NodeId node, std::uint32_t slot) {
    return slot < built_slots || has_entry(tables, node, slot);
}

/// The direction of a packet in a dimension, `either` where both may be taken, and whether that is in the
/// lower half of its ring.
struct Direction {
    bool arrived = true;
    std::uint32_t dimension = 0, left = 0;
    bool minus = false, either = false, lower_half = false;
};

Direction direction_in(const Fabric& fabric, NodeId node, const Packet& packet, std::uint32_t d) {
    const std::uint32_t target = fabric.coordinate_in(packet.destination(), d);
    const std::uint32_t here = fabric.coordinate(node, d);
    if (target == here) return {};
    Direction direction{.arrived = false,
                        .dimension = d,
                        .left = target < here ? here - target : target - here,
                        .minus = target < here,
                        .lower_half = target < fabric.sizes[d] / 2};
    if (!fabric.wraps) return direction;
    const std::uint32_t up = direction.minus ? fabric.sizes[d] - direction.left : direction.left;
    const std::uint32_t down = fabric.sizes[d] - up;
    const std::uint32_t hints = fabric.by_coordinates() ? packet.slot() >> 2 * d & 3U : 0;
    direction.either = up == down && (hints == 0 || hints == 3);
    if (hints == 1 || hints == 2)
        direction.minus = hints == 2;
    else
        direction.minus = up > down || (up == down && !fabric.adaptive() && (packet.slot() >> d & 1U) != 0);
    direction.left = direction.minus ? down : up;
    return direction;
}

/// In the first dimension in which the packet is not where it should be.
Direction direction_to(const Fabric& fabric, NodeId node, const Packet& packet) {
    if (fabric.dimensions == 0) return {};
    const std::uint32_t d = fabric.first_difference(packet.destination(), fabric.here(node));
    return d == fabric.dimensions ? Direction() : direction_in(fabric, node, packet, d);
}

/// Where there is no node.
bool is_beyond(const Fabric& fabric, const Packet& packet) {
    for (std::uint32_t d = 0; d < fabric.dimensions; ++d)
        if (fabric.coordinate_in(packet.destination(), d) >= fabric.sizes[d]) return true;
    return false;
}

/// The ports that lead nearer in any dimension.
std::uint32_t nearer(const Fabric& fabric, NodeId node, const Packet& packet) {
    std::uint32_t mask = 0;
    for (std::uint32_t d = 0; d < fabric.dimensions; ++d) {
        const Direction direction = direction_in(fabric, node, packet, d);
        for (std::uint32_t p = 0; !direction.arrived && p < fabric.ports; ++p) {
            const PortHop hop = fabric.hop(node, p);
            const bool leads = hop.dimension == d && (direction.either || hop.minus == direction.minus);
            if (leads && hop.length != 0 && hop.length <= direction.left) mask |= 1U << p;
        }
    }
    return mask;
}

/// The port, as a mask, with the longest hop in this direction that is at most `left`. Of two equal
/// directions, a hop that is the whole distance counts in both.
std::uint32_t longest_hop(const Fabric& fabric, NodeId node, const Direction& direction, std::uint32_t left) {
    if (left == 1 || fabric.has_steps_alone()) {
        const std::uint32_t port = fabric.step_port(node, direction.dimension, direction.minus);
        // On a ring of two nodes one link leads both ways round.
        return port == 0 && direction.either && direction.left == 1 && !fabric.adaptive()
                   ? fabric.step_port(node, direction.dimension, !direction.minus)
                   : port;
    }
    std::uint32_t longest = 0;
    std::uint32_t mask = 0;
    for (std::uint32_t p = 0; p < fabric.ports; ++p) {
        const PortHop hop = fabric.hop(node, p);
        const bool leads = hop.minus == direction.minus || (direction.either && hop.length == direction.left);
        if (hop.dimension != direction.dimension || !leads || hop.length > left || hop.length <= longest)
            continue;
        longest = hop.length;
        mask = 1U << p;
    }
    return mask;
}

bool in_escape(const Fabric& fabric, Entrance from) {
    return from.link && fabric.in_slots(from.vc);
}

/// Of a unicast packet that chooses.
void adaptive(const Fabric& fabric, const PortTables* tables, NodeId node, Entrance from,
              const Packet& packet, Route& route) {
    const Direction direction = direction_to(fabric, node, packet);
    route.local = direction.arrived && from.link;
    if (direction.arrived) return;
    route.misrouted = is_beyond(fabric, packet);
    const std::uint32_t escape = longest_hop(fabric, node, direction, 1);
    if (escape == 0) return;
    route.adaptive = true;
    route.escape = static_cast<std::uint8_t>(std::countr_zero(escape));
    route.channels = static_cast<std::uint8_t>(fabric.escape_of(packet.high()));
    const bool by_order = in_escape(fabric, from) || route.channels == fabric.priority_channel();
    if (!by_order && !fabric.by_coordinates())
        route.choices = table_entry(tables, node, packet.slot());
    else if (!by_order && (packet.slot() & dynamic_bit) != 0)
        route.choices = nearer(fabric, node, packet);
    route.choices &= fabric.port_mask(node);
    if (!fabric.parameters.turn_back && from.link) route.choices &= ~(1U << from.port);
    const PortHop entered = fabric.hop(node, from.link ? from.port : 0);
    const bool continues = from.link && (route.channels >> from.vc & 1U) != 0 && entered.length == 1 &&
                           entered.dimension == direction.dimension && entered.minus != direction.minus;
    route.enters = fabric.wraps && !continues;
}

/// A copy here, and straight on until the coordinate is the destination's.
void deposit(const Fabric& fabric, NodeId node, std::uint32_t port, const Packet& packet, Route& route) {
    const auto& hops = fabric.kind(node).hops;
    const PortHop entered = hops[port];
    const std::uint32_t d = entered.dimension;
    const std::uint32_t target = fabric.coordinate_in(packet.destination(), d);
    if (target == fabric.coordinate(node, d)) return;
    route.misrouted = target >= fabric.sizes[d];
    const std::uint32_t mask = fabric.port_mask(node);
    for (std::uint32_t p = 0; p < fabric.ports; ++p) {
        if ((mask >> p & 1U) == 0 || hops[p].dimension != d || hops[p].length != entered.length ||
            hops[p].minus == entered.minus)
            continue;
        route.links = 1U << p;
        return;
    }
}

/// A route that the node cannot take (docs/node.md, section 8, bit 2), beside coordinates where there is no
/// node.
bool leads_nowhere(const Fabric& fabric, const PortTables* tables, NodeId node, Entrance from,
                   const Packet& packet, const Route& route) {
    if (route.links == 0 && !route.local && !route.adaptive) return true;
    if ((route.links & ~fabric.port_mask(node)) != 0) return true;
    if (route.local && fabric.reception_queue(from.port, packet) >= fabric.receptions) return true;
    if ((route.links != 0 || route.adaptive) && (route.channels & fabric.all_channels()) == 0) return true;
    const std::uint32_t links = route.adaptive ? 1U << route.escape : route.links;
    if (!fabric.parameters.turn_back && from.link && (links >> from.port & 1U) != 0) return true;
    const bool looked_up = packet.kind() == PacketKind::table || (route.adaptive && !fabric.by_coordinates());
    if (looked_up && !has_slot(tables, node, packet.slot())) return true;
    const bool several = route.local ? route.links != 0 : (route.links & (route.links - 1)) != 0;
    if (fabric.parameters.switching == Switching::wormhole && several) return true;
    return in_escape(fabric, from) && packet.kind() != PacketKind::unicast;
}

/// Flits that a packet asks for: of a pipelined node a full packet's, whatever comes.
std::uint32_t room_for(const NodeParameters& node, const Packet& packet) {
    return node.pipelined() ? node.packet_flits : packet.length();
}

/// A packet longer than what it must find at once (section 8, bit 4).
bool has_no_room(const Fabric& fabric, Entrance from, const Packet& packet, const Route& route) {
    const NodeParameters& node = fabric.parameters;
    const std::uint32_t length = packet.length(), room = room_for(node, packet);
    if (length > room) return true;
    if (route.adaptive && (length > node.packet_flits || 2 * node.packet_flits > node.vc_depth)) return true;
    if (in_escape(fabric, from) && length > node.packet_flits) return true;
    if (node.switching == Switching::wormhole) return false;
    const bool several = route.local ? route.links != 0 : (route.links & (route.links - 1)) != 0;
    return (route.links != 0 && room > node.vc_depth) || (route.local && room > node.reception_depth) ||
           (several && length > (from.link ? node.vc_depth : node.injection_depth));
}

/// All of the route of a unicast packet that goes by dimension order.
Route in_order(const Fabric& fabric, NodeId node, Entrance from, const Packet& packet) {
    const NodeParameters& parameters = fabric.parameters;
    const Direction direction = direction_to(fabric, node, packet);
    Route route;
    std::uint32_t depth = parameters.reception_depth;
    if (direction.arrived) {
        route.local = from.link;
        route.misrouted = !from.link || fabric.reception_queue(from.port, packet) >= fabric.receptions;
    } else {
        const std::uint32_t classes = fabric.classes();
        route.links = longest_hop(fabric, node, direction, direction.left);
        route.channels = static_cast<std::uint8_t>(direction.lower_half ? classes & 15U : classes >> 4U);
        const bool turns_back = from.link && (route.links >> from.port & 1U) != 0;
        route.misrouted =
            route.links == 0 || is_beyond(fabric, packet) || (turns_back && !parameters.turn_back);
        depth = parameters.vc_depth;
    }
    const std::uint32_t room = room_for(parameters, packet);
    const bool waits = parameters.switching != Switching::wormhole && room > depth;
    route.too_long = !route.misrouted && (packet.length() > room || waits);
    return route;
}

}  // namespace

Route find_route(const Fabric& fabric, const PortTables* tables, NodeId node, Entrance from,
                 const Packet& packet) {
    if (packet.kind() == PacketKind::unicast && !fabric.adaptive())
        return in_order(fabric, node, from, packet);
    Route route;
    if (packet.kind() == PacketKind::unicast) {
        adaptive(fabric, tables, node, from, packet, route);
    } else if (packet.kind() == PacketKind::table) {
        const std::uint32_t entry = table_entry(tables, node, packet.slot());
        route.links = entry & fabric.link_sinks();
        route.local = from.link && (entry >> fabric.ports & 1U) != 0;
        if (channels_of_entry(entry) != 0)
            route.channels = static_cast<std::uint8_t>(channels_of_entry(entry));
    } else {
        route.local = from.link;
        if (!from.link)
            route.links = packet.slot();
        else if (packet.kind() == PacketKind::deposit && fabric.dimensions > 0)
            deposit(fabric, node, from.port, packet, route);
    }
    if (fabric.adaptive() && packet.kind() != PacketKind::unicast)
        route.channels &= static_cast<std::uint8_t>(fabric.dynamic_channels());
    route.misrouted = route.misrouted || leads_nowhere(fabric, tables, node, from, packet, route);
    route.links &= fabric.port_mask(node);
    route.too_long = !route.misrouted && has_no_room(fabric, from, packet, route);
    return route;
}

}  // namespace interlace
