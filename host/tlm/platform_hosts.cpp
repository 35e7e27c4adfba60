// Interlace: hosts that write what a platform sends
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "platform_hosts.h"

#include <algorithm>
#include <utility>

namespace interlace {

PlatformHosts::PlatformHosts(const Fabric& fabric, Listeners listeners)
    : f_(fabric), listeners_(std::move(listeners)), writers_(std::size_t{fabric.nodes} * fabric.injections) {
    for (Writer& writer : writers_) writer.credits = fabric.parameters.injection_depth;
}

PlatformHosts::Posted& PlatformHosts::post(std::uint32_t queue, const Packet& packet, std::uint64_t from) {
    Writer& writer = writers_[queue];
    if (!writer.active) active_.push_back(queue);
    writer.active = true;
    return writer.posted.emplace_back(Posted{packet, from});
}

std::optional<std::uint64_t> PlatformHosts::end(std::uint32_t queue, std::uint64_t next) const {
    const Writer& writer = writers_[queue];
    std::uint64_t flits = 0;
    for (const Posted& posted : writer.posted) {
        const std::uint64_t left = posted.packet.length() - posted.next_flit;
        flits += left;
        if (flits > writer.credits) return {};
        next = std::max(next, posted.from) + left;
    }
    return next;
}

void PlatformHosts::drive(std::uint64_t cycle, RegionInputs& inputs) {
    std::vector<std::uint32_t> active;
    active.swap(active_);
    for (const std::uint32_t queue : active) write(queue, cycle, inputs);
    for (const std::uint32_t queue : active) {
        writers_[queue].active = !writers_[queue].posted.empty();
        if (writers_[queue].active) active_.push_back(queue);
    }
    // What the pins show in this cycle counts from the next on.
    for (const Credit& credit : shown_)
        writers_[credit.node * f_.injections + credit.port].credits += credit.amount;
    shown_.clear();
}

void PlatformHosts::write(std::uint32_t queue, std::uint64_t cycle, RegionInputs& inputs) {
    Writer& writer = writers_[queue];
    Posted& posted = writer.posted.front();
    if (writer.credits == 0 || posted.from > cycle) return;
    inputs.injections.push_back({queue / f_.injections,
                                 static_cast<std::uint8_t>(queue % f_.injections),
                                 0,
                                 {posted.packet, posted.next_flit}});
    --writer.credits;
    if (posted.next_flit == 0) listeners_.begun(posted.packet, cycle);
    if (++posted.next_flit < posted.packet.length()) return;
    const Done written = std::move(posted.written);
    writer.posted.pop_front();
    if (written) written(cycle);
    listeners_.written(queue, cycle);
}

std::uint64_t PlatformHosts::busy_from(std::uint64_t cycle) const {
    if (!shown_.empty()) return cycle;
    std::uint64_t from = UINT64_MAX;
    for (const std::uint32_t queue : active_) {
        const Writer& writer = writers_[queue];
        if (writer.credits > 0) from = std::min(from, std::max(cycle, writer.posted.front().from));
    }
    return from;
}

}  // namespace interlace
