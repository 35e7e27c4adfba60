// Interlace: unicast packets under way
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic/traffic_packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interlace/core/error.h"
#include "interlace/core/random.h"

namespace interlace {

UnicastPackets::UnicastPackets(const Fabric& fabric, NodeRange nodes, const PacketMix& mix,
                               std::uint64_t seed)
    : f_(fabric), first_node_(nodes.first), mix_(mix), seed_(seed), turn_(nodes.count, 0) {}

UnicastPackets::Made UnicastPackets::make(std::uint32_t from, std::uint32_t to, std::uint32_t flits,
                                          std::uint32_t number) {
    std::uint8_t& turn = turn_[from - first_node_];
    const std::uint32_t queue = from * f_.injections + turn;
    turn = static_cast<std::uint8_t>((turn + 1U) % std::min(f_.injections, f_.ports));
    return {packet(from, to, flits, number), queue};
}

bool UnicastPackets::drawn(double share, std::uint64_t which, const PacketFields& fields) const {
    return share > 0 &&
           std::ldexp(static_cast<double>(random_bits(seed_, which << 32U | fields.source, fields.sequence)),
                      -64) < share;
}

Packet UnicastPackets::packet(std::uint32_t from, std::uint32_t to, std::uint32_t flits,
                              std::uint32_t number) const {
    PacketFields fields;
    fields.length = flits;
    fields.source = from;
    fields.sequence = number;
    const Routing routing = f_.parameters.routing;
    fields.kind = routing == Routing::table ? PacketKind::table : PacketKind::unicast;
    // By dimension order: half of the packets go each way where both ways round a ring are equal.
    fields.slot = routing == Routing::dimension_order
                      ? static_cast<std::uint32_t>(random_bits(from, to, fields.sequence))
                  : !f_.by_coordinates()                 ? to
                  : drawn(mix_.deterministic, 0, fields) ? 0
                                                         : dynamic_bit;
    fields.high = drawn(mix_.high_priority, 1, fields);
    if (routing != Routing::table) fields.destination = f_.destination(NodeId{to});
    return make_packet(fields);
}

void TrafficPackets::take(const Reception& reception, std::uint64_t cycle) {
    const std::uint32_t number = reception.packet.sequence() - first_;
    if (to_[number] != reception.node)
        throw FellShort(fmt::format("a packet from node {} reached node {}, which it was not for",
                                    reception.packet.source(), reception.node));
    arrived_[number] = cycle;
}

std::uint64_t TrafficPackets::missing(std::uint64_t first, std::uint64_t last) const {
    return static_cast<std::uint64_t>(std::count(arrived_.begin() + static_cast<std::ptrdiff_t>(first),
                                                 arrived_.begin() + static_cast<std::ptrdiff_t>(last),
                                                 UINT64_MAX));
}

std::vector<std::uint64_t> TrafficPackets::latencies(std::uint64_t first, std::uint64_t last) const {
    std::vector<std::uint64_t> latencies;
    for (std::uint64_t i = first; i < last; ++i)
        if (arrived_[i] != UINT64_MAX) latencies.push_back(arrived_[i] - made_[i]);
    std::sort(latencies.begin(), latencies.end());
    return latencies;
}

std::vector<double> TrafficPackets::latencies_of_arrivals(std::uint64_t from, std::uint64_t to) const {
    std::vector<double> latencies;
    for (std::size_t i = 0; i < made_.size(); ++i)
        if (arrived_[i] >= from && arrived_[i] < to)
            latencies.push_back(static_cast<double>(arrived_[i] - made_[i]));
    return latencies;
}

}  // namespace interlace
