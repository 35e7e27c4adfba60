// Interlace: how queues and links were used
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "interlace/core/bytes.h"
#include "interlace/engine/link/link_ends.h"
#include "interlace/node/parameters.h"

namespace interlace {

/// How the queues and links of some nodes were used since the first cycle.
struct Usage {
    /// [QueueClass]: most flits that a queue of the class held.
    std::array<std::uint32_t, queue_classes> high_water{};
    /// [QueueClass]: cycles in which something waited for room in a queue of the class and for nothing else,
    /// summed over the sinks that lead to one (docs/node.md, `stall_o`). Of injection queues the hosts know.
    std::array<std::uint64_t, queue_classes> stall_cycles{};

    std::uint64_t hops = 0;  ///< packets that left by a link

    /// Of hardware that is held to Supervision::service: most cycles for which a packet was passed over
    /// (Scoreboard::longest_wait). Not in checkpoints.
    std::uint64_t longest_wait = 0;

    LinkLayerUse link_layer = {};  ///< of a machine whose links have one

    /// [QueueClass][flits]: queues of the class with so many flits, summed over cycles; of channels, those
    /// into which a link leads. Empty where occupancy is not watched.
    std::array<std::vector<std::uint64_t>, queue_classes> occupancy{};

    bool operator==(const Usage&) const = default;
    /// Mean flits in a queue of the class, over queues and cycles; 0 where there is nothing to count.
    double mean_flits(QueueClass queue) const {
        double flits = 0;
        double cycles = 0;
        const auto& histogram = occupancy[static_cast<std::size_t>(queue)];
        for (std::size_t i = 0; i < histogram.size(); ++i) {
            flits += static_cast<double>(i) * static_cast<double>(histogram[i]);
            cycles += static_cast<double>(histogram[i]);
        }
        return cycles > 0 ? flits / cycles : 0;
    }
    void write(ByteWriter& bytes) const {
        bytes.put(high_water);
        bytes.put(stall_cycles);
        bytes.put(hops);
        bytes.put(link_layer);
        for (const auto& histogram : occupancy) bytes.put(histogram);
    }
    static Usage read(ByteReader& bytes) {
        Usage use;
        bytes.get(use.high_water);
        bytes.get(use.stall_cycles);
        bytes.get(use.hops);
        bytes.get(use.link_layer);
        for (auto& histogram : use.occupancy) bytes.append_to(histogram);
        return use;
    }
    void add(const Usage& other) {
        hops += other.hops;
        longest_wait = std::max(longest_wait, other.longest_wait);
        link_layer.add(other.link_layer);
        for (std::size_t c = 0; c < queue_classes; ++c) {
            high_water[c] = std::max(high_water[c], other.high_water[c]);
            stall_cycles[c] += other.stall_cycles[c];
            occupancy[c].resize(std::max(occupancy[c].size(), other.occupancy[c].size()));
            for (std::size_t i = 0; i < other.occupancy[c].size(); ++i)
                occupancy[c][i] += other.occupancy[c][i];
        }
    }
};

/// How one queue was used since the first cycle.
struct QueueUse {
    std::uint64_t flit_cycles = 0;         ///< flits in it, summed over cycles
    std::uint32_t high_water = 0;          ///< most flits in it
    std::vector<std::uint64_t> histogram;  ///< [flits]: cycles that ended with so many
    bool operator==(const QueueUse&) const = default;
};

/// What else a region shall keep account of; each costs time.
struct Watch {
    bool occupancy = false;   ///< Usage::occupancy
    bool each_queue = false;  ///< with occupancy: QueueWatch::queues and stall_cycles, for which caches
                              ///< may be too small
    bool links = false;       ///< RegionOutputs::sent
};

}  // namespace interlace
