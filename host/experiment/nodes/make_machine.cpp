// Interlace: a fabric's regions, as the options cut it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/make_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <future>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/value_error.h"
#include "interlace/engine/checking/lockstep.h"
#include "interlace/engine/fabric/registers.h"
#include "interlace/engine/fitted/fitted.h"
#include "interlace/engine/machine/link_settings.h"
#include "interlace/engine/native/native.h"
#include "interlace/engine/pins/device_region.h"
#include "interlace/experiment/nodes/device.h"
#ifdef INTERLACE_SYSTEMC
#include "interlace/engine/systemc/systemc.h"
#endif
#ifdef INTERLACE_RTL
#include "interlace/engine/verilated/verilated.h"
#endif

namespace interlace {
namespace {

std::unique_ptr<Region> make_native(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                    const PortTables* tables, const RunListener& /*listener*/) {
    return native_region(fabric, nodes, tables);
}

std::unique_ptr<Region> make_systemc([[maybe_unused]] const Fabric& fabric,
                                     [[maybe_unused]] const std::vector<NodeId>& nodes,
                                     [[maybe_unused]] const PortTables* tables,
                                     const RunListener& /*listener*/) {
#ifdef INTERLACE_SYSTEMC
    return systemc_region(fabric, nodes, tables);
#else
    throw InputError("cannot use engine 'systemc'", "a build with INTERLACE_SYSTEMC, or another engine");
#endif
}

std::unique_ptr<Region> make_rtl(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                 const PortTables* tables, const RunListener& listener) {
    if (fabric.parameters.fitted) return fitted_region(fabric, nodes, tables, listener);
#ifdef INTERLACE_RTL
    return verilated_region(fabric, nodes, tables);
#else
    throw InputError("cannot use engine 'rtl'", "--fitted, a build with INTERLACE_RTL, or another engine");
#endif
}

struct Engine {
    const char* name;
    std::unique_ptr<Region> (*make)(const Fabric&, const std::vector<NodeId>&, const PortTables*,
                                    const RunListener&);
    bool single;  ///< one region a process, on the main thread
    const char* text;
};

/// What is left where pins differ.
constexpr const char* lockstep_waveform = "interlace-lockstep.vcd";

constexpr std::array<Engine, 3> engines = {{{"native", make_native, false, "fast C++"},
                                            {"systemc", make_systemc, true, "SystemC, pin by pin"},
                                            {"rtl", make_rtl, false, "SystemVerilog under Verilator"}}};

std::size_t engine_index(const std::string& name, const std::string& what) {
    for (std::size_t i = 0; i < engines.size(); ++i)
        if (name == engines[i].name) return i;
    throw unknown_name(what, name, cycle_engines());
}

/// The nodes of `list`, as in 0,5,17, are of `owner`: of[node].
void give(const Network& network, const std::string& list, std::size_t owner, std::vector<std::size_t>& of) {
    for (const std::string& piece : split(list, ',')) of[parse_node(network, piece)] = owner;
}

/// A device and its nodes, as in 5,6=unix:/tmp/dut.
struct DeviceAddress {
    explicit DeviceAddress(const std::string& text)
        : nodes(text.substr(0, text.find('='))),
          address(text.substr(std::min(text.size(), nodes.size() + 1))) {
        if (nodes.empty() || address.empty())
            throw InputError("cannot use device '" + text + "'", "NODES=ADDRESS, as in 5,6=unix:/tmp/dut");
    }
    std::string nodes, address;
};

std::unique_ptr<Region> region_of_device(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                         const PortTables* tables, const std::string& address,
                                         std::uint8_t kinds, const CycleOptions& options) {
    constexpr std::chrono::seconds patience(5);
    const std::string name = "the device at " + address;
    DeviceRequest request{.needed = needed_sizes(fabric, tables),
                          .nodes = {},
                          .settings = common_registers(fabric),
                          .kinds = kinds};
    for (const NodeId node : nodes) request.nodes.push_back(+node);
    Patience answers;
    if (options.device_return > 0)
        answers.reconnect = [address, wait = std::chrono::seconds(options.device_return)] {
            return connect_to(address, wait);
        };
    auto device = remote_device(connect_to(address, patience), name, request, answers, shared_secret());
    if (!device->traits().registers && !options.host.ideal())
        throw InputError("hosts with costs, which read the fill of reception queues, at " + name +
                             ", whose nodes do not support it",
                         "host: ideal");
    return device_region(fabric, nodes, tables, std::move(device), name);
}

/// Of this rank: [engine, or behind the engines device], the nodes of its regions. On several ranks all nodes
/// are of one engine.
std::vector<std::vector<NodeId>> nodes_of_engines(const Network& network, const Fabric& fabric,
                                                  const std::string& engine, const CycleOptions& options) {
    std::vector<std::size_t> of(fabric.own.count, engine_index(engine, "engine"));  // [node - own.first]
    for (const auto& [name, nodes] :
         {std::pair{"systemc", options.systemc_nodes}, {"rtl", options.rtl_nodes}}) {
        if (nodes.empty()) continue;
        about((std::string(name) + "_nodes").c_str(),
              [&, other = engine_index(name, "engine"), &list = nodes] { give(network, list, other, of); });
    }
    for (std::size_t i = 0; i < options.devices.size(); ++i)
        about("devices", [&] {
            const DeviceAddress device(options.devices[i]);
            for (std::size_t j = 0; j < i; ++j)
                if (DeviceAddress(options.devices[j]).address == device.address)
                    throw InputError("there are two devices at " + device.address,
                                     "one, with all of its nodes in one list");
            give(network, device.nodes, engines.size() + i, of);
        });
    std::vector<std::vector<NodeId>> nodes(engines.size() + options.devices.size());
    for (std::uint32_t i = 0; i < fabric.own.count; ++i) nodes[of[i]].emplace_back(fabric.own.first + i);
    return nodes;
}

/// A region of the engine, with those of `lockstep` beside it.
std::unique_ptr<Region> make_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                    const PortTables* tables, std::size_t engine, const std::string& lockstep,
                                    const RunListener& listener) {
    if (lockstep.empty()) return engines[engine].make(fabric, nodes, tables, listener);
    std::vector<NamedRegion> regions;
    regions.push_back({engines[engine].name, engines[engine].make(fabric, nodes, tables, listener)});
    for (const std::string& name : split(lockstep, ',')) {
        const Engine& beside = engines[engine_index(name, "lockstep with")];
        for (const NamedRegion& other : regions)
            if (other.name == name)
                throw InputError("cannot use lockstep of " + name + " with itself", "other engines");
        regions.push_back({name, beside.make(fabric, nodes, tables, listener)});
    }
    return lockstep_region(fabric, nodes, std::move(regions), lockstep_waveform);
}

/// What a part whose nodes are in `shadowed`, [node], all of them or none, is held to.
void shadow(const Fabric& fabric, const PortTables* tables, const std::vector<std::size_t>& shadowed,
            const CycleOptions& options, Machine::Part& part) {
    const auto is_shadowed = [&](NodeId node) { return shadowed[node] != 0; };
    const auto in = std::find_if(part.nodes.begin(), part.nodes.end(), is_shadowed);
    if (in == part.nodes.end()) return;
    const auto out = std::find_if_not(part.nodes.begin(), part.nodes.end(), is_shadowed);
    if (out != part.nodes.end())
        throw InputError(
            fmt::format("node {} without node {}, which is of the same region or device", +*in, +*out),
            "all of its nodes, or none");
    NamedRegion hardware{"hardware", std::move(part.region)};
    if (options.shadow_level == ShadowLevel::pins) {
        std::vector<NamedRegion> regions;
        regions.push_back(std::move(hardware));
        regions.push_back({"native", native_region(fabric, part.nodes, tables)});
        part.region = lockstep_region(fabric, part.nodes, std::move(regions), options.shadow_waveform);
    } else {
        const Supervision level =
            options.shadow_level == ShadowLevel::links ? Supervision::service : Supervision::packets;
        part.region =
            supervised_region(fabric, part.nodes, std::move(hardware), level, options.shadow_waveform);
    }
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

/// Makes the regions of the parts from the `first` on, side by side on some threads: of large networks most
/// of that is waiting for memory.
void each_part(std::vector<Machine::Part>& parts, std::size_t first, std::uint32_t threads,
               const std::function<void(Machine::Part&)>& make) {
    const auto make_share = [&](std::size_t thread) {
        for (std::size_t i = first + thread; i < parts.size(); i += threads) make(parts[i]);
    };
    std::vector<std::future<void>> others;
    for (std::size_t t = 1; t < std::min<std::size_t>(threads, parts.size() - first); ++t)
        others.push_back(std::async(std::launch::async, make_share, t));
    make_share(0);
    for (std::future<void>& other : others) other.get();
}

/// The nodes of each engine, in as many regions as the options ask for.
std::vector<Machine::Part> cut(const Network& network, const Fabric& fabric, const std::string& engine,
                               const CycleOptions& options, const PortTables* tables, std::uint8_t kinds,
                               const RunListener& listener) {
    const std::vector<std::vector<NodeId>> nodes_of = nodes_of_engines(network, fabric, engine, options);
    if (!options.lockstep.empty() &&
        (!options.rtl_nodes.empty() || !options.systemc_nodes.empty() || !options.devices.empty() ||
         !options.shadow.empty() || options.regions > 1))
        throw InputError("cannot use lockstep of a network in several regions",
                         "one or the other (a shadow compares some of the nodes)");
    std::vector<Machine::Part> parts;
    for (std::size_t index = 0; index < engines.size(); ++index) {
        const std::vector<NodeId>& nodes = nodes_of[index];
        const std::size_t first = parts.size();
        for (auto& piece : pieces(nodes, engines[index].single ? 1 : options.regions))
            parts.push_back({std::move(piece), nullptr, !engines[index].single});
        const auto make = [&, index](Machine::Part& part) {
            part.region = make_region(fabric, part.nodes, tables, index, options.lockstep, listener);
        };
        each_part(parts, first, engines[index].make == make_native ? options.threads : 1, make);
    }
    for (std::size_t i = 0; i < options.devices.size(); ++i)
        about("devices", [&] {
            const std::vector<NodeId>& nodes = nodes_of[engines.size() + i];
            if (nodes.empty())
                throw InputError(
                    "device '" + options.devices[i] + "', whose nodes all belong to other devices",
                    "nodes of its own");
            const std::string address = DeviceAddress(options.devices[i]).address;
            try {
                parts.push_back({nodes, region_of_device(fabric, nodes, tables, address, kinds, options)});
            } catch (const DeviceRefusal& refusal) {
                throw NotBuiltForIt(refusal.what());
            }
        });
    if (!options.shadow.empty())
        about("shadow", [&] {
            std::vector<std::size_t> shadowed(network.node_count(), 0);
            give(network, options.shadow, 1, shadowed);
            for (Machine::Part& part : parts) shadow(fabric, tables, shadowed, options, part);
        });
    return parts;
}

bool has_rtl(const std::string& engine, const CycleOptions& options) {
    const std::vector<std::string> beside = split(options.lockstep, ',');
    return engine == "rtl" || !options.rtl_nodes.empty() ||
           std::find(beside.begin(), beside.end(), "rtl") != beside.end();
}

/// What links with a layer are made of: C++, and in runs with RTL nodes RTL beside it, every pin compared.
std::vector<NamedLinkEnds> link_ends([[maybe_unused]] const Fabric& fabric,
                                     [[maybe_unused]] const std::string& engine,
                                     [[maybe_unused]] const CycleOptions& options) {
    std::vector<NamedLinkEnds> ends;
    ends.push_back({"native", [&fabric](std::size_t links) {
                        return native_links(links, link_settings(fabric), link_buffer(fabric));
                    }});
#ifdef INTERLACE_RTL
    if (has_rtl(engine, options))
        ends.push_back({"rtl", [&fabric](std::size_t links) {
                            return verilated_links(links, link_settings(fabric), link_buffer(fabric));
                        }});
#endif
    return ends;
}

/// Throws InputError for what one process has to see all of.
void check_ranks(const Fabric& fabric, const CycleOptions& options) {
    const std::uint32_t ranks = options.ranks->size();
    if (ranks == 1) return;
    const auto refuse = [ranks](const std::string& what, const std::string& expected) {
        throw InputError(fmt::format("cannot divide {} among {} ranks", what, ranks), expected);
    };
    if (fabric.nodes < ranks) refuse(fmt::format("{} nodes", fabric.nodes), "a rank for each node at most");
    if (options.records.any())
        refuse("a run that leaves a trace, log, queue use or details", "one rank for those");
    if (fabric.links.has_layer()) refuse("links with replay", "links without, or one rank");
    for (const auto& [name, nodes] : {std::pair{"rtl_nodes", options.rtl_nodes},
                                      {"systemc_nodes", options.systemc_nodes},
                                      {"shadow", options.shadow},
                                      {"lockstep", options.lockstep}})
        if (!nodes.empty()) refuse(fmt::format("a run with {}", name), "nodes of one engine, or one rank");
    if (!options.devices.empty()) refuse("a run with devices", "nodes of one engine, or one rank");
}

}  // namespace

Machine make_machine(const Network& network, const Fabric& fabric, const std::string& engine,
                     const CycleOptions& options, std::uint8_t kinds, const PortTables* tables,
                     const RunListener& listener) {
    if (fabric.parameters.fitted && !has_rtl(engine, options))
        throw InputError("cannot fit nodes of a run that has none in RTL",
                         "--engine rtl, --rtl-nodes or --lockstep rtl")
            .at("node.fitted");
    return about(options.lockstep.empty() ? "engine" : "lockstep", [&] {
        check_ranks(fabric, options);
        return Machine(fabric, cut(network, fabric, engine, options, tables, kinds, listener),
                       options.threads, link_ends(fabric, engine, options), *options.ranks);
    });
}

std::uint32_t regions_of_process(const Network& network, const std::string& engine, std::uint32_t regions) {
    return engines[engine_index(engine, "engine")].single ? 1 : std::min(regions, network.node_count());
}

std::unique_ptr<PinDevice> make_device([[maybe_unused]] const std::string& engine,
                                       [[maybe_unused]] const DeviceRequest& request) {
    const std::uint32_t ports = request.needed.ports;
    if (std::find(std::begin(built_ports), std::end(built_ports), ports) == std::end(built_ports))
        throw InputError("cannot build nodes with " + std::to_string(ports) + " ports", "2, 4, 6, 8 or 10");
    if (request.needed.pipeline != 1 && request.needed.pipeline != 7)
        throw InputError("cannot build nodes with pipeline " + std::to_string(request.needed.pipeline),
                         "1 or 7");
#ifdef INTERLACE_SYSTEMC
    if (engine == "systemc") try {
            return systemc_device(ports, request.needed.pipeline, request.nodes.size());
        } catch (const std::logic_error&) {
            throw InputError(
                "cannot make SystemC nodes of another kind, or more of them than this device began with",
                "a restarted device");
        }
#endif
#ifdef INTERLACE_RTL
    if (engine == "rtl") return verilated_device(ports, request.needed.pipeline, request.nodes.size());
#endif
    throw InputError("cannot use engine '" + engine + "' of a device",
                     "rtl or systemc, as far as they are built");
}

Choices cycle_engines() {
    return choices_of(engines);
}

bool is_cycle_engine(const std::string& engine) {
    return has_name(engines, engine);
}

}  // namespace interlace
