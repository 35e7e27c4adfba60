// Interlace: interlace traffic
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/traffic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "command.h"
#include "node_flags.h"
#include "run.h"

namespace interlace::cli {
namespace {

struct TrafficFlags {
    std::string network;
    Values values;
    NodeFlags node;
    bool json = false;
};

int run_and_print(const TrafficFlags& flags) {
    const ConfigMap config =
        with_given({{"schema", 1}, {"network", flags.network}, {"traffic", Json::object()}}, flags.values);
    auto experiment = experiment_of<TrafficExperiment>(config);
    take_node_flags(flags.node, experiment.nodes);
    refuse_lost_files({}, experiment.nodes, texts_of(config));
    return show(run_traffic(experiment, listener()), flags.json);
}

/// Why the load counts as saturated.
void print_saturated(const TrafficRun& run) {
    std::vector<std::string> reasons;
    if (run.exceeds_routing())
        reasons.push_back(fmt::format(
            "from {:.4g} flits/node/cycle on the fullest link of this routing is busy in every cycle",
            *run.routing_capacity));
    if (!run.settled()) reasons.emplace_back("the number of in-flight packets grows");
    const double missing = run.sample(&TrafficResult::packets_missing).max;
    if (missing > 0)
        reasons.push_back(fmt::format("{} of {} measured packets had not arrived after {} cycles",
                                      mean_text(run.sample(&TrafficResult::packets_missing)),
                                      mean_text(run.sample(&TrafficResult::packets)),
                                      mean_text(run.sample(&TrafficResult::cycles))));
    fmt::print("SATURATED              {}\n", fmt::join(reasons, "; "));
    if (const double bound = run.link_bound(); std::isfinite(bound))
        fmt::print(
            "                       at {:.2f} hops per packet the links sustain at most {:.3g} "
            "flits/node/cycle; --load saturation finds the highest load below saturation\n",
            run.sample_of_packets(&TrafficResult::mean_hops).mean, bound);
}

void print_latency(const TrafficRun& run) {
    const auto of_packets = [&](auto measure) { return mean_text(run.sample_of_packets(measure)); };
    const Sample latency = run.sample_of_packets(&TrafficResult::latency_mean);
    fmt::print(
        "latency                {}mean {:.2f}{}, median {}, 95% {}, 99% {}, max {:.0f} cycles ({} "
        "packets)\n",
        run.carried() ? "" : "not steady; of the packets that arrived: ", latency.mean,
        interval_text(latency), of_packets(&TrafficResult::latency_median),
        of_packets(&TrafficResult::latency_p95), of_packets(&TrafficResult::latency_p99),
        run.sample(&TrafficResult::latency_max).max, mean_text(run.sample(&TrafficResult::packets)));
}

/// Why packets take longer paths than the shortest.
const char* reason_for_detours(const NodeParameters& node) {
    if (node.routing == Routing::balanced)
        return "on longer paths than the shortest, for even loads of links";
    if (!node.routing_table.empty()) return "which the table sends on longer paths than the shortest";
    return "whose shortest paths could deadlock with so few channels";
}

void print_link_load(const LinkLoad& load, std::uint64_t hosts, bool has_switches,
                     const NodeParameters& node) {
    fmt::print("link load              max {} of {} pairs of {}, mean {:.2f}\n", load.max,
               hosts * (hosts - 1), has_switches ? "hosts" : "nodes", load.mean);
    if (load.detours > 0)
        fmt::print("detours                {} pairs, {}\n", load.detours, reason_for_detours(node));
}

/// How much of what the links can carry a search found.
void print_shares(const TrafficRun& run) {
    const double load = run.experiment.traffic.load;
    std::vector<std::string> shares;
    if (run.routing_capacity)
        shares.push_back(fmt::format("{:.1f}% of the capacity of this routing, {:.4f}",
                                     100 * load / *run.routing_capacity, *run.routing_capacity));
    if (run.capacity_at_most)
        shares.push_back(fmt::format("{:.1f}% of that of the links by any routing, {:.4f}",
                                     100 * load / *run.capacity_at_most, *run.capacity_at_most));
    if (!shares.empty()) fmt::print("  share                {}\n", fmt::join(shares, "; "));
}

std::string lengths_text(const TrafficOptions& traffic) {
    if (traffic.sizes.empty()) return std::to_string(traffic.packet_flits);
    std::vector<std::string> lengths;
    for (const PacketSize& size : traffic.sizes)
        lengths.push_back(fmt::format("{} ({:g}%)", size.flits, 100 * size.share));
    return fmt::format("{}", fmt::join(lengths, ", "));
}

void print_measures(const TrafficRun& run) {
    const bool trace = run.experiment.is_trace();
    if (!trace)
        fmt::print("warm-up                {} cycles\n", mean_text(run.sample(&TrafficResult::warmup)));
    if (!run.carried()) print_saturated(run);
    const Sample accepted = run.sample(&TrafficResult::accepted_load);
    fmt::print("accepted load          {:.4f}{} flits/node/cycle\n", accepted.mean, interval_text(accepted));
    const bool arrived = std::any_of(run.results.begin(), run.results.end(),
                                     [](const TrafficResult& r) { return r.packets > r.packets_missing; });
    if (arrived)
        print_latency(run);
    else
        fmt::print("latency                of no packet: none of those measured arrived\n");
    const Sample cycles = run.sample(&TrafficResult::cycles);
    if (trace) fmt::print("cycles                 {:.10g}{}\n", cycles.mean, interval_text(cycles));
}

}  // namespace

void print_text(const TrafficRun& run) {
    const TrafficExperiment& e = run.experiment;
    const bool has_switches = run.hosts < run.nodes;
    fmt::print("network                {}, {} nodes{} on {}\n", e.network, run.nodes,
               has_switches ? fmt::format(" ({} hosts)", run.hosts) : "", e.engine);
    fmt::print("traffic                {}", e.pattern);
    if (!e.is_trace())
        fmt::print(", {:g} flits/node/cycle in packets of {}", e.traffic.load, lengths_text(e.traffic));
    if (e.traffic.burst_cycles > 0)
        fmt::print(", bursts of {:g} cycles at {:g}", e.traffic.burst_cycles, e.traffic.burst_load);
    fmt::print("\n");
    print_node(e.nodes.node, e.nodes.links);
    fmt::print("routing                {}, {:.4f} hops per packet (mean distance {:.4f})\n",
               e.nodes.node.routing_text(), run.sample_of_packets(&TrafficResult::mean_hops).mean,
               run.mean_distance);
    if (run.link_load) print_link_load(*run.link_load, run.hosts, has_switches, e.nodes.node);
    if (e.saturation)
        fmt::print(
            "saturation             {:.4f}{} flits/node/cycle is the highest load below saturation of {} "
            "tried\n",
            e.traffic.load, interval_text(sample_of(run.saturation_loads)), run.tried.size());
    if (e.saturation) print_shares(run);
    print_measures(run);
    print_queues(e.nodes.node, run.queues);
    fmt::print("speed                  {:.3g} million router-cycles per CPU second\n",
               run.router_cycles_per_second() / 1e6);
}

void add_traffic(CLI::App& app, Action& action) {
    auto flags = std::make_shared<TrafficFlags>();
    CLI::App* command =
        app.add_subcommand("traffic", "Run synthetic unicast traffic: accepted load, latency, saturation");
    command
        ->add_option("NETWORK", flags->network,
                     "torus:8x8x8, mesh:8x8, ibt:64x64:b=4,16, graph:FILE.csv (.graphml, .gml)")
        ->required();
    const auto add = [&](const char* flag, const char* path, const char* text, const char* otherwise) {
        return add_value(*command, flags->values, flag, path, text, otherwise);
    };
    const auto choice = [&](const char* flag, const char* path, const Choices& choices, const char* text,
                            const char* otherwise) {
        add_value_choice(*command, flags->values, flag, path, choices, text, otherwise);
    };
    choice("--pattern", "traffic.pattern", traffic_sources(), "Destinations of packets", "uniform");
    add("--load", "traffic.load",
        "Offered load in flits/node/cycle; saturation: search for the highest load below saturation", "0.1")
        ->type_name("saturation|FLITS");
    add("--burst", "traffic.burst_cycles", "Mean length of bursts in cycles; 0: no bursts", "0")
        ->check(finite())
        ->type_name("FLOAT");
    add("--burst-load", "traffic.burst_load", "Offered load during a burst, in flits/node/cycle", "1")
        ->check(finite())
        ->type_name("FLOAT");
    add("--packet-flits", "traffic.packet_flits",
        "Packet length in flits (default: 16, or the node's packet_flits where that is less)", "")
        ->check(whole(1, 64))
        ->type_name("UINT");
    add("--warmup", "traffic.warmup",
        "Warm-up cycles before the measurement; auto: until the number of in-flight packets has settled",
        "auto")
        ->type_name("auto|CYCLES");
    add("--cycles", "traffic.cycles", "Cycles of the measurement", "10000")
        ->check(whole(1, std::uint64_t{1} << 40U))
        ->type_name("UINT");
    add("--seed", "seed", "Seed of the packets' times and destinations, and of random hosts", "1")
        ->check(whole())
        ->type_name("UINT");
    add_seeds_flag(*command, flags->values, "hosts with start skew or jitter",
                   "30 for such hosts, otherwise 1");
    choice("--routing", "node.routing", routing_choices(), "Routing of packets (default: the node's)", "");
    choice("--engine", "engine", cycle_engines(), "Engine that simulates the nodes", "native");
    add_set_flag(*command, flags->values);
    add_node_flags(*command, flags->values, flags->node, {.node = "wide"});
    add_record_flags(*command, flags->node.records);
    add_checkpoint_flags(*command, flags->node.checkpoint);
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->add_flag("--details", flags->node.records.details, details_text);
    command->footer("Example: interlace traffic torus:8x8x8 --load 0.3");
    command->callback([flags, &action] { action = [flags] { return run_and_print(*flags); }; });
}

}  // namespace interlace::cli
