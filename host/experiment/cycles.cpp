// Interlace: a program on the cycle engines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/cycles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/engine/lockstep.h"
#include "interlace/engine/machine.h"
#include "interlace/engine/max_plus.h"
#include "interlace/engine/native.h"
#ifdef INTERLACE_SYSTEMC
#include "interlace/engine/systemc.h"
#endif
#ifdef INTERLACE_RTL
#include "interlace/engine/verilated.h"
#endif
#include "interlace/harness/program_run.h"
#include "make_machine.h"

namespace interlace {
namespace {

/// `probed`: pins can be asked for.
std::unique_ptr<Region> make_native(const Fabric& fabric, const std::vector<NodeId>& nodes, bool probed) {
    return native_region(fabric, nodes, nullptr, probed);
}

std::unique_ptr<Region> make_systemc([[maybe_unused]] const Fabric& fabric,
                                     [[maybe_unused]] const std::vector<NodeId>& nodes, bool /*probed*/) {
#ifdef INTERLACE_SYSTEMC
    return systemc_region(fabric, nodes);
#else
    throw InputError("engine 'systemc'", "a build with INTERLACE_SYSTEMC, or another engine");
#endif
}

std::unique_ptr<Region> make_rtl([[maybe_unused]] const Fabric& fabric,
                                 [[maybe_unused]] const std::vector<NodeId>& nodes, bool /*probed*/) {
#ifdef INTERLACE_RTL
    return verilated_region(fabric, nodes);
#else
    throw InputError("engine 'rtl'", "a build with INTERLACE_RTL, or another engine");
#endif
}

struct Engine {
    const char* name;
    std::unique_ptr<Region> (*make)(const Fabric&, const std::vector<NodeId>&, bool probed);
};

constexpr std::array<Engine, 3> engines = {
    {{"native", make_native}, {"systemc", make_systemc}, {"rtl", make_rtl}}};

std::size_t engine_index(const std::string& name, const std::string& what) {
    for (std::size_t i = 0; i < engines.size(); ++i)
        if (name == engines[i].name) return i;
    throw InputError(what + " '" + name + "'", "native, systemc or rtl");
}

/// [node]: the engine of its region.
std::vector<std::size_t> engines_of_nodes(const Network& network, const std::string& engine,
                                          const CycleOptions& options) {
    std::vector<std::size_t> of(network.node_count(), engine_index(engine, "engine"));
    for (const auto& [name, nodes] :
         {std::pair{"systemc", options.systemc_nodes}, {"rtl", options.rtl_nodes}}) {
        if (nodes.empty()) continue;
        for (const std::string& piece : split(nodes, ','))
            of[parse_node(network, piece)] = engine_index(name, "engine");
    }
    return of;
}

/// A region of the engine, with those of `lockstep` beside it.
std::unique_ptr<Region> make_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                    std::size_t engine, const std::string& lockstep) {
    if (lockstep.empty()) return engines[engine].make(fabric, nodes, false);
    std::vector<NamedRegion> regions;
    regions.push_back({engines[engine].name, engines[engine].make(fabric, nodes, true)});
    for (const std::string& name : split(lockstep, ',')) {
        const Engine& beside = engines[engine_index(name, "lockstep with")];
        for (const NamedRegion& other : regions)
            if (other.name == name) throw InputError("lockstep of " + name + " with itself", "other engines");
        regions.push_back({name, beside.make(fabric, nodes, true)});
    }
    return lockstep_region(fabric, nodes, std::move(regions));
}

/// One region for each engine that has nodes.
std::vector<Machine::Part> cut(const Network& network, const Fabric& fabric, const std::string& engine,
                               const CycleOptions& options) {
    const std::vector<std::size_t> of = engines_of_nodes(network, engine, options);
    if (!options.lockstep.empty() && (!options.rtl_nodes.empty() || !options.systemc_nodes.empty()))
        throw InputError("lockstep of a network of several engines", "one or the other");
    std::vector<Machine::Part> parts;
    for (std::size_t index = 0; index < engines.size(); ++index) {
        std::vector<NodeId> nodes;
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            if (of[v] == index) nodes.emplace_back(v);
        if (nodes.empty()) continue;
        auto region = make_region(fabric, nodes, index, options.lockstep);
        parts.push_back({std::move(nodes), std::move(region)});
    }
    return parts;
}

}  // namespace

Machine make_machine(const Network& network, const Fabric& fabric, const std::string& engine,
                     const CycleOptions& options) {
    return {fabric, cut(network, fabric, engine, options)};
}

bool is_cycle_engine(const std::string& engine) {
    return std::any_of(engines.begin(), engines.end(),
                       [&](const Engine& known) { return engine == known.name; });
}

CycleResult run_cycles(const Network& network, const Program& program, std::uint32_t steps,
                       const std::string& engine, const CycleOptions& options) {
    if (options.pace != "off" && options.pace != "step")
        throw InputError("pace '" + options.pace + "'", "off or step");
    const Fabric fabric(network, options.node);
    Machine machine = make_machine(network, fabric, engine, options);
    CycleResult result;
    result.regions = machine.region_count();
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
