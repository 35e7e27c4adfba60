// Interlace: one node of RTL or SystemC behind its pins
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <memory>
#include <string>

#include "systemc_region.h"

namespace interlace {

/// Its registers begin at random, and its assertions are off: who drives it is to see what it does.
template <class Model>
struct RtlNode {
    /// `argument`: of the simulation, as in +il_defect=1.
    explicit RtlNode(const std::string& argument = "") {
        context.assertOn(false);
        context.randReset(2);
        context.randSeed(1);
        const char* arguments[] = {"interlace", argument.c_str()};
        context.commandArgs(2, arguments);
        model = std::make_unique<Model>(&context);
        model->clk_i = 0;  // of pins too, which are at random: the first edge is to be one
        model->eval();
    }
    VerilatedContext context;
    std::unique_ptr<Model> model;
    Model& pins() { return *model; }
    void clock() {
        for (const bool level : {true, false}) {
            model->clk_i = level;
            model->eval();
        }
    }
};

/// The first that the process has of the module and pipeline, which is made before the first cycle of any.
template <class Module, std::uint32_t pipeline = 1>
struct SystemCNode {
    detail::NodeWithPins<Module>& pins() { return *detail::pool<Module>(pipeline).front(); }
    void clock() {
        pins().clk.rise();
        sc_core::sc_start(1, sc_core::SC_NS);
    }
};

}  // namespace interlace
