// Interlace: how long queues held how many flits
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/region/region_nodes.h"
#include "interlace/engine/region/usage.h"

namespace interlace {

/// Counts for the queues of some nodes of a region. A change costs a few instructions, a cycle without one
/// nothing. Nodes go by their place in the region; cycles by the number of ticks that ended before. Of a
/// queue it keeps 4 bytes, unless each is asked for: large networks wait for memory.
class Occupancy {
  public:
    /// `each`: queues() and stall_cycles(), too.
    Occupancy(const Fabric& fabric, RegionNodes nodes, bool each);

    /// The tick of `cycle` leaves `flits` flits in a queue: a source of a node, [node * sources + source], of
    /// class `queue`, or a reception queue, [node * receptions + queue].
    void source(QueueClass queue, std::size_t index, std::uint32_t flits, std::uint64_t cycle) {
        change(queue, index, flits, cycle);
    }
    void reception(std::size_t index, std::uint32_t flits, std::uint64_t cycle) {
        change(QueueClass::reception, sources_ + index, flits, cycle);
    }
    /// The same of `flits` cycles in turn from `cycle` on, in each of which the source gets a flit more, or a
    /// flit less; at least one.
    void source_ramp(QueueClass queue, std::size_t index, bool more, std::uint32_t flits,
                     std::uint64_t cycle) {
        std::uint32_t& level = levels_[index];
        ramp(histograms_[static_cast<std::size_t>(queue)], level, more, flits, cycle);
        if (!each_.empty()) ramp(each_[index], level, more, flits, cycle);
        level = moved(level, more, flits);
    }
    /// Flits in a source, or a reception queue, as was told last.
    std::uint32_t of_source(std::size_t index) const { return levels_[index]; }
    std::uint32_t of_reception(std::size_t index) const { return levels_[sources_ + index]; }
    /// Asks memory for a source, or a reception queue, that will change soon.
    [[gnu::always_inline]] void fetch_source(std::size_t index) const {
        __builtin_prefetch(&levels_[index], 1);
    }
    [[gnu::always_inline]] void fetch_reception(std::size_t index) const { fetch_source(sources_ + index); }
    /// Something waits at a sink, [node * sinks + sink], for some cycles.
    void stall(std::size_t index, std::uint64_t cycles = 1) {
        if (!stalls_.empty()) stalls_[index].cycles += cycles;
    }
    /// Or: the sinks of `node` that something waits at from now on, as stall_o shows them.
    void stalled(std::size_t node, std::uint64_t sinks, std::uint64_t cycle);

    /// Usage::occupancy after `cycles` ticks.
    std::array<std::vector<std::uint64_t>, queue_classes> histograms(std::uint64_t cycles) const;
    /// Region::queues and Region::stall_cycles, of each; throw std::logic_error if that was not asked for.
    std::vector<QueueUse> queues(std::size_t node, std::uint64_t cycles) const;
    std::vector<std::uint64_t> stall_cycles(std::size_t node, std::uint64_t cycles) const;

    /// Of a node, whose queues have been counted up to now.
    void state(std::size_t node, Archive& archive);
    /// What its queues have in common: of nodes that are counted by several, these may be added to any one.
    const std::array<std::vector<std::uint64_t>, queue_classes>& sums() const { return histograms_; }
    void add_sums(const std::array<std::vector<std::uint64_t>, queue_classes>& sums);

  private:
    struct Stall {
        std::uint64_t since = 0, cycles = 0;
    };
    /// Holds, until someone asks, the sum of the cycles at which something ended less those at which it
    /// began; what has not ended is added then. As long as the queue was ever full.
    using Histogram = std::vector<std::uint64_t>;

    static std::uint32_t moved(std::uint32_t flits, bool more, std::uint32_t by) {
        return more ? flits + by : flits - by;
    }
    static void step(Histogram& histogram, std::uint32_t before, std::uint32_t after, std::uint64_t cycle) {
        if (after >= histogram.size()) grow(histogram, after);
        histogram[before] += cycle;
        histogram[after] -= cycle;
    }
    /// Throws FellShort for more flits than any queue can hold, which are less than none.
    static void grow(Histogram& histogram, std::uint32_t flits);
    static void ramp(Histogram& histogram, std::uint32_t before, bool more, std::uint32_t flits,
                     std::uint64_t cycle) {
        const std::uint32_t after = moved(before, more, flits);
        if (after >= histogram.size()) grow(histogram, after);
        histogram[before] += cycle;
        for (std::uint32_t i = 1; i < flits; ++i) ++histogram[moved(before, more, i)];
        histogram[after] -= cycle + flits - 1;
    }
    /// `number`: of the queue among all, reception queues behind the sources.
    void change(QueueClass of, std::size_t number, std::uint32_t flits, std::uint64_t cycle) {
        std::uint32_t& level = levels_[number];
        step(histograms_[static_cast<std::size_t>(of)], level, flits, cycle);
        if (!each_.empty()) step(each_[number], level, flits, cycle);
        level = flits;
    }
    void require_each() const;
    QueueUse use(std::size_t number, std::uint64_t cycles) const;
    bool has_link(std::size_t node, std::uint32_t port) const { return f_.from(nodes_[node], port).linked(); }

    const Fabric& f_;
    RegionNodes nodes_;
    std::size_t sources_;                // of all nodes
    std::vector<std::uint32_t> levels_;  // [source], then [reception queue]
    std::array<Histogram, queue_classes> histograms_;
    // Of each, or empty.
    std::vector<Histogram> each_;       // as levels_
    std::vector<Stall> stalls_;         // [node * sinks + sink]
    std::vector<std::uint64_t> shown_;  // [node]: sinks that are stalled now
};

}  // namespace interlace
