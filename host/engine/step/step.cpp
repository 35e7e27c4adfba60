// Interlace: the step engine: one packet crosses one link in one step
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/step/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace interlace {
namespace {

constexpr std::uint32_t never = UINT32_MAX;

class StepEngine {
  public:
    StepEngine(const Network& network, const Program& program)
        : program_(program),
          packets_(program.packet_count()),
          lists_(program.list_count()),
          wanted_(program.list_count()),
          first_list_(first_lists(network, program)),
          parts_(sum_parts(network, program)) {
        run_.arrival.assign(std::size_t{network.node_count()} * packets_, never);
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            for (std::uint32_t list = first_list_[v]; list < first_list_[v + 1]; ++list) {
                const auto sends = program.sends(list);
                lists_[list] = {NodeId{v}, network.target(program.link(list)), sends.data(),
                                sends.data() + sends.size()};
                wanted_[list] = sends.front();
            }
    }

    StepRun run() {
        parts_.at_start([&](NodeId node, PacketId packet) { arrival(node, packet) = 0; });
        std::vector<std::uint32_t> ready;  // send lists whose next packet is held
        for (std::uint32_t list = 0; list < lists_.size(); ++list)
            if (arrival(lists_[list].from, PacketId{wanted_[list]}) == 0) ready.push_back(list);
        std::uint64_t sent = 0;
        while (!ready.empty()) {
            ++run_.steps;
            sent += ready.size();
            run_.sends_in_step.push_back(ready.size());
            run_.peak_packets_in_flight =
                std::max(run_.peak_packets_in_flight, static_cast<std::uint32_t>(ready.size()));
            ready = step(ready);
        }
        if (sent != program_.send_count()) refuse_waiting_list();
        return std::move(run_);
    }

  private:
    struct SendList {
        NodeId from, to;
        const PacketId *next, *end;  // that it is to send
    };

    std::uint32_t& arrival(NodeId node, PacketId packet) {
        return run_.arrival[std::size_t{node} * packets_ + packet];
    }

    /// Sends over every send list of `ready`, and returns the send lists that are ready after it: those whose
    /// next packet was here before, and those for whose next packet this step was the wait.
    std::vector<std::uint32_t> step(const std::vector<std::uint32_t>& ready) {
        received_.clear();
        const bool sums = parts_.sums() > 0;
        std::vector<std::uint32_t> after;
        after.reserve(ready.size());
        for (std::size_t i = 0; i < ready.size(); ++i) {
            if (i + 2 * ahead < ready.size()) fetch_list(ready[i + 2 * ahead]);
            if (i + ahead < ready.size()) fetch_arrivals(ready[i + ahead]);
            SendList& list = lists_[ready[i]];
            std::uint32_t& wanted = wanted_[ready[i]];
            const PacketId packet = *list.next++;
            wanted = list.next != list.end ? +*list.next : never;
            if (wanted != never && arrival(list.from, PacketId{wanted}) < run_.steps)
                after.push_back(ready[i]);
            if (arrival(list.to, packet) != never) continue;  // redundant, or a second copy in the same step
            if (sums && !parts_.complete(list.to, packet)) continue;
            receive(list.to, packet);
            if (!sums) continue;
            if (const auto next = parts_.starts(list.to, packet)) receive(list.to, *next);
        }
        for (std::size_t i = 0; i < received_.size(); ++i) {
            if (i + 2 * ahead < received_.size()) fetch(first_list_[received_[i + 2 * ahead].first]);
            if (i + ahead < received_.size())
                __builtin_prefetch(wanted_.data() + first_list_[received_[i + ahead].first]);
            const auto& [node, packet] = received_[i];
            for (std::uint32_t list = first_list_[node]; list < first_list_[node + 1]; ++list)
                if (wanted_[list] == packet) after.push_back(list);
        }
        return after;
    }

    void receive(NodeId node, PacketId packet) {
        arrival(node, packet) = run_.steps;
        received_.emplace_back(node, packet);
    }

    // What will be needed soon comes from memory meanwhile. (GCC leaves out calls that do nothing else.)
    static constexpr std::size_t ahead = 8;
    template <class Item>
    [[gnu::always_inline]] static void fetch(const Item& item) {
        __builtin_prefetch(&item, 1);
    }
    [[gnu::always_inline]] void fetch_list(std::uint32_t list) const {
        fetch(lists_[list]);
        fetch(wanted_[list]);
    }
    [[gnu::always_inline]] void fetch_arrivals(std::uint32_t list) {
        fetch(arrival(lists_[list].from, PacketId{wanted_[list]}));  // that of the next one is near
        fetch(arrival(lists_[list].to, PacketId{wanted_[list]}));
        fetch(*lists_[list].next);
    }

    [[noreturn]] void refuse_waiting_list() const {
        const auto list = std::find_if(lists_.begin(), lists_.end(),
                                       [](const SendList& waiting) { return waiting.next != waiting.end; });
        throw std::logic_error(fmt::format("node {} is to send packet {} to node {}, but never gets it",
                                           +list->from, +*list->next, +list->to));
    }

    const Program& program_;
    std::uint32_t packets_;
    std::vector<SendList> lists_;
    std::vector<std::uint32_t> wanted_;      // per send list: the packet that it sends next, or `never`
    std::vector<std::uint32_t> first_list_;  // per node
    SumParts parts_;
    std::vector<std::pair<NodeId, PacketId>> received_;  // in this step
    StepRun run_;
};

/// Calls visit(send list, position, step) for every send, in send list order: a send list's steps follow from
/// the arrivals, because it sends each packet as soon as it holds it and is free.
template <class Visit>
void for_each_send(const Network& network, const Program& program, const StepRun& run, Visit visit) {
    NodeId node{0};
    for (std::uint32_t list = 0; list < program.list_count(); ++list) {
        while (program.link(list) >= network.first_link(node) + network.degree(node)) node = NodeId{node + 1};
        std::uint32_t step = 0;
        for (const PacketId packet : program.sends(list)) {
            step = std::max(step, run.arrival[std::size_t{node} * program.packet_count() + packet]) + 1;
            visit(list, node, packet, step);
        }
    }
}

/// The largest number of intervals [begin, end) that hold one point in common; `change` is scratch space of
/// zeros.
class Overlap {
  public:
    explicit Overlap(std::uint32_t steps) : change_(steps + std::size_t{2}, 0) {}
    void add(std::uint32_t begin, std::uint32_t end) {
        if (begin >= end) return;
        ++change_[begin];
        --change_[end];
        low_ = std::min(low_, begin);
        high_ = std::max(high_, end);
    }
    std::uint32_t take_peak() {
        std::int32_t now = 0;
        std::int32_t peak = 0;
        for (std::uint32_t t = low_; t <= high_ && low_ != never; ++t) {
            now += change_[t];
            peak = std::max(peak, now);
            change_[t] = 0;
        }
        low_ = never;
        high_ = 0;
        return static_cast<std::uint32_t>(peak);
    }

  private:
    std::vector<std::int32_t> change_;
    std::uint32_t low_ = never, high_ = 0;
};

void find_waiting(const Network& network, const Program& program, StepRun& run) {
    const std::uint32_t packets = program.packet_count();
    const PacketOrigins& origin = program.origins();
    Overlap in_list(run.steps);
    Overlap at_node(run.steps);
    std::vector<std::uint32_t> last_send(packets, 0);
    NodeId node{0};
    std::uint32_t list_before = never;
    const auto finish_list = [&] {
        run.peak_list_waiting = std::max(run.peak_list_waiting, in_list.take_peak());
    };
    const auto finish_node = [&] {
        for (std::uint32_t p = 0; p < packets; ++p)
            at_node.add(run.arrival[std::size_t{node} * packets + p], last_send[p]);
        std::fill(last_send.begin(), last_send.end(), 0);
        run.peak_packets_waiting = std::max(run.peak_packets_waiting, at_node.take_peak());
    };
    for_each_send(network, program, run,
                  [&](std::uint32_t list, NodeId from, PacketId packet, std::uint32_t step) {
                      if (from == origin(packet)) return;
                      if (list != list_before) finish_list();
                      if (from != node) finish_node();
                      list_before = list;
                      node = from;
                      in_list.add(run.arrival[std::size_t{from} * packets + packet], step);
                      last_send[packet] = std::max(last_send[packet], step);
                  });
    finish_list();
    finish_node();
}

}  // namespace

StepRun run_steps(const Network& network, const Group& group, const Program& program) {
    StepRun run = StepEngine(network, program).run();
    find_waiting(network, program, run);
    const double slots = static_cast<double>(usable_links(network, group)) * run.steps;
    run.link_utilisation = slots > 0 ? static_cast<double>(program.send_count()) / slots : 0;
    return run;
}

std::vector<TimedSend> timed_sends(const Network& network, const Program& program, const StepRun& run) {
    std::vector<TimedSend> schedule;
    schedule.reserve(program.send_count());
    for_each_send(network, program, run,
                  [&](std::uint32_t list, NodeId from, PacketId packet, std::uint32_t step) {
                      schedule.push_back({step, from, network.target(program.link(list)), packet});
                  });
    return schedule;
}

std::vector<std::uint32_t> sends_per_link(const Network& network, const Program& program) {
    std::vector<std::uint32_t> sends(network.link_count(), 0);
    for (std::uint32_t list = 0; list < program.list_count(); ++list)
        sends[program.link(list)] = static_cast<std::uint32_t>(program.sends(list).size());
    return sends;
}

}  // namespace interlace
