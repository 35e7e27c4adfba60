// Interlace: hosts that send and take unicast packets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic_hosts.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/error.h"
#include "interlace/core/random.h"

namespace interlace {

TrafficHosts::TrafficHosts(const Fabric& fabric, const RoutingTables& tables, MadePacket made)
    : f_(fabric),
      tables_(tables),
      heard_(std::move(made)),
      writers_(std::size_t{fabric.nodes} * fabric.injections),
      turn_(fabric.nodes, 0) {
    for (Writer& writer : writers_) writer.credits = fabric.parameters.injection_depth;
}

void TrafficHosts::make(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint64_t cycle) {
    const std::uint32_t w = from * f_.injections + turn_[from];
    turn_[from] = static_cast<std::uint8_t>((turn_[from] + 1U) % std::min(f_.injections, f_.ports));
    writers_[w].packets.push_back(packet(from, to, flits));
    if (heard_) heard_(cycle, NodeId{from}, static_cast<std::uint32_t>(made_.size()));
    made_.push_back(cycle);
    arrived_.push_back(UINT64_MAX);
    flits_made_ += flits;
    if (!writers_[w].listed) active_.push_back(w);
    writers_[w].listed = true;
}

void TrafficHosts::drive(RegionInputs& inputs) {
    std::size_t kept = 0;
    for (const std::uint32_t w : active_) {
        Writer& writer = writers_[w];
        if (writer.credits > 0) write(writer, w, inputs);
        writer.listed = !writer.packets.empty();
        if (writer.listed) active_[kept++] = w;
    }
    active_.resize(kept);
}

void TrafficHosts::receive(const RegionOutputs& outputs, std::uint64_t cycle) {
    for (const Reception& reception : outputs.receptions) {
        if (to_[reception.packet.sequence()] != reception.node)
            throw FellShort(fmt::format("a packet from node {} reached node {}, which it was not for",
                                        reception.packet.source(), reception.node));
        arrived_[reception.packet.sequence()] = cycle;
        flits_taken_ += reception.packet.length();
        ++arrivals_;
    }
    // Tokens say what pins show in the next cycle; a host acts on them in the cycle after that.
    for (const Credit& credit : shown_)
        writers_[credit.node * f_.injections + credit.port].credits += credit.amount;
    shown_ = outputs.injection_credits;
}

std::uint64_t TrafficHosts::missing(std::uint64_t first, std::uint64_t last) const {
    return static_cast<std::uint64_t>(std::count(arrived_.begin() + static_cast<std::ptrdiff_t>(first),
                                                 arrived_.begin() + static_cast<std::ptrdiff_t>(last),
                                                 UINT64_MAX));
}

std::vector<std::uint64_t> TrafficHosts::latencies(std::uint64_t first, std::uint64_t last) const {
    std::vector<std::uint64_t> latencies;
    for (std::uint64_t i = first; i < last; ++i)
        if (arrived_[i] != UINT64_MAX) latencies.push_back(arrived_[i] - made_[i]);
    std::sort(latencies.begin(), latencies.end());
    return latencies;
}

Packet TrafficHosts::packet(std::uint32_t from, std::uint32_t to, std::uint32_t flits) {
    PacketFields fields;
    fields.length = flits;
    fields.source = from;
    fields.sequence = static_cast<std::uint32_t>(to_.size());
    to_.push_back(to);
    const Routing routing = f_.parameters.routing;
    fields.kind = routing == Routing::table ? PacketKind::table : PacketKind::unicast;
    // By dimension order: half of the packets go each way where both ways round a ring are equal.
    fields.slot = routing == Routing::dimension_order
                      ? static_cast<std::uint32_t>(random_bits(from, to, fields.sequence))
                      : tables_.slot(f_.nodes, from, to);
    if (routing != Routing::table) fields.destination = f_.destination(NodeId{to});
    return make_packet(fields);
}

void TrafficHosts::write(Writer& writer, std::uint32_t w, RegionInputs& inputs) {
    const Packet& front = writer.packets.front();
    inputs.injections.push_back(
        {w / f_.injections, static_cast<std::uint8_t>(w % f_.injections), 0, {front, writer.next_flit}});
    --writer.credits;
    if (++writer.next_flit < front.length()) return;
    writer.next_flit = 0;
    writer.packets.pop_front();
}

}  // namespace interlace
