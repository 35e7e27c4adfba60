// Interlace: what a node costs as hardware, as Yosys synthesises rtl/
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/area/area.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "interlace/core/error.h"
#include "interlace/core/shipped_file.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"
#include "interlace/engine/rtl/rtl.h"
#include "interlace/tools/process.h"

namespace interlace {

const std::vector<ShippedFile>& shipped_scripts();  // rtl/synth

namespace {

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

/// Yosys' script; files are in its working folder, where sources find headers, too.
std::string script_of(const RtlParameters& parameters, FpgaTarget target) {
    std::string script = "read_verilog -sv -noassert -noassume -DSYNTHESIS";
    for (const RtlFile& file : rtl_files())
        if (!file.header) script += " " + file.name;
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
    for (const RtlFile& file : rtl_files()) write_text(folder / file.name, file.text);
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

Area node_area(const Fabric& fabric, const AreaOptions& options,
               const std::function<void(const std::string&)>& progress) {
    fabric.check_built();
    Area area;
    area.target = options.target;
    area.buffer_bits = buffer_bits(fabric);
    area.parameters =
        rtl_parameters(fabric, fabric.parameters.flit_bytes * 8, options.slots, options.registers);
    const std::string script = script_of(area.parameters, options.target);
    const TemporaryFolder folder;
    if (run_process({"yosys", "-V"}, folder / "version") != 0) throw FellShort("yosys -V failed");
    std::string known_by = read_whole_file(folder / "version", "Yosys' version") + script;
    for (const RtlFile& file : rtl_files()) known_by += file.text;
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
