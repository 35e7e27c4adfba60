// Interlace: which packets hosts hold, and which they send next
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/lanes.h"

#include <fmt/format.h>

#include <algorithm>

namespace interlace {
namespace {

constexpr std::uint32_t none = UINT32_MAX;
constexpr std::uint32_t other = UINT32_MAX;  // a packet that is of no lane

}  // namespace

Lanes::Lanes(const Fabric& fabric, NodeRange nodes)
    : f_(fabric),
      nodes_(nodes),
      first_queue_(nodes.first * fabric.injections),
      at_queue_(std::size_t{nodes.count} * fabric.injections) {}

Lanes::Lanes(const Fabric& fabric, NodeRange nodes, const InjectionPlan& plan, std::uint32_t packet_flits,
             std::uint64_t pace)
    : Lanes(fabric, nodes) {
    plan_ = &plan;
    packets_ = plan.packet_count();
    packet_flits_ = packet_flits;
    pace_ = pace;
    lane_of_port_.assign(std::size_t{nodes.count} * fabric.ports, none);
    held_.assign(std::size_t{nodes.count} * packets_, false);
    for (const InjectionPlan::Lane& planned : plan.lanes()) {
        if (!nodes.contains(planned.node)) continue;
        lane_of_port_[std::size_t{planned.node - nodes.first} * fabric.ports + planned.port] =
            static_cast<std::uint32_t>(lanes_.size());
        lanes_.push_back({.planned = &planned});
    }
}

void Lanes::begin(std::uint64_t from) {
    begun_ = true;
    if (!nodes_.contains(source())) return;
    for (std::uint32_t p = 0; p < packet_count(); ++p) hold(source(), PacketId{p}, from);
}

bool Lanes::hold(NodeId node, PacketId packet, std::uint64_t from) {
    if (held(node, packet)) return false;
    const std::size_t place = node - nodes_.first;
    held_[place * packets_ + packet] = true;
    for (std::uint32_t port = 0; port < f_.ports; ++port)
        if (const std::uint32_t lane = lane_of_port_[place * f_.ports + port]; lane != none)
            consider(lane, from);
    return true;
}

void Lanes::advance(std::uint64_t cycle) {
    while (!waiting_.empty() && waiting_.top().first <= cycle) {
        enqueue(waiting_.top().second);
        waiting_.pop();
    }
}

std::uint64_t Lanes::next_time() const {
    if (!woken_.empty()) return 0;
    return waiting_.empty() ? UINT64_MAX : waiting_.top().first;
}

std::vector<std::uint32_t> Lanes::take_woken() {
    std::vector<std::uint32_t> woken;
    woken.swap(woken_);
    return woken;
}

/// Queues a lane whose next packet is here, when its time has come.
void Lanes::consider(std::uint32_t index, std::uint64_t cycle) {
    Lane& lane = lanes_[index];
    const InjectionPlan::Lane& planned = *lane.planned;
    if (lane.queued || lane.next == planned.packets.size() || !held(planned.node, planned.packets[lane.next]))
        return;
    lane.queued = true;
    if (lane.not_before > cycle)
        waiting_.emplace(lane.not_before, index);
    else
        enqueue(index);
}

void Lanes::enqueue(std::uint32_t lane) {
    const InjectionPlan::Lane& planned = *lanes_[lane].planned;
    const std::uint32_t queues = std::min(f_.injections, f_.ports);
    come(planned.node * f_.injections + planned.port % queues, lane);
}

void Lanes::enqueue_other(std::uint32_t queue, const Packet& packet) {
    come(queue, other, packet);
}

void Lanes::come(std::uint32_t queue, std::uint32_t lane, const Packet& packet) {
    const std::uint32_t waiter = waiters_.make();
    waiters_[waiter] = {packet, lane, none};
    Queue& at = at_queue_[queue - first_queue_];
    if (at.first == none) {
        woken_.push_back(queue);
        ++waiting_queues_;
        at.first = waiter;
    } else {
        waiters_[at.last].next = waiter;
    }
    at.last = waiter;
}

Packet Lanes::start(std::uint32_t queue, std::uint64_t cycle) {
    const Waiter& first = waiters_[at_queue_[queue - first_queue_].first];
    const std::uint32_t index = first.lane;
    if (index == other) return first.packet;
    Lane& lane = lanes_[index];
    const InjectionPlan::Lane& planned = *lane.planned;
    lane.not_before = cycle + pace_;
    PacketFields fields = plan_->fields(planned, lane.next);
    fields.length = packet_flits_;
    fields.source = source();
    fields.sequence = planned.packets[lane.next];
    return make_packet(fields);
}

std::optional<PacketId> Lanes::finish(std::uint32_t queue, std::uint64_t cycle) {
    Queue& at = at_queue_[queue - first_queue_];
    const std::uint32_t left = at.first;
    const std::uint32_t index = waiters_[left].lane;
    at.first = waiters_[left].next;
    waiters_.drop(left);
    if (!waits(queue)) --waiting_queues_;
    if (index == other) return std::nullopt;
    Lane& lane = lanes_[index];
    const PacketId packet = lane.planned->packets[lane.next++];
    lane.queued = false;
    consider(index, cycle + 1);
    return packet;
}

void Lanes::state(NodeStates& nodes) {
    if (nodes.loads()) {
        std::fill(at_queue_.begin(), at_queue_.end(), Queue{});
        waiters_ = {};
        waiting_ = {};
        waiting_queues_ = 0;
    }
    std::vector<bool> placed(lanes_.size(), false);  // lanes that stand at a queue, or wait for their time
    for (std::uint32_t v = nodes_.first; v < nodes_.first + nodes_.count; ++v) {
        Archive archive = nodes.of(NodeId{v});
        if (begun_) lanes_state(v, archive);
        for (std::uint32_t queue = v * f_.injections; queue < (v + 1) * f_.injections; ++queue)
            queue_state(queue, placed, archive);
    }
    // Lanes that wait for their time, and queues that some have come to.
    std::vector<std::vector<Waiting>> waiting(nodes_.count);
    for (auto left = waiting_; !left.empty(); left.pop())
        waiting[lanes_[left.top().second].planned->node - nodes_.first].push_back(left.top());
    std::vector<std::vector<std::uint32_t>> woken(nodes_.count);
    for (const std::uint32_t queue : woken_) woken[queue / f_.injections - nodes_.first].push_back(queue);
    woken_.clear();
    for (std::uint32_t n = 0; n < nodes_.count; ++n) {
        Archive archive = nodes.of(NodeId{nodes_.first + n});
        archive.each(waiting[n], [&](Archive& a, Waiting& one) {
            std::uint32_t port = a.loads() ? 0 : lanes_[one.second].planned->port;
            a(one.first, port);
            if (!a.loads()) return;
            one.second = load_place(n, port, placed, a);
            waiting_.push(one);
        });
        archive.each(woken[n], [&](Archive& a, std::uint32_t& queue) {
            a(queue);
            a.expect(queue / f_.injections == nodes_.first + n && waits(queue));
        });
        woken_.insert(woken_.end(), woken[n].begin(), woken[n].end());
    }
}

void Lanes::lanes_state(std::uint32_t node, Archive& archive) {
    const std::size_t place = node - nodes_.first;
    for (std::uint32_t port = 0; port < f_.ports; ++port)
        if (const std::uint32_t lane = lane_of_port_[place * f_.ports + port]; lane != none) {
            archive.below(lanes_[lane].next, lanes_[lane].planned->packets.size() + 1);
            archive(lanes_[lane].not_before, lanes_[lane].queued);
        }
    for (std::uint32_t first = 0; first < packets_; first += 64) {
        std::uint64_t bits = 0;
        const std::uint32_t count = std::min(64U, packets_ - first);
        const std::size_t from = place * packets_ + first;
        for (std::uint32_t p = 0; p < count; ++p) bits |= std::uint64_t{held_[from + p]} << p;
        archive(bits);
        for (std::uint32_t p = 0; p < count; ++p) held_[from + p] = (bits >> p & 1U) != 0;
    }
}

/// The lane of a port of the node at `place`, which is to be in one place, if it has anything to send.
std::uint32_t Lanes::load_place(std::uint32_t place, std::uint32_t port, std::vector<bool>& placed,
                                const Archive& archive) const {
    archive.expect(port < f_.ports && !lanes_.empty());
    const std::uint32_t lane = lane_of_port_[place * f_.ports + port];
    archive.expect(lane != none && lanes_[lane].queued && !placed[lane]);
    archive.expect(lanes_[lane].next < lanes_[lane].planned->packets.size());
    placed[lane] = true;
    return lane;
}

void Lanes::queue_state(std::uint32_t queue, std::vector<bool>& placed, Archive& archive) {
    Queue& at = at_queue_[queue - first_queue_];
    std::vector<Waiter> waiters;
    for (std::uint32_t i = at.first; i != none; i = waiters_[i].next) waiters.push_back(waiters_[i]);
    archive.each(waiters, [&](Archive& a, Waiter& waiter) {
        std::uint32_t port = a.loads() || waiter.lane == other ? other : lanes_[waiter.lane].planned->port;
        a(port);
        if (port == other) a(waiter.packet);
        if (!a.loads()) return;
        const std::uint32_t place = queue / f_.injections - nodes_.first;
        come(queue, port == other ? other : load_place(place, port, placed, a), waiter.packet);
    });
}

std::vector<std::uint32_t> Lanes::sends_of_packets() const {
    std::vector<std::uint32_t> sends(held_.size(), 0);
    for (const Lane& lane : lanes_)
        for (const PacketId packet : lane.planned->packets)
            ++sends[std::size_t{lane.planned->node - nodes_.first} * packets_ + packet];
    return sends;
}

Lanes::Report Lanes::report() const {
    Report report;
    for (const Lane& lane : lanes_) {
        const InjectionPlan::Lane& planned = *lane.planned;
        if (lane.next == planned.packets.size()) continue;
        if (++report.waiting > told) continue;
        const PacketId packet = planned.packets[lane.next];
        report.lanes.emplace_back(
            planned.node * f_.ports + planned.port,
            fmt::format("; node {} port {} waits {} packet {}", planned.node, planned.port,
                        held(planned.node, packet) ? "for room to send" : "for", +packet));
    }
    return report;
}

void Lanes::Report::add(const Report& other) {
    waiting += other.waiting;
    lanes.insert(lanes.end(), other.lanes.begin(), other.lanes.end());
    std::sort(lanes.begin(), lanes.end());
    if (lanes.size() > told) lanes.resize(told);
}

std::string Lanes::Report::text() const {
    std::string text;
    for (const auto& [place, lane] : lanes) text += lane;
    return waiting > lanes.size() ? text + fmt::format("; and {} more", waiting - lanes.size()) : text;
}

void Lanes::Report::write(ByteWriter& bytes) const {
    bytes.put(waiting);
    bytes.put(std::uint64_t{lanes.size()});
    for (const auto& [place, lane] : lanes) {
        bytes.put(place);
        bytes.put(lane);
    }
}

Lanes::Report Lanes::Report::read(ByteReader& bytes) {
    Report report;
    std::uint64_t lanes = 0;
    bytes.get(report.waiting);
    bytes.get(lanes);
    for (std::uint64_t i = 0; i < lanes; ++i) {
        std::uint32_t place = 0;
        bytes.get(place);
        report.lanes.emplace_back(place, bytes.get_text());
    }
    return report;
}

}  // namespace interlace
