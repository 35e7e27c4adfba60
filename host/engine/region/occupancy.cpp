// Interlace: how long queues held how many flits
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/occupancy.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace interlace {

Occupancy::Occupancy(const Fabric& fabric, std::vector<NodeId> nodes)
    : f_(fabric),
      nodes_(std::move(nodes)),
      sources_(nodes_.size() * fabric.sources()),
      receptions_(nodes_.size() * fabric.receptions),
      stalls_(nodes_.size() * fabric.sinks()),
      shown_(nodes_.size(), 0) {}

void Occupancy::stalled(std::size_t node, std::uint64_t sinks, std::uint64_t cycle) {
    for (std::uint64_t changed = shown_[node] ^ sinks; changed != 0; changed &= changed - 1) {
        const auto sink = static_cast<std::uint32_t>(std::countr_zero(changed));
        Stall& stall = stalls_[node * f_.sinks() + sink];
        if ((sinks >> sink & 1U) == 0) stall.cycles += cycle - stall.since;
        stall.since = cycle;
    }
    shown_[node] = sinks;
}

std::vector<std::uint64_t> Occupancy::stall_cycles(std::size_t node, std::uint64_t cycles) const {
    std::vector<std::uint64_t> of_sink;
    of_sink.reserve(f_.sinks());
    for (std::uint32_t k = 0; k < f_.sinks(); ++k) {
        const Stall& stall = stalls_[node * f_.sinks() + k];
        of_sink.push_back(stall.cycles + ((shown_[node] >> k & 1U) != 0 ? cycles - stall.since : 0));
    }
    return of_sink;
}

std::array<std::vector<std::uint64_t>, queue_classes> Occupancy::histograms(std::uint64_t cycles) const {
    std::array<std::vector<std::uint64_t>, queue_classes> histograms;
    for (auto& histogram : histograms) histogram = {0};
    const auto add = [&](QueueClass of, const Queue& queue) {
        auto& sum = histograms[static_cast<std::size_t>(of)];
        sum.resize(std::max(sum.size(), queue.histogram.size()));
        std::transform(queue.histogram.begin(), queue.histogram.end(), sum.begin(), sum.begin(),
                       std::plus<>());
        sum[queue.flits] += cycles - queue.since;
    };
    const std::uint32_t channels = f_.ports * f_.vcs;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const Queue* source = &sources_[n * f_.sources()];
        for (std::uint32_t s = 0; s < f_.sources(); ++s)
            if (s >= channels)
                add(QueueClass::injection, source[s]);
            else if (has_link(n, s / f_.vcs))
                add(QueueClass::channel, source[s]);
    }
    for (const Queue& queue : receptions_) add(QueueClass::reception, queue);
    return histograms;
}

std::vector<QueueUse> Occupancy::queues(std::size_t node, std::uint64_t cycles) const {
    std::vector<QueueUse> queues;
    queues.reserve(f_.sources() + f_.receptions);
    const auto add = [&](const Queue& queue) {
        QueueUse use{queue.histogram, 0};
        if (use.histogram.empty()) use.histogram = {0};
        use.histogram[queue.flits] += cycles - queue.since;
        use.high_water = static_cast<std::uint32_t>(use.histogram.size() - 1);
        queues.push_back(std::move(use));
    };
    for (std::uint32_t s = 0; s < f_.sources(); ++s) add(sources_[node * f_.sources() + s]);
    for (std::uint32_t r = 0; r < f_.receptions; ++r) add(receptions_[node * f_.receptions + r]);
    return queues;
}

}  // namespace interlace
