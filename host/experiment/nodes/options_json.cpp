// Interlace: what nodes are, in a configuration file and in the results that repeat it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/options_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/text.h"
#include "interlace/engine/fabric/default_routing.h"

namespace interlace {
namespace {

constexpr Names<ShadowLevel, 3> shadow_levels = {
    {{"pins", ShadowLevel::pins, "native nodes run in lockstep with them and every pin is compared"},
     {"links", ShadowLevel::links,
      "contents, order, credits and progress are checked, as in every run, with a waveform"},
     {"packets", ShadowLevel::packets, "packets leave complete"}}};

/// 0 stands for infinite, as in a node file.
std::uint32_t depth_json(std::uint32_t depth) {
    return depth == infinite_depth ? 0 : depth;
}

Json to_json(const LinkParameters& links) {
    Json json = {{"cycles_per_flit", links.cycles_per_flit},
                 {"latency", links.latency},
                 {"latency_per_hop", links.latency_per_hop}};
    if (links.has_layer()) {
        json["bit_error_rate"] = links.bit_error_rate;
        json["error_burst"] = links.error_burst;
        json["replay_flits"] = links.replay_flits;
    }
    return json;
}

/// A number from 0 to 1.
double read_share(ConfigMap& map, const std::string& key, double share) {
    if (!map.has(key)) return share;
    share = map.number(key);
    if (!(share >= 0 && share <= 1))
        throw InputError(fmt::format("cannot use {}", share), "a share of the packets, 0 to 1")
            .at(map.place(key));
    return share;
}

}  // namespace

std::string shadow_level_name(ShadowLevel level) {
    return name_of(shadow_levels, level);
}

Choices shadow_level_choices() {
    return choices_of(shadow_levels);
}

ShadowLevel parse_shadow_level(const std::string& text) {
    return value_of(shadow_levels, text, "level");
}

Json to_json(const HostParameters& host) {
    return {{"servers", host.servers},
            {"polling", polling_name(host.polling)},
            {"send_cycles", host.send_cycles},
            {"receive_cycles", host.receive_cycles},
            {"combine_cycles", host.combine_cycles},
            {"copy_cycles", host.copy_cycles},
            {"memory_packets", host.memory_packets},
            {"reserve_flits", host.reserve_flits},
            {"start_skew_cycles", host.start_skew_cycles},
            {"jitter_cycles", host.jitter_cycles}};
}

Json queues_json(const NodeParameters& node, const Usage& queues) {
    Json json;
    for (std::size_t c = 0; c < queue_classes; ++c)
        json[queue_class_names[c]] = {{"depth", depth_json(node.depth(static_cast<QueueClass>(c)))},
                                      {"high_water", queues.high_water[c]},
                                      {"stall_cycles", queues.stall_cycles[c]}};
    if (queues.occupancy.back().empty()) return json;
    for (std::size_t c = 0; c < queue_classes; ++c) {
        json[queue_class_names[c]]["mean"] = queues.mean_flits(static_cast<QueueClass>(c));
        json[queue_class_names[c]]["histogram"] = queues.occupancy[c];
    }
    return json;
}

void add_link_layer(Json& json, const LinkLayerUse& use) {
    if (use.flits == 0) return;
    json["link_layer"] = {{"flits", use.flits},
                          {"frames", use.frames},
                          {"frames_damaged", use.damaged},
                          {"frames_retransmitted", use.retransmitted},
                          {"acknowledgements", use.back_frames},
                          {"acknowledgements_damaged", use.damaged_back}};
}

Json node_json(const NodeParameters& node) {
    return {{"flit_bytes", node.flit_bytes},
            {"packet_flits", node.packet_flits},
            {"vcs", node.vcs},
            {"vc_depth", depth_json(node.vc_depth)},
            {"injection_queues", node.injection_queues},
            {"injection_depth", depth_json(node.injection_depth)},
            {"reception_queues", node.reception_queues},
            {"reception_depth", depth_json(node.reception_depth)},
            {"switching", switching_name(node.switching)},
            {"routing", node.routing_text()},
            {"pipeline", node.pipeline},
            {"turn_back", node.turn_back},
            {"fitted", node.fitted},
            {"priority_channel", node.priority_channel},
            {"selection", selection_name(node.selection)},
            {"arbitration", sink_arbitration_name(node.arbitration)},
            {"round_robin_every", node.round_robin_every}};
}

void read_nodes(ConfigMap& config, CycleOptions& options) {
    if (config.has("node")) options.node = read_node(config.map("node"), options.node);
    if (config.has("links")) options.links = read_links(config.map("links"));
    config.update("regions", options.regions, 1, 1'000'000);
    config.update("threads", options.threads, 1, 1'024);
    options.regions = std::max(options.regions, options.threads);  // a thread without a region has no work
    options.rtl_nodes = config.text("rtl_nodes", options.rtl_nodes);
    options.systemc_nodes = config.text("systemc_nodes", options.systemc_nodes);
    if (config.has("devices")) options.devices = config.texts("devices");
    options.shadow = config.text("shadow", options.shadow);
    config.update("shadow_level", options.shadow_level, shadow_levels);
    options.lockstep = config.text("lockstep", options.lockstep);
    options.occupancy = config.truth("occupancy", options.occupancy);
    if (config.has("host")) options.host = read_host(config.map("host"));
    config.update("seeds", options.seeds, 0, 1'000'000);
}

NodeParameters default_traffic_node(ConfigMap config) {
    if (!config.has("node")) return node_parameters("wide");
    ConfigMap node = config.map("node");
    const bool adaptive =
        node.has("routing") && node.text("routing") == routing_name(Routing::adaptive_bubble);
    return node_parameters(adaptive ? "bgl" : "wide");
}

Routing routing_on(const std::string& network, const NodeParameters& node) {
    if (before_colon(network) == "graph" || before_colon(network) == "anynet") return Routing::table;
    try {
        return default_routing(make_network(network), node);
    } catch (const InputError&) {
        return Routing::automatic;
    }
}

void read_traffic_source(ConfigMap& map, std::string& pattern, TrafficOptions& traffic) {
    pattern = map.text("pattern", pattern);
    if (map.has("warmup"))
        traffic.warmup =
            map.text("warmup") == "auto" ? detect_warmup : map.integer("warmup", 0, std::uint64_t{1} << 40U);
    if (map.has("burst_cycles")) traffic.burst_cycles = map.number("burst_cycles");
    if (traffic.burst_cycles != 0 && !(traffic.burst_cycles >= 1))
        throw InputError(fmt::format("cannot use bursts of {} cycles", traffic.burst_cycles),
                         "1 or more, or 0: none")
            .at(map.place("burst_cycles"));
    if (map.has("burst_load")) traffic.burst_load = map.number("burst_load");
    if (!(traffic.burst_load > 0))
        throw InputError(fmt::format("cannot use a load of {} in bursts", traffic.burst_load), "above 0")
            .at(map.place("burst_load"));
    traffic.mix.deterministic = read_share(map, "deterministic", traffic.mix.deterministic);
    traffic.mix.high_priority = read_share(map, "high_priority", traffic.mix.high_priority);
}

Json traffic_source_json(const std::string& pattern, const TrafficOptions& traffic) {
    return {{"pattern", pattern},
            {"load", traffic.load},
            {"warmup", traffic.warmup == detect_warmup ? Json("auto") : Json(traffic.warmup)},
            {"burst_cycles", traffic.burst_cycles},
            {"burst_load", traffic.burst_load},
            {"deterministic", traffic.mix.deterministic},
            {"high_priority", traffic.mix.high_priority}};
}

void add_nodes(Json& json, const CycleOptions& options) {
    json["node"] = node_json(options.node);
    json["links"] = to_json(options.links);
    json["rtl_nodes"] = options.rtl_nodes;
    json["systemc_nodes"] = options.systemc_nodes;
    if (!options.devices.empty()) json["devices"] = options.devices;
    if (!options.shadow.empty()) json["shadow"] = options.shadow;
    if (options.shadow_level != ShadowLevel::pins)
        json["shadow_level"] = shadow_level_name(options.shadow_level);
    json["lockstep"] = options.lockstep;
    json["occupancy"] = options.occupancy;
    json["regions"] = options.regions;
    json["threads"] = options.threads;
    json["host"] = to_json(options.host);
}

void add_cycles(Json& json, const CycleResult& run, const CycleOptions& options, std::uint32_t steps) {
    add_sample(json, "cycles", run.cycles, true);
    json["cycles_per_step"] = run.cycles.mean / std::max(steps, 1U);
    json["max_plus_cycles"] = run.max_plus_cycles;
    json["excess_cycles"] = std::llround(run.cycles.mean) - static_cast<std::int64_t>(run.max_plus_cycles);
    json["flits_per_packet"] = options.node.packet_flits;
    json["regions"] = run.regions;
    if (options.background.any())
        json["background"] = {{"accepted_load", run.background.accepted_load},
                              {"latency_mean", run.background.latency_mean},
                              {"latency_before", run.background.latency_before}};
    json["queues"] = queues_json(options.node, run.queues);
    add_link_layer(json, run.queues.link_layer);
    json["deadlock_free"] = run.deadlock.free ? Json(run.deadlock.how) : Json(false);
    json["deadlock_risk"] = run.deadlock.free ? Json(nullptr) : Json(run.deadlock.how);
}

}  // namespace interlace
