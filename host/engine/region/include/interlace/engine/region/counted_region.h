// Interlace: what regions of every engine have in common
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interlace/engine/region/occupancy.h"
#include "interlace/engine/region/scoreboard.h"

namespace interlace {

/// A region that knows its nodes and keeps account of their use; the engine says what changes.
class CountedRegion : public Region {
  public:
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
        : f_(fabric), global_(nodes), local_(fabric.nodes, UINT32_MAX) {
        for (std::uint32_t i = 0; i < nodes.size(); ++i) local_[nodes[i]] = i;
    }

    /// Tells occupancy_ what it has not heard of yet, up to the last tick.
    virtual void count() const {}
    /// Adds to `use` what has not been counted yet, but for occupancy.
    virtual void complete(Usage& /*use*/) const {}

    /// A node that is reached by tokens: of another region, or all where links have a layer of their own.
    bool is_outside(std::uint32_t node) const { return layered_ || local_[node] == UINT32_MAX; }

    const Fabric& f_;
    bool layered_ = f_.links.has_layer();
    std::vector<NodeId> global_;        // [node of the region]
    std::vector<std::uint32_t> local_;  // [node of the fabric]; UINT32_MAX: of another region
    std::uint64_t cycle_ = 0;           // ticks that have ended
    Usage use_;                         // but for occupancy
    mutable std::optional<Occupancy> occupancy_;
    bool watches_links_ = false;
};

}  // namespace interlace
