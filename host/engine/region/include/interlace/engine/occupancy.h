// Interlace: how long queues held how many flits
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "interlace/engine/fabric.h"
#include "interlace/engine/region.h"

namespace interlace {

/// Counts for the queues of some nodes of a region. A change costs a few instructions, a cycle without one
/// nothing; a queue, 8 bytes for each flit that it has held at a time. Nodes go by their place in the region;
/// cycles by the number of ticks that ended before.
class Occupancy {
  public:
    Occupancy(const Fabric& fabric, std::vector<NodeId> nodes);

    /// The tick of `cycle` leaves `flits` flits in a queue: a source of a node, [node * sources + source], or
    /// a reception queue, [node * receptions + queue].
    void source(std::size_t index, std::uint32_t flits, std::uint64_t cycle) {
        change(sources_[index], flits, cycle);
    }
    void reception(std::size_t index, std::uint32_t flits, std::uint64_t cycle) {
        change(receptions_[index], flits, cycle);
    }
    /// Something waits at a sink, [node * sinks + sink], for one cycle.
    void stall(std::size_t index) { ++stalls_[index].cycles; }
    /// Or: the sinks of `node` that something waits at from now on, as stall_o shows them.
    void stalled(std::size_t node, std::uint64_t sinks, std::uint64_t cycle);

    /// Usage::occupancy after `cycles` ticks.
    std::array<std::vector<std::uint64_t>, queue_classes> histograms(std::uint64_t cycles) const;
    /// Region::queues and Region::stall_cycles.
    std::vector<QueueUse> queues(std::size_t node, std::uint64_t cycles) const;
    std::vector<std::uint64_t> stall_cycles(std::size_t node, std::uint64_t cycles) const;

  private:
    struct Queue {
        std::vector<std::uint64_t> histogram;  // up to cycle `since`; empty until something comes
        std::uint64_t since = 0;               // with so many flits
        std::uint32_t flits = 0;
    };
    struct Stall {
        std::uint64_t since = 0, cycles = 0;
    };

    static void change(Queue& queue, std::uint32_t flits, std::uint64_t cycle) {
        const std::size_t most = std::max(queue.flits, flits);
        if (most >= queue.histogram.size()) queue.histogram.resize(most + 1);
        queue.histogram[queue.flits] += cycle - queue.since;
        queue.since = cycle;
        queue.flits = flits;
    }
    bool has_link(std::size_t node, std::uint32_t port) const {
        return f_.from[std::size_t{nodes_[node]} * f_.ports + port].node != UINT32_MAX;
    }

    const Fabric& f_;
    std::vector<NodeId> nodes_;
    std::vector<Queue> sources_, receptions_;
    std::vector<Stall> stalls_;         // [node * sinks + sink]
    std::vector<std::uint64_t> shown_;  // [node]: sinks that are stalled now
};

}  // namespace interlace
