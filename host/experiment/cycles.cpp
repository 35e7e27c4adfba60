// Interlace: a program on the cycle engines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/cycles.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/engine/lockstep.h"
#include "interlace/engine/machine.h"
#include "interlace/engine/max_plus.h"
#include "interlace/engine/native.h"
#ifdef INTERLACE_RTL
#include "interlace/engine/verilated.h"
#endif
#include "interlace/harness/program_run.h"

namespace interlace {
namespace {

std::unique_ptr<Region> rtl_region([[maybe_unused]] const Fabric& fabric,
                                   [[maybe_unused]] const std::vector<NodeId>& nodes) {
#ifdef INTERLACE_RTL
    return verilated_region(fabric, nodes);
#else
    throw InputError("engine 'rtl'", "a build with INTERLACE_RTL, or the engine native");
#endif
}

/// Which nodes are RTL.
std::vector<bool> rtl_nodes(const Network& network, const std::string& engine, const CycleOptions& options) {
    std::vector<bool> rtl(network.node_count(), engine == "rtl");
    if (options.rtl_nodes.empty()) return rtl;
    if (engine != "native")
        throw InputError("rtl nodes with the engine '" + engine + "'", "the engine native");
    for (const std::string& piece : split(options.rtl_nodes, ',')) rtl[parse_node(network, piece)] = true;
    return rtl;
}

std::unique_ptr<Region> make_region(const Fabric& fabric, const std::vector<NodeId>& nodes, bool rtl,
                                    const CycleOptions& options) {
    if (options.lockstep.empty()) return rtl ? rtl_region(fabric, nodes) : native_region(fabric, nodes);
    if (options.lockstep != "rtl" || rtl)
        throw InputError("lockstep '" + options.lockstep + "'", "rtl, beside the engine native");
    std::vector<NamedRegion> both;
    both.push_back({"native", native_region(fabric, nodes, nullptr, true)});
    both.push_back({"rtl", rtl_region(fabric, nodes)});
    return lockstep_region(fabric, nodes, std::move(both));
}

std::vector<Machine::Part> cut(const Network& network, const Fabric& fabric, const std::string& engine,
                               const CycleOptions& options) {
    const std::vector<bool> is_rtl = rtl_nodes(network, engine, options);
    std::vector<Machine::Part> parts;
    for (const bool rtl : {false, true}) {
        std::vector<NodeId> nodes;
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            if (is_rtl[v] == rtl) nodes.emplace_back(v);
        if (nodes.empty()) continue;
        auto region = make_region(fabric, nodes, rtl, options);
        parts.push_back({std::move(nodes), std::move(region)});
    }
    return parts;
}

}  // namespace

bool is_cycle_engine(const std::string& engine) {
    return engine == "native" || engine == "rtl";
}

CycleResult run_cycles(const Network& network, const Program& program, std::uint32_t steps,
                       const std::string& engine, const CycleOptions& options) {
    if (options.pace != "off" && options.pace != "step")
        throw InputError("pace '" + options.pace + "'", "off or step");
    const Fabric fabric(network, options.node);
    std::vector<Machine::Part> parts = cut(network, fabric, engine, options);
    CycleResult result;
    result.regions = static_cast<std::uint32_t>(parts.size());
    Machine machine(fabric, std::move(parts));
    ProgramRunOptions run;
    run.packet_flits = options.node.packet_flits;
    const std::uint64_t hop = run.packet_flits + host_hop_overhead;
    if (options.pace == "step") run.pace = hop;
    result.cycles = run_program(network, fabric, machine, program, run).cycles;
    result.max_plus_cycles = options.pace == "step"
                                 ? steps * hop
                                 : max_plus_time(network, program, {run.packet_flits, host_hop_overhead});
    return result;
}

}  // namespace interlace
