// Interlace: the same region in several engines at once, compared pin by pin
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/lockstep.h"

#include <fmt/format.h>

#include <algorithm>

namespace interlace {
namespace {

class LockstepRegion final : public Region {
  public:
    LockstepRegion(const Fabric& fabric, std::vector<NodeId> nodes, std::vector<NamedRegion> regions)
        : names_(fabric.pin_names()), nodes_(std::move(nodes)), regions_(std::move(regions)) {}

    void tick(const RegionInputs& inputs, RegionOutputs& outputs) override {
        regions_.front().region->tick(inputs, outputs);
        for (std::size_t i = 1; i < regions_.size(); ++i) {
            ignored_.clear();
            regions_[i].region->tick(inputs, ignored_);
        }
        for (const NodeId node : nodes_) compare(node);
        ++cycle_;
    }

    Pins pins(NodeId node) const override { return regions_.front().region->pins(node); }

    std::uint32_t reception_flits(NodeId node, std::uint32_t queue) const override {
        return regions_.front().region->reception_flits(node, queue);
    }
    Usage usage() const override { return regions_.front().region->usage(); }

  private:
    void compare(NodeId node) const {
        const Pins first = regions_.front().region->pins(node);
        for (std::size_t i = 1; i < regions_.size(); ++i) {
            const Pins other = regions_[i].region->pins(node);
            const auto [a, b] = std::mismatch(first.begin(), first.end(), other.begin(), other.end());
            if (a == first.end() && b == other.end()) continue;
            throw LockstepError(fmt::format("after cycle {}, node {}, {}: {} {:#x}, {} {:#x}", cycle_, +node,
                                            names_.at(static_cast<std::size_t>(a - first.begin())),
                                            regions_.front().name, *a, regions_[i].name, *b));
        }
    }

    std::vector<std::string> names_;
    std::vector<NodeId> nodes_;
    std::vector<NamedRegion> regions_;
    RegionOutputs ignored_;
    std::uint64_t cycle_ = 0;
};

}  // namespace

std::unique_ptr<Region> lockstep_region(const Fabric& fabric, std::vector<NodeId> nodes,
                                        std::vector<NamedRegion> regions) {
    return std::make_unique<LockstepRegion>(fabric, std::move(nodes), std::move(regions));
}

}  // namespace interlace
