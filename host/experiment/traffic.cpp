// Interlace: synthetic traffic on a network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/traffic.h"

#include <ctime>

#include "cycle_options.h"
#include "interlace/core/error.h"
#include "interlace/engine/routing_tables.h"
#include "interlace/network/metrics.h"
#include "make_machine.h"

namespace interlace {

TrafficRun run_traffic(const TrafficExperiment& experiment) {
    if (experiment.pattern != "uniform") throw InputError("pattern '" + experiment.pattern + "'", "uniform");
    if (!is_cycle_engine(experiment.engine))
        throw InputError("engine '" + experiment.engine + "'", "native, systemc or rtl");
    const Network network = make_network(experiment.network);
    if (network.has_switches())
        throw InputError("traffic on " + network.name() + ", whose switches have no hosts",
                         "a torus, mesh, ibt or graph");
    const Fabric fabric(network, experiment.nodes.node, experiment.nodes.links);
    const RoutingTables tables = routing_tables(network, fabric);
    Machine machine = make_machine(network, fabric, experiment.engine, experiment.nodes, &tables.ports);
    TrafficRun run{experiment, {}, network.node_count()};
    run.mean_distance = measure_network(network).mean_distance_distinct;
    const std::clock_t start = std::clock();
    run.result = run_uniform_traffic(fabric, machine, tables, experiment.traffic);
    run.cpu_seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return run;
}

Json to_json(const TrafficExperiment& e) {
    Json json = {{"schema", 1},
                 {"network", e.network},
                 {"traffic",
                  {{"pattern", e.pattern},
                   {"load", e.traffic.load},
                   {"packet_flits", e.traffic.packet_flits},
                   {"warmup", e.traffic.warmup},
                   {"cycles", e.traffic.cycles}}},
                 {"engine", e.engine}};
    add_nodes(json, e.nodes);
    json["seed"] = e.traffic.seed;
    return json;
}

Json to_json(const TrafficRun& run) {
    const TrafficExperiment& e = run.experiment;
    Json json = json_result("traffic", e.traffic.seed);
    json["experiment"] = to_json(e);
    json["network"] = e.network;
    json["nodes"] = run.nodes;
    json["engine"] = e.engine;
    json["accepted_load"] = run.result.accepted_load;
    json["mean_hops"] = run.result.mean_hops;
    json["mean_distance_distinct"] = run.mean_distance;
    json["latency_mean"] = run.result.latency_mean;
    json["latency_p99"] = run.result.latency_p99;
    json["latency_max"] = run.result.latency_max;
    json["packets"] = run.result.packets;
    json["packets_missing"] = run.result.packets_missing;
    json["cycles"] = run.result.cycles;
    json["router_cycles_per_second"] = run.router_cycles_per_second();
    return json;
}

}  // namespace interlace
