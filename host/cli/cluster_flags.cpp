// Interlace: the flags of every subcommand on clusters
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster_flags.h"

#include <fmt/format.h>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "node_flags.h"

namespace interlace::cli {

void add_path_flags(CLI::App& command, ClusterOptions& e, const std::string& group) {
    add_choice(command, "--tree", e.tree, cluster_trees(), "Spanning tree of a network with loops")
        ->group(group);
    command.add_option("--root", e.root, "Switch that is the root of the tree")
        ->check(whole(0, UINT32_MAX))
        ->capture_default_str()
        ->group(group);
    command
        .add_option_function<std::string>(
            "--switching",
            [&e](const std::string& value) { e.overrides.push_back("event.switch.forwarding=" + value); },
            "Switching: when a switch forwards a frame; wormhole: on a cycle engine (default: the file's "
            "event.switch.forwarding)")
        ->type_name("store_and_forward|cut_through|wormhole")
        ->group(group);
}

void add_cluster_flags(CLI::App& command, ClusterOptions& e) {
    command
        .add_option("NETWORK", e.network,
                    "cluster:FILE.yaml, or a network whose nodes are machines: torus:4x4, mesh:8x8, ibt:..., "
                    "graph:FILE")
        ->required();
    add_path_flags(command, e, "Options");
    add_choice(command, "--engine", e.engine, message_engines(), "Engine that carries the messages");
    command.add_option(
        "--lockstep", e.lockstep,
        "Run these cycle engines in lockstep with --engine: compare every pin in every cycle: rtl,systemc");
    command
        .add_option("--set", e.overrides,
                    "Replace a value of the cluster's file or of the experiment (docs/configuration.md): "
                    "event.frame.mtu=1000, network.seed=2, alltoall.message=4096 (may be repeated)")
        ->allow_extra_args(false);
    command
        .add_option("--seed", e.seed, "Seed of the random tree, of random machines, and of ties in switches")
        ->check(whole())
        ->capture_default_str();
    add_seeds_flag(command, e.seeds, "the program",
                   "30 where machines have stalls, start skew or jitter, otherwise 1");
}

CLI::Option* add_bytes_flag(CLI::App& command, const std::string& name, std::uint64_t& bytes,
                            const std::string& text) {
    return command.add_option_function<std::string>(
        name, [&bytes, name](const std::string& value) { bytes = parse_bytes(value, name); },
        text + fmt::format(" (default: {})", bytes));
}

void refuse_flags(const CLI::App& command, std::initializer_list<const char*> flags, const std::string& with,
                  const std::string& expected) {
    for (const char* flag : flags)
        if (command.get_option(flag)->count() > 0)
            throw InputError("cannot use " + std::string(flag) + " " + with, expected);
}

void add_plan_flag(CLI::App& command, Until& until) {
    command.add_flag_callback(
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
