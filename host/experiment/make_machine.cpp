// Interlace: a fabric's regions, as the options cut it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "make_machine.h"

#include <algorithm>
#include <array>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/value_error.h"
#include "interlace/engine/lockstep.h"
#include "interlace/engine/native.h"
#ifdef INTERLACE_SYSTEMC
#include "interlace/engine/systemc.h"
#endif
#ifdef INTERLACE_RTL
#include "interlace/engine/verilated.h"
#endif

namespace interlace {
namespace {

std::unique_ptr<Region> make_native(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                    const PortTables* tables) {
    return native_region(fabric, nodes, tables);
}

std::unique_ptr<Region> make_systemc([[maybe_unused]] const Fabric& fabric,
                                     [[maybe_unused]] const std::vector<NodeId>& nodes,
                                     [[maybe_unused]] const PortTables* tables) {
#ifdef INTERLACE_SYSTEMC
    return systemc_region(fabric, nodes, tables);
#else
    throw InputError("engine 'systemc'", "a build with INTERLACE_SYSTEMC, or another engine");
#endif
}

std::unique_ptr<Region> make_rtl([[maybe_unused]] const Fabric& fabric,
                                 [[maybe_unused]] const std::vector<NodeId>& nodes,
                                 [[maybe_unused]] const PortTables* tables) {
#ifdef INTERLACE_RTL
    return verilated_region(fabric, nodes, tables);
#else
    throw InputError("engine 'rtl'", "a build with INTERLACE_RTL, or another engine");
#endif
}

struct Engine {
    const char* name;
    std::unique_ptr<Region> (*make)(const Fabric&, const std::vector<NodeId>&, const PortTables*);
    bool single;  ///< one region a process, on the main thread
};

constexpr std::array<Engine, 3> engines = {
    {{"native", make_native, false}, {"systemc", make_systemc, true}, {"rtl", make_rtl, false}}};

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
        about((std::string(name) + "_nodes").c_str(),
              [&, other = engine_index(name, "engine"), &list = nodes] {
                  for (const std::string& piece : split(list, ',')) of[parse_node(network, piece)] = other;
              });
    }
    return of;
}

/// A region of the engine, with those of `lockstep` beside it.
std::unique_ptr<Region> make_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                    const PortTables* tables, std::size_t engine,
                                    const std::string& lockstep) {
    if (lockstep.empty()) return engines[engine].make(fabric, nodes, tables);
    std::vector<NamedRegion> regions;
    regions.push_back({engines[engine].name, engines[engine].make(fabric, nodes, tables)});
    for (const std::string& name : split(lockstep, ',')) {
        const Engine& beside = engines[engine_index(name, "lockstep with")];
        for (const NamedRegion& other : regions)
            if (other.name == name) throw InputError("lockstep of " + name + " with itself", "other engines");
        regions.push_back({name, beside.make(fabric, nodes, tables)});
    }
    return lockstep_region(fabric, nodes, std::move(regions), "interlace-lockstep.vcd");
}

/// `nodes` in `count` pieces of nearly equal size, in their order.
std::vector<std::vector<NodeId>> pieces(const std::vector<NodeId>& nodes, std::size_t count) {
    std::vector<std::vector<NodeId>> pieces;
    count = std::min(count, nodes.size());
    for (std::size_t i = 0; i < count; ++i)
        pieces.emplace_back(nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() * i / count),
                            nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() * (i + 1) / count));
    return pieces;
}

/// The nodes of each engine, in as many regions as the options ask for.
std::vector<Machine::Part> cut(const Network& network, const Fabric& fabric, const std::string& engine,
                               const CycleOptions& options, const PortTables* tables) {
    const std::vector<std::size_t> of = engines_of_nodes(network, engine, options);
    if (!options.lockstep.empty() &&
        (!options.rtl_nodes.empty() || !options.systemc_nodes.empty() || options.regions > 1))
        throw InputError("lockstep of a network in several regions", "one or the other");
    std::vector<Machine::Part> parts;
    for (std::size_t index = 0; index < engines.size(); ++index) {
        std::vector<NodeId> nodes;
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            if (of[v] == index) nodes.emplace_back(v);
        for (auto& piece : pieces(nodes, engines[index].single ? 1 : options.regions)) {
            auto region = make_region(fabric, piece, tables, index, options.lockstep);
            parts.push_back({std::move(piece), std::move(region), !engines[index].single});
        }
    }
    return parts;
}

}  // namespace

Machine make_machine(const Network& network, const Fabric& fabric, const std::string& engine,
                     const CycleOptions& options, const PortTables* tables) {
    return about(options.lockstep.empty() ? "engine" : "lockstep", [&] {
        return Machine(fabric, cut(network, fabric, engine, options, tables), options.threads);
    });
}

bool is_cycle_engine(const std::string& engine) {
    return std::any_of(engines.begin(), engines.end(),
                       [&](const Engine& known) { return engine == known.name; });
}

}  // namespace interlace
