// Interlace: a Verilated module and its clock
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

namespace interlace {

/// A Verilated module with clk_i, rst_ni and clk_en_i, in a context of its own. Whoever sets input pins calls
/// settle() or clock() before output pins follow.
template <class Model>
struct Clocked : Model {
    explicit Clocked(VerilatedContext& context) : Model(&context) {
        Model::clk_en_i = 1;
        reset();
    }

    void settle() { Model::eval(); }

    /// A rising edge with the input pins as they are, and the falling one.
    void clock() {
        for (const int level : {0, 1, 0}) {
            Model::clk_i = level;
            Model::eval();
        }
    }

    void reset() {
        Model::rst_ni = 0;
        clock();
        clock();
        Model::rst_ni = 1;
        Model::eval();
    }
};

}  // namespace interlace
