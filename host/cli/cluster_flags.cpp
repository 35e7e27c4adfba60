// Interlace: the flags of every subcommand on clusters
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster_flags.h"

#include <fmt/format.h>

#include "interlace/core/error.h"
#include "node_flags.h"

namespace interlace::cli {

void add_path_flags(CLI::App& command, Values& values, const std::string& group) {
    const ClusterOptions plain;
    add_value_choice(command, values, "--tree", "tree", cluster_trees(),
                     "Spanning tree of a network with loops", plain.tree)
        ->group(group);
    add_value(command, values, "--root", "root", "Switch that is the root of the tree",
              std::to_string(plain.root))
        ->check(whole(0, UINT32_MAX))
        ->type_name("UINT")
        ->group(group);
    add_value(command, values, "--switching", "event.switch.forwarding",
              "Switching: when a switch forwards a frame; wormhole: on a cycle engine (default: the file's "
              "event.switch.forwarding)")
        ->type_name("store_and_forward|cut_through|wormhole")
        ->group(group);
}

CLI::Option* add_routing_flag(CLI::App& command, Values& values) {
    return add_value_choice(command, values, "--routing", "routing", cluster_routings(),
                            "Routing of messages", ClusterOptions().routing);
}

void add_cluster_flags(CLI::App& command, ClusterFlags& flags) {
    const ClusterOptions plain;
    Values& values = flags.values;
    command
        .add_option("NETWORK", flags.network,
                    "cluster:FILE.yaml, or a network whose nodes are machines: torus:4x4, mesh:8x8, ibt:..., "
                    "graph:FILE")
        ->required();
    add_path_flags(command, values, "Options");
    add_value_choice(command, values, "--engine", "engine", message_engines(),
                     "Engine that carries the messages", plain.engine);
    add_value(
        command, values, "--lockstep", "lockstep",
        "Run these cycle engines in lockstep with --engine: compare every pin in every cycle: rtl,systemc");
    add_set_flag(command, values, "event.frame.mtu=1000, network.seed=2, alltoall.message=4096");
    add_value(command, values, "--seed", "seed",
              "Seed of the random tree, of random machines, and of ties in switches",
              std::to_string(plain.seed))
        ->check(whole())
        ->type_name("UINT");
    add_seeds_flag(command, values, "the program",
                   "30 where machines have stalls, start skew or jitter, otherwise 1");
}

ConfigMap cluster_configuration(const ClusterFlags& flags, const std::string& kind) {
    constexpr std::string_view cluster = "cluster:";
    Json network = flags.network;  // a cluster as a mapping, whose values --set replaces
    if (flags.network.starts_with(cluster))
        network = {{"kind", "cluster"}, {"file", flags.network.substr(cluster.size())}};
    return with_given({{"schema", 1}, {"network", network}, {kind, Json::object()}}, flags.values);
}

void refuse_flags(const CLI::App& command, std::initializer_list<const char*> flags, const std::string& with,
                  const std::string& expected) {
    for (const char* flag : flags)
        if (command.get_option(flag)->count() > 0)
            throw InputError("cannot use " + std::string(flag) + " " + with, expected);
}

CLI::Option* add_plan_flag(CLI::App& command, Until& until) {
    return command.add_flag_callback(
        "--plan", [&until] { until = Until::plan; }, "Print the plan without running it");
}

std::string time_text(const MessageRuns& result, double picoseconds, const char* unit) {
    const Sample time = divided(result.sample(&EventResult::time_ps), picoseconds);
    return fmt::format("{:.6g} {}{}", time.mean, unit, interval_text(time));
}

void print_frames(const MessageRuns& result) {
    std::vector<std::string> links;
    for (const LinksOfSpeed& of : result.links)
        links.push_back(fmt::format("{} of {:g} Mbps, {:g} us", of.links,
                                    static_cast<double>(of.speed.bits_per_second) / 1e6,
                                    static_cast<double>(of.speed.latency_ps) / 1e6));
    fmt::print("links                  {}\n", fmt::join(links, "; "));
    const auto mean = [&](auto measure) { return mean_text(result.sample(measure)); };
    const MessageRun& first = result.runs.front();
    if (first.cycles == 0) {
        fmt::print("frames                 {}, max {:.0f} waiting for one output\n",
                   mean(&EventResult::frames), result.sample(&EventResult::longest_queue).max);
        if (result.sample(&EventResult::dropped).max > 0)
            fmt::print("dropped                {} frames; {} retransmitted\n", mean(&EventResult::dropped),
                       mean(&EventResult::retransmitted));
        return;
    }
    fmt::print("frames                 {}\n", mean(&EventResult::frames));
    fmt::print("cycles                 {:.10g}{}\n", result.cycles().mean, interval_text(result.cycles()));
    print_queues(first.node, result.queues());
}

void warn(const std::string& text) {
    fmt::print(stderr, "interlace: note: {}\n", text);
}

}  // namespace interlace::cli
