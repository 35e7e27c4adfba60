// Interlace: shipped node sets and node files
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/node/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "interlace/config/shipped.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"

namespace interlace {

const std::vector<ShippedFile>& shipped_nodes();  // configs/nodes

namespace {

constexpr Names<Switching, 3> switchings = {{{"store_and_forward", Switching::store_and_forward},
                                             {"virtual_cut_through", Switching::virtual_cut_through},
                                             {"wormhole", Switching::wormhole}}};
constexpr Names<Routing, 5> routings = {
    {{"auto", Routing::automatic,
      "minimal: table on an iBT, a graph and rings of one channel, dimension_order elsewhere"},
     {"dimension_order", Routing::dimension_order, "dimension by dimension"},
     {"adaptive_bubble", Routing::adaptive_bubble, "any shortest path, as on Blue Gene/L"},
     {"table", Routing::table, "by routing tables, on any network"},
     {"balanced", Routing::balanced, "by tables of paths that come near the network's capacity"}}};

constexpr Names<Selection, 2> selections = {
    {{"round_robin", Selection::round_robin}, {"most_credits", Selection::most_credits}}};
constexpr Names<SinkArbitration, 3> arbitrations = {{{"round_robin", SinkArbitration::round_robin},
                                                     {"fullest_queue", SinkArbitration::fullest_queue},
                                                     {"most_hops", SinkArbitration::most_hops}}};

void check_room(const NodeParameters& node, const ConfigMap& config) {
    if (node.switching == Switching::wormhole) return;
    for (const auto& [key, depth] :
         {std::pair{"vc_depth", node.vc_depth}, {"reception_depth", node.reception_depth}})
        if (depth < node.packet_flits)
            throw InputError(fmt::format("cannot use {} under packets of {} flits", depth, node.packet_flits),
                             "room for a whole packet, or switching: wormhole")
                .at(config.place(key));
}

void read_routing(ConfigMap& config, NodeParameters& node) {
    constexpr std::string_view by_file = "table:";
    if (!config.has("routing")) return;
    const std::string text = config.text("routing");
    node.routing_table = text.starts_with(by_file) ? text.substr(by_file.size()) : "";
    if (text == by_file)
        throw InputError("cannot use a routing table without a file", "table:FILE.csv")
            .at(config.place("routing"));
    if (!node.routing_table.empty())
        node.routing = Routing::table;
    else if (has_name(routings, text))
        node.routing = value_of(routings, text, "routing");
    else
        throw unknown_name("routing", text, routing_choices()).at(config.place("routing"));
}

}  // namespace

NodeParameters read_node(ConfigMap config, const NodeParameters& without_base) {
    NodeParameters node =
        config.has("base") ? base_of<NodeParameters>(config, node_parameters) : without_base;
    config.update("flit_bytes", node.flit_bytes, 8, 1024);
    config.update("packet_flits", node.packet_flits, 1, 64);
    config.update("vcs", node.vcs, 1, 4);
    config.update("injection_queues", node.injection_queues, 0, 12);
    config.update("reception_queues", node.reception_queues, 0, 22);
    const auto depth = [&](const char* key, std::uint32_t& value) {
        config.update(key, value, 0, infinite_depth);
        if (value == 0) value = infinite_depth;
    };
    depth("vc_depth", node.vc_depth);
    depth("injection_depth", node.injection_depth);
    depth("reception_depth", node.reception_depth);
    const bool had_worms = node.switching == Switching::wormhole;
    config.update("switching", node.switching, switchings);
    const bool sizes_given =
        config.has("packet_flits") || config.has("vc_depth") || config.has("reception_depth");
    if (had_worms && node.switching != Switching::wormhole && !sizes_given)
        node.packet_flits = std::min({node.packet_flits, node.vc_depth, node.reception_depth});
    read_routing(config, node);
    config.update("pipeline", node.pipeline, 1, 7);
    if (node.pipeline != 1 && node.pipeline != 7)
        throw InputError(fmt::format("cannot use {}", node.pipeline), "1 or 7").at(config.place("pipeline"));
    node.turn_back = config.truth("turn_back", node.turn_back);
    node.fitted = config.truth("fitted", node.fitted);
    node.priority_channel = config.truth("priority_channel", node.priority_channel);
    config.update("selection", node.selection, selections);
    config.update("arbitration", node.arbitration, arbitrations);
    config.update("round_robin_every", node.round_robin_every, 0, 255);
    config.finish();
    check_room(node, config);
    return node;
}

NodeParameters NodeParameters::without_unicast() const {
    NodeParameters node = *this;
    node.routing = Routing::dimension_order;
    node.routing_table.clear();
    return node;
}

std::string NodeParameters::routing_text() const {
    return routing_name(routing) + (routing_table.empty() ? "" : ":" + routing_table);
}

void NodeParameters::check_adaptive() const {
    if (switching == Switching::wormhole)
        throw InputError("cannot use adaptive_bubble under wormhole switching",
                         "store_and_forward, virtual_cut_through, or another routing");
    const std::uint32_t least = priority_channel ? 3 : 2;
    if (vcs < least || vc_depth < 2 * packet_flits)
        throw InputError(
            fmt::format("cannot use adaptive_bubble{} with {} channels of {}",
                        priority_channel ? " and a priority channel" : "", vcs,
                        vc_depth == infinite_depth ? "infinite depth" : fmt::format("{} flits", vc_depth)),
            fmt::format("{} channels or more of two packets ({} flits) or more, or another routing", least,
                        2 * packet_flits));
}

void NodeParameters::check_pipeline() const {
    if (!pipelined()) return;
    if (switching == Switching::wormhole)
        throw InputError(fmt::format("cannot use a pipeline of {} under wormhole switching", pipeline),
                         "store_and_forward, virtual_cut_through, or pipeline: 1");
    if (std::min(vc_depth, reception_depth) < packet_flits)
        throw InputError(
            fmt::format("cannot use a pipeline of {} with queues of {} flits under packets of {}", pipeline,
                        std::min(vc_depth, reception_depth), packet_flits),
            "room for a whole packet, or pipeline: 1");
}

std::uint32_t NodeParameters::reception_layout(std::uint32_t ports) const {
    const std::uint32_t queues = receptions(ports);
    if (queues == 2 * (ports + 1)) return 7;
    if (queues == 2 * ports) return 5;
    if (queues == ports + 1) return 3;
    if (queues == ports) return 1;
    if (queues == 1) return 0;
    throw InputError(fmt::format("cannot use {} reception queues of a node with {} ports", queues, ports),
                     fmt::format("1, {}, {}, {} or {}", ports, ports + 1, 2 * ports, 2 * (ports + 1)));
}

NodeParameters node_parameters(const std::string& name_or_file) {
    return read_node(shipped_or_file(shipped_nodes(), name_or_file, "node"));
}

Choices node_choices() {
    return shipped_choices(shipped_nodes());
}

std::string switching_name(Switching switching) {
    return name_of(switchings, switching);
}

std::string routing_name(Routing routing) {
    return name_of(routings, routing);
}

std::string selection_name(Selection selection) {
    return name_of(selections, selection);
}

std::string sink_arbitration_name(SinkArbitration arbitration) {
    return name_of(arbitrations, arbitration);
}

Choices routing_choices() {
    Choices choices = choices_of(routings);
    choices.push_back({"table:FILE.csv", "by your own routing table: node,destination,port[,channel]"});
    return choices;
}

}  // namespace interlace
