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
};

/// One link port, or none on arrival, and the channels of its link.
struct NextHop {
    std::uint32_t links = 0, channels = 0;
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

/// Unicast: the first dimension with a way to go, the shorter way round.
template <std::uint32_t Ports, std::uint32_t Vcs>
NextHop dimension_order(const Registers<Ports, Vcs>& registers, std::uint32_t destination) {
    constexpr std::uint32_t dimensions = Registers<Ports, Vcs>::dimensions;
    constexpr std::uint32_t width = std::min(16U, 32 / dimensions);
    const std::uint32_t before_wrap = registers.classes & 15U;
    const std::uint32_t elsewhere = registers.classes >> 4U;
    for (std::uint32_t d = 0; d < dimensions; ++d) {
        const auto target = static_cast<std::int32_t>(get_bits(destination, d * width, width));
        const std::int32_t here = registers.here[d];
        if (target == here) continue;
        std::int32_t way = target - here;
        bool wraps = false;
        if ((registers.routing & 2U) != 0) {
            const std::int32_t size = registers.size[d];
            const std::int32_t up = way < 0 ? way + size : way;
            way = 2 * up > size ? up - size : up;
            wraps = here + way < 0 || here + way >= size;
        }
        return {longest_hop(registers, d, way), wraps ? before_wrap : elsewhere};
    }
    return {0, elsewhere};
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

/// `port`: the link that the packet came by, or `injected`.
template <std::uint32_t Ports, std::uint32_t Vcs>
Route route(const Registers<Ports, Vcs>& registers, std::uint32_t port, Header header) {
    Route found;
    std::uint32_t links = 0;
    bool received = port != injected;
    if (header.kind() == Header::table) {
        const std::uint32_t entry = registers.table[header.slot() % Registers<Ports, Vcs>::slots];
        links = entry & ones_below(Ports);
        received = received && (entry >> Ports & 1U) != 0;
    } else if (header.kind() == Header::unicast) {
        const NextHop next = dimension_order(registers, header.destination());
        links = next.links;
        found.channels = next.channels;
        received = received && links == 0;
    } else if (port == injected) {
        links = header.slot();
    }
    found.misrouted = (links & ~registers.ports) != 0 || (links == 0 && !received);
    found.sinks = links & ones_below(Ports);
    if (received) found.sinks |= 1U << (Ports + reception_queue(registers, port, header));
    return found;
}

}  // namespace interlace::systemc
