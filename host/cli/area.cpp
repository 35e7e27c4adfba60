// Interlace: interlace area
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/area/area.h"

#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "interlace/node/links.h"
#include "interlace/node/parameters.h"
#include "interlace/tools/cache.h"

namespace interlace::cli {
namespace {

struct AreaFlags {
    std::string network = "torus:8x8x8", node = "bgl", links = "unit", target = "xilinx7";
    std::string cache = cache_folder("area"), netlist;
    std::vector<std::string> overrides;
    bool registers = false, json = false;
    std::uint32_t slots = 64;
};

void print_text(const Area& area, const Fabric& f) {
    const NodeParameters& p = f.parameters;
    fmt::print(
        "node          {} ports, {} channels of {} flits; {} injection queues of {}, {} reception queues of "
        "{}\n",
        f.ports, f.vcs, p.vc_depth, f.injections, p.injection_depth, f.receptions, p.reception_depth);
    fmt::print("target        {}{}\n", fpga_target_name(area.target), area.cached ? ", from the cache" : "");
    fmt::print("LUTs          {} of {} inputs\n", area.luts, lut_inputs(area.target));
    fmt::print("flip-flops    {}\n", area.flip_flops);
    fmt::print("block RAMs    {:g} of {}\n", area.block_rams, block_ram_size(area.target));
    fmt::print("buffers       {} bits of flits\n", area.buffer_bits);
    fmt::print("levels        {} LUTs on the longest path between registers\n", area.levels);
}

NodeParameters node_of(const AreaFlags& flags) {
    NodeParameters node = node_parameters(flags.node);
    ConfigMap overrides = ConfigMap::from_text("{}", "--set", flags.overrides);
    if (overrides.has("node")) node = read_node(overrides.map("node"), node);
    overrides.finish();
    return node;
}

int area(const AreaFlags& flags) {
    const Fabric fabric(make_network(flags.network), node_of(flags), link_parameters(flags.links));
    const AreaOptions options = {parse_fpga_target(flags.target), flags.registers, flags.slots, flags.cache,
                                 flags.netlist};
    std::function<void(const std::string&)> progress;
    if (on_terminal())
        progress = [](const std::string& pass) { fmt::print(stderr, "\r\033[Kyosys: {:.70}", pass); };
    const Area area = node_area(fabric, options, progress);
    if (on_terminal()) fmt::print(stderr, "\r\033[K");
    if (flags.json)
        print(to_json(area));
    else
        print_text(area, fabric);
    return done;
}

}  // namespace

void add_area(CLI::App& app, Action& action) {
    auto flags = std::make_shared<AreaFlags>();
    CLI::App* command = app.add_subcommand(
        "area", "Synthesise a node for an FPGA with Yosys and count its LUTs, flip-flops and block RAMs");
    command->add_option("NETWORK", flags->network, "Network whose node is built: its ports and its routing")
        ->capture_default_str();
    add_choice(*command, "--node", flags->node, node_choices(),
               "Node parameters: a shipped set or a YAML file");
    add_choice(*command, "--links", flags->links, link_choices(),
               "Link timing: a shipped set or a YAML file");
    add_choice(*command, "--target", flags->target, fpga_targets(), "FPGA family");
    command
        ->add_option("--set", flags->overrides,
                     "Replace a value of the node: node.pipeline=7 (may be repeated)")
        ->allow_extra_args(false);
    command->add_flag("--registers", flags->registers,
                      "Keep registers that are equal in all nodes, instead of making them constants");
    command->add_option("--slots", flags->slots, "Entries of its forwarding table: a power of two")
        ->check(whole(2, 4096))
        ->capture_default_str();
    command
        ->add_option("--cache", flags->cache,
                     "Folder of results (default: ~/.cache/interlace/area); empty: keep none")
        ->type_name("FOLDER");
    command
        ->add_option(
            "--netlist", flags->netlist,
            "Write the netlist (JSON of Yosys) to this file, for a tool that places it: scripts/place")
        ->type_name("FILE");
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->footer("Example: interlace area torus:8 --node minimal --set node.pipeline=7");
    command->callback([flags, &action] { action = [flags] { return area(*flags); }; });
}

}  // namespace interlace::cli
