// Interlace: synthetic traffic on a network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <ctime>
#include <exception>
#include <numeric>
#include <type_traits>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/value_error.h"
#include "interlace/engine/routing/path_lengths.h"
#include "interlace/engine/routing/route_loads.h"
#include "interlace/engine/routing/routing_tables.h"
#include "interlace/experiment/kinds/capacity.h"
#include "interlace/experiment/nodes/checkpoints.h"
#include "interlace/experiment/nodes/options_json.h"
#include "interlace/experiment/nodes/same_on_ranks.h"
#include "interlace/experiment/nodes/unicast_runs.h"
#include "interlace/harness/traffic/traffic_generator.h"
#include "interlace/measure/trend.h"
#include "interlace/network/cluster.h"
#include "interlace/network/metrics.h"
#include "interlace/network/specification.h"

namespace interlace {

namespace {

/// Runs of the experiment, whose traffic the routing bounds.
class Bench {
  public:
    /// `tell` hears of a run's share that is over, often, or of 0 where that is not known.
    Bench(const TrafficExperiment& experiment, const Network& network, std::function<void(double)> tell,
          const RunListener& listener)
        : e_(experiment),
          network_(network),
          tell_(std::move(tell)),
          runs_(network, experiment.engine, experiment.nodes,
                open_checkpoint(experiment.nodes, experiment.to_json(), experiment.warm_up(), listener),
                listener) {}

    const Network& network() const { return network_; }
    const std::optional<PathLengths>& paths() const { return runs_.paths(); }
    NodeRange own_nodes() const { return runs_.fabric().own; }
    const std::optional<LinkLoad>& link_load() const { return runs_.tables().load; }

    /// The load at which the fullest link is busy in every cycle, by the routing and the pattern alone; none
    /// where the network's state decides on paths, or they are too many to follow. Called by all ranks.
    std::optional<double> routing_capacity(const TrafficPattern& own) const {
        Communicator& ranks = *e_.nodes.ranks;
        const Fabric& fabric = runs_.fabric();
        check_traffic_fabric(fabric, e_.traffic.packet_flits);
        if (fabric.adaptive() || !can_follow(own)) return {};
        double load = 0;  // at which the fullest link carries a flit a cycle
        if (own.uniform() && link_load())
            load = (network_.endpoint_count() - 1.0) / link_load()->max;
        else if (ranks.alone())
            load = routing_capacity(fabric, runs_.tables(), own);
        else if (ranks.rank() == 0)
            load = routing_capacity_of_all();
        // Of numbers above 0 the greatest has the greatest bits.
        load = std::bit_cast<double>(ranks.reduced(std::bit_cast<std::uint64_t>(load), Reduction::most));
        return load / fabric.links.cycles_per_flit;
    }

    TrafficResult run(const TrafficOptions& options) {
        return run(options.seed, [&](Machine& machine, const TrafficHostOptions& hosts) {
            return run_synthetic_traffic(runs_.fabric(), machine, options, hosts);
        });
    }
    TrafficResult run(const std::vector<TracePacket>& trace, std::uint64_t seed) {
        return run(seed, [&](Machine& machine, const TrafficHostOptions& hosts) {
            return run_trace(runs_.fabric(), machine, trace, hosts);
        });
    }
    /// Of the last run.
    const Usage& queues() const { return queues_; }
    const Json& links() const { return links_; }
    /// Of all runs.
    std::uint64_t cycles() const { return cycles_; }

  private:
    TrafficResult run(std::uint64_t seed, const UnicastRuns::Hosts& hosts) {
        UnicastRuns::Outcome outcome = runs_.run(seed, hosts, [&](std::uint64_t cycle, std::uint32_t packet) {
            if (tell_ && packet % 64 == 0) tell_(share(cycle));
        });
        cycles_ += outcome.result.cycles;
        queues_ = outcome.queues;
        links_ = outcome.links;
        return outcome.result;
    }

    /// Whether to do so takes little time, and little memory on one of several ranks.
    bool can_follow(const TrafficPattern& pattern) const {
        constexpr std::uint32_t many = 1U << 14U, few = 2048;
        const std::uint32_t nodes = network_.node_count();
        if (pattern.silent || (!pattern.hotspots.empty() && !is_in_thousandths(pattern.hotspot_share)))
            return false;
        if (pattern.uniform() && link_load()) return true;
        const bool by_species = pattern.uniform() && same_by_species(network_, runs_.fabric());
        return nodes <= (by_species || !pattern.fixed.empty() ? many : few);
    }
    double routing_capacity(const Fabric& fabric, const RoutingTables& tables,
                            const TrafficPattern& pattern) const {
        const Demands demands = demands_of(pattern, network_.endpoint_count());
        const std::vector<double> loads = route_loads(network_, fabric, tables, demands);
        return static_cast<double>(demands.most_sent(network_.endpoint_count())) /
               *std::max_element(loads.begin(), loads.end());
    }
    /// On one of several ranks.
    double routing_capacity_of_all() const {
        const Fabric fabric(network_, e_.nodes.node, e_.nodes.links);
        return routing_capacity(fabric, routing_tables(network_, fabric),
                                traffic_pattern(e_.pattern, network_));
    }

    double share(std::uint64_t cycle) const {
        if (e_.saturation || e_.is_trace()) return 0;
        const std::uint64_t warmup = e_.traffic.warmup == detect_warmup ? 1'000 : e_.traffic.warmup;
        return std::min(0.99, static_cast<double>(cycle) / static_cast<double>(warmup + e_.traffic.cycles));
    }

    const TrafficExperiment& e_;
    const Network& network_;
    std::function<void(double)> tell_;
    UnicastRuns runs_;
    Usage queues_;
    Json links_;
    std::uint64_t cycles_ = 0;
};

bool exceeds(double load, std::optional<double> capacity) {
    constexpr double rounding = 1e-9;
    return capacity && load > *capacity * (1 + rounding);
}

/// A load that the network carries, the highest that was tried.
struct Carried {
    double load = 0;
    TrafficResult result = {};
    Usage queues = {};
};

/// Bisects between loads that are carried and loads that are not, to a thousandth of the most that a node's
/// links take. A load above what the routing's fullest link carries is not tried.
Carried search_saturation(Bench& bench, TrafficOptions options, std::optional<double> routing_capacity,
                          std::vector<LoadTried>& tried) {
    const double most = std::min<double>(bench.network().max_endpoint_degree(), options.mean_flits());
    options.stop_unsettled = true;
    Carried highest;
    const auto carries = [&](double load) {
        if (exceeds(load, routing_capacity)) return false;
        options.load = load;
        const TrafficResult result = bench.run(options);
        tried.push_back({options.seed, load, result.accepted_load, result.latency_mean, result.carried()});
        if (result.carried()) highest = {load, result, bench.queues()};
        return result.carried();
    };
    if (carries(most)) return highest;
    double low = 0;
    double high = most;
    for (int i = 0; i < 10; ++i) {
        const double middle = (low + high) / 2;
        (carries(middle) ? low : high) = middle;
    }
    if (low == 0)
        throw FellShort(fmt::format("{} is saturated at every load from {:.4g} flits/node/cycle",
                                    bench.network().name(), high));
    return highest;
}

/// What nodes send under any seed: files are read once, so that they may be pipes.
struct Source {
    std::vector<TracePacket> trace;  ///< or, of packets at random:
    TrafficPattern pattern;
};

Source source_of(const TrafficExperiment& e, const Bench& bench) {
    if (e.is_trace()) return {read_trace(e.pattern.substr(6), bench.network().endpoint_count()), {}};
    return {{}, about("traffic.pattern", [&] {
                return traffic_pattern(e.pattern, bench.network(), bench.own_nodes(), traffic_sources());
            })};
}

/// The run of one seed.
Carried run_seed(const TrafficExperiment& e, const Source& source, Bench& bench, std::uint64_t seed,
                 TrafficRun& run) {
    if (e.is_trace()) return {0, bench.run(source.trace, seed), bench.queues()};
    TrafficOptions options = e.traffic;
    options.seed = seed;
    options.pattern = source.pattern;
    if (e.saturation) return search_saturation(bench, options, run.routing_capacity, run.tried);
    return {options.load, bench.run(options), bench.queues()};
}

void check_experiment(const TrafficExperiment& e, const Network& network) {
    if (!is_cycle_engine(e.engine))
        throw ValueError(unknown_name("engine", e.engine, cycle_engines()), "engine");
    if (network.has_switches() && links_by_speed(network).size() > 1)
        throw ValueError({"cannot run traffic on " + network.name() + ", whose links have different speeds",
                          "links of one rate and latency"},
                         "network");
    if (e.is_trace() && e.saturation)
        throw InputError("cannot search for the saturation of a trace", "a pattern");
    if (e.nodes.records.any() && e.saturation)
        throw InputError("cannot record a trace, log, queue use or details of a search", "a load");
    check_records(e.nodes.records, e.runs());
}

/// A length, or a mapping of lengths to their shares of the packets.
void read_packet_flits(ConfigMap& map, TrafficOptions& traffic) {
    if (!map.has("packet_flits") || !map.is_map("packet_flits")) {
        map.update("packet_flits", traffic.packet_flits, 1, 64);
        return;
    }
    ConfigMap shares = map.map("packet_flits");
    double sum = 0;
    for (const std::string& key : shares.keys()) {
        try {
            const auto flits = static_cast<std::uint32_t>(parse_integer(key, "length", 1, 64));
            const double share = shares.number(key);
            if (!(share > 0)) throw InputError(fmt::format("cannot use a share of {:g}", share), "above 0");
            traffic.sizes.push_back({flits, share});
            sum += share;
        } catch (const InputError& error) {
            throw error.at(shares.place(key));
        }
    }
    if (std::abs(sum - 1) > 1e-9)
        throw InputError(fmt::format("the shares sum to {:g}", sum), "1: each length's share of the packets")
            .at(map.place("packet_flits"));
    std::sort(traffic.sizes.begin(), traffic.sizes.end(),
              [](const PacketSize& a, const PacketSize& b) { return a.flits < b.flits; });
    traffic.packet_flits = traffic.sizes.back().flits;
}

Json sizes_json(const std::vector<PacketSize>& sizes) {
    Json json;
    for (const PacketSize& size : sizes) json[std::to_string(size.flits)] = size.share;
    return json;
}

/// Called by all ranks; known to the first, which tells of it.
double mean_distance(const Network& network, Communicator& ranks) {
    double mean = 0;
    std::exception_ptr thrown;
    try {
        if (ranks.rank() == 0) mean = measure_network(network).mean_distance_hosts;
    } catch (...) {
        thrown = std::current_exception();
    }
    rethrow_first(ranks, 0, thrown);
    return mean;
}

/// By any routing; none where the search would take long.
std::optional<double> capacity_at_most(const TrafficExperiment& e, const Network& network,
                                       const TrafficPattern& own) {
    // A pattern's file is read again on one of several ranks alone.
    const TrafficPattern pattern = e.nodes.ranks->alone() ? own : traffic_pattern(e.pattern, network);
    if (pattern.silent || (!pattern.hotspots.empty() && !is_in_thousandths(pattern.hotspot_share))) return {};
    const Demands demands = demands_of(pattern, network.endpoint_count());
    const std::optional<Capacity> found = capacity_soon_found(network, demands);
    if (!found) return {};
    return static_cast<double>(demands.most_sent(network.endpoint_count())) / found->bound.link_load() /
           e.nodes.links.cycles_per_flit;
}

/// Of a routing whose paths are over a tenth longer than the shortest ones.
void note_long_paths(const Bench& bench, std::uint32_t nodes, const NodeParameters& node,
                     double mean_distance, const RunListener& listener) {
    if (!listener.warn || !bench.paths() || mean_distance == 0) return;
    const double links = bench.paths()->mean();
    if (links <= 1.1 * mean_distance) return;
    std::string shorter = "more virtual channels (node.vcs) allow shorter paths";
    if (node.routing != Routing::table) shorter = "--routing table has shorter paths";
    if (nodes > max_slots)
        shorter = fmt::format("tables, which have shorter paths, end at {} nodes", max_slots);
    listener.warn(
        fmt::format("routing {} crosses {:.2f} links on average where the mean distance is {:.2f}; {}",
                    node.routing_text(), links, mean_distance, shorter));
}

/// Percentiles of a handful of packets are those packets.
void note_few_packets(const TrafficRun& run, const RunListener& listener) {
    constexpr std::uint64_t enough = 100;
    std::uint64_t packets = 0;
    for (const TrafficResult& result : run.results) packets += result.packets;
    if (listener.warn && packets < enough && !run.experiment.is_trace())
        listener.warn(
            fmt::format("{} packets were measured, too few for percentiles; more --cycles, load or seeds "
                        "give {} and more",
                        packets, enough));
}

}  // namespace

Choices traffic_sources() {
    Choices sources = traffic_patterns();
    sources.push_back({"trace:FILE.csv", "packets and their cycles: cycle,from,to,flits"});
    return sources;
}

std::uint32_t TrafficExperiment::runs() const {
    if (nodes.seeds == 0 && !nodes.host.random()) return 1;
    return runs_of(nodes.seeds, nodes.random() || !is_trace());
}

bool TrafficRun::settled() const {
    if (results.size() == 1) return results.front().settled;
    std::vector<double> increments;
    for (const TrafficResult& result : results)
        for (std::size_t i = 0; i + 1 < result.in_flight.size(); ++i)
            increments.push_back(result.in_flight[i + 1] - result.in_flight[i]);
    return !mean_is_positive(increments);
}

bool TrafficRun::exceeds_routing() const {
    return !experiment.is_trace() && exceeds(experiment.traffic.load, routing_capacity);
}

bool TrafficRun::carried() const {
    return settled() && !exceeds_routing() &&
           std::all_of(results.begin(), results.end(),
                       [](const TrafficResult& r) { return r.packets_missing == 0; });
}

TrafficRun run_traffic(const TrafficExperiment& experiment, const RunListener& listener) {
    require_same_experiment(*experiment.nodes.ranks, experiment.to_json());
    const Network network = about("network", [&] { return make_network(experiment.network); });
    check_experiment(experiment, network);
    TrafficRun run{experiment, {}, {}, network.node_count(), network.endpoint_count()};
    if (NodeParameters& node = run.experiment.nodes.node; node.routing == Routing::automatic)
        node.routing = default_routing(network, node);
    const std::uint32_t runs = experiment.runs();
    std::function<void(double)> tell;
    if (listener.progress)
        tell = [&](double share) {
            listener.progress("run", (static_cast<double>(run.results.size()) + share) / runs);
        };
    Bench bench(experiment, network, tell, listener);
    const Source source = about("traffic", [&] { return source_of(experiment, bench); });
    if (!experiment.is_trace())
        run.routing_capacity = about("traffic", [&] { return bench.routing_capacity(source.pattern); });
    if (experiment.saturation) run.capacity_at_most = capacity_at_most(experiment, network, source.pattern);
    run.mean_distance = mean_distance(network, *experiment.nodes.ranks);
    note_long_paths(bench, run.hosts, run.experiment.nodes.node, run.mean_distance, listener);
    const std::clock_t start = std::clock();
    for (std::uint32_t i = 0; i < runs; ++i) {
        const Carried carried = about(
            "traffic", [&] { return run_seed(experiment, source, bench, experiment.traffic.seed + i, run); });
        run.results.push_back(carried.result);
        run.queues.add(carried.queues);
        if (experiment.saturation) run.saturation_loads.push_back(carried.load);
        if (tell) tell(0);
    }
    if (experiment.saturation) run.experiment.traffic.load = sample_of(run.saturation_loads).mean;
    note_few_packets(run, listener);
    run.link_load = bench.link_load();
    run.links = bench.links();
    run.cycles = bench.cycles();
    run.link_count = network.link_count();
    run.cpu_seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return run;
}

std::unique_ptr<Experiment> read_traffic(ConfigMap& config) {
    auto e = std::make_unique<TrafficExperiment>();
    e->network = network_specification(config);
    e->engine = config.text("engine", e->engine);
    e->nodes.node = default_traffic_node(config);
    read_nodes(config, e->nodes);
    if (e->nodes.node.routing == Routing::automatic)
        e->nodes.node.routing = routing_on(e->network, e->nodes.node);
    e->traffic.packet_flits = std::min(e->traffic.packet_flits, e->nodes.node.packet_flits);
    if (config.has("seed")) e->traffic.seed = config.integer("seed", 0, UINT64_MAX);
    ConfigMap map = config.map("traffic");
    e->traffic.warmup = detect_warmup;
    e->saturation = map.has("load") && map.text("load") == "saturation";
    if (map.has("load") && !e->saturation) e->traffic.load = map.number("load");
    read_traffic_source(map, e->pattern, e->traffic);
    read_packet_flits(map, e->traffic);
    if (map.has("cycles")) e->traffic.cycles = map.integer("cycles", 1, std::uint64_t{1} << 40U);
    map.finish();
    return e;
}

Json TrafficExperiment::to_json() const {
    Json json = {{"schema", 1},
                 {"network", network},
                 {"traffic", traffic_source_json(pattern, traffic)},
                 {"engine", engine}};
    if (saturation) json["traffic"]["load"] = "saturation";
    json["traffic"]["packet_flits"] = traffic.packet_flits;
    if (!traffic.sizes.empty()) json["traffic"]["packet_flits"] = sizes_json(traffic.sizes);
    json["traffic"]["cycles"] = traffic.cycles;
    add_nodes(json, nodes);
    json["seeds"] = nodes.seeds;
    json["seed"] = traffic.seed;
    return json;
}

Json TrafficExperiment::warm_up() const {
    if (is_trace() || saturation || !is_cycle_engine(engine)) return nullptr;
    Json json = to_json();
    json["traffic"].erase("cycles");
    json.erase("seeds");
    return json;
}

std::vector<Measure> TrafficExperiment::measures() const {
    std::vector<Measure> measures = {{"latency_mean"}, {"latency_median"},     {"latency_p95"},
                                     {"latency_p99"},  {"latency_max"},        {"packets_missing"},
                                     {"cycles"},       {"accepted_load", true}};
    if (saturation) measures.insert(measures.begin(), {"saturation_load", true});
    return measures;
}

std::vector<QueueToSize> TrafficExperiment::queues() const {
    return node_queues(make_network(network), nodes, traffic.packet_flits);
}

Json TrafficExperiment::run(const Preparation*, const RunListener& listener) const {
    Json json = interlace::to_json(run_traffic(*this, listener));
    json.erase("router_cycles_per_second");
    return json;
}

Json to_json(const TrafficRun& run) {
    const TrafficExperiment& e = run.experiment;
    Json json = json_result("traffic", e.traffic.seed);
    json["experiment"] = e.to_json();
    json["network"] = e.network;
    json["nodes"] = run.nodes;
    if (run.hosts < run.nodes) json["hosts"] = run.hosts;
    json["engine"] = e.engine;
    if (e.saturation) {
        add_sample(json, "saturation_load", sample_of(run.saturation_loads), false);
        for (const LoadTried& tried : run.tried)
            json["tried"].push_back({{"seed", tried.seed},
                                     {"load", tried.load},
                                     {"accepted_load", tried.accepted},
                                     {"latency_mean", tried.carried ? Json(tried.latency_mean) : Json()},
                                     {"carried", tried.carried}});
    }
    if (run.routing_capacity) json["routing_capacity"] = *run.routing_capacity;
    if (run.capacity_at_most) json["capacity_at_most"] = *run.capacity_at_most;
    json["settled"] = run.settled();
    json["carried"] = run.carried();
    json["mean_distance_distinct"] = run.mean_distance;
    if (run.link_load)
        json["link_load"] = {
            {"max", run.link_load->max}, {"mean", run.link_load->mean}, {"detours", run.link_load->detours}};
    const auto add = [&](const char* key, auto measure, const Sample& sample) {
        using Number = std::decay_t<decltype(run.results.front().*measure)>;
        add_sample(json, key, sample, std::is_integral_v<Number>);
    };
    const auto add_run = [&](const char* key, auto measure) { add(key, measure, run.sample(measure)); };
    const auto add_latency = [&](const char* key, auto measure) {
        if (run.carried())
            add(key, measure, run.sample_of_packets(measure));
        else
            json[key] = nullptr;
    };
    add_run("warmup", &TrafficResult::warmup);
    add_run("generated_load", &TrafficResult::generated_load);
    add_run("accepted_load", &TrafficResult::accepted_load);
    add("mean_hops", &TrafficResult::mean_hops, run.sample_of_packets(&TrafficResult::mean_hops));
    add_latency("latency_mean", &TrafficResult::latency_mean);
    add_latency("latency_median", &TrafficResult::latency_median);
    add_latency("latency_p95", &TrafficResult::latency_p95);
    add_latency("latency_p99", &TrafficResult::latency_p99);
    add_latency("latency_max", &TrafficResult::latency_max);
    add_run("packets", &TrafficResult::packets);
    add_run("packets_missing", &TrafficResult::packets_missing);
    add_run("cycles", &TrafficResult::cycles);
    json["queues"] = queues_json(e.nodes.node, run.queues);
    add_link_layer(json, run.queues.link_layer);
    if (!run.links.is_null()) json["links"] = run.links;
    json["router_cycles_per_second"] = run.router_cycles_per_second();
    return json;
}

}  // namespace interlace
