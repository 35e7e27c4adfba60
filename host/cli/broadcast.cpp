// Interlace: interlace broadcast, interlace check
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>

#include "cluster_flags.h"
#include "command.h"
#include "interlace/core/error.h"
#include "interlace/experiment/kinds/broadcast.h"
#include "interlace/mpi/world.h"
#include "multicast.h"
#include "node_flags.h"
#include "run.h"

namespace interlace::cli {
namespace {

struct BroadcastFlags {
    std::string network;
    Values values;
    BroadcastFiles files;
    NodeFlags node;
    Values tree;  // of an algorithm for clusters
    Until until = Until::run;
    std::string capacity;     // of check: the file
    std::string certificate;  // the same
    std::string collective;   // of check: whose schedule it is
    std::uint32_t chunks = 1;
    std::uint32_t root = 0;
    bool json = false;
};

constexpr auto tree_group = "Messages between machines (binomial, spoc, fnf, optimal_tree)";

void add_group_flags(CLI::App& command, BroadcastFlags& flags) {
    const auto add = [&](const char* flag, const char* path, const char* text, const char* otherwise = "") {
        return add_value(command, flags.values, flag, path, text, otherwise);
    };
    command
        .add_option("NETWORK", flags.network,
                    "torus:64x64, mesh:8x8, ibt:64x64:b=4,16 or graph:FILE.csv; for messages between "
                    "machines also cluster:FILE.yaml")
        ->required();
    add_value_choice(command, flags.values, "--group", "broadcast.group", group_choices(), "Receivers",
                     "global");
    add("--axes", "broadcast.axes",
        "Axis of the line, or the two axes of the rectangle: x, xy, 0,1 (default: x, xy)");
    add("--source", "broadcast.source", "Node number, or coordinates with x first: 3,0", "0");
    add("--packets", "broadcast.packets", "Packets of the message", "32")
        ->check(whole(1, 1'000'000))
        ->type_name("UINT");
    command.add_flag("--json", flags.json, "Print one JSON object");
}

void add_host_flags(CLI::App& command, Values& values) {
    const auto add = [&](const char* flag, const char* path, const char* text, const char* otherwise,
                         const char* type) {
        return add_value(command, values, flag, path, text, otherwise)->group(node_group)->type_name(type);
    };
    add("--forwarding", "forwarding",
        "Forwarding: by the host, or by the router (by a forwarding table, or by deposit along lines)",
        "host", "host|table|deposit");
    add("--background", "background.load",
        "Unicast background traffic under the broadcast, in flits/node/cycle (more: --set "
        "background.pattern=transpose)",
        "0", "LOAD")
        ->check(finite());
    add("--pace", "pace", "Pace of send lists; step: each starts a packet every F + h cycles (docs/node.md)",
        "off", "off|step");
    add_seeds_flag(command, values, "hosts with start skew or jitter, or over background traffic", "30")
        ->group(node_group);
}

/// Both lists, what is in both once.
Choices together(Choices all, const Choices& others) {
    for (const Choice& other : others)
        if (!has_name(all, other.name)) all.push_back(other);
    return all;
}

std::string bound_line(const LowerBound& bound, std::uint32_t steps) {
    const std::uint32_t gap = steps - bound.steps;
    const std::string where =
        bound.witness ? fmt::format("at node {}", +*bound.witness) : "of the last packets";
    return fmt::format("{} ({} bound {}), {}", bound.steps, bound.argument, where,
                       gap == 0 ? "met: proven optimal" : fmt::format("gap {}", gap));
}

}  // namespace

void print_text(const BroadcastResult& result) {
    const BroadcastExperiment& e = result.experiment;
    fmt::print("network                {}\n", e.network);
    fmt::print("broadcast              {}{}{}, {} packets from node {}\n", e.group, e.axes.empty() ? "" : " ",
               e.axes, e.packets, +result.source);
    if (e.schedule.empty())
        fmt::print("algorithm              {}\n", e.algorithm);
    else
        fmt::print("schedule               {}\n", e.schedule);
    if (!result.patterns.empty())
        fmt::print("  colours              packets {}; packet-sending patterns {}\n",
                   fmt::join(result.split, "+"), fmt::join(result.patterns, ", "));
    fmt::print("steps                  {}\n", result.run.steps);
    fmt::print("lower bound            {}\n", bound_line(result.bound, result.run.steps));
    fmt::print("packet-hops            {} over {} directed links\n", result.sends, result.usable_links);
    fmt::print("link utilisation       {:.4f}\n", result.run.link_utilisation);
    fmt::print("packets in flight      max {}\n", result.run.peak_packets_in_flight);
    fmt::print("packets waiting        max {} at a node, {} in a send list (the source aside)\n",
               result.run.peak_packets_waiting, result.run.peak_list_waiting);
    if (result.cycles) print_cycles(*result.cycles, e.cycles, e.engine, result.run.steps);
    if (result.table_bits > 0)
        fmt::print("forwarding table       {} bits per node, {} with equal entries stored once\n",
                   result.table_bits, result.packed_table_bits);
}

namespace {

/// The flags that one family of algorithms has and the other has not.
void refuse_flags_of_others(const CLI::App& command, bool tree) {
    constexpr std::array<std::string_view, 8> only_steps = {"--group",    "--axes",     "--packets",
                                                            "--pattern",  "--schedule", "--write-schedule",
                                                            "--link-use", "--table"};
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() == 0) continue;
        const std::string name = option->get_name();
        const bool of_nodes = option->get_group() == node_group;
        if (tree && (of_nodes || std::find(only_steps.begin(), only_steps.end(), name) != only_steps.end()))
            throw InputError("cannot use " + name + " with a tree of messages",
                             "--tini, --message, --plan, --source, --set");
        if (tree || option->get_group() != tree_group) continue;
        const bool nodes_have_one = name == "--switching" || name == "--routing";
        throw InputError("cannot use " + name + " with packets over links",
                         (nodes_have_one ? "--set node." + name.substr(2) + "=..., or " : "") +
                             "binomial, spoc, fnf or optimal_tree");
    }
}

ConfigMap configuration(const BroadcastFlags& flags) {
    return with_given({{"schema", 1}, {"network", flags.network}, {"broadcast", Json::object()}},
                      flags.values);
}

int run_on_links(const CLI::App& command, const BroadcastFlags& flags) {
    const ConfigMap config = configuration(flags);
    auto experiment = experiment_of<BroadcastExperiment>(config);
    if (experiment.engine == "step") refuse_node_flags(command, flags.values);
    take_node_flags(flags.node, experiment.cycles);
    refuse_lost_files(flags.files, experiment.cycles, texts_of(config));
    return show(run_broadcast(experiment, flags.files, listener()), flags.json);
}

/// The one that was asked for; without one that of trees on a cluster, and none on other networks.
std::string algorithm_of(const CLI::App& command, const BroadcastFlags& flags) {
    const bool cluster = has_switches(flags.network);
    return given_or(command, "--algorithm", cluster ? MulticastExperiment().algorithm : "");
}

/// A tree of messages from one machine to all others: a multicast. The engine is the cluster's where none is
/// asked for.
int run_tree(const BroadcastFlags& flags) {
    ClusterFlags tree{flags.network, flags.tree, flags.until, flags.json};
    for (Assignment assignment : flags.values.flags) {
        if (assignment.path == "broadcast.algorithm") assignment.path = "multicast.algorithm";
        if (assignment.path == "broadcast.source") {
            assignment.path = "multicast.sources";
            assignment.value = YAML::Node(std::vector<std::string>{assignment.value.as<std::string>()});
        }
        tree.values.flags.push_back(assignment);
    }
    tree.values.set = flags.values.set;
    return run_multicast_and_print(tree);
}

}  // namespace

void print_valid(const CheckReport& report) {
    fmt::print("valid                  {} steps, {} sends ({} redundant)\n", report.steps, report.sends,
               report.redundant_sends);
}

void print_problems(const CheckReport& report) {
    fmt::print("problems               {}{}\n", report.problems.count(),
               report.problems.count() > Problems::max_kept ? ", of which the first are" : "");
    for (const std::string& problem : report.problems.first())
        fmt::print("not valid              {}\n", problem);
}

namespace {

int check_and_print(const BroadcastFlags& flags) {
    auto experiment = experiment_of<BroadcastExperiment>(configuration(flags));
    experiment.cycles.records.details = flags.node.records.details;
    const CheckResult result = run_check(experiment, experiment.schedule);
    const CheckReport& report = result.report;
    if (flags.json) {
        print(to_json(result));
    } else if (report.valid()) {
        print_valid(report);
        fmt::print("lower bound            {}\n", bound_line(result.bound, report.steps));
    } else {
        print_problems(report);
    }
    return report.valid() ? done : fell_short;
}

int check_collective_flags(const CLI::App& command, const BroadcastFlags& flags) {
    refuse_flags(command, {"--capacity", "--group", "--axes", "--source", "--packets", "--details"},
                 "with --collective", "NETWORK, --schedule, --chunks, --root and --json");
    CollectiveExperiment experiment;
    experiment.collective = collective_of(flags.collective);
    if (!has_root(experiment.collective))
        refuse_flags(command, {"--root"}, "with --collective " + flags.collective, "no root");
    if (experiment.collective == DirectCollective::barrier)
        refuse_flags(command, {"--chunks"}, "with --collective barrier", "no chunks");
    experiment.network = flags.network;
    experiment.chunks = flags.chunks;
    experiment.root = flags.root;
    for (const Assignment& assignment : flags.values.flags)
        if (assignment.path == "broadcast.schedule")
            return check_collective_and_print(experiment, assignment.value.as<std::string>(), flags.json);
    throw InputError("there is no schedule to check", "--schedule FILE");
}

int check_what_is_named(const CLI::App& command, const BroadcastFlags& flags) {
    const auto alone = [&](const std::string& flag, std::initializer_list<const char*> others) {
        for (const auto& refused :
             {others, {"--schedule", "--group", "--axes", "--source", "--packets", "--details"}})
            refuse_flags(command, refused, "with " + flag, "NETWORK, " + flag + " and --json");
    };
    if (!flags.certificate.empty()) {
        alone("--certificate", {"--capacity", "--collective", "--chunks", "--root"});
        return check_certificate_and_print(flags.network, flags.certificate, flags.json);
    }
    if (flags.capacity.empty() && command.get_option("--schedule")->count() == 0)
        throw InputError("there is nothing to check",
                         "--schedule FILE, --capacity FILE or --certificate FILE");
    if (!flags.collective.empty()) return check_collective_flags(command, flags);
    refuse_flags(command, {"--chunks", "--root"}, "without --collective",
                 "--packets, --source, or --collective");
    if (flags.capacity.empty()) return check_and_print(flags);
    alone("--capacity", {});
    return check_capacity_and_print(flags.network, flags.capacity, flags.json);
}

}  // namespace

void add_broadcast(CLI::App& app, Action& action) {
    auto flags = std::make_shared<BroadcastFlags>();
    CLI::App* command = app.add_subcommand("broadcast", "Run a pipelined broadcast and bound it from below");
    add_group_flags(*command, *flags);
    Values& values = flags->values;
    add_value_choice(
        *command, values, "--algorithm", "broadcast.algorithm",
        together(choices_of(broadcast_algorithms()), multicast_algorithms()),
        fmt::format("For packets over links: {} (default: optimal for a list of nodes, otherwise "
                    "paper on an ibt, spanning_tree on a torus, optimal on other networks); for "
                    "messages between machines of unequal speed: {} (default on a cluster: fnf)",
                    or_list(choices_of(broadcast_algorithms())), or_list(multicast_algorithms())));
    add_value(*command, values, "--pattern", "broadcast.pattern",
              "Packet-sending pattern of --algorithm paper: 0 to 15, or best", "best");
    add_value_choice(*command, values, "--engine", "engine", together(broadcast_engines(), message_engines()),
                     "Engine that runs it (default for messages between machines: event)", "step");
    add_set_flag(*command, values);
    add_node_flags(*command, values, flags->node);
    add_host_flags(*command, values);
    add_record_flags(*command, flags->node.records);
    add_checkpoint_flags(*command, flags->node.checkpoint);
    add_value(*command, values, "--seed", "seed",
              "Seed of the optimal scheduler's ties, and of random hosts and background", "1")
        ->check(whole())
        ->type_name("UINT");
    add_value(*command, values, "--schedule", "broadcast.schedule", schedule_text)->type_name("FILE");
    add_file_flags(*command, flags->files);
    command->add_flag("--details", flags->node.records.details, details_text);
    add_path_flags(*command, flags->tree, tree_group);
    add_tree_flags(*command, flags->tree, flags->until, tree_group);
    command->footer("Example: interlace broadcast ibt:64x64:b=8,24 --group rectangle --algorithm optimal");
    command->callback([flags, &action, command] {
        action = [flags, command] {
            const std::string algorithm = algorithm_of(*command, *flags);
            const bool tree = has_name(multicast_algorithms(), algorithm);
            refuse_flags_of_others(*command, tree);
            return tree ? run_tree(*flags) : run_on_links(*command, *flags);
        };
    });
}

void add_check(CLI::App& app, Action& action) {
    auto flags = std::make_shared<BroadcastFlags>();
    CLI::App* command =
        app.add_subcommand("check",
                           "Check a schedule, or the proof of a bound, from a file: prove it, or "
                           "show where it fails");
    add_group_flags(*command, *flags);
    add_value(*command, flags->values, "--schedule", "broadcast.schedule",
              "CSV file with the schedule to check: step,from,to,packet")
        ->type_name("FILE");
    command->add_option("--capacity", flags->capacity, "JSON file of interlace capacity to check instead")
        ->type_name("FILE");
    command
        ->add_option("--certificate", flags->certificate,
                     "JSON file of --write-certificate to check instead: a cut that proves a lower bound")
        ->type_name("FILE");
    command
        ->add_option(
            "--collective", flags->collective,
            "Check a schedule of this collective, whose packets are numbered as --write-schedule does")
        ->type_name(bar_list(collective_names()));
    command->add_option("--chunks", flags->chunks, "Packets of each node, or pair of nodes, of --collective")
        ->check(whole(1, 1'000'000))
        ->type_name("UINT");
    command->add_option("--root", flags->root, "Node at which all packets of --collective start or end")
        ->check(whole(0, UINT32_MAX))
        ->type_name("UINT");
    command->add_flag("--details", flags->node.records.details, details_text);
    command->footer("Example: interlace check torus:8x8 --schedule mine.csv --packets 4");
    command->callback([flags, &action, command] {
        action = [flags, command] { return check_what_is_named(*command, *flags); };
    });
}

}  // namespace interlace::cli
