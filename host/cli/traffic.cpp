// Interlace: interlace traffic
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/traffic.h"

#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "interlace/core/text.h"
#include "node_flags.h"
#include "print.h"

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
    TrafficExperiment experiment = with_overrides(e, flags.overrides);
    experiment.nodes.records = e.nodes.records;  // which are no part of an experiment
    return show(run_traffic(experiment), flags.json);
}

}  // namespace

void print_text(const TrafficRun& run) {
    const TrafficExperiment& e = run.experiment;
    fmt::print("network                {}, {} nodes on {}\n", e.network, run.nodes, e.engine);
    fmt::print("traffic                {}", e.pattern);
    if (!e.is_trace())
        fmt::print(", {:g} flits a node and cycle in packets of {}", e.traffic.load, e.traffic.packet_flits);
    if (e.traffic.burst_cycles > 0)
        fmt::print(", bursts of {:g} cycles at {:g}", e.traffic.burst_cycles, e.traffic.burst_load);
    fmt::print("\nrouting                {}, {:.4f} hops a packet (mean distance {:.4f})\n",
               routing_name(e.nodes.node.routing), run.result.mean_hops, run.mean_distance);
    if (e.saturation)
        fmt::print(
            "saturation             {:.4f} flits a node and cycle is the highest of {} loads that is "
            "carried\n",
            e.traffic.load, run.tried.size());
    if (!e.is_trace())
        fmt::print("warm-up                {} cycles{}\n", run.result.warmup,
                   run.result.settled ? "" : ", after which packets under way still grew in number");
    fmt::print("accepted load          {:.4f} flits a node and cycle\n", run.result.accepted_load);
    fmt::print(
        "latency                mean {:.2f}, median {}, 95% {}, 99% {}, at most {} cycles ({} packets)\n",
        run.result.latency_mean, run.result.latency_median, run.result.latency_p95, run.result.latency_p99,
        run.result.latency_max, run.result.packets);
    if (e.is_trace()) fmt::print("cycles                 {}\n", run.result.cycles);
    if (run.result.packets_missing > 0)
        fmt::print("beyond saturation      {} of these packets had not arrived after {} cycles\n",
                   run.result.packets_missing, run.result.cycles);
    print_queues(e.nodes.node, run.queues);
    fmt::print("speed                  {:.3g} million router-cycles a CPU second\n",
               run.router_cycles_per_second() / 1e6);
}

void add_traffic(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand("traffic", "Unicast packets at random: accepted load and latency");
    TrafficExperiment& e = flags->experiment;
    command->add_option("NETWORK", e.network, "torus:8x8x8, mesh:8x8 or ibt:64x64:b=4,16")->required();
    command
        ->add_option(
            "--pattern", e.pattern,
            "Where packets go; a hotspot as in hotspot:0.1:5,7; columns of a permutation: from,to; of a "
            "trace: cycle,from,to,flits")
        ->type_name(
            "uniform|bit_complement|bit_reverse|shuffle|transpose|tornado|neighbour|"
            "hotspot:SHARE:NODES|permutation:FILE.csv|trace:FILE.csv")
        ->capture_default_str();
    command->add_option("--load", flags->load, "Offered, flits a node and cycle; saturation: search it")
        ->type_name("saturation|FLITS")
        ->capture_default_str();
    command->add_option("--burst", e.traffic.burst_cycles, "Mean cycles of a burst; 0: no bursts")
        ->capture_default_str();
    command->add_option("--burst-load", e.traffic.burst_load, "In a burst, flits a node and cycle")
        ->capture_default_str();
    command->add_option("--packet-flits", e.traffic.packet_flits, "Flits of a packet")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command
        ->add_option("--warmup", flags->warmup,
                     "Cycles before the measurement; auto: until what is under way has settled")
        ->type_name("auto|CYCLES")
        ->capture_default_str();
    command->add_option("--cycles", e.traffic.cycles, "Cycles of the measurement")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40U))
        ->capture_default_str();
    command->add_option("--seed", e.traffic.seed, "Seed of the packets' times and destinations")
        ->capture_default_str();
    command->add_option("--routing", flags->routing, "How packets find their way (default: the node's)")
        ->type_name("dimension_order|adaptive_bubble|table");
    command->add_option("--engine", e.engine, "native is C++, rtl SystemVerilog")
        ->type_name("native|systemc|rtl")
        ->capture_default_str();
    flags->node.name = "wide";
    add_set_flag(*command, flags->overrides);
    add_node_flags(*command, flags->node, e.nodes);
    add_record_flags(*command, e.nodes.records);
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->add_flag("--details", e.nodes.records.details, details_text);
    command->footer("Example: interlace traffic torus:8x8x8 --load 0.3");
    command->callback([flags, &action] { action = [flags] { return run_and_print(*flags); }; });
}

}  // namespace interlace::cli
