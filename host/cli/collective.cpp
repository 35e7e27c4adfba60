// Interlace: collectives over the links of a direct network, as commands
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "interlace/core/error.h"
#include "interlace/core/whole_file.h"
#include "interlace/program/goal.h"
#include "node_flags.h"
#include "run.h"

namespace interlace::cli {
namespace {

std::string bound_line(const CollectiveBound& bound, std::uint32_t steps) {
    return fmt::format(
        "{} ({}), {}", bound.steps, bound.why,
        steps == bound.steps ? "met: proven optimal" : fmt::format("gap {}", steps - bound.steps));
}

std::string task_line(const CollectiveExperiment& e, std::uint32_t nodes) {
    const std::string packets = fmt::format("{} packet{}", e.chunks, e.chunks == 1 ? "" : "s");
    switch (e.collective) {
        case DirectCollective::allgather:
            return fmt::format("all-gather             {} of each of {} nodes", packets, nodes);
        case DirectCollective::reducescatter:
            return fmt::format("reduce-scatter         {} summed at each of {} nodes", packets, nodes);
        case DirectCollective::allreduce:
            return fmt::format("all-reduce             {} packets, summed at all of {} nodes",
                               std::uint64_t{nodes} * e.chunks, nodes);
        case DirectCollective::reduce:
            return fmt::format("reduce                 {} of {} nodes, summed at node {}", packets, nodes,
                               e.root);
        case DirectCollective::scatter:
            return fmt::format("scatter                {} from node {} to each other of {}", packets, e.root,
                               nodes);
        case DirectCollective::gather:
            return fmt::format("gather                 {} of each of {} nodes to node {}", packets, nodes,
                               e.root);
        case DirectCollective::barrier:
            return fmt::format("barrier                of {} nodes", nodes);
        case DirectCollective::alltoall:
            break;
    }
    return fmt::format("all-to-all             {} from each of {} nodes to each other", packets, nodes);
}

const char* chunks_text(DirectCollective collective) {
    switch (collective) {
        case DirectCollective::allgather:
        case DirectCollective::gather:
            return "Packets of each node";
        case DirectCollective::reducescatter:
            return "Packets whose sums each node gets";
        case DirectCollective::allreduce:
            return "Packets that are summed, as many for each node";
        case DirectCollective::reduce:
            return "Packets that are summed";
        case DirectCollective::scatter:
            return "Packets for each node";
        case DirectCollective::barrier:
        case DirectCollective::alltoall:
            break;
    }
    return "Packets from each node to each other";
}

const char* message_text(DirectCollective collective) {
    switch (collective) {
        case DirectCollective::reducescatter:
            return "Print the time for so many bytes at each node in the end: 65536, 64KiB, 1MiB";
        case DirectCollective::allreduce:
        case DirectCollective::reduce:
            return "Print the time for a vector of so many bytes at each node: 65536, 64KiB, 1MiB";
        default:
            return "Print the time for so many bytes of each node but the root: 65536, 64KiB, 1MiB";
    }
}

/// What numbers a packet in a schedule.
const char* packet_text(DirectCollective collective) {
    switch (collective) {
        case DirectCollective::alltoall:
            return "(origin x nodes + destination) x chunks + chunk";
        case DirectCollective::scatter:
            return "destination x chunks + chunk";
        case DirectCollective::reduce:
            return "chunk";
        case DirectCollective::barrier:
            return "0";
        default:
            return "origin x chunks + chunk";
    }
}

/// Flags that only messages of machines have.
void refuse_flags_of_machines(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name();
        if (option->get_group() == node_group) continue;
        constexpr std::string_view own[] = {
            "--lockstep", "--seeds", "NETWORK",          "--algorithm", "--chunks",
            "--message",  "--root",  "--write-schedule", "--goal",      "--write-certificate",
            "--seed",     "--json",  "--msccl",          "--set"};
        if (option->count() == 0 || name == "--engine" ||
            std::find(std::begin(own), std::end(own), name) != std::end(own))
            continue;
        throw InputError("cannot use " + name + " over all links",
                         "an algorithm between machines, or none of their flags");
    }
}

std::string size_text(std::uint64_t bytes) {
    for (const auto& [unit, name] : {std::pair(std::uint64_t{1} << 30U, "GiB"),
                                     {std::uint64_t{1} << 20U, "MiB"},
                                     {std::uint64_t{1} << 10U, "KiB"}})
        if (bytes >= unit)
            return fmt::format("{:.4g} {}", static_cast<double>(bytes) / static_cast<double>(unit), name);
    return fmt::format("{} B", bytes);
}

std::string chunks_of(const CollectiveChoice& choice) {
    return fmt::format(", {} chunk{}", choice.chunks, choice.chunks == 1 ? "" : "s");
}

void print_choices(const CollectiveRun& run) {
    const bool has_bytes = run.experiment.collective != DirectCollective::barrier;
    fmt::print("\n{:<20} {:>8} {:>8} {:>8} {:>12}{}\n", "algorithm", "chunks", "rounds", "steps", "start, us",
               has_bytes ? "       MB/s" : "");
    for (const CollectiveChoice& choice : run.choices) {
        if (!choice.refused.empty()) {
            fmt::print("{:<20} {}\n", choice.algorithm, choice.refused);
            continue;
        }
        fmt::print("{:<20} {:>8} {:>8} {:>8} {:>12.2f}{}\n", choice.algorithm, choice.chunks,
                   choice.rounds == 0 ? "-" : std::to_string(choice.rounds),
                   choice.steps == 0 ? "-" : std::to_string(choice.steps), choice.start_seconds * 1e6,
                   has_bytes ? fmt::format(" {:>10.6g}", 1e-6 / choice.seconds_per_byte) : "");
    }
    if (!has_bytes) return;
    fmt::print("\n{:<20} fastest\n", "message from");
    for (const Crossover& crossover : crossovers(run.choices)) {
        const CollectiveChoice& fastest = run.choices[crossover.choice];
        fmt::print("{:<20} {}{}\n", size_text(crossover.bytes), fastest.algorithm,
                   fastest.rounds != 0 || run.choices[1].rounds != 0 ? "" : chunks_of(fastest));
    }
}

/// What all links of a network could do that machines use a spanning tree of, if that is soon known.
void note_optimal(const std::string& specification, DirectCollective collective) {
    constexpr std::uint32_t most = 1024, most_without_symmetry = 64;
    if (specification.starts_with("cluster:") || world().rank() != 0) return;
    const Network network = make_network(specification);
    if (network.has_switches() ||
        network.node_count() >
            (network.lattice() && network.lattice()->wraps() ? most : most_without_symmetry))
        return;
    CollectiveExperiment e;
    e.collective = collective;
    e.network = specification;
    warn(fmt::format(
        "these messages use a spanning tree of {}; over all of its links, algorithm optimal takes {} "
        "steps of one message a link",
        specification, run_collective(e).report.steps));
}

/// What routers and hosts are, of which a file has more (docs/configuration.md).
void add_router_flags(CLI::App& command, Values& values, bool is_barrier) {
    const auto choice = [&](const char* flag, const char* path, const Choices& choices, const char* text,
                            const char* otherwise) {
        add_value_choice(command, values, flag, path, choices, text, otherwise)->group(node_group);
    };
    choice("--node", "node.base", node_choices(), "Node parameters: a shipped set or a YAML file", "bgl");
    choice("--host", "host.base", host_choices(), "Host timing: a shipped set or a YAML file", "ideal");
    const auto add = [&](const char* flag, const char* text, const char* otherwise, const char* type) {
        add_value(command, values, flag, flag + 2, text, otherwise)->group(node_group)->type_name(type);
    };
    add("--forwarding",
        "Forwarding: by hosts from neighbour to neighbour, by routers (by a forwarding table, or by deposit "
        "along lines), or unicast: routers route each packet to the end of its message",
        is_barrier ? "unicast" : "host", is_barrier ? "unicast" : "host|table|deposit|unicast");
    add("--order", "Order in which a host sends the unicast packets that it has", "schedule",
        "schedule|random");
    add("--pace",
        "Pace; step: each send list starts a packet every F + h cycles (docs/node.md), and a unicast packet "
        "waits for the step in which the schedule sends it. Or a share, 0.95: unicast packets leave "
        "evenly, at that share of the rate of the lower bound",
        "off", "off|step|SHARE");
    add_value(command, values, "--threads", "threads",
              "Number of threads that run regions, in each rank of mpirun", "1")
        ->check(whole(1, 1024))
        ->group(node_group)
        ->type_name("UINT");
}

/// The same for commands that machines do not have.
void add_engine_flags(CLI::App& command, Values& values) {
    add_value_choice(command, values, "--engine", "engine", collective_engines(), "Engine that runs it",
                     "step");
    add_value(command, values, "--lockstep", "lockstep",
              "Run these engines in lockstep with --engine: compare every pin in every cycle: rtl,systemc")
        ->group(node_group);
    add_seeds_flag(command, values, "hosts with start skew or jitter", "30")->group(node_group);
}

void print_unicast(const UnicastCycles& run, const CollectiveExperiment& e, std::uint32_t steps) {
    fmt::print("cycles                 {:.10g}{} on {} nodes, {:.2f} per step, packets of {} flits\n",
               run.cycles.mean, interval_text(run.cycles), e.engine, run.cycles.mean / std::max(steps, 1U),
               e.cycles.node.packet_flits);
    if (run.bound_cycles != 0)
        fmt::print("share of bound         {:.1f}% ({} cycles, in which no link of the bound is idle)\n",
                   100 * run.share_of_bound(), run.bound_cycles);
    fmt::print("unicast packets        {}, over {:.2f} links and in {:.1f} cycles on average\n", run.packets,
               run.mean_hops.mean, run.latency_mean.mean);
    print_queues(e.cycles.node, run.queues);
    if (!e.cycles.lockstep.empty())
        fmt::print("lockstep               {} agreed in every pin of every cycle\n", e.cycles.lockstep);
}

}  // namespace

void print_text(const CollectiveRun& run) {
    const CollectiveExperiment& e = run.experiment;
    fmt::print("network                {}\n", e.network);
    fmt::print("{}\n", task_line(e, run.network.node_count()));
    fmt::print("algorithm              {}\n", e.algorithm);
    if (run.rounds != 0)
        fmt::print("rounds                 {}, in which a node sends up to {} packets\n", run.rounds,
                   run.node_packets);
    fmt::print("steps                  {}\n", run.report.steps);
    fmt::print("lower bound            {}\n", bound_line(run.bound, run.report.steps));
    fmt::print("packet-hops            {} over {} directed links\n", run.report.sends,
               run.network.link_count());
    fmt::print("link utilisation       {:.4f}\n", run.link_utilisation());
    const bool barrier = e.collective == DirectCollective::barrier;
    if (e.message || barrier)
        fmt::print("time                   {:.6g} us{}\n",
                   run.seconds(static_cast<double>(e.message.value_or(0))) * 1e6,
                   barrier ? "" : fmt::format(" for messages of {} bytes", *e.message));
    if (run.cycles) print_cycles(*run.cycles, e.cycles, e.engine, run.report.steps);
    if (run.unicast) print_unicast(*run.unicast, e, run.report.steps);
    if (!run.choices.empty()) print_choices(run);
}

int check_collective_and_print(const CollectiveExperiment& experiment, const std::string& file, bool json) {
    const CollectiveCheck check = check_collective(experiment, file);
    const CheckReport& report = check.report;
    if (json) {
        print(to_json(check));
    } else if (report.valid()) {
        print_valid(report);
        fmt::print("lower bound            {}\n", bound_line(check.bound, report.steps));
    } else {
        print_problems(report);
    }
    return report.valid() ? done : fell_short;
}

int check_certificate_and_print(const std::string& network, const std::string& file, bool json) {
    const CertificateCheck check = check_certificate(network, file);
    const std::string noun = task_line(check.experiment, check.nodes);
    if (json)
        print(to_json(check));
    else if (check.problem.empty())
        fmt::print("{}\nlower bound            {}, proven: in {} steps {} of {} packets can {}\n", noun,
                   check.lower_bound, check.lower_bound - 1, check.found.crossing, check.found.needed,
                   check.of_parts ? "go between the parts" : "cross the cut");
    else
        fmt::print("not valid              {}\n", check.problem);
    return check.problem.empty() ? done : fell_short;
}

void add_collective_flags(CLI::App& command, CollectiveFlags& flags, DirectCollective collective) {
    const std::string name = collective_name(collective);
    add_router_flags(command, flags.cluster.values, collective == DirectCollective::barrier);
    if (collective != DirectCollective::barrier)
        add_value(command, flags.cluster.values, "--chunks", name + ".chunks",
                  std::string(chunks_text(collective)) +
                      " (default: as many as the algorithm has parts, of optimal 1)")
            ->check(whole(1, 1'000'000))
            ->type_name("UINT");
    if (has_root(collective))
        add_value(command, flags.cluster.values, "--root", name + ".root",
                  "Node at which all packets start or end", "0")
            ->check(whole())
            ->type_name("UINT");
    command
        .add_option("--write-schedule", flags.schedule,
                    fmt::format("Write the schedule over links to this CSV file: "
                                "step,from,to,packet{}; packet = {}",
                                reduces(collective) ? ",op" : "", packet_text(collective)))
        ->type_name("FILE");
    command
        .add_option(
            "--goal", flags.goal,
            "Write the packets that neighbours send one another as a program in GOAL, for LogGOPSim or "
            "interlace replay; their size follows from --message")
        ->type_name("FILE");
    if (!has_root(collective) && collective != DirectCollective::barrier)
        command
            .add_option("--msccl", flags.msccl,
                        "Write the schedule as a program in the XML of MSCCL, a GPU a node, to this file")
            ->type_name("FILE");
    command
        .add_option(
            "--write-certificate", flags.certificate,
            collective == DirectCollective::alltoall
                ? "Write the lengths of links that prove the lower bound to this JSON file, for interlace "
                  "check --capacity; or the cut that proves the diameter, for --certificate"
                : "Write the cut that proves the lower bound to this JSON file, for interlace check "
                  "--certificate")
        ->type_name("FILE");
}

int run_collective_or(const CLI::App& command, const CollectiveFlags& flags, DirectCollective collective,
                      const std::function<int()>& otherwise) {
    ConfigMap config = cluster_configuration(flags.cluster, collective_name(collective));
    const bool between_machines =
        collective == DirectCollective::allgather || collective == DirectCollective::alltoall;
    if (between_machines && !is_collective(config, collective)) {
        for (const char* flag : {"--write-schedule", "--goal", "--msccl", "--write-certificate"})
            if (command.get_option_no_throw(flag) != nullptr)
                refuse_flags(command, {flag}, "between machines", "--algorithm optimal");
        for (const CLI::Option* option : command.get_options())
            if (option->get_group() == node_group && option->count() > 0)
                throw InputError("cannot use " + option->get_name() + " between machines",
                                 "--algorithm optimal");
        const int code = otherwise();
        note_optimal(flags.cluster.network, collective);
        return code;
    }
    refuse_flags_of_machines(command);
    auto experiment = experiment_of<CollectiveExperiment>(config);
    if (is_cycle_engine(experiment.engine)) {
        experiment.cycles.ranks = &world();
    } else {
        refuse_ranks("the engine step");
        refuse_node_flags(command, flags.cluster.values);
        if (between_machines)
            refuse_flags(command, {"--lockstep", "--seeds"}, "with --engine step, which has no nodes",
                         "--engine " + or_list(cycle_engines()));
    }
    const CollectiveRun run = run_collective(experiment, listener());
    if (!flags.certificate.empty()) write_certificate(run, flags.certificate);
    if (!flags.schedule.empty()) write_sends(run, flags.schedule);
    if (!flags.goal.empty())
        write_whole_file(flags.goal, [&](std::ostream& out) { out << to_goal(messages_of(run)); });
    if (!flags.msccl.empty())
        write_whole_file(flags.msccl, [&](std::ostream& out) { write_msccl(run, out); });
    return show(run, flags.cluster.json);
}

namespace {

/// A collective that runs on links alone.
void add_on_links(CLI::App& app, Action& action, DirectCollective collective, const std::string& noun) {
    auto flags = std::make_shared<CollectiveFlags>();
    const std::string name = collective_name(collective);
    CLI::App* command =
        app.add_subcommand(name, "Plan " + noun + " over all links of a network, and bound it from below");
    command
        ->add_option("NETWORK", flags->cluster.network,
                     "torus:8x8, mesh:8x8, ibt:64x64:b=4,16, graph:FILE.csv (.graphml, .gml)")
        ->required();
    Values& values = flags->cluster.values;
    add_value_choice(*command, values, "--algorithm", name + ".algorithm", collective_algorithms(collective),
                     "Algorithm", "optimal");
    add_collective_flags(*command, *flags, collective);
    if (collective != DirectCollective::barrier)
        add_value(*command, values, "--message", name + ".message", message_text(collective))
            ->type_name("BYTES");
    add_engine_flags(*command, values);
    add_set_flag(*command, values, collective == DirectCollective::barrier ? "seed=2" : name + ".chunks=4");
    add_value(*command, values, "--seed", "seed", "Seed of the scheduler's ties", "1")
        ->check(whole())
        ->type_name("UINT");
    command->add_flag("--json", flags->cluster.json, "Print one JSON object");
    command->footer("Example: interlace " + name + " torus:8x8");
    command->callback([flags, &action, command, collective] {
        action = [flags, command, collective] {
            return run_collective_or(*command, *flags, collective, [] { return static_cast<int>(done); });
        };
    });
}

}  // namespace

void add_collectives_on_links(CLI::App& app, Action& action) {
    add_on_links(app, action, DirectCollective::reducescatter, "a reduce-scatter");
    add_on_links(app, action, DirectCollective::allreduce, "an all-reduce");
    add_on_links(app, action, DirectCollective::reduce, "a reduce");
    add_on_links(app, action, DirectCollective::scatter, "a scatter");
    add_on_links(app, action, DirectCollective::gather, "a gather");
    add_on_links(app, action, DirectCollective::barrier, "a barrier");
}

}  // namespace interlace::cli
