// Interlace: interlace allgather
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/allgather.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "collective.h"
#include "run.h"

namespace interlace::cli {

void print_text(const AllGatherRun& run) {
    const AllGatherExperiment& e = run.experiment;
    fmt::print("network                {}\n", e.cluster.network);
    fmt::print("algorithm              {}\n", e.algorithm);
    if (run.ring) {
        fmt::print("ring                   n{}\n",
                   fmt::join(std::vector<std::uint32_t>(run.ring->begin(), run.ring->end()), " n"));
        fmt::print("contention             {}\n", run.contention.empty() ? "none" : run.contention);
    }
    fmt::print("longest path           {} switch{}\n", run.max_path_length,
               run.max_path_length == 1 ? "" : "es");
    fmt::print("lower bound            {:.6g} ms for messages of {} bytes over {}\n",
               run.lower_bound.seconds * 1e3, e.message, run.lower_bound.name);
    if (run.all_links_seconds)
        fmt::print("  of the network       {:.6g} ms over all links of a node\n",
                   *run.all_links_seconds * 1e3);
    if (!run.result) return;
    fmt::print("time                   {}, {:.4f} times the bound\n", time_text(*run.result),
               run.result->seconds().mean / run.lower_bound.seconds);
    print_frames(*run.result);
}

void add_allgather(CLI::App& app, Action& action) {
    auto flags = std::make_shared<CollectiveFlags>();
    CLI::App* command = app.add_subcommand(
        "allgather", "Plan and run an all-gather over all links of a network, or between machines");
    const AllGatherExperiment plain;
    Values& values = flags->cluster.values;
    add_cluster_flags(*command, flags->cluster);
    add_value_choice(
        *command, values, "--algorithm", "allgather.algorithm", allgather_algorithms(),
        "Algorithm (default: optimal; on a cluster, or with flags of machines, " + plain.algorithm + ")");
    add_collective_flags(*command, *flags, DirectCollective::allgather);
    add_value(
        *command, values, "--message", "allgather.message",
        "Bytes of each machine's message: 65536, 64KiB, 1MiB; over links, where the time for it is printed, "
        "there is no default",
        std::to_string(plain.message))
        ->type_name("BYTES");
    add_truth(*command, values, "--barriers", "allgather.barriers",
              "Put a barrier after each step of a ring");
    add_plan_flag(*command, flags->cluster.until);
    command->add_flag("--json", flags->cluster.json, "Print one JSON object");
    command->footer("Example: interlace allgather ibt:16x16:b=4");
    command->callback([flags, &action, command] {
        action = [flags, command] {
            return run_collective_or(*command, *flags, DirectCollective::allgather, [&] {
                const auto experiment = experiment_of<AllGatherExperiment>(flags->cluster, "allgather");
                return show(run_allgather(experiment, listener()), flags->cluster.json);
            });
        };
    });
}

}  // namespace interlace::cli
