// Interlace: a region of Verilated nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "interlace/engine/pins/detail/pin_region.h"
#include "interlace/engine/verilated/detail/model_state.h"
#include "interlace/engine/verilated/detail/verilated_nodes.h"

namespace interlace::detail {

/// `Model`: an il_node with `built_vcs` channels. `defect` as of VerilatedNodes.
template <class Model, std::uint32_t built_vcs = 4>
class VerilatedRegion final : public PinRegion<Model, built_vcs> {
  public:
    VerilatedRegion(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables,
                    std::uint32_t defect = 0)
        : PinRegion<Model, built_vcs>(fabric, nodes), model_(nodes.size(), defect) {
        std::vector<Model*> models;
        for (std::size_t i = 0; i < nodes.size(); ++i) models.push_back(&model_[i]);
        this->configure(std::move(models), tables, INTERLACE_QUEUE_DEPTH);
    }

  private:
    bool has_model_state() const override { return is_savable<Model>; }
    void model_state(std::uint32_t n, Archive& archive) override {
        if constexpr (is_savable<Model>) detail::model_state(model_[n], archive);
    }

    void clock(const std::vector<std::uint32_t>& awake) override {
        for (const std::uint32_t n : awake) {
            model_.clock(n);
            this->silence(model_[n]);
        }
    }

    VerilatedNodes<Model> model_;
};

}  // namespace interlace::detail
