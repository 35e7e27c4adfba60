// Interlace: packets in flight, and what they carry
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "parcels.h"

#include <cstring>

#include "interlace/core/random.h"
#include "interlace/engine/routing/route.h"

namespace interlace {
namespace {

/// Of every packet: words 0 and 1.
constexpr std::uint32_t own_bytes = 16;

}  // namespace

std::uint32_t Parcels::largest_payload() const {
    const std::uint32_t bytes = f_.parameters.packet_flits * f_.parameters.flit_bytes;
    return bytes > own_bytes ? bytes - own_bytes : 0;
}

std::optional<Packet> Parcels::make(NodeId node, std::span<const unsigned char> written) {
    OutgoingHeader header;
    std::memcpy(&header, written.data(), sizeof header);
    const auto payload = written.subspan(sizeof header);
    auto fields = this->fields(node, header);
    if (!fields) return {};
    const std::uint32_t flit = f_.parameters.flit_bytes;
    fields->length = (own_bytes + static_cast<std::uint32_t>(payload.size()) + flit - 1) / flit;
    const Packet packet = make_packet(*fields);
    const std::uint32_t copies = this->copies(node, packet);
    if (copies == 0) return {};
    ++sequence_[node];
    parcels_[packet.identity] = {header.tag, 0, {payload.begin(), payload.end()}, copies};
    return packet;
}

std::optional<PacketFields> Parcels::fields(NodeId node, const OutgoingHeader& header) const {
    const bool to_node = header.kind == PacketKind::unicast || header.kind == PacketKind::deposit;
    const bool known = header.kind <= PacketKind::unicast && header.flags < 8 && header.reserved == 0 &&
                       (header.ports == 0 || header.kind == PacketKind::deposit);
    if (!known || (to_node ? header.target >= f_.nodes : header.target > 0xfff) || header.ports > 0xfff)
        return {};
    PacketFields fields;
    fields.kind = header.kind;
    fields.high = (header.flags & OutgoingHeader::high_priority) != 0;
    fields.group = (header.flags & OutgoingHeader::second_group) != 0 ? 1 : 0;
    fields.slot = header.kind == PacketKind::deposit ? header.ports : header.target;
    fields.source = node;
    fields.sequence = sequence_[node];
    if (to_node && f_.dimensions > 0) fields.destination = f_.destination(NodeId{header.target});
    if (header.kind == PacketKind::unicast) address_unicast(node, header, fields);
    return fields;
}

/// As the network's routing has it.
void Parcels::address_unicast(NodeId node, const OutgoingHeader& header, PacketFields& fields) const {
    const Routing routing = f_.parameters.routing;
    if (by_table(routing)) {
        fields.kind = PacketKind::table;
        fields.destination = 0;
    } else if (routing == Routing::dimension_order) {
        // Half of the packets go each way where both ways round a ring are equal.
        fields.slot = static_cast<std::uint32_t>(random_bits(node, header.target, fields.sequence));
    } else if (f_.by_coordinates()) {
        fields.slot = (header.flags & OutgoingHeader::deterministic) != 0 ? 0 : dynamic_bit;
    }
}

/// How many nodes take the packet; 0 where one on its way cannot carry it. An adaptive packet is looked at on
/// the way that it can always take.
std::uint32_t Parcels::copies(NodeId node, const Packet& packet) const {
    struct Visit {
        NodeId node;
        Entrance from;
    };
    std::vector<Visit> visits{{node, {}}};
    std::uint32_t copies = 0;
    // Each packet enters a node by each of its ports once, or goes round in a cycle.
    for (std::size_t next = 0; next < visits.size(); ++next) {
        const Visit visit = visits[next];
        const Route route = find_route(f_, tables_, visit.node, visit.from, packet);
        if (route.misrouted || route.too_long || next > std::size_t{f_.nodes} * f_.ports) return 0;
        if (route.local) ++copies;
        const std::uint32_t links = route.adaptive ? 1U << route.escape : route.links;
        for (std::uint32_t p = 0; p < f_.ports; ++p) {
            if ((links >> p & 1U) == 0) continue;
            const FarPort far = f_.to(visit.node, p);
            visits.push_back({NodeId{far.node}, {true, far.port, 0}});
        }
    }
    return copies;
}

Parcel Parcels::take(const Packet& packet) {
    const auto found = parcels_.find(packet.identity);
    if (--found->second.copies > 0) return found->second;
    Parcel last = std::move(found->second);
    parcels_.erase(found);
    return last;
}

}  // namespace interlace
