// Interlace: Verilated nodes, and what they are as a device
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "interlace/engine/pins/detail/model_device.h"
#include "interlace/engine/verilated/detail/context.h"
#include "interlace/engine/verilated/detail/model_state.h"

namespace interlace::detail {

/// `count` Verilated nodes and their clock.
template <class Model>
class VerilatedNodes {
  public:
    /// `defect`, for a model built with IL_DEFECTS: which one it shall have, 0 for none.
    explicit VerilatedNodes(std::size_t count, std::uint32_t defect = 0) {
        // A defect is for the comparison to find, not for the assertions.
        context_->assertOn(defect == 0);
        const std::string argument = "+il_defect=" + std::to_string(defect);
        const char* arguments[] = {"interlace", argument.c_str()};
        context_->commandArgs(2, arguments);
        for (std::size_t i = 0; i < count; ++i) {
            model_.push_back(std::make_unique<Model>(context_.get()));
            // To Verilator the first evaluation is no edge, whatever the clock says.
            model_.back()->clk_i = 0;
            model_.back()->eval();
        }
    }

    VerilatedNodes(const VerilatedNodes&) = delete;
    VerilatedNodes& operator=(const VerilatedNodes&) = delete;
    ~VerilatedNodes() { context_.enter(); }

    std::size_t size() const { return model_.size(); }
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

    Context context_;
    std::vector<std::unique_ptr<Model>> model_;
};

/// Such nodes as a device; `sizes`: what they are built with.
template <class Model>
class VerilatedDevice final : public PinDevice {
  public:
    VerilatedDevice(const NodeSizes& sizes, std::size_t count, std::uint32_t silent_cycles = 0)
        : sizes_(sizes), silent_cycles_(silent_cycles), model_(count) {}
    NodeSizes sizes() const override { return sizes_; }
    DeviceTraits traits() const override {
        return {.silent_cycles = silent_cycles_,
                .registers = has_registers<Model>,
                .snapshots = is_savable<Model>};
    }
    std::vector<std::uint8_t> snapshot() override {
        StateWriter out;
        if constexpr (is_savable<Model>)
            for (std::size_t n = 0; n < model_.size(); ++n) out << model_[n];
        return out.bytes();
    }
    void restore(std::span<const std::uint8_t> snapshot) override {
        // A model's state begins with a number that is its module's; Verilator ends the program at another.
        constexpr std::size_t number = 8;
        const std::vector<std::uint8_t> own = this->snapshot();
        if (snapshot.size() != own.size() || !std::equal(own.begin(), own.begin() + number, snapshot.begin()))
            throw FellShort("a snapshot of other nodes");
        StateReader in(snapshot);
        if constexpr (is_savable<Model>)
            for (std::size_t n = 0; n < model_.size(); ++n) in >> model_[n];
        in.finish();
    }
    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        for (const std::uint32_t n : awake) {
            show_inputs(pins[n], sizes_, model_[n]);
            model_.clock(n);
            read_outputs(model_[n], sizes_, pins[n]);
        }
    }

    /// What its nodes say that they are. Throws FellShort where that is none of docs/node.md, or no device of
    /// this protocol can be it.
    static NodeSizes sizes_of_registers() {
        VerilatedNodes<Model> nodes(1);
        return read_sizes([&](const PinImage& pins) {
            set(nodes[0].rst_ni, 0, 1, pins.rst_ni);
            set(nodes[0].clk_en_i, 0, 1, pins.clk_en_i);
            set(nodes[0].cfg_read_i, 0, 1, pins.cfg_read_i);
            set(nodes[0].cfg_addr_i, 0, 16, pins.cfg_addr_i);
            nodes.clock(0);
            return static_cast<std::uint32_t>(get(nodes[0].cfg_data_o, 0, 32));
        });
    }

  private:
    NodeSizes sizes_;
    std::uint32_t silent_cycles_;
    VerilatedNodes<Model> model_;
};

}  // namespace interlace::detail
