// Interlace: interlace alltoall
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "alltoall.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "collective.h"
#include "interlace/experiment/kinds/alltoall.h"
#include "node_flags.h"
#include "run.h"

namespace interlace::cli {
namespace {

void print_phases(const ExchangePlan& plan) {
    for (std::size_t p = 0; p < plan.phases.size(); ++p) {
        fmt::print("phase {:<17}", p);
        for (const auto& [from, to] : plan.phases[p]) fmt::print("n{}->n{} ", +from, +to);
        fmt::print("\n");
    }
}

/// Of each algorithm, the fastest way.
void print_tried(const AllToAllRun& run) {
    std::vector<std::pair<AllToAllExperiment, double>> fastest;
    for (const auto& [choice, seconds] : run.tried) {
        const auto same =
            std::find_if(fastest.begin(), fastest.end(), [&algorithm = choice.algorithm](const auto& other) {
                return other.first.algorithm == algorithm;
            });
        if (same == fastest.end())
            fastest.emplace_back(choice, seconds);
        else if (seconds < same->second)
            *same = {choice, seconds};
    }
    for (const auto& [choice, seconds] : fastest)
        fmt::print("  {:<20} {}\n", fmt::format("{:.6g} ms", seconds * 1e3), name_of(choice));
}

}  // namespace

void print_text(const AllToAllRun& run) {
    const AllToAllExperiment& e = run.experiment;
    fmt::print("network                {}, {} machines\n", e.cluster.network, run.machines);
    const bool planned = e.until == Until::plan;
    fmt::print("algorithm              {}{}\n", chooses(e) ? e.algorithm + ": " : "",
               planned ? run.ran.algorithm : name_of(run.ran));
    if (!run.tried.empty()) print_tried(run);
    fmt::print("load                   {} messages over the busiest link\n", run.load);
    if (run.plan) fmt::print("phases                 {}, root s{}\n", run.plan->phases.size(), run.root);
    if (run.plan && planned) print_phases(*run.plan);
    fmt::print("peak throughput        {:.6g} Mbps in all on this tree\n", run.peak_mbps);
    if (run.bisection_mbps)
        fmt::print(
            "machines' links        {:.6g} Mbps in all: the tree's peak is {:.1f}% of it\n"
            "network's bisection    {:.6g} Mbps in all with all links of the network\n",
            *run.machine_links_mbps, 100 * run.peak_mbps / *run.machine_links_mbps, *run.bisection_mbps);
    if (!run.result) return;
    fmt::print("time                   {} for messages of {} bytes\n", time_text(*run.result), e.message);
    const Sample mbps = run.throughput_mbps();
    fmt::print("throughput             {:.6g}{} Mbps, {:.1f}% of the peak\n", mbps.mean, interval_text(mbps),
               100 * mbps.mean / run.peak_mbps);
    print_frames(*run.result);
    if (run.window > 0) fmt::print("window                 {} packets\n", run.window);
}

void add_exchange_flags(CLI::App& command, Values& values) {
    const AllToAllExperiment plain;
    add_value_choice(command, values, "--sync", "alltoall.sync", alltoall_syncs(),
                     "Synchronisation between phases", plain.sync);
    add_value(command, values, "--block", "alltoall.block", "Phases in a block of a partial synchronisation",
              std::to_string(plain.block))
        ->check(whole(1, 1'000'000))
        ->type_name("UINT");
    add_value_choice(command, values, "--permutation", "alltoall.permutation", alltoall_permutations(),
                     "With shuffle: the order of partners", plain.permutation);
    add_value(command, values, "--window", "alltoall.window",
              "With shuffle: maximum number of packets sent and not yet matched by received ones; "
              "auto: from the capacity of the switches",
              plain.window)
        ->type_name("off|auto|PACKETS");
    add_truth(command, values, "--reorder", "alltoall.reorder",
              "With shuffle: consecutive partners on different switches");
}

void refuse_exchange_flags_of_others(const CLI::App& command, const std::string& algorithm) {
    const std::string with = "with algorithm " + algorithm;
    if (algorithm != "shuffle")
        refuse_flags(command, {"--permutation", "--window", "--reorder"}, with,
                     "algorithm shuffle (best tries several)");
    if (algorithm != "scheduled")
        refuse_flags(command, {"--sync", "--block"}, with,
                     "algorithm scheduled (tuned and best try all of them)");
}

void add_alltoall(CLI::App& app, Action& action) {
    auto flags = std::make_shared<CollectiveFlags>();
    CLI::App* command = app.add_subcommand(
        "alltoall", "Plan and run an all-to-all over all links of a network, or between machines");
    const AllToAllExperiment plain;
    Values& values = flags->cluster.values;
    add_cluster_flags(*command, flags->cluster);
    add_value_choice(
        *command, values, "--algorithm", "alltoall.algorithm", alltoall_algorithms(),
        "Algorithm (default: optimal; on a cluster, or with flags of machines, " + plain.algorithm + ")");
    add_collective_flags(*command, *flags, DirectCollective::alltoall);
    add_exchange_flags(*command, values);
    add_value(*command, values, "--message", "alltoall.message",
              "Bytes from each machine to each other one: 65536, 64KiB; over links, where the time for it is "
              "printed, "
              "there is no default",
              std::to_string(plain.message))
        ->type_name("BYTES");
    add_plan_flag(*command, flags->cluster.until);
    command->add_flag("--json", flags->cluster.json, "Print one JSON object");
    command->footer("Example: interlace alltoall torus:8x4x4");
    command->callback([flags, &action, command] {
        action = [flags, command] {
            return run_collective_or(*command, *flags, DirectCollective::alltoall, [&] {
                refuse_exchange_flags_of_others(
                    *command, given_or(*command, "--algorithm", AllToAllExperiment().algorithm));
                const auto experiment = experiment_of<AllToAllExperiment>(flags->cluster, "alltoall");
                return show(run_alltoall(experiment, listener()), flags->cluster.json);
            });
        };
    });
}

}  // namespace interlace::cli
