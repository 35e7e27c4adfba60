// Interlace: unicast packets in flight
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
                                          std::uint32_t number, bool late) {
    const auto [first, count] = queues(late);
    std::uint8_t& turn = (late && !turn_of_late_.empty() ? turn_of_late_ : turn_)[from - first_node_];
    const std::uint32_t queue = from * f_.injections + first + turn;
    turn = static_cast<std::uint8_t>((turn + 1U) % count);
    return {packet(from, to, flits, number), queue};
}

UnicastPackets::Queues UnicastPackets::queues(bool late) const {
    const std::uint32_t all = used_queues(f_);
    if (turn_of_late_.empty() || all == 1) return {0, all};
    const std::uint32_t of_late = all / 2;
    return late ? Queues{all - of_late, of_late} : Queues{0, all - of_late};
}

bool UnicastPackets::drawn(double share, std::uint64_t which, const PacketFields& fields) const {
    return share > 0 &&
           std::ldexp(static_cast<double>(random_bits(seed_, which << 32U | fields.source, fields.sequence)),
                      -64) < share;
}

namespace {

/// By dimension order: half of the packets go each way where both ways round a ring are equal.
std::uint32_t slot_by_order(std::uint32_t from, std::uint32_t to, std::uint32_t number) {
    return static_cast<std::uint32_t>(random_bits(from, to, number));
}

}  // namespace

Packet UnicastPackets::packet(std::uint32_t from, std::uint32_t to, std::uint32_t flits,
                              std::uint32_t number) const {
    PacketFields fields;
    fields.length = flits;
    fields.source = from;
    fields.sequence = number;
    const Routing routing = f_.parameters.routing;
    fields.kind = f_.unicast_kind();
    fields.slot = routing == Routing::dimension_order    ? slot_by_order(from, to, number)
                  : !f_.by_coordinates()                 ? to
                  : drawn(mix_.deterministic, 0, fields) ? 0
                                                         : dynamic_bit;
    fields.high = drawn(mix_.high_priority, 1, fields);
    if (!by_table(routing)) fields.destination = f_.destination(NodeId{to});
    return make_packet(fields);
}

void TrafficPackets::add(const std::vector<NewPacket>& packets) {
    for (const auto& [number, from, to] : packets) {
        if (!all_) numbers_.push_back(number);
        from_.push_back(from);
        to_.push_back(to);
    }
    made_.resize(to_.size());
    arrived_.resize(to_.size(), UINT64_MAX);
}

std::vector<TrafficPackets::Account> TrafficPackets::accounts() const {
    std::vector<Account> accounts;
    accounts.reserve(to_.size());
    for (std::size_t i = 0; i < to_.size(); ++i)
        accounts.push_back({all_ ? number(i) : numbers_[i], from_[i], to_[i], made_[i], arrived_[i]});
    return accounts;
}

void TrafficPackets::set(const std::vector<Account>& accounts) {
    for (auto* values : {&numbers_, &from_, &to_}) values->clear();
    made_.clear();
    arrived_.clear();
    for (const Account& account : accounts) {
        add({{account.number, account.from, account.to}});
        made_.back() = account.made;
        arrived_.back() = account.arrived;
    }
}

void TrafficPackets::take(const Packet& packet, std::uint32_t node, std::uint64_t cycle) {
    const std::size_t i = place(packet.sequence());
    if (i == to_.size() || to_[i] != node)
        throw FellShort(fmt::format("a packet from node {} reached node {}, which is not its destination",
                                    packet.source(), node));
    arrived_[i] = cycle;
}

std::uint64_t TrafficPackets::missing(std::uint64_t first, std::uint64_t last) const {
    std::uint64_t missing = 0;
    for (std::size_t i = place(number(first)); i < place(number(last)); ++i)
        missing += arrived_[i] == UINT64_MAX ? 1U : 0U;
    return missing;
}

std::vector<std::uint64_t> TrafficPackets::latencies(std::uint64_t first, std::uint64_t last) const {
    std::vector<std::uint64_t> latencies;
    for (std::size_t i = place(number(first)); i < place(number(last)); ++i)
        if (arrived_[i] != UINT64_MAX) latencies.push_back(arrived_[i] - made_[i]);
    return latencies;
}

TrafficPackets::Crossed TrafficPackets::crossed(std::uint64_t first, std::uint64_t last,
                                                const PathLengths& paths) const {
    Crossed crossed;
    for (std::size_t i = place(number(first)); i < place(number(last)); ++i) {
        if (arrived_[i] == UINT64_MAX) continue;
        const std::uint32_t sequence = all_ ? number(i) : numbers_[i];
        ++crossed.packets;
        crossed.links +=
            paths.links(NodeId{from_[i]}, NodeId{to_[i]}, slot_by_order(from_[i], to_[i], sequence));
    }
    return crossed;
}

std::vector<std::uint64_t> TrafficPackets::latencies_of_arrivals(std::uint64_t from, std::uint64_t to) const {
    std::vector<std::uint64_t> latencies;
    for (std::size_t i = 0; i < made_.size(); ++i)
        if (arrived_[i] >= from && arrived_[i] < to) latencies.push_back(arrived_[i] - made_[i]);
    return latencies;
}

}  // namespace interlace
