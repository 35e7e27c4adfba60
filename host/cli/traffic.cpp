// Interlace: interlace traffic
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/traffic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "command.h"
#include "interlace/core/text.h"
#include "interlace/mpi/world.h"
#include "node_flags.h"
#include "run.h"

namespace interlace::cli {
namespace {

struct Flags {
    TrafficExperiment experiment;
    NodeFlags node;
    std::vector<std::string> overrides;
    std::string routing, load = "0.1", warmup = "auto";
    bool json = false;
};

int run_and_print(Flags& flags) {
    if (!flags.routing.empty())
        flags.overrides.insert(flags.overrides.begin(), "node.routing=" + flags.routing);
    resolve_node_flags(flags.node, flags.experiment.nodes);
    TrafficExperiment& e = flags.experiment;
    e.saturation = flags.load == "saturation";
    if (!e.saturation) e.traffic.load = parse_number(flags.load, "--load");
    e.traffic.warmup = flags.warmup == "auto"
                           ? detect_warmup
                           : parse_integer(flags.warmup, "--warmup (or auto)", 0, std::uint64_t{1} << 40U);
    TrafficExperiment experiment = with_values(e, flags.overrides, "--set");
    experiment.nodes.records = e.nodes.records;  // which are no part of an experiment
    experiment.nodes.device_return = e.nodes.device_return;
    experiment.nodes.ranks = &world();
    experiment.nodes.checkpoint = e.nodes.checkpoint;
    check_checkpoint_flags(e.nodes.checkpoint);
    refuse_lost_files({}, experiment.nodes,
                      {experiment.network, experiment.pattern, flags.node.name, flags.node.links,
                       flags.node.host, experiment.nodes.node.routing_table});
    return show(run_traffic(experiment, listener()), flags.json);
}

/// What shows that the load was not carried.
void print_not_carried(const TrafficRun& run) {
    std::vector<std::string> reasons;
    if (!run.settled()) reasons.emplace_back("packets under way grow in number");
    const double missing = run.sample(&TrafficResult::packets_missing).max;
    if (missing > 0)
        reasons.push_back(fmt::format("{} of {} measured packets had not arrived after {} cycles",
                                      mean_text(run.sample(&TrafficResult::packets_missing)),
                                      mean_text(run.sample(&TrafficResult::packets)),
                                      mean_text(run.sample(&TrafficResult::cycles))));
    if (reasons.empty()) reasons.emplace_back("more packets were made than taken");
    fmt::print("NOT CARRIED            {}\n", fmt::join(reasons, "; "));
}

void print_latency(const TrafficRun& run) {
    const auto of_packets = [&](auto measure) { return mean_text(run.sample_of_packets(measure)); };
    const Sample latency = run.sample_of_packets(&TrafficResult::latency_mean);
    fmt::print(
        "latency                {}mean {:.2f}{}, median {}, 95% {}, 99% {}, max {:.0f} cycles ({} "
        "packets)\n",
        run.carried() ? "" : "has no steady value; of what arrived: ", latency.mean, interval_text(latency),
        of_packets(&TrafficResult::latency_median), of_packets(&TrafficResult::latency_p95),
        of_packets(&TrafficResult::latency_p99), run.sample(&TrafficResult::latency_max).max,
        mean_text(run.sample(&TrafficResult::packets)));
}

void print_link_load(const LinkLoad& load, std::uint64_t nodes, bool users_table) {
    fmt::print("link load              max {} of {} pairs of nodes, mean {:.2f}\n", load.max,
               nodes * (nodes - 1), load.mean);
    if (load.detours > 0)
        fmt::print("detours                {} pairs, {}\n", load.detours,
                   users_table ? "which the table sends on longer paths than the shortest"
                               : "whose shortest paths could deadlock with so few channels");
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
    if (!run.carried()) print_not_carried(run);
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
    fmt::print("network                {}, {} nodes on {}\n", e.network, run.nodes, e.engine);
    fmt::print("traffic                {}", e.pattern);
    if (!e.is_trace())
        fmt::print(", {:g} flits/node/cycle in packets of {}", e.traffic.load, lengths_text(e.traffic));
    if (e.traffic.burst_cycles > 0)
        fmt::print(", bursts of {:g} cycles at {:g}", e.traffic.burst_cycles, e.traffic.burst_load);
    fmt::print("\nrouting                {}, {:.4f} hops per packet (mean distance {:.4f})\n",
               e.nodes.node.routing_text(), run.sample_of_packets(&TrafficResult::mean_hops).mean,
               run.mean_distance);
    if (run.link_load) print_link_load(*run.link_load, run.nodes, !e.nodes.node.routing_table.empty());
    if (e.saturation)
        fmt::print(
            "saturation             {:.4f}{} flits/node/cycle is the highest of {} loads tried that is "
            "carried\n",
            e.traffic.load, interval_text(sample_of(run.saturation_loads)), run.tried.size());
    print_measures(run);
    print_queues(e.nodes.node, run.queues);
    fmt::print("speed                  {:.3g} million router-cycles per CPU second\n",
               run.router_cycles_per_second() / 1e6);
}

void add_traffic(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command =
        app.add_subcommand("traffic", "Run synthetic unicast traffic: accepted load, latency, saturation");
    TrafficExperiment& e = flags->experiment;
    command
        ->add_option("NETWORK", e.network,
                     "torus:8x8x8, mesh:8x8, ibt:64x64:b=4,16, graph:FILE.csv or graph:FILE.graphml")
        ->required();
    Choices patterns = traffic_patterns();
    patterns.push_back({"trace:FILE.csv", "packets and their cycles: cycle,from,to,flits"});
    add_choice(*command, "--pattern", e.pattern, patterns, "Destinations of packets");
    command
        ->add_option(
            "--load", flags->load,
            "Offered load in flits/node/cycle; saturation: search for the highest load that is carried")
        ->type_name("saturation|FLITS")
        ->capture_default_str();
    command->add_option("--burst", e.traffic.burst_cycles, "Mean length of bursts in cycles; 0: no bursts")
        ->check(finite())
        ->capture_default_str();
    command
        ->add_option("--burst-load", e.traffic.burst_load, "Offered load during a burst, in flits/node/cycle")
        ->check(finite())
        ->capture_default_str();
    command->add_option("--packet-flits", e.traffic.packet_flits, "Packet length in flits")
        ->check(whole(1, 64))
        ->capture_default_str();
    command
        ->add_option(
            "--warmup", flags->warmup,
            "Warm-up cycles before the measurement; auto: until the number of packets under way has settled")
        ->type_name("auto|CYCLES")
        ->capture_default_str();
    command->add_option("--cycles", e.traffic.cycles, "Cycles of the measurement")
        ->check(whole(1, std::uint64_t{1} << 40U))
        ->capture_default_str();
    command
        ->add_option("--seed", e.traffic.seed,
                     "Seed of the packets' times and destinations, and of random hosts")
        ->check(whole())
        ->capture_default_str();
    add_seeds_flag(*command, e.nodes.seeds, "hosts with start skew or jitter",
                   "30 for such hosts, otherwise 1");
    add_choice(*command, "--routing", flags->routing, routing_choices(),
               "Routing of packets (default: the node's)");
    add_choice(*command, "--engine", e.engine, cycle_engines(), "Engine that simulates the nodes");
    flags->node.name = "wide";
    add_set_flag(*command, flags->overrides);
    add_node_flags(*command, flags->node, e.nodes);
    add_record_flags(*command, e.nodes.records);
    add_checkpoint_flags(*command, e.nodes.checkpoint);
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->add_flag("--details", e.nodes.records.details, details_text);
    command->footer("Example: interlace traffic torus:8x8x8 --load 0.3");
    command->callback([flags, &action] { action = [flags] { return run_and_print(*flags); }; });
}

}  // namespace interlace::cli
