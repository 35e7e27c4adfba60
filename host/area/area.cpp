// Interlace: what a node costs as hardware, as Yosys synthesises rtl/
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/area/area.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <filesystem>

#include "interlace/core/error.h"
#include "interlace/core/shipped_file.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"
#include "interlace/engine/fabric/registers.h"
#include "process.h"

namespace interlace {

const std::vector<ShippedFile>& shipped_rtl();  // rtl/include/*.svh, rtl/pkg/il_pkg.sv, rtl/{prim,node}/*.sv
const std::vector<ShippedFile>& shipped_scripts();  // rtl/synth

namespace {

constexpr std::uint32_t deepest = 32'768;  // that il_node can be built with

using Parameters = std::vector<std::pair<std::string, std::string>>;

/// A queue's RAM: a power of two.
std::uint32_t built_depth(const NodeParameters& node, QueueClass queue) {
    const std::uint32_t depth = node.depth(queue);
    const std::string name = queue_class_names[static_cast<std::size_t>(queue)];
    if (depth == infinite_depth) throw InputError("hardware has no infinite " + name + " queues", "a depth");
    if (depth > deepest)
        throw InputError(fmt::format("cannot build {} queues of {} flits", name, depth),
                         fmt::format("at most {}", deepest));
    return std::max(2U, std::bit_ceil(depth));
}

/// Fields of `width` bits, the first one lowest, as SystemVerilog writes them.
template <class Field, class Bits>
std::string bits_text(const std::vector<Field>& fields, std::uint32_t width, const Bits& bits) {
    std::string text;
    for (auto field = fields.rbegin(); field != fields.rend(); ++field)
        text += fmt::format("{:0{}b}", bits(*field), width);
    return fmt::format("{}'b{}", text.size(), text);
}

/// FixedConfig: the registers that all nodes have alike, as constants (of the ports, those that any has).
Parameters constants(const Fabric& fabric) {
    constexpr std::array<std::pair<std::uint32_t, const char*>, 10> names = {
        {{Register::switching, "FixedSwitching"},
         {Register::vcs, "FixedVcs"},
         {Register::vc_depth, "FixedVcDepth"},
         {Register::injection_depth, "FixedInjectionDepth"},
         {Register::reception_depth, "FixedReceptionDepth"},
         {Register::receptions, "FixedReceptions"},
         {Register::routing, "FixedRouting"},
         {Register::classes, "FixedClasses"},
         {Register::cycles_per_flit, "FixedCyclesPerFlit"},
         {Register::adaptive, "FixedAdaptive"}}};
    std::uint32_t ports = 0;  // of any node
    for (std::uint32_t node = 0; node < fabric.nodes; ++node) ports |= fabric.port_mask(NodeId(node));
    Parameters all = {{"FixedConfig", "1"}, {"FixedPorts", std::to_string(ports)}};
    for (const auto& [address, value] : common_registers(fabric))
        for (const auto& [known, name] : names)
            if (known == address) all.emplace_back(name, std::to_string(value));
    const auto& hops = fabric.kind(NodeId{0}).hops;
    bool alike = fabric.dimensions > 0;
    for (std::uint32_t node = 1; alike && node < fabric.nodes; ++node)
        alike = fabric.kind(NodeId{node}).hops == hops;
    if (alike) {
        all.emplace_back("FixedCoordinates", "1");
        all.emplace_back("FixedSizes", bits_text(fabric.sizes, 16, [](std::uint32_t size) { return size; }));
        all.emplace_back("FixedHops",
                         bits_text(std::vector<PortHop>(hops.begin(), hops.begin() + fabric.ports), 20,
                                   [](const PortHop& hop) { return hop.bits(); }));
    }
    return all;
}

Parameters node_parameters_of(const Fabric& fabric, const AreaOptions& options) {
    const NodeParameters& node = fabric.parameters;
    if (node.flit_bytes % 8 != 0)
        throw InputError(fmt::format("cannot build flits of {} bytes", node.flit_bytes),
                         "a multiple of 8 for hardware");
    if (options.slots < 2 || options.slots > 4096 || !std::has_single_bit(options.slots))
        throw InputError(fmt::format("cannot build {} slots", options.slots),
                         "a power of two from 2 to 4096");
    Parameters all;
    for (const auto& [name, value] : {std::pair{"Ports", fabric.ports},
                                      {"Vcs", fabric.vcs},
                                      {"Injections", fabric.injections},
                                      {"Receptions", fabric.receptions},
                                      {"FlitBits", node.flit_bytes * 8},
                                      {"VcDepth", built_depth(node, QueueClass::channel)},
                                      {"InjectionDepth", built_depth(node, QueueClass::injection)},
                                      {"ReceptionDepth", built_depth(node, QueueClass::reception)},
                                      {"Slots", options.slots},
                                      {"Pipeline", node.pipeline}})
        all.emplace_back(name, std::to_string(value));
    if (!options.registers) {
        const Parameters fixed = constants(fabric);
        all.insert(all.end(), fixed.begin(), fixed.end());
    }
    return all;
}

std::uint64_t buffer_bits(const Fabric& f) {
    const NodeParameters& p = f.parameters;
    const std::uint64_t flits = std::uint64_t{f.ports} * f.vcs * p.vc_depth +
                                std::uint64_t{f.injections} * p.injection_depth +
                                std::uint64_t{f.receptions} * p.reception_depth;
    return flits * p.flit_bytes * 8;
}

const std::string& synthesis_script(const std::string& name) {
    const std::vector<ShippedFile>& all = shipped_scripts();
    return std::find_if(all.begin(), all.end(), [&](const ShippedFile& file) { return file.name == name; })
        ->text;
}

bool is_header(const ShippedFile& file) {
    return file.folder == "include";
}

/// Yosys' script; files are in its working folder, where sources find headers, too.
std::string script_of(const Parameters& parameters, FpgaTarget target) {
    std::string script = "read_verilog -sv -noassert -noassume -DSYNTHESIS il_pkg.sv";
    for (const ShippedFile& file : shipped_rtl())
        if (file.name != "il_pkg" && !is_header(file)) script += fmt::format(" {}.sv", file.name);
    script += "\nchparam";
    for (const auto& [name, value] : parameters) script += fmt::format(" -set {} {}", name, value);
    return script + " il_node\nhierarchy -check -top il_node\n" + synthesis_script("common") +
           synthesis_script(fpga_target_name(target)) +
           "rename -top il_node\nsetattr -unset src */*\nblackbox =A:whitebox\nwrite_json netlist.json\n";
}

void write_text(const std::string& file, const std::string& text) {
    write_whole_file(file, [&](std::ostream& out) { out << text; });
}

/// The last line of a log that `wanted` takes, or nothing.
std::string last_line(const std::string& file, const std::function<bool(const std::string&)>& wanted) {
    std::ifstream log(file);
    std::string line, last;
    while (std::getline(log, line))
        if (wanted(line)) last = line;
    return last;
}

bool is_error(const std::string& line) {
    return line.find("ERROR: ") != std::string::npos;
}

bool is_pass(const std::string& line) {
    return line.find(". Executing ") != std::string::npos;
}

/// Without the names of nets, which are most of it.
nlohmann::json read_netlist(const std::string& file) {
    std::ifstream in = open_to_read(file, "Yosys' netlist");
    return nlohmann::json::parse(in, [](int, nlohmann::json::parse_event_t event, nlohmann::json& key) {
        return event != nlohmann::json::parse_event_t::key || key != "netnames";
    });
}

/// The path of the netlist.
std::string synthesise(const TemporaryFolder& folder, const std::string& script,
                       const std::function<void(const std::string&)>& progress) {
    for (const ShippedFile& file : shipped_rtl())
        write_text(folder / (file.name + (is_header(file) ? ".svh" : ".sv")), file.text);
    write_text(folder / "node.ys", script);
    const std::string log = folder / "log";
    const int code = run_process({"env", "-C", folder / "", "yosys", "node.ys"}, log, [&] {
        if (progress) progress(last_line(log, is_pass));
    });
    if (code != 0) {
        const std::string error = last_line(log, is_error);
        throw FellShort(fmt::format("yosys ended with {}: {}", code, error.empty() ? "no message" : error));
    }
    return folder / "netlist.json";
}

Json to_json(const NetlistArea& area) {
    return {{"luts", area.luts},
            {"flip_flops", area.flip_flops},
            {"block_rams", area.block_rams},
            {"levels", area.levels}};
}

/// False where the cache has none.
bool read_cached(const std::string& file, NetlistArea& area) {
    std::ifstream in(file);
    const Json json = Json::parse(in, nullptr, false);
    if (json.is_discarded()) return false;
    area = {json.at("luts"), json.at("flip_flops"), json.at("block_rams"), json.at("levels")};
    return true;
}

}  // namespace

std::string area_cache() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
        return std::string(cache) + "/interlace/area";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return std::string(home) + "/.cache/interlace/area";
    return {};
}

Area node_area(const Fabric& fabric, const AreaOptions& options,
               const std::function<void(const std::string&)>& progress) {
    Area area;
    area.target = options.target;
    area.buffer_bits = buffer_bits(fabric);
    area.parameters = node_parameters_of(fabric, options);
    const std::string script = script_of(area.parameters, options.target);
    const TemporaryFolder folder;
    if (run_process({"yosys", "-V"}, folder / "version") != 0) throw FellShort("yosys -V failed");
    std::string known_by = read_whole_file(folder / "version", "Yosys' version") + script;
    for (const ShippedFile& file : shipped_rtl()) known_by += file.text;
    const std::string cached =
        options.cache.empty() ? "" : options.cache + "/" + fingerprint(known_by) + ".json";
    area.cached = !cached.empty() && options.netlist.empty() && read_cached(cached, area);
    if (area.cached) return area;
    const std::string netlist = synthesise(folder, script, progress);
    static_cast<NetlistArea&>(area) = measure_netlist(read_netlist(netlist), "il_node", options.target);
    if (!options.netlist.empty()) write_text(options.netlist, read_whole_file(netlist, "Yosys' netlist"));
    if (!cached.empty()) {
        std::error_code ignored;
        std::filesystem::create_directories(options.cache, ignored);
        write_text(cached, to_json(static_cast<const NetlistArea&>(area)).dump() + "\n");
    }
    return area;
}

Json to_json(const Area& area) {
    Json json = json_result("area", 0);
    json["target"] = fpga_target_name(area.target);
    json.update(to_json(static_cast<const NetlistArea&>(area)));
    json["buffer_bits"] = area.buffer_bits;
    for (const auto& [name, value] : area.parameters)
        json["parameters"][name] =
            value.find('\'') == std::string::npos ? Json(std::stoul(value)) : Json(value);
    json["cached"] = area.cached;
    return json;
}

}  // namespace interlace
