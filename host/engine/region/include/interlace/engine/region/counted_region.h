// Interlace: what regions of every engine have in common
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "interlace/engine/region/node_fault.h"
#include "interlace/engine/region/node_states.h"
#include "interlace/engine/region/occupancy.h"
#include "interlace/engine/region/region.h"
#include "interlace/engine/region/region_nodes.h"

namespace interlace {

/// A region that knows its nodes and keeps account of their use; the engine says what changes.
class CountedRegion : public Region, public QueueWatch {
  public:
    QueueWatch* queue_watch() final { return this; }
    void watch(Watch watch) override {
        watches_links_ = watch.links;
        if (watch.occupancy) occupancy_.emplace(f_, global_, watch.each_queue);
    }
    Usage usage() const final {
        if (occupancy_) count();
        Usage use = use_;
        if (occupancy_) use.occupancy = occupancy_->histograms(cycle_);
        complete(use);
        return use;
    }
    std::vector<QueueUse> queues(NodeId node) const final {
        count();
        return occupancy_->queues(local_[node], cycle_);
    }
    std::vector<std::uint64_t> stall_cycles(NodeId node) const override {
        return occupancy_->stall_cycles(local_[node], cycle_);
    }

  protected:
    CountedRegion(const Fabric& fabric, const std::vector<NodeId>& nodes)
        : f_(fabric), global_(nodes), local_(global_, fabric.nodes) {}

    /// Tells occupancy_ what it has not heard of yet, up to the last tick.
    virtual void count() const {}
    /// Adds to `use` what has not been counted yet, but for occupancy.
    virtual void complete(Usage& /*use*/) const {}

    /// What regions of every kind have in their state.
    void counted_state(RegionState& state) {
        if (state.nodes.loads()) {
            cycle_ = state.cycle;
            use_ = std::exchange(state.counted, {});
            if (occupancy_) occupancy_->add_sums(use_.occupancy);
            use_.occupancy = {};
        } else {
            if (occupancy_) count();
            Usage own = use_;
            if (occupancy_) own.occupancy = occupancy_->sums();
            state.counted.add(own);
        }
        for (std::uint32_t n = 0; occupancy_ && n < global_.size(); ++n) {
            Archive archive = state.nodes.of(global_[n]);
            occupancy_->state(n, archive);
        }
    }

    /// The most flits that a queue of the class has held.
    std::uint32_t most(QueueClass queue) const { return use_.high_water[static_cast<std::size_t>(queue)]; }
    /// A queue of the class holds so many.
    void note(QueueClass queue, std::uint32_t flits) {
        std::uint32_t& most = use_.high_water[static_cast<std::size_t>(queue)];
        most = std::max(most, flits);
    }

    /// A node that is reached by tokens: of another region, or all where links have a layer of their own.
    bool is_outside(std::uint32_t node) const { return layered_ || local_[node] == RegionPlaces::outside; }

    const Fabric& f_;
    bool layered_ = f_.links.has_layer();
    RegionNodes global_;       // [node of the region]
    RegionPlaces local_;       // [node of the fabric]
    std::uint64_t cycle_ = 0;  // ticks that have ended
    Usage use_;                // but for occupancy
    mutable std::optional<Occupancy> occupancy_;
    bool watches_links_ = false;
};

}  // namespace interlace
