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

Lanes::Lanes(const Fabric& fabric) : f_(fabric), at_queue_(std::size_t{fabric.nodes} * fabric.injections) {}

Lanes::Lanes(const Fabric& fabric, const InjectionPlan& plan, std::uint32_t packet_flits, std::uint64_t pace)
    : Lanes(fabric) {
    plan_ = &plan;
    packets_ = plan.packet_count();
    packet_flits_ = packet_flits;
    pace_ = pace;
    lanes_.resize(plan.lanes().size());
    lane_of_port_.assign(std::size_t{fabric.nodes} * fabric.ports, none);
    held_.assign(std::size_t{fabric.nodes} * packets_, false);
    for (std::uint32_t i = 0; i < lanes_.size(); ++i)
        lane_of_port_[std::size_t{plan.lanes()[i].node} * fabric.ports + plan.lanes()[i].port] = i;
}

void Lanes::begin(std::uint64_t from) {
    for (std::uint32_t p = 0; p < packet_count(); ++p) hold(source(), PacketId{p}, from);
}

bool Lanes::hold(NodeId node, PacketId packet, std::uint64_t from) {
    if (held(node, packet)) return false;
    held_[std::size_t{node} * packets_ + packet] = true;
    for (std::uint32_t port = 0; port < f_.ports; ++port)
        if (const std::uint32_t lane = lane_of_port_[std::size_t{node} * f_.ports + port]; lane != none)
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
    const InjectionPlan::Lane& planned = plan_->lanes()[index];
    if (lane.queued || lane.next == planned.packets.size() || !held(planned.node, planned.packets[lane.next]))
        return;
    lane.queued = true;
    if (lane.not_before > cycle)
        waiting_.emplace(lane.not_before, index);
    else
        enqueue(index);
}

void Lanes::enqueue(std::uint32_t lane) {
    const InjectionPlan::Lane& planned = plan_->lanes()[lane];
    const std::uint32_t queues = std::min(f_.injections, f_.ports);
    come(planned.node * f_.injections + planned.port % queues, lane);
}

void Lanes::enqueue_other(std::uint32_t queue, const Packet& packet) {
    come(queue, other, packet);
}

void Lanes::come(std::uint32_t queue, std::uint32_t lane, const Packet& packet) {
    const std::uint32_t waiter = waiters_.make();
    waiters_[waiter] = {packet, lane, none};
    Queue& at = at_queue_[queue];
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
    const Waiter& first = waiters_[at_queue_[queue].first];
    const std::uint32_t index = first.lane;
    if (index == other) return first.packet;
    const InjectionPlan::Lane& planned = plan_->lanes()[index];
    Lane& lane = lanes_[index];
    lane.not_before = cycle + pace_;
    PacketFields fields = plan_->fields(planned, lane.next);
    fields.length = packet_flits_;
    fields.source = source();
    fields.sequence = planned.packets[lane.next];
    return make_packet(fields);
}

std::optional<PacketId> Lanes::finish(std::uint32_t queue, std::uint64_t cycle) {
    const std::uint32_t left = at_queue_[queue].first;
    const std::uint32_t index = waiters_[left].lane;
    at_queue_[queue].first = waiters_[left].next;
    waiters_.drop(left);
    if (!waits(queue)) --waiting_queues_;
    if (index == other) return std::nullopt;
    Lane& lane = lanes_[index];
    const PacketId packet = plan_->lanes()[index].packets[lane.next++];
    lane.queued = false;
    consider(index, cycle + 1);
    return packet;
}

std::vector<std::uint32_t> Lanes::sends_of_packets() const {
    std::vector<std::uint32_t> sends(held_.size(), 0);
    if (plan_ == nullptr) return sends;
    for (const InjectionPlan::Lane& lane : plan_->lanes())
        for (const PacketId packet : lane.packets) ++sends[std::size_t{lane.node} * packets_ + packet];
    return sends;
}

std::string Lanes::report() const {
    std::string text;
    std::uint32_t told = 0;
    std::uint64_t waiting = 0;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const InjectionPlan::Lane& planned = plan_->lanes()[i];
        if (lanes_[i].next == planned.packets.size()) continue;
        ++waiting;
        if (told == 5) continue;
        ++told;
        const PacketId packet = planned.packets[lanes_[i].next];
        text += fmt::format("; node {} port {} waits {} packet {}", planned.node, planned.port,
                            held(planned.node, packet) ? "for room to send" : "for", +packet);
    }
    return waiting > told ? text + fmt::format("; and {} more", waiting - told) : text;
}

}  // namespace interlace
