// Interlace: synthetic traffic on a network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "cycle_options.h"
#include "interlace/core/error.h"
#include "interlace/engine/routing_tables.h"
#include "interlace/network/metrics.h"
#include "make_machine.h"
#include "recorder.h"

namespace interlace {

namespace {

/// The network and what its nodes know, for any number of runs.
class Bench {
  public:
    Bench(const TrafficExperiment& experiment, const Network& network)
        : e_(experiment),
          network_(network),
          fabric_(network, experiment.nodes.node, experiment.nodes.links),
          tables_(routing_tables(network, fabric_)) {}

    const Network& network() const { return network_; }
    bool records() const { return e_.nodes.records.any(); }

    TrafficResult run(const TrafficOptions& options) {
        return run([&](Machine& machine, const MadePacket& made) {
            return run_synthetic_traffic(fabric_, machine, tables_, options, made);
        });
    }
    TrafficResult run(const std::vector<TracePacket>& trace) {
        return run([&](Machine& machine, const MadePacket& made) {
            return run_trace(fabric_, machine, tables_, trace, made);
        });
    }
    /// Of the last run.
    const Usage& queues() const { return queues_; }
    const Json& links() const { return links_; }

  private:
    TrafficResult run(const std::function<TrafficResult(Machine&, const MadePacket&)>& traffic) {
        Machine machine = make_machine(network_, fabric_, e_.engine, e_.nodes, &tables_.ports);
        Recorder recorder(network_, fabric_, machine, e_.nodes);
        TrafficResult result;
        recorder.run([&] {
            result = traffic(machine, [&](std::uint64_t cycle, NodeId node, std::uint32_t packet) {
                recorder.born(cycle, node, packet);
            });
        });
        queues_ = machine.usage();
        links_ = recorder.links(result.cycles);
        return result;
    }

    const TrafficExperiment& e_;
    const Network& network_;
    Fabric fabric_;
    RoutingTables tables_;
    Usage queues_;
    Json links_;
};

/// Bisects between loads that are carried and loads that are not, to a thousandth of the most that a node's
/// links take.
void search_saturation(Bench& bench, TrafficOptions options, TrafficRun& run) {
    const double most = std::min(bench.network().max_degree(), options.packet_flits);
    options.stop_unsettled = true;
    const auto carries = [&](double load) {
        options.load = load;
        const TrafficResult result = bench.run(options);
        run.tried.push_back({load, result.accepted_load, result.latency_mean, result.carried()});
        if (!result.carried()) return false;
        run.result = result;
        run.queues = bench.queues();
        run.experiment.traffic.load = load;
        return true;
    };
    if (bench.records()) throw InputError("a trace, log, queue use or details of a search", "a load");
    if (carries(most)) return;
    double low = 0;
    double high = most;
    for (int i = 0; i < 10; ++i) {
        const double middle = (low + high) / 2;
        (carries(middle) ? low : high) = middle;
    }
    if (low == 0)
        throw FellShort(fmt::format("{} carries no load of {:.4g} flits a node and cycle or more",
                                    bench.network().name(), high));
}

}  // namespace

TrafficRun run_traffic(const TrafficExperiment& experiment) {
    if (!is_cycle_engine(experiment.engine))
        throw InputError("engine '" + experiment.engine + "'", "native, systemc or rtl");
    const Network network = make_network(experiment.network);
    if (network.has_switches())
        throw InputError("traffic on " + network.name() + ", whose switches have no hosts",
                         "a torus, mesh, ibt or graph");
    Bench bench(experiment, network);
    TrafficRun run{experiment, {}, network.node_count()};
    run.mean_distance = measure_network(network).mean_distance_distinct;
    const std::clock_t start = std::clock();
    if (experiment.is_trace()) {
        if (experiment.saturation) throw InputError("the saturation of a trace", "a pattern");
        run.result = bench.run(read_trace(experiment.pattern.substr(6), run.nodes));
    } else {
        TrafficOptions options = experiment.traffic;
        options.pattern = traffic_pattern(experiment.pattern, network);
        if (experiment.saturation)
            search_saturation(bench, options, run);
        else
            run.result = bench.run(options);
    }
    if (!experiment.saturation) {
        run.queues = bench.queues();
        run.links = bench.links();
    }
    run.cpu_seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return run;
}

Json to_json(const TrafficExperiment& e) {
    Json json = {{"schema", 1},
                 {"network", e.network},
                 {"traffic", traffic_source_json(e.pattern, e.traffic)},
                 {"engine", e.engine}};
    if (e.saturation) json["traffic"]["load"] = "saturation";
    json["traffic"]["packet_flits"] = e.traffic.packet_flits;
    json["traffic"]["cycles"] = e.traffic.cycles;
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
    if (e.saturation) {
        json["saturation_load"] = e.traffic.load;
        for (const LoadTried& tried : run.tried)
            json["tried"].push_back({{"load", tried.load},
                                     {"accepted_load", tried.accepted},
                                     {"latency_mean", tried.latency_mean},
                                     {"carried", tried.carried}});
    }
    json["warmup"] = run.result.warmup;
    json["settled"] = run.result.settled;
    json["generated_load"] = run.result.generated_load;
    json["accepted_load"] = run.result.accepted_load;
    json["mean_hops"] = run.result.mean_hops;
    json["mean_distance_distinct"] = run.mean_distance;
    json["latency_mean"] = run.result.latency_mean;
    json["latency_median"] = run.result.latency_median;
    json["latency_p95"] = run.result.latency_p95;
    json["latency_p99"] = run.result.latency_p99;
    json["latency_max"] = run.result.latency_max;
    json["packets"] = run.result.packets;
    json["packets_missing"] = run.result.packets_missing;
    json["cycles"] = run.result.cycles;
    json["queues"] = queues_json(e.nodes.node, run.queues);
    if (!run.links.is_null()) json["links"] = run.links;
    json["router_cycles_per_second"] = run.router_cycles_per_second();
    return json;
}

}  // namespace interlace
