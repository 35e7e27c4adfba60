// Interlace: hosts that cost nothing
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/ideal_hosts.h"

#include <algorithm>

namespace interlace {

IdealHosts::IdealHosts(const Fabric& fabric, Lanes& lanes)
    : f_(fabric),
      lanes_(lanes),
      writers_(std::size_t{fabric.nodes} * fabric.injections),
      stalls_(writers_.size()) {
    for (Writer& writer : writers_) writer.credits = fabric.parameters.injection_depth;
}

void IdealHosts::drive(std::uint64_t cycle, RegionInputs& inputs) {
    lanes_.advance(cycle);
    for (const std::uint32_t queue : lanes_.take_woken()) {
        if (!writers_[queue].active) active_.push_back(queue);
        writers_[queue].active = true;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
        const std::uint32_t queue = active_[i];
        write(queue, cycle, inputs);
        writers_[queue].active = lanes_.waits(queue);
        if (writers_[queue].active) active_[kept++] = queue;
    }
    active_.resize(kept);
}

std::uint64_t IdealHosts::busy_from(std::uint64_t cycle) const {
    return active_.empty() && shown_.empty() ? std::max(cycle, lanes_.next_time()) : cycle;
}

void IdealHosts::write(std::uint32_t queue, std::uint64_t cycle, RegionInputs& inputs) {
    Writer& writer = writers_[queue];
    if (writer.credits == 0) {
        ++stalls_[queue];
        return;
    }
    if (writer.next_flit == 0) writer.packet = lanes_.start(queue, cycle);
    inputs.injections.push_back({queue / f_.injections,
                                 static_cast<std::uint8_t>(queue % f_.injections),
                                 0,
                                 {writer.packet, writer.next_flit}});
    --writer.credits;
    if (++writer.next_flit < writer.packet.length()) return;
    writer.next_flit = 0;
    lanes_.finish(queue, cycle);
}

void IdealHosts::receive(const RegionOutputs& outputs, std::uint64_t cycle) {
    for (const Reception& reception : outputs.receptions) {
        if (!lanes_.owns(reception.packet)) continue;
        complete_ = cycle + 1;
        lanes_.hold(NodeId{reception.node}, PacketId{reception.packet.sequence()}, cycle + 1);
    }
    // Tokens say what pins show in the next cycle; a host acts on them in the cycle after that.
    for (const Credit& credit : shown_)
        writers_[credit.node * f_.injections + credit.port].credits += credit.amount;
    shown_ = outputs.injection_credits;
}

}  // namespace interlace
