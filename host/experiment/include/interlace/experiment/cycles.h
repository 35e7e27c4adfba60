// Interlace: a program on the cycle engines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "interlace/harness/deadlock.h"
#include "interlace/harness/program_run.h"
#include "interlace/measure/json_result.h"
#include "interlace/node/links.h"
#include "interlace/node/parameters.h"
#include "interlace/program/program.h"

namespace interlace {

/// How a program runs on nodes.
struct CycleOptions {
    NodeParameters node = node_parameters("bgl");
    LinkParameters links;
    HostParameters host;
    std::string forwarding = "host";  ///< host, table or deposit
    std::string pace = "off";         ///< off, or step: lanes start a packet every F + h cycles
    std::string rtl_nodes;      ///< nodes, as in 0,5,17, that are RTL whatever the engine; empty for none
    std::string systemc_nodes;  ///< likewise SystemC
    std::string lockstep;       ///< engines, as in rtl,systemc, that run beside and are compared pin by pin
    std::string trace;          ///< file for a waveform of trace_nodes; empty for none
    std::string trace_nodes = "0";
    std::uint32_t regions = 1;  ///< that the nodes of each engine are cut into (SystemC: always one)
    std::uint32_t threads = 1;  ///< that regions run on
};

struct CycleResult {
    std::uint64_t cycles = 0;
    std::uint64_t max_plus_cycles = 0;  ///< what the step theorem predicts (docs/node.md, section 7)
    std::uint32_t regions = 1;
    Usage queues;
    DeadlockCheck deadlock;
};

/// The engines that count cycles: native, systemc and rtl (the latter two where they were built).
bool is_cycle_engine(const std::string& engine);

/// Who hears of a long run as it goes on. Empty functions are not called.
struct RunListener {
    std::function<void(const char* stage, double share)> progress = {};  ///< share of the stage's work done
    std::function<void(const std::string& text)> warn = {};  ///< what the user should know before the end
};

/// Runs `program`. Throws InputError for what the engines cannot represent, FellShort for a run that is stuck
/// or engines that disagree.
CycleResult run_cycles(const Network& network, const Program& program, const std::string& engine,
                       const CycleOptions& options, const RunListener& listener = {});

}  // namespace interlace
