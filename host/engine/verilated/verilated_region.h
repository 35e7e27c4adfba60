// Interlace: Verilated nodes, as a region and as a device
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <memory>
#include <string>
#include <vector>

#include "interlace/engine/detail/model_device.h"
#include "interlace/engine/detail/pin_region.h"

namespace interlace::detail {

/// `count` Verilated nodes and their clock.
template <class Model>
class VerilatedNodes {
  public:
    /// `defect`, for a model built with IL_DEFECTS: which one it shall have, 0 for none.
    explicit VerilatedNodes(std::size_t count, std::uint32_t defect = 0) {
        // A defect is for the comparison to find, not for the assertions.
        context_.assertOn(defect == 0);
        const std::string argument = "+il_defect=" + std::to_string(defect);
        const char* arguments[] = {"interlace", argument.c_str()};
        context_.commandArgs(2, arguments);
        for (std::size_t i = 0; i < count; ++i) model_.push_back(std::make_unique<Model>(&context_));
    }

    Model& operator[](std::size_t n) { return *model_[n]; }

    /// A rising edge for node n.
    void clock(std::size_t n) {
        Model& model = *model_[n];
        model.clk_i = 1;
        model.eval();
        fall(model);
    }

  private:
    /// No logic of the node looks at the falling edge: it is there for the next rising one alone. Verilator
    /// sees edges by the clock that it kept of the evaluation before (the name is version 5.006's); where
    /// that can be written, evaluating the falling edge is saved, a fourteenth of the time.
    template <class AnyModel>
    static void fall(AnyModel& model) {
        model.clk_i = 0;
        if constexpr (requires { model.rootp->__Vtrigrprev__TOP__clk_i; })
            model.rootp->__Vtrigrprev__TOP__clk_i = 0;
        else
            model.eval();
    }

    VerilatedContext context_;
    std::vector<std::unique_ptr<Model>> model_;
};

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
    void clock(const std::vector<std::uint32_t>& awake) override {
        for (const std::uint32_t n : awake) {
            model_.clock(n);
            this->silence(model_[n]);
        }
    }

    VerilatedNodes<Model> model_;
};

/// Such nodes as a device; `sizes`: what they are built with.
template <class Model, std::uint32_t built_vcs = 4>
class VerilatedDevice final : public PinDevice {
  public:
    VerilatedDevice(const NodeSizes& sizes, std::size_t count) : sizes_(sizes), model_(count) {}
    NodeSizes sizes() const override { return sizes_; }
    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        for (const std::uint32_t n : awake) {
            show_inputs<built_vcs>(pins[n], sizes_, model_[n]);
            model_.clock(n);
            read_outputs<built_vcs>(model_[n], sizes_, pins[n]);
        }
    }

  private:
    NodeSizes sizes_;
    VerilatedNodes<Model> model_;
};

}  // namespace interlace::detail
