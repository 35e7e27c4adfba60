// Interlace: interlace run
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <fmt/format.h>

#include <functional>
#include <memory>

#include "cluster_flags.h"
#include "interlace/config/places.h"
#include "interlace/mpi/world.h"
#include "node_flags.h"

namespace interlace::cli {
namespace {

struct RunFlags {
    std::string file, schedule;
    std::vector<std::string> overrides;
    BroadcastFiles files;
    Records records;
    CheckpointOptions checkpoint;
    bool json = false;
};

/// What a kind of experiments has on the terminal: flags that other kinds have not, and text.
struct Shown {
    bool schedules = false;  ///< --schedule, --write-schedule, --link-use and --table
    std::function<int()> run;
};

Shown shown(BroadcastExperiment e, const RunFlags& flags) {
    return {true, [e, &flags]() mutable {
                if (!flags.schedule.empty()) {
                    e.schedule = flags.schedule;
                    e.algorithm.clear();
                }
                return show(run_broadcast(e, flags.files, listener()), flags.json);
            }};
}

Shown shown(const TrafficExperiment& e, const RunFlags& flags) {
    return {false, [e, &flags] { return show(run_traffic(e, listener()), flags.json); }};
}

template <class OnCluster, class Result>
Shown shown(const OnCluster& e, Result (*run)(const OnCluster&, const RunListener&), const RunFlags& flags) {
    return {false, [e, run, &flags] { return show(run(e, listener()), flags.json); }};
}

Shown shown(const Experiment& e, const RunFlags& flags) {
    if (const auto* broadcast = dynamic_cast<const BroadcastExperiment*>(&e)) return shown(*broadcast, flags);
    if (const auto* traffic = dynamic_cast<const TrafficExperiment*>(&e)) return shown(*traffic, flags);
    if (const auto* capacity = dynamic_cast<const CapacityExperiment*>(&e))
        return shown(*capacity, run_capacity, flags);
    if (const auto* collective = dynamic_cast<const CollectiveExperiment*>(&e)) {
        if (!is_cycle_engine(collective->engine)) refuse_ranks("the engine step");
        return shown(*collective, run_collective, flags);
    }
    if (const auto* ring = dynamic_cast<const AllGatherExperiment*>(&e))
        return shown(*ring, run_allgather, flags);
    if (const auto* all = dynamic_cast<const AllToAllExperiment*>(&e))
        return shown(*all, run_alltoall, flags);
    if (const auto* tree = dynamic_cast<const MulticastExperiment*>(&e))
        return shown(*tree, run_multicast, flags);
    if (const auto* program = dynamic_cast<const ReplayExperiment*>(&e))
        return shown(*program, run_replay, flags);
    return {false, [&e] {
                print(e.run(nullptr, listener()));
                return static_cast<int>(done);
            }};
}

int run_file(const CLI::App& command, const RunFlags& flags) {
    const ConfigMap config = ConfigMap::from_file(flags.file, flags.overrides);
    std::vector<std::string> inputs = texts_of(config);
    inputs.insert(inputs.end(), {flags.file, flags.schedule});
    CycleOptions files;
    files.records = flags.records;
    files.checkpoint = flags.checkpoint;
    refuse_lost_files(flags.files, files, inputs);
    check_checkpoint_flags(flags.checkpoint);
    const std::unique_ptr<Experiment> experiment = read_experiment(config);
    if (CycleOptions* options = experiment->cycle_options()) {
        options->records = flags.records;
        options->ranks = &world();
        options->checkpoint = flags.checkpoint;
    } else if (auto* messages = dynamic_cast<MessageExperiment*>(experiment.get())) {
        messages->cluster.ranks = &world();
    }
    const Shown as = shown(*experiment, flags);
    if (!as.schedules)
        refuse_flags(command, {"--schedule", "--write-schedule", "--link-use", "--table"}, "of no broadcast",
                     "a file with a section broadcast");
    if (experiment->cycle_options() == nullptr)
        refuse_flags(command,
                     {"--details", "--trace", "--packet-log", "--queue-use", "--checkpoint", "--resume"},
                     "of this experiment", "a file with a section broadcast or traffic");
    try {
        return as.run();
    } catch (const InputError& error) {
        throw with_place(config, flags.file, error);
    }
}

}  // namespace

void add_file_flags(CLI::App& command, BroadcastFiles& files) {
    const auto add = [&](const char* name, std::string& file, const char* text) {
        command.add_option(name, file, text)->type_name("FILE");
    };
    add("--write-schedule", files.schedule, "Write every send to this CSV file: step,from,to,packet");
    add("--link-use", files.links, "Write every link's use to this CSV file: from,to,packets,utilisation");
    command.add_flag("--table", files.forwarding_table,
                     "Size the forwarding tables that would hold the schedule");
}

void refuse_lost_files(const BroadcastFiles& files, const CycleOptions& options,
                       const std::vector<std::string>& inputs) {
    const Records& records = options.records;
    std::vector<std::string> all = inputs;
    all.push_back(options.node.routing_table);
    refuse_lost_files({{"--write-schedule", files.schedule},
                       {"--link-use", files.links},
                       {"--trace", records.trace},
                       {"--packet-log", records.packet_log},
                       {"--checkpoint", options.checkpoint.file},
                       {"--queue-use", records.queue_use}},
                      all);
}

RunListener listener() {
    RunListener listener;
    if (on_terminal())
        listener.progress = [](const char* stage, double share) {
            show_bar(share, fmt::format("{} {:.0f}%", stage, 100 * share));
        };
    listener.warn = warn;
    return listener;
}

void add_run(CLI::App& app, Action& action) {
    auto flags = std::make_shared<RunFlags>();
    CLI::App* command = app.add_subcommand("run", "Run an experiment from its configuration file");
    command->add_option("FILE", flags->file, "A YAML file (docs/configuration.md)")->required();
    command->add_option("--set", flags->overrides, "Replace a value: broadcast.packets=8 (may be repeated)")
        ->allow_extra_args(false);
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->add_option("--schedule", flags->schedule, schedule_text)->type_name("FILE");
    add_file_flags(*command, flags->files);
    command->add_flag("--details", flags->records.details, details_text);
    add_record_flags(*command, flags->records);
    add_checkpoint_flags(*command, flags->checkpoint);
    command->footer("Example: interlace run configs/networks/ibt-64x64.yaml --set broadcast.packets=64");
    command->callback(
        [flags, command, &action] { action = [flags, command] { return run_file(*command, *flags); }; });
}

}  // namespace interlace::cli
