// Interlace: a program on the cycle engines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "interlace/measure/json_result.h"
#include "interlace/node/parameters.h"
#include "interlace/program/program.h"

namespace interlace {

/// How a program runs on nodes.
struct CycleOptions {
    NodeParameters node = node_parameters("bgl");
    std::string pace = "off";   ///< off, or step: lanes start a packet every F + h cycles
    std::string rtl_nodes;      ///< nodes, as in 0,5,17, that are RTL whatever the engine; empty for none
    std::string systemc_nodes;  ///< likewise SystemC
    std::string lockstep;       ///< engines, as in rtl,systemc, that run beside and are compared pin by pin
};

struct CycleResult {
    std::uint64_t cycles = 0;
    std::uint64_t max_plus_cycles = 0;  ///< what the step theorem predicts (docs/node.md, section 7)
    std::uint32_t regions = 1;
};

/// The engines that count cycles: native, systemc and rtl (the latter two where they were built).
bool is_cycle_engine(const std::string& engine);

/// Runs `program` with ideal hosts that forward. Throws InputError for what the engines cannot represent.
CycleResult run_cycles(const Network& network, const Program& program, std::uint32_t steps,
                       const std::string& engine, const CycleOptions& options);

}  // namespace interlace
