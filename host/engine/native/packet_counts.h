// Interlace: how long the queues of nodes that are run packet by packet have held how many flits
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/engine/region/occupancy.h"
#include "packet_nodes.h"

namespace interlace::native {

/// Tells an Occupancy, in runs of flits, what has happened in a queue since it was told last: before a packet
/// leaves a source, before another one moves to a reception queue, and when somebody asks.
class PacketCounts {
  public:
    /// Keeps a reference.
    explicit PacketCounts(const PacketNodes& nodes)
        : n_(nodes),
          sources_(nodes.heads.size()),
          receptions_(std::size_t{nodes.count} * nodes.f.receptions) {}

    /// Up to the tick of `cycle`, of a source, [node * sources + source].
    void source(std::uint32_t source, std::uint64_t cycle, Occupancy& to);
    /// Asks memory for a source, or a reception queue, that will change soon.
    [[gnu::always_inline]] void fetch(std::uint32_t source, const Occupancy& to) const {
        __builtin_prefetch(&sources_[source], 1);
        to.fetch_source(source);
    }
    [[gnu::always_inline]] void fetch_reception(std::uint32_t queue, const Occupancy& to) const {
        __builtin_prefetch(&receptions_[queue], 1);
        to.fetch_reception(queue);
    }
    /// Of a reception queue, [node * receptions + queue], whose host is always ready.
    void reception(std::uint32_t queue, std::uint64_t cycle, Occupancy& to);

    /// A node is loaded: the Occupancy has what there was of it before `cycle`.
    void go_on(std::uint32_t node, std::uint64_t cycle) {
        for (std::uint32_t s = 0; s < n_.f.sources(); ++s) sources_[n_.source_index(node, s)] = cycle;
        for (std::uint32_t r = 0; r < n_.f.receptions; ++r) receptions_[node * n_.f.receptions + r] = cycle;
    }

  private:
    /// Flits that come or go, from the first on that nobody has counted.
    struct Flow {
        const FlitTimes* times = nullptr;
        std::uint32_t first = 0;
        std::uint64_t next() const {
            return times != nullptr && first < times->count() ? times->at(first) : never;
        }
        /// Cycle by cycle from there on.
        std::uint32_t in_turn() const {
            return times->even() && times->step() == 1 ? times->count() - first : 1;
        }
    };

    static std::uint64_t in_turn(const Flow& flow, std::uint64_t at);
    Flow leaving(std::uint32_t source, FlitTimes& all, std::uint64_t from) const;
    Flow coming(std::uint32_t packet, std::uint64_t from) const;
    void slots(std::uint32_t source, std::uint64_t cycle, Occupancy& to);

    const PacketNodes& n_;
    std::vector<std::uint64_t> sources_, receptions_;  // of each the first tick that has not been told
};

}  // namespace interlace::native
