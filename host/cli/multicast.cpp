// Interlace: interlace multicast, and the trees of interlace broadcast
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "multicast.h"

#include <fmt/format.h>

#include <memory>

#include "cluster_flags.h"
#include "interlace/experiment/kinds/multicast.h"
#include "run.h"

namespace interlace::cli {

void add_tree_flags(CLI::App& command, Values& values, Until& until, const std::string& group) {
    add_list(command, values, "--tini", "event.workstation.start_us",
             "Start-up time of a message (t_ini) for each machine, or one for all, in microseconds: "
             "100,300,300")
        ->check(finite())
        ->type_name("FLOAT")
        ->group(group);
    add_routing_flag(command, values)->group(group);
    add_value(command, values, "--message", "multicast.message", "Bytes of the message",
              std::to_string(MulticastExperiment().message))
        ->type_name("BYTES")
        ->group(group);
    add_plan_flag(command, until)->group(group);
}

int run_multicast_and_print(const ClusterFlags& flags) {
    return show(run_multicast(experiment_of<MulticastExperiment>(flags, "multicast"), listener()),
                flags.json);
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
    auto flags = std::make_shared<ClusterFlags>();
    CLI::App* command = app.add_subcommand(
        "multicast", "Plan and run broadcast and multicast trees between machines of unequal speed");
    Values& values = flags->values;
    add_cluster_flags(*command, *flags);
    add_value_choice(*command, values, "--algorithm", "multicast.algorithm", multicast_algorithms(),
                     "Algorithm that builds the trees", MulticastExperiment().algorithm);
    add_list(*command, values, "--sources", "multicast.sources",
             "Source machines, each with a message of its own: 0,9", "0")
        ->check(whole(0, UINT32_MAX))
        ->type_name("UINT");
    add_list(*command, values, "--destinations", "multicast.destinations",
             "Destination machines: 3,5,7 (default: all)")
        ->check(whole(0, UINT32_MAX))
        ->type_name("UINT");
    add_tree_flags(*command, values, flags->until, "Options");
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->footer(
        "Example: interlace multicast cluster:configs/clusters/hnow.yaml --destinations 3,5,7 --plan");
    command->callback([flags, &action] { action = [flags] { return run_multicast_and_print(*flags); }; });
}

}  // namespace interlace::cli
