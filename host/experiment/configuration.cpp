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
    e.network = read_network(config, e.overrides);
    e.tree = config.text("tree", e.tree);
    config.update("root", e.root, 0, UINT32_MAX);
    e.routing = config.text("routing", e.routing);
    e.engine = config.text("engine", e.engine);
    e.lockstep = config.text("lockstep", e.lockstep);
    if (config.has("seed")) e.seed = config.integer("seed", 0, UINT64_MAX);
    if (config.has("event"))
        for (const auto& [path, value] : config.map("event").rest())
            if (value != "~")
                e.overrides.push_back(fmt::format("event.{}={}", path, value));  // null: not set
    return e;
}

AllGatherExperiment read_allgather(ConfigMap& config) {
    AllGatherExperiment e;
    e.cluster = read_cluster_experiment(config);
    ConfigMap map = config.map("allgather");
    e.algorithm = map.text("algorithm", e.algorithm);
    read_bytes(map, "message", e.message);
    map.update("barriers", e.barriers, switch_names);
    map.finish();
    return e;
}

AllToAllExperiment read_alltoall(ConfigMap& config) {
    AllToAllExperiment e;
    e.cluster = read_cluster_experiment(config);
    ConfigMap map = config.map("alltoall");
    e.algorithm = map.text("algorithm", e.algorithm);
    read_bytes(map, "message", e.message);
    if (e.algorithm == "scheduled") {
        e.sync = map.text("sync", e.sync);
        map.update("block", e.block, 1, 1'000'000);
    }
    if (e.algorithm == "shuffle") {
        e.permutation = map.text("permutation", e.permutation);
        e.window = map.text("window", e.window);
        map.update("reorder", e.reorder, switch_names);
    }
    map.finish();
    return e;
}

MulticastExperiment read_multicast(ConfigMap& config) {
    MulticastExperiment e;
    e.cluster = read_cluster_experiment(config);
    ConfigMap map = config.map("multicast");
    e.algorithm = map.text("algorithm", e.algorithm);
    read_bytes(map, "message", e.message);
    if (map.has("sources")) e.sources = map.integers("sources", 0, UINT32_MAX);
    if (map.has("destinations")) e.destinations = map.integers("destinations", 0, UINT32_MAX);
    map.finish();
    return e;
}

TrafficExperiment read_traffic(ConfigMap& config) {
    TrafficExperiment e;
    std::vector<std::string> overrides;
    e.network = read_network(config, overrides);
    e.engine = config.text("engine", e.engine);
    e.nodes.node = node_parameters("wide");
    read_nodes(config, e.nodes);
    if (config.has("seed")) e.traffic.seed = config.integer("seed", 0, UINT64_MAX);
    ConfigMap map = config.map("traffic");
    e.pattern = map.text("pattern", e.pattern);
    if (map.has("load") && map.text("load") == "saturation")
        e.saturation = true;
    else if (map.has("load"))
        e.traffic.load = map.number("load");
    map.update("packet_flits", e.traffic.packet_flits, 1, 64);
    if (map.text("warmup", "auto") == "auto")
        e.traffic.warmup = detect_warmup;
    else
        e.traffic.warmup = map.integer("warmup", 0, std::uint64_t{1} << 40U);
    if (map.has("burst_cycles")) e.traffic.burst_cycles = map.number("burst_cycles");
    if (map.has("burst_load")) e.traffic.burst_load = map.number("burst_load");
    if (map.has("cycles")) e.traffic.cycles = map.integer("cycles", 1, std::uint64_t{1} << 40U);
    map.finish();
    return e;
}

template <class Read>
Configuration read(ConfigMap& config, const Read& read_section) {
    check_schema(config);
    Configuration configuration = read_section(config);
    config.finish();
    return configuration;
}

/// What only the runs of one kind have.
struct Describe {
    Json operator()(const Experiment& e) const { return to_json(e); }
    Json operator()(const TrafficExperiment& e) const { return to_json(e); }
    template <class OnCluster>
    Json operator()(const OnCluster& e) const {
        return to_json(e, event_parameters(e.cluster.network, e.cluster.overrides));
    }
};

struct Run {
    const RunListener& listener;
    Json operator()(const Experiment& e) const { return to_json(run_broadcast(e, {}, listener)); }
    Json operator()(const TrafficExperiment& e) const {
        Json json = to_json(run_traffic(e));
        json.erase("router_cycles_per_second");
        return json;
    }
    Json operator()(const AllGatherExperiment& e) const { return to_json(run_allgather(e, listener.warn)); }
    Json operator()(const AllToAllExperiment& e) const { return to_json(run_alltoall(e, listener.warn)); }
    Json operator()(const MulticastExperiment& e) const { return to_json(run_multicast(e, listener.warn)); }
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

Json run_configuration(const Configuration& configuration, const RunListener& listener) {
    return std::visit(Run{listener}, configuration);
}

}  // namespace interlace
