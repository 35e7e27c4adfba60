// Interlace: what ideal hosts are going to inject
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic/host_lookahead.h"

#include <utility>

#include "interlace/harness/traffic/traffic_generator.h"

namespace interlace {

UnicastLookahead::UnicastLookahead(const Fabric& fabric, const PacketMix& mix, std::uint64_t seed,
                                   Source source, std::uint32_t first)
    : injections_(fabric.injections),
      packets_(fabric, {0, fabric.nodes}, mix, seed),
      number_(first),
      source_(std::move(source)) {}

void UnicastLookahead::coming(std::uint64_t until, const Tell& tell) {
    while (cycle_ < until)
        cycle_ = source_(cycle_, [&](std::uint32_t from, std::uint32_t to, std::uint32_t flits) {
            const UnicastPackets::Made made = packets_.make(from, to, flits, number_++);
            tell({cycle_, NodeId{from}, static_cast<std::uint8_t>(made.queue % injections_), made.packet});
        });
}

UnicastLookahead foresee_traffic(const Fabric& fabric, const TrafficOptions& options, std::uint64_t seed,
                                 std::uint32_t first) {
    return {fabric, options.mix, seed,
            [generator = TrafficGenerator(fabric.endpoints, {0, fabric.endpoints}, options)](
                std::uint64_t cycle, const UnicastLookahead::MakePacket& make) mutable {
                generator.make(cycle, make);
                return cycle + 1;
            },
            first};
}

ProgramLookahead::ProgramLookahead(const Fabric& fabric, const InjectionPlan& plan)
    : plan_(plan), injections_(fabric.injections), has_lists_(fabric.nodes, 0), told_(fabric.injections, 0) {
    for (const InjectionPlan::SendList& list : plan.lists()) has_lists_[list.node] = 1;
}

ProgramLookahead::ProgramLookahead(const Fabric& fabric, const InjectionPlan& plan,
                                   std::uint32_t packet_flits)
    : ProgramLookahead(fabric, plan) {
    packet_flits_ = packet_flits;
    if (!plan.origins().one_source()) return;  // where every host sends on what comes
    lists_.emplace(fabric, NodeRange{0, fabric.nodes}, plan, packet_flits, 0);
    lists_->begin(0);
}

ProgramLookahead::ProgramLookahead(const Fabric& fabric, const InjectionPlan& plan,
                                   UnicastLookahead background)
    : ProgramLookahead(fabric, plan) {
    background_.emplace(std::move(background));
}

bool ProgramLookahead::knows(NodeId node) const {
    return has_lists_[node] == 0 || (lists_ && node == plan_.origins().source);
}

void ProgramLookahead::coming(std::uint64_t until, const Tell& tell) {
    if (background_) return background_->coming(until, tell);
    if (!lists_) return;
    const NodeId source = plan_.origins().source;
    // A queue takes a flit a cycle at most, so the rest need not be known yet.
    for (std::uint32_t i = 0; i < injections_; ++i) {
        const std::uint32_t queue = source * injections_ + i;
        for (; told_[i] < until && lists_->waits(queue); told_[i] += packet_flits_) {
            tell({0, source, static_cast<std::uint8_t>(i), lists_->start(queue, 0)});
            lists_->finish(queue, 0);
        }
    }
}

}  // namespace interlace
