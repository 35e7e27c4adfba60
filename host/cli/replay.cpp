// Interlace: interlace replay
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/replay.h"

#include <fmt/format.h>

#include <memory>

#include "cluster_flags.h"
#include "node_flags.h"
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
    struct Flags {
        ReplayExperiment experiment;
        bool json = false;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* command =
        app.add_subcommand("replay", "Run a program of messages from a GOAL file on a cluster");
    add_cluster_flags(*command, flags->experiment.cluster);
    command->add_option("--goal", flags->experiment.goal, "GOAL file, as of LogGOPSim: rank i is machine i")
        ->type_name("FILE")
        ->required();
    add_choice(*command, "--routing", flags->experiment.cluster.routing, cluster_routings(),
               "Routing of messages");
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->footer("Example: interlace replay cluster:topology_d --goal schedule.goal");
    command->callback([flags, &action] {
        action = [flags] {
            const ReplayRun run = run_replay(with_set_values(flags->experiment), listener());
            return show(run, flags->json);
        };
    });
}

}  // namespace interlace::cli
