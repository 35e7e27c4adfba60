// Interlace: an experiment as a configuration file and as JSON
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/experiment.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cycle_options.h"
#include "interlace/core/names.h"
#include "interlace/network/specification.h"

namespace interlace {
namespace {

constexpr Names<ShadowLevel, 3> shadow_levels = {
    {{"pins", ShadowLevel::pins}, {"links", ShadowLevel::links}, {"packets", ShadowLevel::packets}}};

}  // namespace

std::string shadow_level_name(ShadowLevel level) {
    return name_of(shadow_levels, level);
}

ShadowLevel parse_shadow_level(const std::string& text) {
    return value_of(shadow_levels, text, "level");
}

Experiment read_experiment(ConfigMap config) {
    config.check_schema(1);
    Experiment experiment;
    std::vector<std::string> overrides;
    experiment.network = network_specification(config, overrides);
    experiment.engine = config.text("engine", experiment.engine);
    if (config.has("seed")) experiment.seed = config.integer("seed", 0, UINT64_MAX);
    read_nodes(config, experiment.cycles);
    if (config.has("host")) experiment.cycles.host = read_host(config.map("host"));
    if (config.has("background")) {
        ConfigMap map = config.map("background");
        TrafficOptions& traffic = experiment.cycles.background.traffic;
        if (map.has("load")) traffic.load = map.number("load");
        read_traffic_source(map, experiment.cycles.background.pattern, traffic);
        map.finish();
    }
    experiment.cycles.forwarding = config.text("forwarding", experiment.cycles.forwarding);
    experiment.cycles.pace = config.text("pace", experiment.cycles.pace);
    config.update("seeds", experiment.cycles.seeds, 0, 1'000'000);
    ConfigMap broadcast = config.map("broadcast");
    experiment.group = broadcast.text("group", experiment.group);
    experiment.axes = broadcast.text("axes", experiment.axes);
    experiment.source = broadcast.text("source", experiment.source);
    if (broadcast.has("packets"))
        experiment.packets = static_cast<std::uint32_t>(broadcast.integer("packets", 1, 1'000'000));
    experiment.algorithm = broadcast.text("algorithm", experiment.algorithm);
    experiment.schedule = broadcast.text("schedule", experiment.schedule);
    experiment.pattern = broadcast.text("pattern", experiment.pattern);
    broadcast.finish();
    config.finish();
    return experiment;
}

namespace {

/// 0 stands for endless, as in a node file.
std::uint32_t depth_json(std::uint32_t depth) {
    return depth == endless ? 0 : depth;
}

void add_cycles(Json& json, const BroadcastResult& result) {
    const CycleResult& run = *result.cycles;
    add_sample(json, "cycles", run.cycles, true);
    json["cycles_per_step"] = run.cycles.mean / std::max(result.run.steps, 1U);
    json["max_plus_cycles"] = run.max_plus_cycles;
    json["excess_cycles"] = std::llround(run.cycles.mean) - static_cast<std::int64_t>(run.max_plus_cycles);
    json["flits_per_packet"] = result.experiment.cycles.node.packet_flits;
    json["regions"] = run.regions;
    if (result.experiment.cycles.background.any())
        json["background"] = {{"accepted_load", run.background.accepted_load},
                              {"latency_mean", run.background.latency_mean},
                              {"latency_before", run.background.latency_before}};
    json["queues"] = queues_json(result.experiment.cycles.node, run.queues);
    add_link_layer(json, run.queues.link_layer);
    json["deadlock_free"] = run.deadlock.free ? Json(run.deadlock.how) : Json(false);
    json["deadlock_risk"] = run.deadlock.free ? Json(nullptr) : Json(run.deadlock.how);
}

Json to_json(const NodeParameters& node) {
    return {{"flit_bytes", node.flit_bytes},
            {"packet_flits", node.packet_flits},
            {"vcs", node.vcs},
            {"vc_depth", depth_json(node.vc_depth)},
            {"injection_queues", node.injection_queues},
            {"injection_depth", depth_json(node.injection_depth)},
            {"reception_queues", node.reception_queues},
            {"reception_depth", depth_json(node.reception_depth)},
            {"switching", switching_name(node.switching)},
            {"routing", routing_name(node.routing)},
            {"pipeline", node.pipeline},
            {"turn_back", node.turn_back},
            {"priority_channel", node.priority_channel},
            {"selection", selection_name(node.selection)},
            {"arbitration", sink_arbitration_name(node.arbitration)},
            {"round_robin_every", node.round_robin_every}};
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
        throw InputError(fmt::format("{}", share), "a share of the packets, 0 to 1").at(map.place(key));
    return share;
}

}  // namespace

Json to_json(const HostParameters& host) {
    return {{"servers", host.servers},
            {"polling", polling_name(host.polling)},
            {"send_cycles", host.send_cycles},
            {"receive_cycles", host.receive_cycles},
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
                          {"frames_repeated", use.repeated},
                          {"acknowledgements", use.back_frames},
                          {"acknowledgements_damaged", use.damaged_back}};
}

void read_nodes(ConfigMap& config, CycleOptions& options) {
    if (config.has("node")) options.node = read_node(config.map("node"), options.node);
    if (config.has("links")) options.links = read_links(config.map("links"));
    config.update("regions", options.regions, 1, 1'000'000);
    config.update("threads", options.threads, 1, 1'024);
    options.rtl_nodes = config.text("rtl_nodes", options.rtl_nodes);
    options.systemc_nodes = config.text("systemc_nodes", options.systemc_nodes);
    if (config.has("devices")) options.devices = config.texts("devices");
    options.shadow = config.text("shadow", options.shadow);
    config.update("shadow_level", options.shadow_level, shadow_levels);
    options.lockstep = config.text("lockstep", options.lockstep);
    options.occupancy = config.truth("occupancy", options.occupancy);
}

void read_traffic_source(ConfigMap& map, std::string& pattern, TrafficOptions& traffic) {
    pattern = map.text("pattern", pattern);
    if (map.has("warmup"))
        traffic.warmup =
            map.text("warmup") == "auto" ? detect_warmup : map.integer("warmup", 0, std::uint64_t{1} << 40U);
    if (map.has("burst_cycles")) traffic.burst_cycles = map.number("burst_cycles");
    if (map.has("burst_load")) traffic.burst_load = map.number("burst_load");
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
    json["node"] = to_json(options.node);
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
}

Json to_json(const Experiment& experiment) {
    Json json;
    json["schema"] = 1;
    json["network"] = experiment.network;
    json["broadcast"] = {{"group", experiment.group},         {"axes", experiment.axes},
                         {"source", experiment.source},       {"packets", experiment.packets},
                         {"algorithm", experiment.algorithm}, {"pattern", experiment.pattern}};
    if (!experiment.schedule.empty()) json["broadcast"]["schedule"] = experiment.schedule;
    json["engine"] = experiment.engine;
    if (is_cycle_engine(experiment.engine)) {
        add_nodes(json, experiment.cycles);
        json["host"] = to_json(experiment.cycles.host);
        const BackgroundOptions& background = experiment.cycles.background;
        json["background"] = traffic_source_json(background.pattern, background.traffic);
        json["forwarding"] = experiment.cycles.forwarding;
        json["pace"] = experiment.cycles.pace;
        json["seeds"] = experiment.cycles.seeds;
    }
    json["seed"] = experiment.seed;
    return json;
}

Json to_json(const BroadcastResult& result) {
    const Experiment& experiment = result.experiment;
    Json json = json_result("broadcast", experiment.seed);
    json["experiment"] = to_json(experiment);
    json["network"] = experiment.network;
    json["group"] = experiment.group;
    json["axes"] = experiment.axes;
    json["source"] = static_cast<std::uint32_t>(result.source);
    json["packets"] = experiment.packets;
    json["algorithm"] = experiment.algorithm;
    if (result.patterns.size() == 1)
        json["pattern"] = result.patterns.front();
    else if (result.patterns.empty())
        json["pattern"] = nullptr;
    else
        json["pattern"] = result.patterns;
    json["packets_per_colour"] = result.split;
    json["engine"] = experiment.engine;
    json["steps"] = result.run.steps;
    json["lower_bound"] = result.bound.steps;
    json["lower_bound_argument"] = result.bound.argument;
    json["lower_bound_node"] = nullptr;
    if (const auto node = result.bound.witness) json["lower_bound_node"] = static_cast<std::uint32_t>(*node);
    json["gap"] = result.gap();
    json["sends"] = result.sends;
    json["links_usable"] = result.usable_links;
    json["peak_packets_waiting"] = result.run.peak_packets_waiting;
    json["peak_lane_packets_waiting"] = result.run.peak_lane_waiting;
    json["peak_packets_in_flight"] = result.run.peak_packets_in_flight;
    json["packets_in_flight_per_step"] = result.run.sends_in_step;
    json["link_utilisation"] = result.run.link_utilisation;
    Json per_step = Json::array();
    for (const std::uint64_t sends : result.run.sends_in_step)
        per_step.push_back(static_cast<double>(sends) / static_cast<double>(result.usable_links));
    json["link_utilisation_per_step"] = per_step;
    if (result.cycles) add_cycles(json, result);
    if (!result.links.is_null()) json["links"] = result.links;
    if (!result.wavefront.is_null()) json["wavefront"] = result.wavefront;
    if (result.table_bits > 0) {
        json["forwarding_table_bits_per_node"] = result.table_bits;
        json["forwarding_table_packed_bits_per_node"] = result.packed_table_bits;
    }
    return json;
}

Json to_json(const CheckResult& result) {
    Json json = json_result("check", result.experiment.seed);
    json["experiment"] = to_json(result.experiment);
    json["valid"] = result.report.valid();
    json["problem"] = result.report.valid() ? Json(nullptr) : Json(result.report.problem);
    json["problems"] = result.report.problem_count;
    json["steps"] = result.report.steps;
    json["lower_bound"] = result.bound.steps;
    json["gap"] = result.report.valid() ? Json(result.report.steps - result.bound.steps) : Json(nullptr);
    json["sends"] = result.report.sends;
    json["redundant_sends"] = result.report.redundant_sends;
    return json;
}

}  // namespace interlace
