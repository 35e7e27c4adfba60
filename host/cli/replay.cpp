// Interlace: interlace replay
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/replay.h"

#include <fmt/format.h>

#include <memory>

#include "cluster_flags.h"
#include "run.h"

namespace interlace::cli {
void print_text(const ReplayRun& run) {
    fmt::print("network                {}\n", run.experiment.cluster.network);
    fmt::print("program                {}: {} ranks, {} operations, {} messages\n", run.experiment.goal,
               run.ranks, run.program.operations.size(), run.program.messages.size());
    fmt::print("time                   {}\n", time_text(run.result));
    print_frames(run.result);
}

void add_replay(CLI::App& app, Action& action) {
    auto flags = std::make_shared<ClusterFlags>();
    CLI::App* command =
        app.add_subcommand("replay", "Run a program of messages from a GOAL file on a cluster");
    add_cluster_flags(*command, *flags);
    add_value(*command, flags->values, "--goal", "replay.goal",
              "GOAL file, as of LogGOPSim: rank i is machine i")
        ->type_name("FILE")
        ->required();
    add_routing_flag(*command, flags->values);
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->footer("Example: interlace replay cluster:topology_d --goal schedule.goal");
    command->callback([flags, &action] {
        action = [flags] {
            const auto experiment = experiment_of<ReplayExperiment>(*flags, "replay");
            return show(run_replay(experiment, listener()), flags->json);
        };
    });
}

}  // namespace interlace::cli
