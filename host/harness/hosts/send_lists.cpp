// Interlace: which packets hosts hold, and which they send next
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/send_lists.h"

#include <fmt/format.h>

#include <algorithm>

namespace interlace {
namespace {

constexpr std::uint32_t none = UINT32_MAX;
constexpr std::uint32_t other = UINT32_MAX;  // a packet that is of no send list

}  // namespace

SendLists::SendLists(const Fabric& fabric, NodeRange nodes)
    : f_(fabric),
      nodes_(nodes),
      first_queue_(nodes.first * fabric.injections),
      parts_({}, 0, nodes, {}),
      at_queue_(std::size_t{nodes.count} * fabric.injections) {}

SendLists::SendLists(const Fabric& fabric, NodeRange nodes, const InjectionPlan& plan,
                     std::uint32_t packet_flits, std::uint64_t pace, std::vector<std::uint8_t> due)
    : SendLists(fabric, nodes) {
    plan_ = &plan;
    packets_ = plan.packet_count();
    parts_ = SumParts(plan.origins(), packets_, nodes, std::move(due));
    packet_flits_ = packet_flits;
    pace_ = pace;
    list_of_port_.assign(std::size_t{nodes.count} * fabric.ports, none);
    held_.assign(std::size_t{nodes.count} * packets_, false);
    for (const InjectionPlan::SendList& planned : plan.lists()) {
        if (!nodes.contains(planned.node)) continue;
        list_of_port_[std::size_t{planned.node - nodes.first} * fabric.ports + planned.port] =
            static_cast<std::uint32_t>(lists_.size());
        lists_.push_back({.planned = &planned});
    }
}

void SendLists::begin(std::uint64_t from) {
    begun_ = true;
    if (plan_ == nullptr) return;
    parts_.at_start([&](NodeId node, PacketId packet) { hold(node, packet, from); });
}

bool SendLists::take(NodeId node, PacketId packet, std::uint64_t from) {
    if (held(node, packet) || !parts_.complete(node, packet)) return false;
    hold(node, packet, from);
    if (const auto next = parts_.starts(node, packet)) hold(node, *next, from);
    return true;
}

void SendLists::hold(NodeId node, PacketId packet, std::uint64_t from) {
    const std::size_t place = node - nodes_.first;
    held_[place * packets_ + packet] = true;
    for (std::uint32_t port = 0; port < f_.ports; ++port)
        if (const std::uint32_t list = list_of_port_[place * f_.ports + port]; list != none)
            consider(list, from);
}

void SendLists::advance(std::uint64_t cycle) {
    while (!waiting_.empty() && waiting_.top().first <= cycle) {
        enqueue(waiting_.top().second);
        waiting_.pop();
    }
}

std::uint64_t SendLists::next_time() const {
    if (!woken_.empty()) return 0;
    return waiting_.empty() ? UINT64_MAX : waiting_.top().first;
}

std::vector<std::uint32_t> SendLists::take_woken() {
    std::vector<std::uint32_t> woken;
    woken.swap(woken_);
    return woken;
}

/// Queues a send list whose next packet is here, when its time has come.
void SendLists::consider(std::uint32_t index, std::uint64_t cycle) {
    SendList& list = lists_[index];
    const InjectionPlan::SendList& planned = *list.planned;
    if (list.queued || list.next == planned.packets.size() || !held(planned.node, planned.packets[list.next]))
        return;
    list.queued = true;
    if (list.not_before > cycle)
        waiting_.emplace(list.not_before, index);
    else
        enqueue(index);
}

void SendLists::enqueue(std::uint32_t list) {
    const InjectionPlan::SendList& planned = *lists_[list].planned;
    const std::uint32_t queues = std::min(f_.injections, f_.ports);
    come(planned.node * f_.injections + planned.port % queues, list);
}

void SendLists::enqueue_other(std::uint32_t queue, const Packet& packet) {
    come(queue, other, packet);
}

void SendLists::come(std::uint32_t queue, std::uint32_t list, const Packet& packet) {
    const std::uint32_t waiter = waiters_.make();
    waiters_[waiter] = {packet, list, none};
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

Packet SendLists::start(std::uint32_t queue, std::uint64_t cycle) {
    const Waiter& first = waiters_[at_queue_[queue - first_queue_].first];
    const std::uint32_t index = first.list;
    if (index == other) return first.packet;
    SendList& list = lists_[index];
    const InjectionPlan::SendList& planned = *list.planned;
    list.not_before = cycle + pace_;
    PacketFields fields = plan_->fields(planned, list.next);
    fields.length = packet_flits_;
    const PacketId packet = planned.packets[list.next];
    fields.source = plan_->origins().is_sum(packet) ? NodeId{planned.node} : origin(packet);
    fields.sequence = packet;
    return make_packet(fields);
}

std::optional<PacketId> SendLists::finish(std::uint32_t queue, std::uint64_t cycle) {
    Queue& at = at_queue_[queue - first_queue_];
    const std::uint32_t left = at.first;
    const std::uint32_t index = waiters_[left].list;
    at.first = waiters_[left].next;
    waiters_.drop(left);
    if (!waits(queue)) --waiting_queues_;
    if (index == other) return std::nullopt;
    SendList& list = lists_[index];
    const PacketId packet = list.planned->packets[list.next++];
    list.queued = false;
    consider(index, cycle + 1);
    return packet;
}

void SendLists::state(NodeStates& nodes) {
    if (nodes.loads()) {
        std::fill(at_queue_.begin(), at_queue_.end(), Queue{});
        waiters_ = {};
        waiting_ = {};
        waiting_queues_ = 0;
    }
    std::vector<bool> placed(lists_.size(),
                             false);  // send lists that stand at a queue, or wait for their time
    for (std::uint32_t v = nodes_.first; v < nodes_.first + nodes_.count; ++v) {
        Archive archive = nodes.of(NodeId{v});
        if (begun_) lists_state(v, archive);
        for (std::uint32_t queue = v * f_.injections; queue < (v + 1) * f_.injections; ++queue)
            queue_state(queue, placed, archive);
    }
    // Send lists that wait for their time, and queues that some have come to.
    std::vector<std::vector<Waiting>> waiting(nodes_.count);
    for (auto left = waiting_; !left.empty(); left.pop())
        waiting[lists_[left.top().second].planned->node - nodes_.first].push_back(left.top());
    std::vector<std::vector<std::uint32_t>> woken(nodes_.count);
    for (const std::uint32_t queue : woken_) woken[queue / f_.injections - nodes_.first].push_back(queue);
    woken_.clear();
    for (std::uint32_t n = 0; n < nodes_.count; ++n) {
        Archive archive = nodes.of(NodeId{nodes_.first + n});
        archive.each(waiting[n], [&](Archive& a, Waiting& one) {
            std::uint32_t port = a.loads() ? 0 : lists_[one.second].planned->port;
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

void SendLists::lists_state(std::uint32_t node, Archive& archive) {
    const std::size_t place = node - nodes_.first;
    for (std::uint32_t port = 0; port < f_.ports; ++port)
        if (const std::uint32_t list = list_of_port_[place * f_.ports + port]; list != none) {
            archive.below(lists_[list].next, lists_[list].planned->packets.size() + 1);
            archive(lists_[list].not_before, lists_[list].queued);
        }
    for (std::uint32_t sum = 0; sum < parts_.sums(); ++sum) archive(parts_.due(NodeId{node}, PacketId{sum}));
    for (std::uint32_t first = 0; first < packets_; first += 64) {
        std::uint64_t bits = 0;
        const std::uint32_t count = std::min(64U, packets_ - first);
        const std::size_t from = place * packets_ + first;
        for (std::uint32_t p = 0; p < count; ++p) bits |= std::uint64_t{held_[from + p]} << p;
        archive(bits);
        for (std::uint32_t p = 0; p < count; ++p) held_[from + p] = (bits >> p & 1U) != 0;
    }
}

/// The send list of a port of the node at `place`, which is to be in one place, if it has anything to send.
std::uint32_t SendLists::load_place(std::uint32_t place, std::uint32_t port, std::vector<bool>& placed,
                                    const Archive& archive) const {
    archive.expect(port < f_.ports && !lists_.empty());
    const std::uint32_t list = list_of_port_[place * f_.ports + port];
    archive.expect(list != none && lists_[list].queued && !placed[list]);
    archive.expect(lists_[list].next < lists_[list].planned->packets.size());
    placed[list] = true;
    return list;
}

void SendLists::queue_state(std::uint32_t queue, std::vector<bool>& placed, Archive& archive) {
    Queue& at = at_queue_[queue - first_queue_];
    std::vector<Waiter> waiters;
    for (std::uint32_t i = at.first; i != none; i = waiters_[i].next) waiters.push_back(waiters_[i]);
    archive.each(waiters, [&](Archive& a, Waiter& waiter) {
        std::uint32_t port = a.loads() || waiter.list == other ? other : lists_[waiter.list].planned->port;
        a(port);
        if (port == other) a(waiter.packet);
        if (!a.loads()) return;
        const std::uint32_t place = queue / f_.injections - nodes_.first;
        come(queue, port == other ? other : load_place(place, port, placed, a), waiter.packet);
    });
}

std::vector<std::uint32_t> SendLists::sends_of_packets() const {
    std::vector<std::uint32_t> sends(held_.size(), 0);
    for (const SendList& list : lists_)
        for (const PacketId packet : list.planned->packets)
            ++sends[std::size_t{list.planned->node - nodes_.first} * packets_ + packet];
    return sends;
}

SendLists::Report SendLists::report() const {
    Report report;
    for (const SendList& list : lists_) {
        const InjectionPlan::SendList& planned = *list.planned;
        if (list.next == planned.packets.size()) continue;
        if (++report.waiting > told) continue;
        const PacketId packet = planned.packets[list.next];
        report.lists.emplace_back(
            planned.node * f_.ports + planned.port,
            fmt::format("; node {} port {} waits {} packet {}", planned.node, planned.port,
                        held(planned.node, packet) ? "for room to send" : "for", +packet));
    }
    return report;
}

void SendLists::Report::add(const Report& other) {
    waiting += other.waiting;
    lists.insert(lists.end(), other.lists.begin(), other.lists.end());
    std::sort(lists.begin(), lists.end());
    if (lists.size() > told) lists.resize(told);
}

std::string SendLists::Report::text() const {
    std::string text;
    for (const auto& [place, list] : lists) text += list;
    return waiting > lists.size() ? text + fmt::format("; and {} more", waiting - lists.size()) : text;
}

void SendLists::Report::write(ByteWriter& bytes) const {
    bytes.put(waiting);
    bytes.put(std::uint64_t{lists.size()});
    for (const auto& [place, list] : lists) {
        bytes.put(place);
        bytes.put(list);
    }
}

SendLists::Report SendLists::Report::read(ByteReader& bytes) {
    Report report;
    std::uint64_t lists = 0;
    bytes.get(report.waiting);
    bytes.get(lists);
    for (std::uint64_t i = 0; i < lists; ++i) {
        std::uint32_t place = 0;
        bytes.get(place);
        report.lists.emplace_back(place, bytes.get_text());
    }
    return report;
}

}  // namespace interlace
