// Interlace: an experiment as a configuration file and as JSON
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/experiment.h"
#include "interlace/core/error.h"

namespace interlace {

Experiment read_experiment(ConfigMap config) {
    if (config.integer("schema", 0, UINT32_MAX) != 1)
        throw InputError("an unknown schema", "1").at(config.place("schema"));
    Experiment experiment;
    experiment.network = config.text("network");
    experiment.engine = config.text("engine", experiment.engine);
    if (config.has("seed")) experiment.seed = config.integer("seed", 0, UINT64_MAX);
    ConfigMap broadcast = config.map("broadcast");
    experiment.group = broadcast.text("group", experiment.group);
    experiment.axes = broadcast.text("axes", experiment.axes);
    experiment.source = broadcast.text("source", experiment.source);
    if (broadcast.has("packets"))
        experiment.packets = static_cast<std::uint32_t>(broadcast.integer("packets", 1, 1'000'000));
    experiment.algorithm = broadcast.text("algorithm", experiment.algorithm);
    experiment.pattern = broadcast.text("pattern", experiment.pattern);
    broadcast.text("packets", "");
    config.text("seed", "");
    broadcast.finish();
    config.finish();
    return experiment;
}

Json to_json(const Experiment& experiment) {
    Json json;
    json["schema"] = 1;
    json["network"] = experiment.network;
    json["broadcast"] = {{"group", experiment.group},         {"axes", experiment.axes},
                         {"source", experiment.source},       {"packets", experiment.packets},
                         {"algorithm", experiment.algorithm}, {"pattern", experiment.pattern}};
    json["engine"] = experiment.engine;
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
