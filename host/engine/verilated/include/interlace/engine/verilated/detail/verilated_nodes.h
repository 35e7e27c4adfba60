// Interlace: Verilated nodes and their clock
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "interlace/engine/verilated/detail/context.h"

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

}  // namespace interlace::detail
