// Interlace: hosts that send and take unicast packets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic_hosts.h"

namespace interlace {

TrafficHosts::TrafficHosts(const Fabric& fabric, const RoutingTables& tables, MadePacket made)
    : f_(fabric),
      packets_(fabric, tables, std::move(made)),
      writers_(std::size_t{fabric.nodes} * fabric.injections) {
    for (Writer& writer : writers_) writer.credits = fabric.parameters.injection_depth;
}

void TrafficHosts::make(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint64_t cycle) {
    const TrafficPackets::Made made = packets_.make(from, to, flits, cycle);
    Writer& writer = writers_[made.queue];
    writer.packets.push_back(made.packet);
    if (!writer.listed) active_.push_back(made.queue);
    writer.listed = true;
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
    for (const Reception& reception : outputs.receptions) packets_.take(reception, cycle);
    // Tokens say what pins show in the next cycle; a host acts on them in the cycle after that.
    for (const Credit& credit : shown_)
        writers_[credit.node * f_.injections + credit.port].credits += credit.amount;
    shown_ = outputs.injection_credits;
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
