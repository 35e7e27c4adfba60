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
          lanes_(program.lane_count()),
          wanted_(program.lane_count()),
          first_lane_(first_lanes(network, program)) {
        run_.arrival.assign(std::size_t{network.node_count()} * packets_, never);
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            for (std::uint32_t lane = first_lane_[v]; lane < first_lane_[v + 1]; ++lane) {
                const auto sends = program.sends(lane);
                lanes_[lane] = {NodeId{v}, network.target(program.link(lane)), sends.data(),
                                sends.data() + sends.size()};
                wanted_[lane] = sends.front();
            }
    }

    StepRun run() {
        for (std::uint32_t p = 0; p < packets_; ++p) arrival(program_.source(), PacketId{p}) = 0;
        std::vector<std::uint32_t> ready;  // lanes whose next packet is held
        for (std::uint32_t lane = first_lane_[program_.source()]; lane < first_lane_[program_.source() + 1];
             ++lane)
            ready.push_back(lane);
        std::uint64_t sent = 0;
        while (!ready.empty()) {
            ++run_.steps;
            sent += ready.size();
            run_.sends_in_step.push_back(ready.size());
            run_.peak_packets_in_flight =
                std::max(run_.peak_packets_in_flight, static_cast<std::uint32_t>(ready.size()));
            ready = step(ready);
        }
        if (sent != program_.send_count()) refuse_waiting_lane();
        return std::move(run_);
    }

  private:
    struct Lane {
        NodeId from, to;
        const PacketId *next, *end;  // that it is to send
    };

    std::uint32_t& arrival(NodeId node, PacketId packet) {
        return run_.arrival[std::size_t{node} * packets_ + packet];
    }

    /// Sends over every lane of `ready`, and returns the lanes that are ready after it: those whose next
    /// packet was here before, and those for whose next packet this step was the wait.
    std::vector<std::uint32_t> step(const std::vector<std::uint32_t>& ready) {
        received_.clear();
        std::vector<std::uint32_t> after;
        after.reserve(ready.size());
        for (std::size_t i = 0; i < ready.size(); ++i) {
            if (i + 2 * ahead < ready.size()) fetch_lane(ready[i + 2 * ahead]);
            if (i + ahead < ready.size()) fetch_arrivals(ready[i + ahead]);
            Lane& lane = lanes_[ready[i]];
            std::uint32_t& wanted = wanted_[ready[i]];
            const PacketId packet = *lane.next++;
            wanted = lane.next != lane.end ? +*lane.next : never;
            if (wanted != never && arrival(lane.from, PacketId{wanted}) < run_.steps)
                after.push_back(ready[i]);
            if (arrival(lane.to, packet) != never) continue;  // redundant, or a second copy in the same step
            arrival(lane.to, packet) = run_.steps;
            received_.emplace_back(lane.to, packet);
        }
        for (std::size_t i = 0; i < received_.size(); ++i) {
            if (i + 2 * ahead < received_.size()) fetch(first_lane_[received_[i + 2 * ahead].first]);
            if (i + ahead < received_.size())
                __builtin_prefetch(wanted_.data() + first_lane_[received_[i + ahead].first]);
            const auto& [node, packet] = received_[i];
            for (std::uint32_t lane = first_lane_[node]; lane < first_lane_[node + 1]; ++lane)
                if (wanted_[lane] == packet) after.push_back(lane);
        }
        return after;
    }

    // What will be needed soon comes from memory meanwhile. (GCC leaves out calls that do nothing else.)
    static constexpr std::size_t ahead = 8;
    template <class Item>
    [[gnu::always_inline]] static void fetch(const Item& item) {
        __builtin_prefetch(&item, 1);
    }
    [[gnu::always_inline]] void fetch_lane(std::uint32_t lane) const {
        fetch(lanes_[lane]);
        fetch(wanted_[lane]);
    }
    [[gnu::always_inline]] void fetch_arrivals(std::uint32_t lane) {
        fetch(arrival(lanes_[lane].from, PacketId{wanted_[lane]}));  // that of the next one is near
        fetch(arrival(lanes_[lane].to, PacketId{wanted_[lane]}));
        fetch(*lanes_[lane].next);
    }

    [[noreturn]] void refuse_waiting_lane() const {
        const auto lane = std::find_if(lanes_.begin(), lanes_.end(),
                                       [](const Lane& waiting) { return waiting.next != waiting.end; });
        throw std::logic_error(fmt::format("node {} is to send packet {} to node {}, but never gets it",
                                           +lane->from, +*lane->next, +lane->to));
    }

    const Program& program_;
    std::uint32_t packets_;
    std::vector<Lane> lanes_;
    std::vector<std::uint32_t> wanted_;      // per lane: the packet that it sends next, or `never`
    std::vector<std::uint32_t> first_lane_;  // per node
    std::vector<std::pair<NodeId, PacketId>> received_;  // in this step
    StepRun run_;
};

/// Calls visit(lane, position, step) for every send, in lane order: a lane's steps follow from the arrivals,
/// because it sends each packet as soon as it holds it and is free.
template <class Visit>
void for_each_send(const Network& network, const Program& program, const StepRun& run, Visit visit) {
    NodeId node{0};
    for (std::uint32_t lane = 0; lane < program.lane_count(); ++lane) {
        while (program.link(lane) >= network.first_link(node) + network.degree(node)) node = NodeId{node + 1};
        std::uint32_t step = 0;
        for (const PacketId packet : program.sends(lane)) {
            step = std::max(step, run.arrival[std::size_t{node} * program.packet_count() + packet]) + 1;
            visit(lane, node, packet, step);
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
    Overlap in_lane(run.steps);
    Overlap at_node(run.steps);
    std::vector<std::uint32_t> last_send(packets, 0);
    NodeId node{0};
    std::uint32_t lane_before = never;
    const auto finish_lane = [&] {
        run.peak_lane_waiting = std::max(run.peak_lane_waiting, in_lane.take_peak());
    };
    const auto finish_node = [&] {
        for (std::uint32_t p = 0; p < packets; ++p)
            at_node.add(run.arrival[std::size_t{node} * packets + p], last_send[p]);
        std::fill(last_send.begin(), last_send.end(), 0);
        run.peak_packets_waiting = std::max(run.peak_packets_waiting, at_node.take_peak());
    };
    for_each_send(network, program, run,
                  [&](std::uint32_t lane, NodeId from, PacketId packet, std::uint32_t step) {
                      if (from == program.source()) return;
                      if (lane != lane_before) finish_lane();
                      if (from != node) finish_node();
                      lane_before = lane;
                      node = from;
                      in_lane.add(run.arrival[std::size_t{from} * packets + packet], step);
                      last_send[packet] = std::max(last_send[packet], step);
                  });
    finish_lane();
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
                  [&](std::uint32_t lane, NodeId from, PacketId packet, std::uint32_t step) {
                      schedule.push_back({step, from, network.target(program.link(lane)), packet});
                  });
    return schedule;
}

std::vector<std::uint32_t> sends_per_link(const Network& network, const Program& program) {
    std::vector<std::uint32_t> sends(network.link_count(), 0);
    for (std::uint32_t lane = 0; lane < program.lane_count(); ++lane)
        sends[program.link(lane)] = static_cast<std::uint32_t>(program.sends(lane).size());
    return sends;
}

}  // namespace interlace
