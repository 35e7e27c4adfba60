// Interlace: how long queues held how many flits
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/engine/region/fabric.h"
#include "interlace/engine/region/region.h"

namespace interlace {

/// Counts for the queues of some nodes of a region. A change costs a few instructions, a cycle without one
/// nothing. Nodes go by their place in the region; cycles by the number of ticks that ended before.
class Occupancy {
  public:
    /// `each`: a histogram of each queue, too.
    Occupancy(const Fabric& fabric, std::vector<NodeId> nodes, bool each);

    /// The tick of `cycle` leaves `flits` flits in a queue: a source of a node, [node * sources + source], of
    /// class `queue`, or a reception queue, [node * receptions + queue].
    void source(QueueClass queue, std::size_t index, std::uint32_t flits, std::uint64_t cycle) {
        if (!each_.empty()) count(each_[index], sources_[index].flits, flits, cycle);
        change(sources_[index], queue, flits, cycle);
    }
    void reception(std::size_t index, std::uint32_t flits, std::uint64_t cycle) {
        if (!each_.empty()) count(each_[sources_.size() + index], receptions_[index].flits, flits, cycle);
        change(receptions_[index], QueueClass::reception, flits, cycle);
    }
    /// The same of `flits` cycles in turn from `cycle` on, in each of which the source gets a flit more, or a
    /// flit less; at least one.
    void source_ramp(QueueClass queue, std::size_t index, bool more, std::uint32_t flits,
                     std::uint64_t cycle) {
        if (!each_.empty()) count_ramp(each_[index], sources_[index].flits, more, flits, cycle);
        change_ramp(sources_[index], queue, more, flits, cycle);
    }
    /// Asks memory for a source that will change soon.
    [[gnu::always_inline]] void fetch(std::size_t source) const { __builtin_prefetch(&sources_[source], 1); }
    /// Something waits at a sink, [node * sinks + sink], for some cycles.
    void stall(std::size_t index, std::uint64_t cycles = 1) { stalls_[index].cycles += cycles; }
    /// Or: the sinks of `node` that something waits at from now on, as stall_o shows them.
    void stalled(std::size_t node, std::uint64_t sinks, std::uint64_t cycle);

    /// Usage::occupancy after `cycles` ticks.
    std::array<std::vector<std::uint64_t>, queue_classes> histograms(std::uint64_t cycles) const;
    /// Region::queues and Region::stall_cycles.
    std::vector<QueueUse> queues(std::size_t node, std::uint64_t cycles) const;
    std::vector<std::uint64_t> stall_cycles(std::size_t node, std::uint64_t cycles) const;

    /// Of a node, whose queues have been counted up to now.
    void state(std::size_t node, Archive& archive);
    /// What its queues have in common: of nodes that are counted by several, these may be added to any one.
    const std::array<std::vector<std::uint64_t>, queue_classes>& sums() const { return histograms_; }
    void add_sums(const std::array<std::vector<std::uint64_t>, queue_classes>& sums);

  private:
    /// `flit_cycles` and histograms hold, until someone asks, the sum of the cycles at which something ended
    /// less those at which it began; what has not ended is added then.
    struct Queue {
        std::uint64_t flit_cycles = 0;
        std::uint32_t flits = 0, most = 0;
    };
    struct Stall {
        std::uint64_t since = 0, cycles = 0;
    };

    using Histogram = std::vector<std::uint64_t>;

    /// From `before` flits to `after`.
    static void count(Histogram& histogram, std::uint32_t before, std::uint32_t after, std::uint64_t cycle) {
        if (after >= histogram.size()) histogram.resize(after + 1);
        histogram[before] += cycle;
        histogram[after] -= cycle;
    }
    static std::uint32_t moved(std::uint32_t flits, bool more, std::uint32_t by) {
        return more ? flits + by : flits - by;
    }
    static void count_ramp(Histogram& histogram, std::uint32_t before, bool more, std::uint32_t flits,
                           std::uint64_t cycle) {
        const std::uint32_t after = moved(before, more, flits);
        if (after >= histogram.size()) histogram.resize(after + 1);
        histogram[before] += cycle;
        for (std::uint32_t i = 1; i < flits; ++i) ++histogram[moved(before, more, i)];
        histogram[after] -= cycle + flits - 1;
    }
    void change_ramp(Queue& queue, QueueClass of, bool more, std::uint32_t flits, std::uint64_t cycle) {
        count_ramp(histograms_[static_cast<std::size_t>(of)], queue.flits, more, flits, cycle);
        queue.flit_cycles += queue.flits * cycle;
        for (std::uint32_t i = 1; i < flits; ++i) queue.flit_cycles += moved(queue.flits, more, i);
        queue.flits = moved(queue.flits, more, flits);
        queue.flit_cycles -= queue.flits * (cycle + flits - 1);
        queue.most = std::max(queue.most, queue.flits);
    }
    void change(Queue& queue, QueueClass of, std::uint32_t flits, std::uint64_t cycle) {
        count(histograms_[static_cast<std::size_t>(of)], queue.flits, flits, cycle);
        queue.flit_cycles += queue.flits * cycle;
        queue.flit_cycles -= flits * cycle;
        queue.flits = flits;
        queue.most = std::max(queue.most, flits);
    }
    /// `number`: of the queue among all, reception queues behind the sources.
    QueueUse use(const Queue& queue, std::size_t number, std::uint64_t cycles) const;
    bool has_link(std::size_t node, std::uint32_t port) const {
        return f_.from[std::size_t{nodes_[node]} * f_.ports + port].linked();
    }

    const Fabric& f_;
    std::vector<NodeId> nodes_;
    std::vector<Queue> sources_, receptions_;
    std::vector<Stall> stalls_;         // [node * sinks + sink]
    std::vector<std::uint64_t> shown_;  // [node]: sinks that are stalled now
    std::array<Histogram, queue_classes> histograms_;
    std::vector<Histogram> each_;  // [source], then [reception queue], or empty
};

}  // namespace interlace
