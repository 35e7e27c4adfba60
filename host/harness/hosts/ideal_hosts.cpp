// Interlace: hosts that cost nothing
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/ideal_hosts.h"

#include <algorithm>
#include <utility>

namespace interlace {

IdealHosts::IdealHosts(const Fabric& fabric, const Machine& machine, SendLists& lists)
    : f_(fabric),
      lists_(lists),
      first_(lists.nodes().first * fabric.injections),
      writers_(std::size_t{lists.nodes().count} * fabric.injections),
      stalls_(writers_.size()) {
    credits_.reserve(writers_.size());
    for (std::size_t queue = 0; queue < writers_.size(); ++queue)
        credits_.add_channel(fabric.parameters.injection_depth);
    const NodeRange nodes = lists.nodes();
    for (std::uint32_t v = nodes.first; v < nodes.end(); ++v)
        takes_packets_.push_back(machine.takes_packets(NodeId{v}));
}

void IdealHosts::drive(std::uint64_t cycle, RegionInputs& inputs) {
    lists_.advance(cycle);
    for (const std::uint32_t queue : lists_.take_woken()) {
        Writer& writer = writers_[queue - first_];
        if (!writer.active) active_.push_back(queue);
        writer.active = true;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
        const std::uint32_t queue = active_[i];
        fetch_ahead(i);
        if (write(queue, cycle, inputs)) active_[kept++] = queue;
    }
    active_.resize(kept);
    written_.visit(
        cycle,
        [&](std::uint32_t queue) {
            lists_.finish(queue, cycle);
            Writer& writer = writers_[queue - first_];
            writer.active = lists_.waits(queue);
            if (writer.active) active_.push_back(queue);
        },
        [&](std::uint32_t queue) {
            lists_.fetch_queue(queue);
            __builtin_prefetch(&writers_[queue - first_], 1);
        },
        [&](std::uint32_t queue) { lists_.fetch_waiter(queue); },
        [&](std::uint32_t queue) { lists_.fetch_list(queue); },
        [&](std::uint32_t queue) { lists_.fetch_planned(queue); });
}

std::uint64_t IdealHosts::busy_from(std::uint64_t cycle) const {
    if (!active_.empty() || !shown_.empty()) return cycle;
    return std::max(cycle, std::min(lists_.next_time(), written_.next(cycle)));
}

bool IdealHosts::write(std::uint32_t queue, std::uint64_t cycle, RegionInputs& inputs) {
    Writer& writer = writers_[queue - first_];
    const std::uint32_t credits = credits_.at(queue - first_, cycle);
    if (credits == 0) {
        ++stalls_[queue - first_];
        return true;
    }
    const std::uint32_t node = queue / f_.injections;
    const auto port = static_cast<std::uint8_t>(queue % f_.injections);
    if (writer.next_flit == 0) {
        writer.packet = lists_.start(queue, cycle);
        const std::uint32_t length = writer.packet.length();
        if (credits >= length && takes_packets_[node - lists_.nodes().first]) {
            inputs.packets.push_back({node, port, writer.packet});
            credits_.pay(queue - first_, length);
            written_.add(cycle, cycle + length - 1, queue);
            return false;
        }
    }
    inputs.injections.push_back({node, port, 0, {writer.packet, writer.next_flit}});
    credits_.pay(queue - first_, 1);
    if (++writer.next_flit < writer.packet.length()) return true;
    writer.next_flit = 0;
    lists_.finish(queue, cycle);
    return writer.active = lists_.waits(queue);
}

void IdealHosts::receive(const RegionOutputs& outputs, std::uint64_t cycle) {
    const std::vector<Reception>& come = outputs.receptions;
    for (std::size_t i = 0; i < come.size(); ++i) {
        if (lists_.packet_count() != 0) {
            if (i + 8 < come.size()) lists_.fetch_ports(NodeId{come[i + 8].node});
            if (i + 4 < come.size()) lists_.fetch_lists(NodeId{come[i + 4].node});
        }
        const Reception& reception = come[i];
        if (!lists_.owns(reception.packet)) {
            lists_.take_other(reception.packet, cycle + 1);
            continue;
        }
        complete_ = cycle + 1;
        lists_.take(NodeId{reception.node}, PacketId{reception.packet.sequence()}, cycle + 1);
    }
    // Tokens say what pins show in the next cycle; a host acts on them in the cycle after that.
    for (const Credit& credit : shown_)
        credits_.give(credit.node * f_.injections + credit.port - first_, credit.amount);
    for (const HostReturn& ahead : outputs.returns)
        credits_.add(ahead.node * f_.injections + ahead.queue - first_, ahead.what);
    shown_ = outputs.injection_credits;
}

void IdealHosts::state(HostsState& state) {
    std::vector<std::uint64_t> written(writers_.size(), UINT64_MAX);  // [queue - first]: when that packet is
    written_.each(state.cycle,
                  [&](std::uint64_t cycle, std::uint32_t queue) { written[queue - first_] = cycle; });
    const NodeRange nodes = lists_.nodes();
    std::vector<std::vector<Credit>> shown(nodes.count);
    for (const Credit& credit : shown_) shown[credit.node - nodes.first].push_back(credit);
    shown_.clear();
    // Hosts write in this order, which a log shows.
    std::vector<std::uint32_t> place(writers_.size(), UINT32_MAX);  // [queue - first]: in active_
    for (std::size_t i = 0; i < active_.size(); ++i)
        place[active_[i] - first_] = static_cast<std::uint32_t>(i);
    for (std::uint32_t queue = first_; queue < first_ + writers_.size(); ++queue) {
        Archive archive = state.nodes.of(NodeId{queue / f_.injections});
        const std::size_t q = queue - first_;
        Writer& writer = writers_[q];
        archive(writer.packet, writer.next_flit, writer.active, written[q], stalls_[q], place[q]);
        credits_.state(q, state.cycle - 1, archive);
        archive.expect(writer.active ? lists_.waits(queue) : writer.next_flit == 0);
        archive.expect(writer.next_flit < writer.packet.length());
        archive.expect(written[q] == UINT64_MAX ||
                       (writer.active && writer.next_flit == 0 && written[q] >= state.cycle));
        if (!archive.loads()) continue;
        if (written[q] != UINT64_MAX)
            written_.add(state.cycle, written[q], queue);
        else if (writer.active)
            active_.push_back(queue);
    }
    std::sort(active_.begin(), active_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(place[a - first_], a) < std::pair(place[b - first_], b);
    });
    for (std::uint32_t v = nodes.first; v < nodes.first + nodes.count; ++v) {
        Archive archive = state.nodes.of(NodeId{v});
        credits_state(shown[v - nodes.first], v, f_.injections, archive);
        shown_.insert(shown_.end(), shown[v - nodes.first].begin(), shown[v - nodes.first].end());
    }
    state.last(complete_, state.complete);
}

}  // namespace interlace
