// Interlace: interlace multicast, and the trees of interlace broadcast
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "multicast.h"

#include <fmt/format.h>

#include <memory>

#include "cluster_flags.h"
#include "node_flags.h"
#include "run.h"

namespace interlace::cli {

void add_tree_flags(CLI::App& command, MulticastExperiment& e, const std::string& group) {
    command
        .add_option("--tini", e.start_us,
                    "Start-up time of a message (t_ini) for each machine, or one for all, in microseconds: "
                    "100,300,300")
        ->check(finite())
        ->delimiter(',')
        ->group(group);
    add_choice(command, "--routing", e.cluster.routing, cluster_routings(), "Routing of messages")
        ->group(group);
    add_bytes_flag(command, "--message", e.message, "Bytes of the message")->group(group);
    command
        .add_flag_callback(
            "--plan", [&e] { e.until = Until::plan; }, "Print the plan without running it")
        ->group(group);
}

int run_multicast_and_print(const MulticastExperiment& experiment, bool json) {
    MulticastExperiment changed = with_set_values(experiment);
    changed.start_us = experiment.start_us;  // --tini, which files say by event.workstation.start_us
    return show(run_multicast(changed, listener()), json);
}

void print_text(const MulticastRun& run) {
    const MulticastExperiment& experiment = run.experiment;
    fmt::print("network                {}\n", experiment.cluster.network);
    fmt::print("algorithm              {}\n", experiment.algorithm);
    if (run.message_ps)
        fmt::print("planned with           {:g} us to send a message, as no start-up time is given\n",
                   static_cast<double>(*run.message_ps) / 1e6);
    for (std::size_t i = 0; i < run.plans.size(); ++i) {
        fmt::print("tree of n{:<14}latency {:g} us\n", experiment.sources[i],
                   static_cast<double>(latency(run.plans[i])) / 1e6);
        if (experiment.until != Until::plan) continue;
        for (const TreeSend& s : run.plans[i])
            fmt::print("  n{} -> n{}  {:g} .. {:g} us\n", +s.from, +s.to, static_cast<double>(s.sent) / 1e6,
                       static_cast<double>(s.received) / 1e6);
    }
    if (!run.result) return;
    fmt::print("time                   {} with the network, messages of {} bytes\n",
               time_text(*run.result, 1e6, "us"), experiment.message);
    print_frames(*run.result);
}

void add_multicast(CLI::App& app, Action& action) {
    struct Flags {
        MulticastExperiment experiment;
        bool json = false;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand(
        "multicast", "Plan and run broadcast and multicast trees between machines of unequal speed");
    MulticastExperiment& e = flags->experiment;
    add_cluster_flags(*command, e.cluster);
    add_choice(*command, "--algorithm", e.algorithm, multicast_algorithms(),
               "Algorithm that builds the trees");
    command->add_option("--sources", e.sources, "Source machines, each with a message of its own: 0,9")
        ->check(whole(0, UINT32_MAX))
        ->delimiter(',')
        ->capture_default_str();
    command->add_option("--destinations", e.destinations, "Destination machines: 3,5,7 (default: all)")
        ->check(whole(0, UINT32_MAX))
        ->delimiter(',');
    add_tree_flags(*command, e, "Options");
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->footer(
        "Example: interlace multicast cluster:configs/clusters/hnow.yaml --destinations 3,5,7 --plan");
    command->callback([flags, &action] {
        action = [flags] { return run_multicast_and_print(flags->experiment, flags->json); };
    });
}

}  // namespace interlace::cli
