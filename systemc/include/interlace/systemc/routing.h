// Interlace: the sinks of a packet, from its header and the registers (docs/node.md, section 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "interlace/systemc/packet.h"
#include "interlace/systemc/registers.h"

namespace interlace::systemc {

/// The port of a packet that came from an injection queue.
inline constexpr std::uint32_t injected = UINT32_MAX;

struct Route {
    std::uint32_t sinks = 0;                   ///< bits 0 to P - 1 link ports, from bit P on reception queues
    std::uint32_t channels = ~0U;              ///< of a link that the packet may use
    bool misrouted = false, too_long = false;  ///< why the node cannot carry it: one of them, or none
    /// An adaptive packet takes one link: of `choices` on a dynamic channel, or `escape` on the escape
    /// channel, where it `enters` a ring or goes on in one.
    bool adaptive = false, enters = false;
    std::uint32_t choices = 0, escape = 0;
};

/// The channel that a packet is in.
struct Entrance {
    std::uint32_t port = injected, vc = 0;

    template <class Registers>
    bool in_escape(const Registers& registers) const {
        return came_by(registers, registers.escape_channel | registers.priority_channel);
    }
    /// On an adaptive node, by a link on one of `channels`.
    template <class Registers>
    bool came_by(const Registers& registers, std::uint32_t channels) const {
        return registers.adaptive() && port != injected && (channels >> vc & 1U) != 0;
    }
};

/// Whether one dimension is right, or else how far to go in it (modulo 2^16, as all coordinates), whether
/// that is towards smaller coordinates, or `either` as well, to the lower half of its ring, to where there is
/// no node.
struct Way {
    bool arrived = true, lower_half = false, minus = false, either = false;
    std::uint32_t dimension = 0, distance = 0;
};

/// The port of the longest hop on the way that is at most `distance`; the lowest of equal ones. Of two equal
/// ways, a hop that is all of the way leads either way, except on an adaptive node.
template <std::uint32_t Ports, std::uint32_t Vcs>
std::uint32_t longest_hop(const Registers<Ports, Vcs>& registers, const Way& way, std::uint32_t distance) {
    std::uint32_t best = 0;
    std::uint32_t longest = 0;
    each_bit(registers.ports, [&](std::uint32_t p) {
        const auto& hop = registers.hop[p];
        const bool whole = way.either && !registers.adaptive() && hop.length == way.distance;
        const bool leads = hop.minus == way.minus || whole;
        if (hop.dimension != way.dimension || !leads || hop.length > distance || hop.length <= longest)
            return;
        longest = hop.length;
        best = 1U << p;
    });
    return best;
}

template <std::uint32_t Ports, std::uint32_t Vcs>
std::uint16_t coordinate(const Registers<Ports, Vcs>& /*registers*/, std::uint32_t destination,
                         std::uint32_t dimension) {
    constexpr std::uint32_t width = std::min(16U, 32 / Registers<Ports, Vcs>::dimensions);
    return static_cast<std::uint16_t>(get_bits(destination, dimension * width, width));
}

/// The shorter way round, or the one that the packet hints at, or chooses of equal ones.
template <std::uint32_t Ports, std::uint32_t Vcs>
Way way_in(const Registers<Ports, Vcs>& registers, Header header, std::uint32_t d) {
    const std::uint16_t target = coordinate(registers, header.destination(), d);
    const std::uint16_t here = registers.here[d];
    const std::uint16_t size = registers.size[d];
    if (target == here) return {};
    const bool below = target < here;
    Way way{false, target < size / 2, below, false, d, 0};
    if (!registers.wraps()) {
        way.distance = static_cast<std::uint16_t>(below ? here - target : target - here);
        return way;
    }
    const auto up = static_cast<std::uint16_t>(target - here + (below ? size : 0));
    const auto down = static_cast<std::uint16_t>(size - up);
    const std::uint32_t hints = registers.by_coordinates() ? header.slot() >> 2 * d & 3U : 0;
    if (hints == 1 || hints == 2) {
        way.minus = hints == 2;
    } else {
        const bool downwards = !registers.adaptive() && (header.slot() >> d & 1U) != 0;
        way.either = up == down;
        way.minus = up > down || (up == down && downwards);
    }
    way.distance = way.minus ? down : up;
    return way;
}

/// The first dimension with a way to go.
template <std::uint32_t Ports, std::uint32_t Vcs>
Way way_to(const Registers<Ports, Vcs>& registers, Header header) {
    for (std::uint32_t d = 0; d < Registers<Ports, Vcs>::dimensions; ++d)
        if (const Way way = way_in(registers, header, d); !way.arrived) return way;
    return {};
}

/// Where there is no node.
template <std::uint32_t Ports, std::uint32_t Vcs>
bool is_beyond(const Registers<Ports, Vcs>& registers, Header header) {
    for (std::uint32_t d = 0; d < Registers<Ports, Vcs>::dimensions; ++d) {
        const std::uint16_t target = coordinate(registers, header.destination(), d);
        if (target != registers.here[d] && target >= registers.size[d]) return true;
    }
    return false;
}

/// The ports that lead nearer in any dimension.
template <std::uint32_t Ports, std::uint32_t Vcs>
std::uint32_t nearer(const Registers<Ports, Vcs>& registers, Header header) {
    std::uint32_t found = 0;
    for (std::uint32_t d = 0; d < Registers<Ports, Vcs>::dimensions; ++d) {
        const Way way = way_in(registers, header, d);
        each_bit(way.arrived ? 0 : registers.ports, [&](std::uint32_t p) {
            const auto& hop = registers.hop[p];
            const bool leads = hop.dimension == d && (way.either || hop.minus == way.minus);
            if (leads && hop.length != 0 && hop.length <= way.distance) found |= 1U << p;
        });
    }
    return found;
}

/// True on arrival.
template <std::uint32_t Ports, std::uint32_t Vcs>
bool route_unicast(const Registers<Ports, Vcs>& registers, Entrance from, Header header, Route& found) {
    const Way way = way_to(registers, header);
    if (way.arrived) return true;
    found.misrouted = is_beyond(registers, header);
    if (!registers.adaptive()) {
        found.sinks = longest_hop(registers, way, way.distance);
        found.channels = way.lower_half ? registers.classes & 15U : registers.classes >> 4U;
        return false;
    }
    found.escape = longest_hop(registers, way, 1);
    found.adaptive = found.escape != 0;
    if (!from.in_escape(registers) && !registers.has_own_channel(header.high())) {
        if (!registers.by_coordinates())
            found.choices = registers.entry(header.slot()) & registers.ports;
        else if (header.dynamic())
            found.choices = nearer(registers, header);
        if (registers.onward() && from.port != injected) found.choices &= ~(1U << from.port);
    }
    const auto& entered = registers.hop[from.port == injected ? 0 : from.port];
    const bool goes_on = from.came_by(registers, registers.escape_of(header.high())) && entered.length == 1 &&
                         entered.dimension == way.dimension && entered.minus != way.minus;
    found.enters = registers.wraps() && !goes_on;
    return false;
}

/// Straight on until the coordinate is the destination's: the lowest port that leads on as `port` came in.
template <std::uint32_t Ports, std::uint32_t Vcs>
std::uint32_t straight_on(const Registers<Ports, Vcs>& registers, std::uint32_t port, Header header,
                          bool& beyond) {
    const auto& entered = registers.hop[port];
    if (entered.dimension >= Registers<Ports, Vcs>::dimensions) return 0;
    const std::uint16_t target = coordinate(registers, header.destination(), entered.dimension);
    if (target == registers.here[entered.dimension]) return 0;
    beyond = target >= registers.size[entered.dimension];
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

/// A route that the node cannot take (section 8, bit 2), beside coordinates where there is no node.
template <std::uint32_t Ports, std::uint32_t Vcs>
bool leads_nowhere(const Registers<Ports, Vcs>& registers, Entrance from, Header header, const Route& found,
                   bool received, bool no_queue) {
    if (found.sinks == 0 && !found.adaptive && !received) return true;
    if ((found.sinks & ~registers.ports) != 0 || (received && no_queue)) return true;
    const std::uint32_t links = found.adaptive ? found.escape : found.sinks;
    if (registers.onward() && from.port != injected && (links >> from.port & 1U) != 0) return true;
    const std::uint32_t channels = found.adaptive ? registers.escape_of(header.high()) : found.channels;
    if ((found.sinks != 0 || found.adaptive) && (channels & registers.vcs) == 0) return true;
    const bool looked_up = header.kind() == Header::table || (found.adaptive && !registers.by_coordinates());
    if (looked_up && header.slot() >= registers.built.slots) return true;
    const std::uint32_t branches = found.sinks | (received ? 1U << Ports : 0);
    if (registers.is_wormhole() && (branches & (branches - 1)) != 0) return true;
    return from.in_escape(registers) && header.kind() != Header::unicast;
}

/// A packet longer than what it must find at once (section 8, bit 4).
template <std::uint32_t Ports, std::uint32_t Vcs>
bool has_no_room(const Registers<Ports, Vcs>& registers, Entrance from, std::uint32_t length,
                 const Route& found) {
    if (found.adaptive && (length > registers.slot || 2 * registers.slot > registers.vc_depth)) return true;
    if (from.in_escape(registers) && length > registers.slot) return true;
    if (registers.is_wormhole()) return false;
    const bool pipelined = registers.built.pipelined();
    if (pipelined && length > registers.slot) return true;
    const std::uint32_t asked = pipelined ? registers.slot : length;
    const std::uint32_t own = from.port == injected ? registers.injection_depth : registers.vc_depth;
    return ((found.sinks & ones_below(Ports)) != 0 && asked > registers.vc_depth) ||
           (found.sinks >> Ports != 0 && asked > registers.reception_depth) ||
           ((found.sinks & (found.sinks - 1)) != 0 && length > own);
}

/// Of `receptions` queues that were built.
template <std::uint32_t Ports, std::uint32_t Vcs>
Route route(const Registers<Ports, Vcs>& registers, Entrance from, Header header, std::uint32_t receptions) {
    Route found;
    bool received = from.port != injected;
    std::uint32_t queue = 0;
    if (header.kind() == Header::table) {
        const std::uint32_t entry = registers.entry(header.slot());
        found.sinks = entry & ones_below(Ports);
        received = received && (entry >> Ports & 1U) != 0;
        if (entry >> 16U != 0) found.channels = entry >> 16U;
    } else if (header.kind() == Header::unicast) {
        received = route_unicast(registers, from, header, found) && received;
    } else if (!received) {
        found.sinks = header.slot();
    } else if (header.kind() == Header::deposit) {
        found.sinks = straight_on(registers, from.port, header, found.misrouted);
    }
    if (registers.adaptive() && header.kind() != Header::unicast)
        found.channels &= registers.dynamic_channels;
    if (received) queue = reception_queue(registers, from.port, header);
    found.misrouted =
        found.misrouted || leads_nowhere(registers, from, header, found, received, queue >= receptions);
    found.sinks &= ones_below(Ports);
    if (received) found.sinks |= 1U << (Ports + queue);
    found.too_long = !found.misrouted && has_no_room(registers, from, header.length(), found);
    return found;
}

}  // namespace interlace::systemc
