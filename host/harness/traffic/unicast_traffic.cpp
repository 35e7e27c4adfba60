// Interlace: unicast traffic of hosts that are divided into shares
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic/unicast_traffic.h"

#include <algorithm>

namespace interlace {

void TrafficCounts::add(const TrafficCounts& other) {
    made += other.made;
    taken += other.taken;
    flits_made += other.flits_made;
    flits_taken += other.flits_taken;
    waiting += other.waiting;
}

UnicastTraffic::Share::Share(const Fabric& fabric, NodeRange nodes, const PacketMix& mix, std::uint64_t seed,
                             const MadePacket& made, TrafficPackets& packets)
    : maker_(fabric, nodes, mix, seed), heard_(made), packets_(packets) {}

void UnicastTraffic::Share::make(std::uint64_t cycle, Lanes& lanes) {
    counts_ = counts(cycle + 1);
    counted_ = cycle + 1;
    for (; next_cycle() == cycle; ++made_) {
        const Drawn& drawn = drawn_[made_];
        const UnicastPackets::Made made = maker_.make(drawn.from, drawn.to, drawn.flits, drawn.number);
        if (heard_) heard_(cycle, NodeId{drawn.from}, drawn.number);
        packets_.make(drawn.number, drawn.to, cycle);
        lanes.enqueue_other(made.queue, made.packet);
        ++counts_.made;
        counts_.flits_made += drawn.flits;
    }
}

void UnicastTraffic::Share::take(const Reception& reception, std::uint64_t cycle) {
    packets_.take(reception, cycle);
    ++counts_.taken;
    counts_.flits_taken += reception.packet.length();
}

/// More of a share's packets may be taken elsewhere, and the other way round: the sum over all is right.
TrafficCounts UnicastTraffic::Share::counts(std::uint64_t cycle) const {
    TrafficCounts counts = counts_;
    counts.waiting += counts.under_way() * (cycle - counted_);
    return counts;
}

void UnicastTraffic::Share::draw(std::uint64_t from, std::uint64_t until) {
    drawn_.erase(drawn_.begin(), drawn_.begin() + static_cast<std::ptrdiff_t>(made_));
    made_ = 0;
    numbered_ = drawn_.size();
    for (std::uint64_t cycle = from; cycle < until; ++cycle)
        generator_->make(cycle, [&](std::uint32_t node, std::uint32_t to, std::uint32_t flits) {
            drawn_.push_back({cycle, node, to, flits, 0});
        });
}

UnicastTraffic::UnicastTraffic(const Fabric& fabric, Machine& machine, const PacketMix& mix,
                               std::uint64_t seed, const MadePacket& made, std::uint32_t first)
    : machine_(machine), made_(made), nodes_(machine.shares()), packets_(first) {
    shares_.reserve(nodes_.size());
    for (const NodeRange& nodes : nodes_) shares_.emplace_back(fabric, nodes, mix, seed, made_, packets_);
}

void UnicastTraffic::generate(const Fabric& fabric, const TrafficOptions& options, std::uint64_t from) {
    drawn_ = from;
    for (std::size_t i = 0; i < shares_.size(); ++i)
        shares_[i].generator_.emplace(fabric.nodes, nodes_[i], options);
}

void UnicastTraffic::draw(std::uint64_t until) {
    if (until <= drawn_) return;
    machine_.each_share(shares_.size(), [&](std::size_t i) { shares_[i].draw(drawn_, until); });
    std::uint32_t number = packets_.next_number();
    std::size_t packets = 0;
    for (const Share& share : shares_) packets += share.drawn_.size() - share.numbered_;
    packets_.add(packets);
    for (; drawn_ < until; ++drawn_)
        for (Share& share : shares_)
            for (; share.numbered_ < share.drawn_.size() && share.drawn_[share.numbered_].cycle == drawn_;
                 ++share.numbered_)
                share.drawn_[share.numbered_].number = number++;
}

void UnicastTraffic::draw(const std::vector<TracePacket>& trace) {
    std::uint32_t number = packets_.next_number();
    packets_.add(trace.size());
    for (const TracePacket& packet : trace)
        for (std::size_t i = 0; i < shares_.size(); ++i)
            if (nodes_[i].contains(packet.from))
                shares_[i].drawn_.push_back({packet.cycle, packet.from, packet.to, packet.flits, number++});
}

TrafficCounts UnicastTraffic::counts(std::uint64_t cycle) const {
    TrafficCounts all;
    for (const Share& share : shares_) all.add(share.counts(cycle));
    return all;
}

}  // namespace interlace
