// Interlace: a pipelined broadcast as a configuration file and as JSON
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/broadcast.h"

#include "check_json.h"
#include "interlace/experiment/nodes/options_json.h"
#include "interlace/network/specification.h"

namespace interlace {
namespace {

void read_background(ConfigMap map, BackgroundOptions& background) {
    if (map.has("load")) background.traffic.load = map.number("load");
    read_traffic_source(map, background.pattern, background.traffic);
    map.finish();
}

void read_section(ConfigMap broadcast, BroadcastExperiment& e) {
    e.group = broadcast.text("group", e.group);
    e.axes = broadcast.text("axes", e.axes);
    e.source = broadcast.text("source", e.source);
    broadcast.update("packets", e.packets, 1, 1'000'000);
    e.algorithm = broadcast.text("algorithm", e.algorithm);
    e.schedule = broadcast.text("schedule", e.schedule);
    e.pattern = broadcast.text("pattern", e.pattern);
    broadcast.finish();
}

}  // namespace

std::unique_ptr<Experiment> read_broadcast(ConfigMap& config) {
    auto e = std::make_unique<BroadcastExperiment>();
    e->network = network_specification(config);
    e->engine = config.text("engine", e->engine);
    if (config.has("seed")) e->seed = config.integer("seed", 0, UINT64_MAX);
    read_nodes(config, e->cycles);
    if (config.has("background")) read_background(config.map("background"), e->cycles.background);
    e->cycles.forwarding = config.text("forwarding", e->cycles.forwarding);
    e->cycles.pace = config.text("pace", e->cycles.pace);
    read_section(config.map("broadcast"), *e);
    return e;
}

Json BroadcastExperiment::to_json() const {
    Json json = {{"schema", 1}, {"network", network}};
    json["broadcast"] = {{"group", group},     {"axes", axes},           {"source", source},
                         {"packets", packets}, {"algorithm", algorithm}, {"pattern", pattern}};
    if (!schedule.empty()) json["broadcast"]["schedule"] = schedule;
    json["engine"] = engine;
    if (is_cycle_engine(engine)) {
        add_nodes(json, cycles);
        json["background"] = traffic_source_json(cycles.background.pattern, cycles.background.traffic);
        json["forwarding"] = cycles.forwarding;
        json["pace"] = cycles.pace;
        json["seeds"] = cycles.seeds;
    }
    json["seed"] = seed;
    return json;
}

Json BroadcastExperiment::warm_up() const {
    // Nodes have the tables of the program, and hosts that forget packets an account of them, from the start.
    if (!is_cycle_engine(engine) || !cycles.background.any() || cycles.forwarding == "table" ||
        cycles.host.memory_packets > 0)
        return nullptr;
    Json json = to_json();
    json["broadcast"] = {{"packets", packets}};
    for (const char* key : {"forwarding", "pace", "seeds"}) json.erase(key);
    return json;
}

std::uint32_t BroadcastExperiment::runs() const {
    return is_cycle_engine(engine) ? cycles.runs() : 1;
}

std::vector<Measure> BroadcastExperiment::measures() const {
    if (is_cycle_engine(engine)) return {{"cycles"}};
    return {{"steps"}};
}

std::vector<QueueToSize> BroadcastExperiment::queues() const {
    if (!is_cycle_engine(engine)) return {};
    return node_queues(make_network(network), cycles, cycles.node.packet_flits);
}

Json to_json(const BroadcastResult& result) {
    const BroadcastExperiment& experiment = result.experiment;
    Json json = json_result("broadcast", experiment.seed);
    json["experiment"] = experiment.to_json();
    json["network"] = experiment.network;
    json["group"] = experiment.group;
    json["axes"] = experiment.axes;
    json["source"] = static_cast<std::uint32_t>(result.source);
    json["packets"] = experiment.packets;
    json["algorithm"] = experiment.algorithm;
    if (!experiment.schedule.empty()) json["schedule"] = experiment.schedule;
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
    json["peak_send_list_packets_waiting"] = result.run.peak_list_waiting;
    json["peak_packets_in_flight"] = result.run.peak_packets_in_flight;
    json["packets_in_flight_per_step"] = result.run.sends_in_step;
    json["link_utilisation"] = result.run.link_utilisation;
    Json per_step = Json::array();
    for (const std::uint64_t sends : result.run.sends_in_step)
        per_step.push_back(static_cast<double>(sends) / static_cast<double>(result.usable_links));
    json["link_utilisation_per_step"] = per_step;
    if (result.cycles) add_cycles(json, *result.cycles, experiment.cycles, result.run.steps);
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
    json["experiment"] = result.experiment.to_json();
    json["network"] = result.experiment.network;
    add_report(json, result.report, result.bound.steps);
    if (!result.links.is_null()) json["links"] = result.links;
    if (!result.wavefront.is_null()) json["wavefront"] = result.wavefront;
    return json;
}

}  // namespace interlace
