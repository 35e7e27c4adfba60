// Interlace: the sinks of a packet, from its header and the registers (docs/node.md, section 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "interlace/systemc/packet.h"
#include "interlace/systemc/registers.h"

namespace interlace::systemc {

/// The port of a packet that came from an injection queue.
inline constexpr std::uint32_t injected = UINT32_MAX;

struct Route {
    std::uint32_t sinks = 0;       ///< bits 0 to P - 1 link ports, from bit P on reception queues
    std::uint32_t channels = ~0U;  ///< of a link that the packet may use
    bool misrouted = false;
    /// An adaptive packet takes one link: of `choices` on a dynamic channel, or `escape` on the escape
    /// channel, where it `enters` a ring or goes on in one.
    bool adaptive = false, enters = false;
    std::uint32_t choices = 0, escape = 0;
};

/// The channel that a packet is in.
struct Entrance {
    std::uint32_t port = injected, vc = 0;
};

/// How far to go in the first dimension that is not right, negative towards smaller coordinates, and whether
/// that is in the lower half of its ring.
struct Way {
    bool arrived = true, lower_half = false;
    std::uint32_t dimension = 0;
    std::int32_t distance = 0;
};

/// The port of the longest hop in a dimension that does not overshoot; the lowest of equal ones. `way`: how
/// far to go, negative towards smaller coordinates.
template <std::uint32_t Ports, std::uint32_t Vcs>
std::uint32_t longest_hop(const Registers<Ports, Vcs>& registers, std::uint32_t dimension, std::int32_t way) {
    const auto distance = static_cast<std::uint32_t>(std::abs(way));
    std::uint32_t best = 0;
    std::uint32_t longest = 0;
    each_bit(registers.ports, [&](std::uint32_t p) {
        const auto& hop = registers.hop[p];
        if (hop.dimension != dimension || hop.minus != (way < 0) || hop.length > distance ||
            hop.length <= longest)
            return;
        longest = hop.length;
        best = 1U << p;
    });
    return best;
}

template <std::uint32_t Ports, std::uint32_t Vcs>
std::int32_t coordinate(const Registers<Ports, Vcs>& /*registers*/, std::uint32_t destination,
                        std::uint32_t dimension) {
    constexpr std::uint32_t width = std::min(16U, 32 / Registers<Ports, Vcs>::dimensions);
    return static_cast<std::int32_t>(get_bits(destination, dimension * width, width));
}

/// The first dimension with a way to go, the shorter way round, or the packet's choice of equal ones.
template <std::uint32_t Ports, std::uint32_t Vcs>
Way way_to(const Registers<Ports, Vcs>& registers, Header header) {
    for (std::uint32_t d = 0; d < Registers<Ports, Vcs>::dimensions; ++d) {
        const std::int32_t target = coordinate(registers, header.destination(), d);
        const std::int32_t here = registers.here[d];
        if (target == here) continue;
        std::int32_t distance = target - here;
        const std::int32_t size = registers.size[d];
        const bool lower_half = target < size / 2;
        if (!registers.wraps()) return {false, lower_half, d, distance};
        const std::int32_t up = distance < 0 ? distance + size : distance;
        const bool downwards = !registers.adaptive() && (header.slot() >> d & 1U) != 0;
        distance = 2 * up > size || (2 * up == size && downwards) ? up - size : up;
        return {false, lower_half, d, distance};
    }
    return {};
}

/// True on arrival.
template <std::uint32_t Ports, std::uint32_t Vcs>
bool route_unicast(const Registers<Ports, Vcs>& registers, Entrance from, Header header, Route& found) {
    const Way way = way_to(registers, header);
    if (way.arrived) return true;
    if (!registers.adaptive()) {
        found.sinks = longest_hop(registers, way.dimension, way.distance);
        found.channels = way.lower_half ? registers.classes & 15U : registers.classes >> 4U;
        return false;
    }
    found.escape = longest_hop(registers, way.dimension, way.distance < 0 ? -1 : 1);
    found.adaptive = found.escape != 0;
    const bool in_escape = from.port != injected && (registers.escape_channel >> from.vc & 1U) != 0;
    if (!in_escape)
        found.choices = registers.table[header.slot() % Registers<Ports, Vcs>::slots] & registers.ports;
    const auto& entered = registers.hop[from.port == injected ? 0 : from.port];
    const bool goes_on = in_escape && entered.length == 1 && entered.dimension == way.dimension &&
                         entered.minus != (way.distance < 0);
    found.enters = registers.wraps() && !goes_on;
    return false;
}

/// Straight on until the coordinate is the destination's: the lowest port that leads on as `port` came in.
template <std::uint32_t Ports, std::uint32_t Vcs>
std::uint32_t straight_on(const Registers<Ports, Vcs>& registers, std::uint32_t port, Header header) {
    const auto& entered = registers.hop[port];
    if (entered.dimension >= Registers<Ports, Vcs>::dimensions ||
        coordinate(registers, header.destination(), entered.dimension) == registers.here[entered.dimension])
        return 0;
    std::uint32_t found = 0;
    each_bit(registers.ports, [&](std::uint32_t p) {
        const auto& hop = registers.hop[p];
        if (found == 0 && hop.dimension == entered.dimension && hop.length == entered.length &&
            hop.minus != entered.minus)
            found = 1U << p;
    });
    return found;
}

/// The reception queue of a packet from a link's port.
template <std::uint32_t Ports, std::uint32_t Vcs>
std::uint32_t reception_queue(const Registers<Ports, Vcs>& registers, std::uint32_t port, Header header) {
    if ((registers.receptions & 1U) == 0) return 0;
    const bool high_apart = (registers.receptions & 2U) != 0;
    const std::uint32_t queue = high_apart && header.high() ? Ports : port;
    const bool second_group = (registers.receptions & 4U) != 0 && header.group();
    return second_group ? queue + Ports + (high_apart ? 1 : 0) : queue;
}

template <std::uint32_t Ports, std::uint32_t Vcs>
Route route(const Registers<Ports, Vcs>& registers, Entrance from, Header header) {
    Route found;
    bool received = from.port != injected;
    if (header.kind() == Header::table) {
        const std::uint32_t entry = registers.table[header.slot() % Registers<Ports, Vcs>::slots];
        found.sinks = entry & ones_below(Ports);
        received = received && (entry >> Ports & 1U) != 0;
        if (entry >> 16U != 0) found.channels = entry >> 16U;
    } else if (header.kind() == Header::unicast) {
        received = route_unicast(registers, from, header, found) && received;
    } else if (!received) {
        found.sinks = header.slot();
    } else if (header.kind() == Header::deposit) {
        found.sinks = straight_on(registers, from.port, header);
    }
    if (registers.adaptive() && header.kind() != Header::unicast)
        found.channels &= registers.dynamic_channels;
    found.misrouted =
        (found.sinks & ~registers.ports) != 0 || (found.sinks == 0 && !received && !found.adaptive);
    found.sinks &= ones_below(Ports);
    if (received) found.sinks |= 1U << (Ports + reception_queue(registers, from.port, header));
    return found;
}

}  // namespace interlace::systemc
