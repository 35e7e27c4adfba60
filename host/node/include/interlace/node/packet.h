// Interlace: the packet format (docs/node.md, section 2)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/core/random.h"

namespace interlace {

enum class PacketKind : std::uint8_t { explicit_mask = 0, table = 1, deposit = 2, unicast = 3 };

/// The fields of words 0 and 1 of a packet.
struct PacketFields {
    PacketKind kind = PacketKind::explicit_mask;
    bool high = false;
    std::uint32_t group = 0;   ///< 0 or 1
    std::uint32_t length = 1;  ///< flits, 1 to 64
    std::uint32_t slot = 0;    ///< 12 bits: mask of link ports, the table's slot, or what unicast packets do
                               ///< by coordinates (docs/node.md, section 2)
    std::uint32_t destination = 0;  ///< unicast, deposit: coordinates, Fabric::destination
    std::uint32_t source = 0;
    std::uint32_t sequence = 0;
};

/// Link ports that a mask in a header has bits for.
inline constexpr std::uint32_t ports_in_header = 12;

/// Bit of a unicast packet's slot: on a node that chooses by coordinates it may choose.
inline constexpr std::uint32_t dynamic_bit = 1U << 11U;

/// A packet as the hardware sees it: its first two words. The others follow from them.
struct Packet {
    std::uint64_t header = 0;
    std::uint64_t identity = 0;

    constexpr PacketKind kind() const { return static_cast<PacketKind>(header & 3U); }
    constexpr bool high() const { return (header >> 2U & 1U) != 0; }
    constexpr std::uint32_t group() const { return header >> 3U & 1U; }
    constexpr std::uint32_t length() const { return (header >> 4U & 63U) + 1; }
    constexpr std::uint32_t slot() const { return header >> 10U & 0xfffU; }
    constexpr std::uint32_t destination() const { return static_cast<std::uint32_t>(header >> 22U); }
    /// Links that it has crossed where nodes count them (Fabric::by_hops), 3 for more; else 0.
    constexpr std::uint32_t hops() const { return static_cast<std::uint32_t>(header >> 62U); }
    constexpr std::uint32_t source() const { return static_cast<std::uint32_t>(identity); }
    constexpr std::uint32_t sequence() const { return static_cast<std::uint32_t>(identity >> 32U); }

    /// Word j of the packet's data.
    constexpr std::uint64_t word(std::uint32_t j) const {
        return j == 0 ? header : j == 1 ? identity : payload(payload_key(), j);
    }
    /// What all words from the third on have in common, and one of those.
    constexpr std::uint64_t payload_key() const { return mixed_bits(mixed_bits(source()) ^ sequence()); }
    static constexpr std::uint64_t payload(std::uint64_t key, std::uint32_t j) { return mixed_bits(key ^ j); }
};

/// The bytes of a header word exclusive-ored, its checksum field taken as 0, and the seed.
constexpr std::uint64_t header_checksum(std::uint64_t header) {
    header &= ~(std::uint64_t{0xff} << 54U);
    for (unsigned half = 32; half >= 8; half /= 2) header ^= header >> half;
    return (header & 0xffU) ^ 0xa5U;
}

/// Whether hardware takes the header for one (docs/node.md, section 8).
constexpr bool well_formed(std::uint64_t header) {
    return (header >> 54U & 0xffU) == header_checksum(header);
}

constexpr Packet make_packet(const PacketFields& f) {
    std::uint64_t header = static_cast<std::uint64_t>(f.kind) | std::uint64_t{f.high} << 2U |
                           std::uint64_t{f.group & 1U} << 3U | std::uint64_t{(f.length - 1) & 63U} << 4U |
                           std::uint64_t{f.slot & 0xfffU} << 10U | std::uint64_t{f.destination} << 22U;
    header |= header_checksum(header) << 54U;
    return {header, std::uint64_t{f.source} | std::uint64_t{f.sequence} << 32U};
}

/// The packet after another link (docs/node.md, 2.11). Bits 63:62 and, of the checksum, 61:60 are in the same
/// place of their bytes.
constexpr Packet after_another_link(Packet packet) {
    const std::uint64_t hops = packet.hops();
    packet.header ^= (hops ^ (hops < 3 ? hops + 1 : hops)) * (std::uint64_t{5} << 60U);
    return packet;
}

/// One flit of a packet on a pin.
struct Flit {
    Packet packet;
    std::uint8_t index = 0;  ///< in its packet, from 0

    constexpr bool head() const { return index == 0; }
    constexpr bool tail() const { return index + 1U == packet.length(); }
};

/// A flit as it is on a pin, in nodes whose flits have 128 bits.
struct RawFlit {
    std::uint64_t word[2];
    std::uint64_t ends;  ///< bit 0 head, bit 1 tail
    bool operator==(const RawFlit&) const = default;
};

constexpr RawFlit raw(const Flit& flit) {
    return {{flit.packet.word(flit.index * 2U), flit.packet.word(flit.index * 2U + 1)},
            (flit.head() ? 1U : 0U) | (flit.tail() ? 2U : 0U)};
}

}  // namespace interlace
