// Interlace: shipped node sets and node files
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/node/parameters.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/core/shipped_file.h"

namespace interlace {

const std::vector<ShippedFile>& shipped_nodes();  // configs/nodes

namespace {

constexpr std::array<std::pair<const char*, Switching>, 3> switchings = {
    {{"store_and_forward", Switching::store_and_forward},
     {"virtual_cut_through", Switching::virtual_cut_through},
     {"wormhole", Switching::wormhole}}};

Switching parse_switching(const std::string& text) {
    for (const auto& [name, value] : switchings)
        if (text == name) return value;
    throw InputError("switching '" + text + "'", "store_and_forward, virtual_cut_through or wormhole");
}

}  // namespace

NodeParameters read_node(ConfigMap config) {
    NodeParameters node;
    if (config.has("base")) try {
            node = node_parameters(config.text("base"));
        } catch (const InputError& error) {
            throw error.at(config.place("base"));
        }
    const auto number = [&](const char* key, std::uint32_t& value, std::uint64_t low, std::uint64_t high) {
        if (config.has(key)) value = static_cast<std::uint32_t>(config.integer(key, low, high));
    };
    number("flit_bytes", node.flit_bytes, 8, 1024);
    number("packet_flits", node.packet_flits, 1, 64);
    number("vcs", node.vcs, 1, 4);
    number("vc_depth", node.vc_depth, 1, 512);
    number("injection_queues", node.injection_queues, 0, 12);
    number("injection_depth", node.injection_depth, 1, 512);
    number("reception_queues", node.reception_queues, 0, 22);
    number("reception_depth", node.reception_depth, 1, 512);
    if (config.has("switching")) try {
            node.switching = parse_switching(config.text("switching"));
        } catch (const InputError& error) {
            throw error.at(config.place("switching"));
        }
    config.finish();
    if (node.switching == Switching::wormhole) return node;
    for (const auto& [key, depth] :
         {std::pair{"vc_depth", node.vc_depth}, {"reception_depth", node.reception_depth}})
        if (depth < node.packet_flits)
            throw InputError(fmt::format("{} under packets of {} flits", depth, node.packet_flits),
                             "room for a whole packet, or switching: wormhole")
                .at(config.place(key));
    return node;
}

std::uint32_t NodeParameters::reception_layout(std::uint32_t ports) const {
    const std::uint32_t queues = receptions(ports);
    if (queues == 2 * (ports + 1)) return 7;
    if (queues == 2 * ports) return 5;
    if (queues == ports + 1) return 3;
    if (queues == ports) return 1;
    if (queues == 1) return 0;
    throw InputError(fmt::format("{} reception queues of a node with {} ports", queues, ports),
                     fmt::format("1, {}, {}, {} or {}", ports, ports + 1, 2 * ports, 2 * (ports + 1)));
}

NodeParameters node_parameters(const std::string& name_or_file) {
    for (const ShippedFile& file : shipped_nodes())
        if (file.name == name_or_file)
            return read_node(ConfigMap::from_text(file.text, "configs/nodes/" + file.name + ".yaml"));
    if (name_or_file.find_first_of("./") == std::string::npos) {
        std::string names;
        for (const ShippedFile& file : shipped_nodes()) names += file.name + ", ";
        throw InputError("node '" + name_or_file + "'", names + "or a file");
    }
    return read_node(ConfigMap::from_file(name_or_file));
}

std::string switching_name(Switching switching) {
    for (const auto& [name, value] : switchings)
        if (value == switching) return name;
    return {};
}

}  // namespace interlace
