// Interlace: what a configuration file describes, whatever kind of experiment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/configuration.h"

#include <fmt/format.h>

#include <utility>

#include "cycle_options.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/text.h"
#include "interlace/network/specification.h"

namespace interlace {
namespace {

void read_bytes(ConfigMap& map, const std::string& key, std::uint64_t& bytes) {
    if (!map.has(key)) return;
    try {
        bytes = parse_bytes(map.text(key), "value");
    } catch (const InputError& error) {
        throw error.at(map.place(key));
    }
}

constexpr Names<bool, 2> switch_names = {{{"false", false}, {"true", true}}};

ClusterExperiment read_cluster_experiment(ConfigMap& config) {
    ClusterExperiment e;
    e.network = network_specification(config, e.overrides);
    e.tree = config.text("tree", e.tree);
    config.update("root", e.root, 0, UINT32_MAX);
    e.routing = config.text("routing", e.routing);
    e.engine = config.text("engine", e.engine);
    e.lockstep = config.text("lockstep", e.lockstep);
    if (config.has("seed")) e.seed = config.integer("seed", 0, UINT64_MAX);
    config.update("seeds", e.seeds, 0, 1'000'000);
    if (config.has("event"))
        for (const auto& [path, value] : config.map("event").rest())
            if (value != "~")
                e.overrides.push_back(fmt::format("event.{}={}", path, value));  // null: not set
    return e;
}

/// The section `key`: what every collective has, and what `read_rest` reads.
template <class Collective, class ReadRest>
Collective read_collective(ConfigMap& config, const char* key, const ReadRest& read_rest) {
    Collective e;
    e.cluster = read_cluster_experiment(config);
    ConfigMap map = config.map(key);
    e.algorithm = map.text("algorithm", e.algorithm);
    read_bytes(map, "message", e.message);
    read_rest(map, e);
    map.finish();
    return e;
}

AllGatherExperiment read_allgather(ConfigMap& config) {
    return read_collective<AllGatherExperiment>(
        config, "allgather",
        [](ConfigMap& map, AllGatherExperiment& e) { map.update("barriers", e.barriers, switch_names); });
}

AllToAllExperiment read_alltoall(ConfigMap& config) {
    return read_collective<AllToAllExperiment>(config, "alltoall", [](ConfigMap& map, AllToAllExperiment& e) {
        if (e.algorithm == "scheduled") {
            e.sync = map.text("sync", e.sync);
            map.update("block", e.block, 1, 1'000'000);
        }
        if (e.algorithm == "shuffle") {
            e.permutation = map.text("permutation", e.permutation);
            e.window = map.text("window", e.window);
            map.update("reorder", e.reorder, switch_names);
        }
    });
}

MulticastExperiment read_multicast(ConfigMap& config) {
    return read_collective<MulticastExperiment>(
        config, "multicast", [](ConfigMap& map, MulticastExperiment& e) {
            if (map.has("sources")) e.sources = map.integers("sources", 0, UINT32_MAX);
            if (map.has("destinations")) e.destinations = map.integers("destinations", 0, UINT32_MAX);
        });
}

TrafficExperiment read_traffic(ConfigMap& config) {
    TrafficExperiment e;
    std::vector<std::string> overrides;
    e.network = network_specification(config, overrides);
    e.engine = config.text("engine", e.engine);
    e.nodes.node = node_parameters("wide");
    read_nodes(config, e.nodes);
    if (config.has("host")) e.nodes.host = read_host(config.map("host"));
    config.update("seeds", e.nodes.seeds, 0, 1'000'000);
    if (config.has("seed")) e.traffic.seed = config.integer("seed", 0, UINT64_MAX);
    ConfigMap map = config.map("traffic");
    e.traffic.warmup = detect_warmup;
    e.saturation = map.has("load") && map.text("load") == "saturation";
    if (map.has("load") && !e.saturation) e.traffic.load = map.number("load");
    read_traffic_source(map, e.pattern, e.traffic);
    map.update("packet_flits", e.traffic.packet_flits, 1, 64);
    if (map.has("cycles")) e.traffic.cycles = map.integer("cycles", 1, std::uint64_t{1} << 40U);
    map.finish();
    return e;
}

template <class Read>
Configuration read(ConfigMap& config, const Read& read_section) {
    config.check_schema(1);
    Configuration configuration = read_section(config);
    config.finish();
    return configuration;
}

struct Describe {
    Json operator()(const Experiment& e) const { return to_json(e); }
    Json operator()(const TrafficExperiment& e) const { return to_json(e); }
    template <class OnCluster>
    Json operator()(const OnCluster& e) const {
        return to_json(e, event_parameters(e.cluster.network, e.cluster.overrides));
    }
};

struct CountRuns {
    std::uint32_t operator()(const Experiment& e) const {
        return is_cycle_engine(e.engine) ? e.cycles.runs() : 1;
    }
    std::uint32_t operator()(const TrafficExperiment& e) const { return e.runs(); }
    template <class OnCluster>
    std::uint32_t operator()(const OnCluster& e) const {
        const EventParameters parameters = event_parameters(e.cluster.network, e.cluster.overrides);
        return runs_of(e.cluster.seeds, parameters.workstation.random());
    }
};

struct Run {
    Json operator()(const Experiment& e) const { return to_json(run_broadcast(e)); }
    Json operator()(const TrafficExperiment& e) const {
        Json json = to_json(run_traffic(e));
        json.erase("router_cycles_per_second");
        return json;
    }
    Json operator()(const AllGatherExperiment& e) const { return to_json(run_allgather(e)); }
    Json operator()(const AllToAllExperiment& e) const { return to_json(run_alltoall(e)); }
    Json operator()(const MulticastExperiment& e) const { return to_json(run_multicast(e)); }
};

}  // namespace

Configuration read_configuration(ConfigMap config) {
    if (config.has("broadcast")) return read_experiment(std::move(config));
    if (config.has("traffic")) return read(config, read_traffic);
    if (config.has("allgather")) return read(config, read_allgather);
    if (config.has("alltoall")) return read(config, read_alltoall);
    if (config.has("multicast")) return read(config, read_multicast);
    throw InputError("no experiment", "a section broadcast, traffic, allgather, alltoall or multicast")
        .at(config.place());
}

Json to_json(const Configuration& configuration) {
    return std::visit(Describe{}, configuration);
}

std::uint32_t runs_of(const Configuration& configuration) {
    return std::visit(CountRuns{}, configuration);
}

Json run_configuration(const Configuration& configuration) {
    return std::visit(Run{}, configuration);
}

}  // namespace interlace
