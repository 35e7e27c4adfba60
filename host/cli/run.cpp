// Interlace: interlace run
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <fmt/format.h>

#include <memory>
#include <variant>

#include "cluster_flags.h"
#include "node_flags.h"

namespace interlace::cli {
namespace {

struct Flags {
    std::string file;
    std::vector<std::string> overrides;
    BroadcastFiles files;
    Records records;
    bool json = false;
};

/// Runs what the file describes and prints it.
struct RunAndShow {
    const Flags& flags;
    int operator()(Experiment e) const {
        e.cycles.records = flags.records;
        return show(run_broadcast(e, flags.files, listener()), flags.json);
    }
    int operator()(TrafficExperiment e) const {
        e.nodes.records = flags.records;
        return show(run_traffic(e, listener()), flags.json);
    }
    int operator()(const AllGatherExperiment& e) const {
        return show(run_allgather(e, listener()), flags.json);
    }
    int operator()(const AllToAllExperiment& e) const {
        return show(run_alltoall(e, listener()), flags.json);
    }
    int operator()(const MulticastExperiment& e) const {
        return show(run_multicast(e, listener()), flags.json);
    }
};

}  // namespace

void add_file_flags(CLI::App& command, BroadcastFiles& files) {
    const auto add = [&](const char* name, std::string& file, const char* text) {
        command.add_option(name, file, text)->type_name("FILE");
    };
    add("--schedule", files.schedule, "Write every send to this CSV file: step,from,to,packet");
    add("--link-use", files.links, "Write every link's use to this CSV file: from,to,packets,utilisation");
    command.add_flag("--table", files.forwarding_table,
                     "Size the forwarding tables that would hold the schedule");
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
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand("run", "Run an experiment from its configuration file");
    command->add_option("FILE", flags->file, "A YAML file (docs/experiments.md)")->required();
    command->add_option("--set", flags->overrides, "Replace a value: broadcast.packets=8 (may be repeated)")
        ->allow_extra_args(false);
    command->add_flag("--json", flags->json, "Print one JSON object");
    add_file_flags(*command, flags->files);
    command->add_flag("--details", flags->records.details, details_text);
    add_record_flags(*command, flags->records);
    command->footer("Example: interlace run configs/networks/ibt-64x64.yaml --set broadcast.packets=64");
    command->callback([flags, command, &action] {
        action = [flags, command] {
            const Configuration configuration =
                read_configuration(ConfigMap::from_file(flags->file, flags->overrides));
            if (!std::holds_alternative<Experiment>(configuration))
                refuse_flags(*command, {"--schedule", "--link-use", "--table"}, "of no broadcast",
                             "a file with a section broadcast");
            if (!std::holds_alternative<Experiment>(configuration) &&
                !std::holds_alternative<TrafficExperiment>(configuration))
                refuse_flags(*command, {"--details", "--trace", "--packet-log", "--queue-use"},
                             "of a collective on a cluster", "a file with a section broadcast or traffic");
            return std::visit(RunAndShow{*flags}, configuration);
        };
    });
}

}  // namespace interlace::cli
