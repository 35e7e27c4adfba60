// Interlace: how long queues held how many flits
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/region/occupancy.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "interlace/core/error.h"

namespace interlace {
namespace {

/// In a queue, of a state: one without a depth has had no more, in memory that there is.
constexpr std::uint32_t most_flits = 1U << 24U;

}  // namespace

Occupancy::Occupancy(const Fabric& fabric, RegionNodes nodes, bool each)
    : f_(fabric),
      nodes_(std::move(nodes)),
      sources_(nodes_.size() * fabric.sources()),
      levels_(sources_ + nodes_.size() * fabric.receptions, 0) {
    for (auto& histogram : histograms_) histogram.resize(1, 0);
    if (!each) return;
    each_.resize(levels_.size(), {0});
    stalls_.resize(nodes_.size() * fabric.sinks());
    shown_.resize(nodes_.size(), 0);
}

void Occupancy::stalled(std::size_t node, std::uint64_t sinks, std::uint64_t cycle) {
    if (stalls_.empty()) return;
    for (std::uint64_t changed = shown_[node] ^ sinks; changed != 0; changed &= changed - 1) {
        const auto sink = static_cast<std::uint32_t>(std::countr_zero(changed));
        Stall& stall = stalls_[node * f_.sinks() + sink];
        if ((sinks >> sink & 1U) == 0) stall.cycles += cycle - stall.since;
        stall.since = cycle;
    }
    shown_[node] = sinks;
}

std::vector<std::uint64_t> Occupancy::stall_cycles(std::size_t node, std::uint64_t cycles) const {
    require_each();
    std::vector<std::uint64_t> of_sink;
    of_sink.reserve(f_.sinks());
    for (std::uint32_t k = 0; k < f_.sinks(); ++k) {
        const Stall& stall = stalls_[node * f_.sinks() + k];
        of_sink.push_back(stall.cycles + ((shown_[node] >> k & 1U) != 0 ? cycles - stall.since : 0));
    }
    return of_sink;
}

std::array<std::vector<std::uint64_t>, queue_classes> Occupancy::histograms(std::uint64_t cycles) const {
    auto histograms = histograms_;
    const auto add = [&](QueueClass of, std::size_t number) {
        histograms[static_cast<std::size_t>(of)][levels_[number]] += cycles;
    };
    const std::uint32_t channels = f_.link_sources();
    for (std::size_t s = 0; s < sources_; ++s) {
        const std::size_t node = s / f_.sources(), local = s % f_.sources();
        if (local >= channels)
            add(QueueClass::injection, s);
        else if (has_link(node, static_cast<std::uint32_t>(local / f_.vcs)))
            add(QueueClass::channel, s);
    }
    for (std::size_t r = sources_; r < levels_.size(); ++r) add(QueueClass::reception, r);
    return histograms;
}

void Occupancy::grow(Histogram& histogram, std::uint32_t flits) {
    if (flits > infinite_depth)
        throw FellShort("a queue gave more flits than it held: the resumed state is inconsistent");
    histogram.resize(flits + 1U);
}

void Occupancy::require_each() const {
    if (stalls_.empty()) throw std::logic_error("Watch::each_queue was not asked for");
}

std::vector<QueueUse> Occupancy::queues(std::size_t node, std::uint64_t cycles) const {
    require_each();
    std::vector<QueueUse> queues;
    queues.reserve(f_.sources() + f_.receptions);
    for (std::size_t s = node * f_.sources(); s < (node + 1) * f_.sources(); ++s)
        queues.push_back(use(s, cycles));
    for (std::size_t r = node * f_.receptions; r < (node + 1) * f_.receptions; ++r)
        queues.push_back(use(sources_ + r, cycles));
    return queues;
}

void Occupancy::state(std::size_t node, Archive& archive) {
    const auto pass = [&](QueueClass of, std::size_t number) {
        archive.below(levels_[number], most_flits);
        if (!each_.empty()) archive(each_[number]);
        archive.expect(each_.empty() || levels_[number] < each_[number].size());
        Histogram& histogram = histograms_[static_cast<std::size_t>(of)];
        histogram.resize(std::max<std::size_t>(histogram.size(), levels_[number] + 1U));
    };
    for (std::size_t s = 0; s < f_.sources(); ++s)
        pass(s < std::size_t{f_.ports} * f_.vcs ? QueueClass::channel : QueueClass::injection,
             node * f_.sources() + s);
    for (std::size_t r = node * f_.receptions; r < (node + 1) * f_.receptions; ++r)
        pass(QueueClass::reception, sources_ + r);
    if (stalls_.empty()) return;
    for (std::size_t k = node * f_.sinks(); k < (node + 1) * f_.sinks(); ++k)
        archive(stalls_[k].since, stalls_[k].cycles);
    archive.below(shown_[node], std::uint64_t{1} << f_.sinks());
}

void Occupancy::add_sums(const std::array<std::vector<std::uint64_t>, queue_classes>& sums) {
    for (std::size_t c = 0; c < queue_classes; ++c) {
        histograms_[c].resize(std::max(histograms_[c].size(), sums[c].size()));
        for (std::size_t i = 0; i < sums[c].size(); ++i) histograms_[c][i] += sums[c][i];
    }
}

QueueUse Occupancy::use(std::size_t number, std::uint64_t cycles) const {
    QueueUse use;
    use.histogram = each_[number];
    use.histogram[levels_[number]] += cycles;
    use.high_water = static_cast<std::uint32_t>(use.histogram.size() - 1);
    for (std::size_t flits = 1; flits < use.histogram.size(); ++flits)
        use.flit_cycles += flits * use.histogram[flits];
    return use;
}

}  // namespace interlace
