// Interlace: interlace traffic
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/traffic.h"

#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "node_flags.h"
#include "print.h"

namespace interlace::cli {
namespace {

struct Flags {
    TrafficExperiment experiment;
    NodeFlags node;
    std::string routing;
    bool json = false;
};

int run_and_print(Flags& flags) {
    if (!flags.routing.empty()) flags.node.overrides.push_back("node.routing=" + flags.routing);
    resolve_node_flags(flags.node, flags.experiment.nodes);
    return show(run_traffic(flags.experiment), flags.json);
}

}  // namespace

void print_text(const TrafficRun& run) {
    const TrafficExperiment& e = run.experiment;
    fmt::print("network                {}, {} nodes on {}\n", e.network, run.nodes, e.engine);
    fmt::print("traffic                {}, {} flits a node and cycle in packets of {}\n", e.pattern,
               e.traffic.load, e.traffic.packet_flits);
    fmt::print("routing                {}, {:.4f} hops a packet (mean distance {:.4f})\n",
               routing_name(e.nodes.node.routing), run.result.mean_hops, run.mean_distance);
    fmt::print("accepted load          {:.4f} flits a node and cycle\n", run.result.accepted_load);
    fmt::print("latency                mean {:.2f}, 99% below {}, at most {} cycles ({} packets)\n",
               run.result.latency_mean, run.result.latency_p99 + 1, run.result.latency_max,
               run.result.packets);
    if (run.result.packets_missing > 0)
        fmt::print("beyond saturation      {} of these packets had not arrived after {} cycles\n",
                   run.result.packets_missing, run.result.cycles);
    fmt::print("speed                  {:.3g} million router-cycles a CPU second\n",
               run.router_cycles_per_second() / 1e6);
}

void add_traffic(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand("traffic", "Unicast packets at random: accepted load and latency");
    TrafficExperiment& e = flags->experiment;
    command->add_option("NETWORK", e.network, "torus:8x8x8, mesh:8x8 or ibt:64x64:b=4,16")->required();
    command->add_option("--pattern", e.pattern, "uniform")->capture_default_str();
    command->add_option("--load", e.traffic.load, "Offered, flits a node and cycle")->capture_default_str();
    command->add_option("--packet-flits", e.traffic.packet_flits, "Flits of a packet")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command->add_option("--warmup", e.traffic.warmup, "Cycles before the measurement")->capture_default_str();
    command->add_option("--cycles", e.traffic.cycles, "Cycles of the measurement")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40U))
        ->capture_default_str();
    command->add_option("--seed", e.traffic.seed, "Seed of the packets' times and destinations")
        ->capture_default_str();
    command->add_option("--routing", flags->routing,
                        "dimension_order, adaptive_bubble or table (default: the node's)");
    command->add_option("--engine", e.engine, "native (C++), systemc or rtl (SystemVerilog)")
        ->capture_default_str();
    flags->node.name = "wide";
    add_node_flags(*command, flags->node, e.nodes);
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->footer("Example: interlace traffic torus:8x8x8 --load 0.3");
    command->callback([flags, &action] { action = [flags] { return run_and_print(*flags); }; });
}

}  // namespace interlace::cli
