// Interlace: hosts whose work costs something
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/served_hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "interlace/core/error.h"
#include "interlace/core/random.h"

namespace interlace {
namespace {

constexpr std::uint32_t no_queue = UINT32_MAX;

}  // namespace

ServedHosts::ServedHosts(const Fabric& fabric, const Machine& machine, SendLists& lists,
                         const HostParameters& host, std::uint32_t packet_flits, std::uint64_t seed)
    : f_(fabric),
      machine_(machine),
      lists_(lists),
      p_(host),
      seed_(seed),
      flits_(packet_flits),
      range_(lists.nodes()),
      first_queue_(range_.first * fabric.injections),
      nodes_(range_.count),
      credits_(std::size_t{range_.count} * fabric.injections, fabric.parameters.injection_depth),
      stalls_(credits_.size()) {
    if (p_.servers == 0) p_.servers = fabric.receptions + fabric.injections;
    if (p_.memory_packets > 0) sends_left_ = lists.sends_of_packets();
    for (std::uint32_t v = range_.first; v < range_.first + range_.count; ++v)
        for (std::uint32_t r = 0; r < fabric.receptions; ++r)
            changes_.push_back({v, static_cast<std::uint8_t>(r), false});
}

void ServedHosts::begin(std::uint64_t cycle) {
    for (std::uint32_t v = range_.first; v < range_.first + range_.count; ++v)
        host(v).start = cycle + random_up_to(p_.start_skew_cycles, random_bits(seed_, v, UINT64_MAX));
}

/// How much longer than it must the next task of `node` takes.
std::uint64_t ServedHosts::jitter(std::uint32_t node) {
    return random_up_to(p_.jitter_cycles, random_bits(seed_, node, host(node).served++));
}

void ServedHosts::drive(std::uint64_t cycle, RegionInputs& inputs) {
    lists_.advance(cycle);
    lists_.take_woken();  // all queues are looked at
    inputs.ready.swap(changes_);
    for (std::uint32_t v = range_.first; v < range_.first + range_.count; ++v) {
        end_tasks(v, cycle);
        if (cycle >= host(v).start) {
            look_for_queues(v, cycle, inputs);
            count_stalls(v);
        }
        for (Task& task : host(v).tasks)
            if (!is_reception(task.queue) && task.attended() && task.end == unknown)
                write(v, task, cycle, inputs);
    }
}

/// A host with a packet is taken to be busy. What comes to a reception queue, the machine knows.
std::uint64_t ServedHosts::busy_from(std::uint64_t cycle) const {
    const bool quiet =
        shown_.empty() && changes_.empty() && !lists_.waits() &&
        std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.tasks.empty(); });
    return quiet ? std::max(cycle, lists_.next_time()) : cycle;
}

void ServedHosts::end_tasks(std::uint32_t node, std::uint64_t cycle) {
    auto& tasks = host(node).tasks;
    for (const Task& task : tasks)
        if (task.end <= cycle && is_reception(task.queue)) keep(node, task.packet, cycle);
    tasks.erase(
        std::remove_if(tasks.begin(), tasks.end(), [&](const Task& task) { return task.end <= cycle; }),
        tasks.end());
}

/// A received packet is in the host's memory until it has been sent on everywhere.
void ServedHosts::keep(std::uint32_t node, const Packet& packet, std::uint64_t cycle) {
    const bool owned = lists_.owns(packet);
    if (!owned) lists_.take_other(packet, cycle);
    const bool sent_on = owned && lists_.take(NodeId{node}, PacketId{packet.sequence()}, cycle);
    if (p_.memory_packets == 0) return;
    if (!sent_on || sends_left(node, packet.sequence()) == 0) --host(node).in_memory;
}

void ServedHosts::sent(std::uint32_t node, PacketId packet) {
    if (p_.memory_packets == 0 || NodeId{node} == lists_.origin(packet)) return;
    if (--sends_left(node, packet) == 0) --host(node).in_memory;
}

/// Servers that have nothing to do, and those that wait in the middle of a packet, look for a queue.
void ServedHosts::look_for_queues(std::uint32_t node, std::uint64_t cycle, RegionInputs& inputs) {
    while (has_server(node)) {
        const std::uint32_t queue = next_queue(node);
        if (queue == no_queue) return;
        leave_for_another(node, cycle, inputs);
        serve(node, queue, cycle, inputs);
        host(node).last_served = queue;
    }
}

/// Whether a server is idle, or waits and may leave.
bool ServedHosts::has_server(std::uint32_t node) const {
    const std::vector<Task>& tasks = host(node).tasks;
    if (tasks.size() < p_.servers) return true;
    return std::count_if(tasks.begin(), tasks.end(), [&](const Task& task) {
               return task.attended() && !waits(node, task);
           }) < p_.servers;
}

/// In the middle of a packet: no room for its next flit, or that has not come.
bool ServedHosts::waits(std::uint32_t node, const Task& task) const {
    if (task.end != unknown) return false;
    return is_reception(task.queue) ? machine_.reception_flits(NodeId{node}, task.queue) == 0
                                    : credits_[injection(node, task.queue) - first_queue_] == 0;
}

/// Where no server is idle, the first that waits leaves its queue.
void ServedHosts::leave_for_another(std::uint32_t node, std::uint64_t cycle, RegionInputs& inputs) {
    std::vector<Task>& tasks = host(node).tasks;
    if (std::count_if(tasks.begin(), tasks.end(), std::mem_fn(&Task::attended)) < p_.servers) return;
    const auto task = std::find_if(tasks.begin(), tasks.end(), [&](const Task& waiting) {
        return waiting.attended() && waits(node, waiting);
    });
    task->left = cycle;
    if (is_reception(task->queue))
        inputs.ready.push_back({node, static_cast<std::uint8_t>(task->queue), false});
}

/// The queue that a server serves next; no_queue where none can be.
std::uint32_t ServedHosts::next_queue(std::uint32_t node) const {
    const std::uint32_t queues = f_.receptions + f_.injections;
    if (p_.polling == Polling::round_robin) return next_queue(node, 0, queues);
    const bool reception = p_.polling == Polling::reception_first;
    const std::uint32_t first =
        reception ? next_queue(node, 0, f_.receptions) : next_queue(node, f_.receptions, queues);
    if (first != no_queue) return first;
    return reception ? next_queue(node, f_.receptions, queues) : next_queue(node, 0, f_.receptions);
}

/// The queue of [first, last) that comes next after the last one served and can be.
std::uint32_t ServedHosts::next_queue(std::uint32_t node, std::uint32_t first, std::uint32_t last) const {
    const std::uint32_t count = last - first;
    const std::uint32_t served = host(node).last_served;
    const std::uint32_t start = served >= first && served < last ? served - first + 1 : 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t queue = first + (start + i) % count;
        if (can_serve(node, queue)) return queue;
    }
    return no_queue;
}

bool ServedHosts::can_serve(std::uint32_t node, std::uint32_t queue) const {
    if (const Task* task = task_at(node, queue)) return !task->attended() && !waits(node, *task);
    if (is_reception(queue))
        return (p_.memory_packets == 0 || host(node).in_memory < p_.memory_packets) &&
               machine_.reception_flits(NodeId{node}, queue) >=
                   std::min(flits_, f_.parameters.reception_depth);
    const std::uint32_t index = injection(node, queue);
    return lists_.waits(index) && has_room(index);
}

bool ServedHosts::has_room(std::uint32_t index) const {
    return credits_[index - first_queue_] >=
           std::min(flits_ + p_.reserve_flits, f_.parameters.injection_depth);
}

/// What waits at injection queues for room alone: no server is at the queue, and one could be.
void ServedHosts::count_stalls(std::uint32_t node) {
    const bool served = has_server(node);
    if (!served && host(node).tasks.size() <= p_.servers) return;
    for (std::uint32_t queue = f_.receptions; queue < f_.receptions + f_.injections; ++queue) {
        const std::uint32_t index = injection(node, queue);
        const Task* task = task_at(node, queue);
        const bool stalls = task == nullptr ? served && lists_.waits(index) && !has_room(index)
                                            : !task->attended() && waits(node, *task);
        if (stalls) ++stalls_[index - first_queue_];
    }
}

const ServedHosts::Task* ServedHosts::task_at(std::uint32_t node, std::uint32_t queue) const {
    const std::vector<Task>& tasks = host(node).tasks;
    const auto task =
        std::find_if(tasks.begin(), tasks.end(), [&](const Task& t) { return t.queue == queue; });
    return task == tasks.end() ? nullptr : &*task;
}

/// A server begins with a packet, or goes on with the one that another left: what was away does not count.
void ServedHosts::serve(std::uint32_t node, std::uint32_t queue, std::uint64_t cycle, RegionInputs& inputs) {
    if (is_reception(queue)) inputs.ready.push_back({node, static_cast<std::uint8_t>(queue), true});
    std::vector<Task>& tasks = host(node).tasks;
    const auto left =
        std::find_if(tasks.begin(), tasks.end(), [&](const Task& t) { return t.queue == queue; });
    if (left != tasks.end()) {
        left->begun += cycle - left->left;
        left->left = unknown;
        return;
    }
    Task task{queue, cycle};
    if (!is_reception(queue))
        task.packet = lists_.start(injection(node, queue), cycle);
    else if (p_.memory_packets > 0)
        ++host(node).in_memory;
    tasks.push_back(task);
}

void ServedHosts::write(std::uint32_t node, Task& task, std::uint64_t cycle, RegionInputs& inputs) {
    const std::uint32_t queue = injection(node, task.queue);
    if (credits_[queue - first_queue_] == 0) {
        ++stalls_[queue - first_queue_];
        return;
    }
    --credits_[queue - first_queue_];
    inputs.injections.push_back(
        {node, static_cast<std::uint8_t>(task.queue - f_.receptions), 0, {task.packet, task.next_flit}});
    if (++task.next_flit < task.packet.length()) return;
    const std::uint64_t copy =
        p_.copy_cycles != 0 && lists_.is_copy(task.packet, NodeId{node}) ? p_.copy_cycles : 0;
    task.end = std::max(cycle + 1, task.begun + p_.send_cycles + copy) + jitter(node);
    if (const auto packet = lists_.finish(queue, cycle)) sent(node, *packet);
}

/// Of a queue that there is: what it writes waits there, and has not been written.
bool ServedHosts::is_whole(std::uint32_t node, const Task& task) const {
    if (is_reception(task.queue)) return true;
    if (task.queue >= f_.receptions + f_.injections) return false;
    return task.end != unknown ||
           (task.next_flit < task.packet.length() && lists_.waits(injection(node, task.queue)));
}

void ServedHosts::state(HostsState& state) {
    std::vector<std::vector<Credit>> shown(range_.count);
    std::vector<std::vector<Ready>> changes(range_.count);
    for (const Credit& credit : shown_) shown[credit.node - range_.first].push_back(credit);
    for (const Ready& change : changes_) changes[change.node - range_.first].push_back(change);
    shown_.clear();
    changes_.clear();
    const std::size_t packets = sends_left_.empty() ? 0 : lists_.packet_count();
    for (std::uint32_t n = 0; n < range_.count; ++n) {
        const std::uint32_t v = range_.first + n;
        Archive archive = state.nodes.of(NodeId{v});
        Node& host = nodes_[n];
        archive.each(host.tasks, [&](Archive& a, Task& task) {
            a(task.queue, task.begun, task.end, task.left, task.packet, task.next_flit);
            a.expect(is_whole(v, task) && task_at(v, task.queue) == &task);
        });
        archive(host.last_served, host.in_memory, host.start, host.served);
        for (std::size_t q = std::size_t{n} * f_.injections; q < (std::size_t{n} + 1) * f_.injections; ++q) {
            archive.below(credits_[q], f_.parameters.injection_depth + 1U);
            archive(stalls_[q]);
        }
        for (std::size_t p = n * packets; p < (n + 1) * packets; ++p) archive(sends_left_[p]);
        archive.each(changes[n], [&](Archive& a, Ready& change) {
            change.node = v;
            a.below(change.queue, f_.receptions);
            a(change.ready);
        });
        credits_state(shown[n], v, f_.injections, archive);
        changes_.insert(changes_.end(), changes[n].begin(), changes[n].end());
        shown_.insert(shown_.end(), shown[n].begin(), shown[n].end());
    }
    state.last(complete_, state.complete);
}

void ServedHosts::receive(const RegionOutputs& outputs, std::uint64_t cycle) {
    for (const Reception& reception : outputs.receptions) {
        auto& tasks = host(reception.node).tasks;
        const auto task = std::find_if(tasks.begin(), tasks.end(),
                                       [&](const Task& t) { return t.queue == reception.queue; });
        if (task == tasks.end())
            throw FellShort(
                fmt::format("node {} delivered a packet that its host did not accept", reception.node));
        task->packet = reception.packet;
        const std::uint64_t combine =
            p_.combine_cycles != 0 && lists_.combines(reception.packet) ? p_.combine_cycles : 0;
        task->end = std::max(cycle + 1, task->begun + p_.receive_cycles + combine) + jitter(reception.node);
        if (lists_.owns(reception.packet)) complete_ = std::max(complete_, task->end);
        changes_.push_back({reception.node, reception.queue, false});
    }
    for (const Credit& credit : shown_)
        credits_[credit.node * f_.injections + credit.port - first_queue_] += credit.amount;
    shown_ = outputs.injection_credits;
}

}  // namespace interlace
