// Interlace: interlace generate
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "alltoall.h"
#include "cluster_flags.h"
#include "interlace/codegen/mpi_routine.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/whole_file.h"
#include "interlace/experiment/kinds/allgather.h"
#include "interlace/experiment/kinds/alltoall.h"
#include "interlace/experiment/kinds/multicast.h"
#include "interlace/program/goal.h"
#include "run.h"

namespace interlace::cli {
namespace {

constexpr Names<Collective, 3> collectives = {{{"allgather", Collective::allgather},
                                               {"alltoall", Collective::alltoall},
                                               {"broadcast", Collective::broadcast}}};

struct GenerateFlags {
    std::string collective, algorithm, message, function, file, goal;
    ClusterFlags cluster;
    std::uint32_t source = 0;
};

/// What to write: a program, and how its packets go if it is a shuffle's round.
struct Source {
    MessageProgram program;
    std::string what;  ///< for the description
    std::optional<MpiShuffle> shuffle;
};

/// An experiment of which only the program is wanted.
template <class Experiment>
Experiment planned(const GenerateFlags& flags, const std::string& kind) {
    ClusterFlags cluster = flags.cluster;
    cluster.until = Until::program;
    // On links there are others, by default, which are no messages of machines.
    std::string algorithm = flags.algorithm;
    if constexpr (!std::is_same_v<Experiment, MulticastExperiment>)
        if (algorithm.empty()) algorithm = Experiment().algorithm;
    for (const auto& [name, value] : {std::pair{"algorithm", algorithm}, {"message", flags.message}})
        if (!value.empty())
            cluster.values.flags.push_back(
                {fmt::format("{}.{}", kind, name), YAML::Node(value), fmt::format("--{}", name)});
    return experiment_of<Experiment>(cluster, kind);
}

Source source_of(const GenerateFlags& flags, Collective collective) {
    if (collective == Collective::allgather) {
        const auto gather = planned<AllGatherExperiment>(flags, "allgather");
        return {run_allgather(gather, listener()).program, gather.algorithm, {}};
    }
    if (collective == Collective::broadcast) {
        auto tree = planned<MulticastExperiment>(flags, "multicast");
        tree.sources = {flags.source};
        return {run_multicast(tree, listener()).program, tree.algorithm, {}};
    }
    auto exchange = planned<AllToAllExperiment>(flags, "alltoall");
    std::string what = exchange.algorithm;
    if (chooses(exchange)) {
        exchange = run_alltoall(exchange, listener()).ran;
        what += ": " + exchange.algorithm;
    }
    const bool shuffles = exchange.algorithm == "shuffle";
    if (shuffles && flags.goal.empty()) exchange.message = 1;  // one packet: a round
    AllToAllRun run = run_alltoall(exchange, listener());
    if (run.plan) what = fmt::format("{}, {} (blocks of {})", what, run.ran.sync, run.ran.block);
    if (!shuffles) return {std::move(run.program), what, {}};
    what = fmt::format("{} by {}, {}", what, run.experiment.permutation,
                       run.window == 0 ? "no window" : fmt::format("a window of {} packets", run.window));
    return {std::move(run.program), what, MpiShuffle{run.parameters.frame.mtu, run.window}};
}

void refuse_flags_of_others(const CLI::App& command, const GenerateFlags& flags, Collective collective) {
    const std::string with = "with " + flags.collective;
    if (collective == Collective::alltoall)
        refuse_exchange_flags_of_others(command, flags.algorithm.empty() ? "scheduled" : flags.algorithm);
    else
        refuse_flags(command, {"--sync", "--block", "--permutation", "--window", "--reorder"}, with,
                     "alltoall");
    if (collective != Collective::allgather) refuse_flags(command, {"--barriers"}, with, "allgather");
    if (collective != Collective::broadcast) refuse_flags(command, {"--source", "--tini"}, with, "broadcast");
    if (flags.algorithm != "tuned" && flags.algorithm != "best")
        refuse_flags(command, {"--engine", "--lockstep"}, "of a routine that is not run",
                     "algorithm tuned or best, whose variants are run");
}

/// The file beside that of a routine that declares it; none beside a device or a pipe.
std::string header_of(const std::string& file) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (file.empty() || (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))) return {};
    std::string header = fs::path(file).replace_extension(".h").string();
    if (header == file)
        throw InputError("cannot use -o '" + file + "'", "a C file, FILE.c, whose header is FILE.h");
    return header;
}

/// Nothing is written to a file that is written to already or read, nor over a header by another hand.
void refuse_files(const GenerateFlags& flags, const std::string& header) {
    refuse_lost_files({{"-o", flags.file}, {"the header of -o", header}, {"--goal", flags.goal}},
                      {flags.cluster.network});
    if (!header.empty() && std::filesystem::exists(header) &&
        !is_mpi_header(read_whole_file(header, "a header")))
        throw InputError("'" + header + "' is there and is not made by interlace",
                         "-o FILE.c whose header FILE.h is new");
}

std::string title_of(const GenerateFlags& flags, const Source& source) {
    return fmt::format("{} on {} for {} machines: {}", flags.collective, flags.cluster.network,
                       source.program.machines, source.what);
}

int generate(const CLI::App& command, const GenerateFlags& flags) {
    if (flags.file.empty() && flags.goal.empty())
        throw InputError("generate has no file to write", "-o FILE.c, --goal FILE or both");
    const Collective collective = value_of(collectives, flags.collective, "collective");
    refuse_flags_of_others(command, flags, collective);
    const std::string header = header_of(flags.file);
    refuse_files(flags, header);
    MpiRoutine routine{collective, flags.function, {}, flags.source};
    if (command.count("--function") == 0)
        routine.function = std::string("interlace_") +
                           (collective == Collective::broadcast ? "bcast" : name_of(collectives, collective));
    require_function_name(routine.function);
    const Source source = source_of(flags, collective);
    if (source.shuffle && !flags.file.empty() && !flags.goal.empty())
        throw InputError("cannot use -o and --goal of a shuffle",
                         "one or the other: a routine is for any length of message");
    routine.title = title_of(flags, source);
    const auto write = [](const std::string& file, const std::string& text) {
        if (!file.empty()) write_whole_file(file, [&](std::ostream& out) { out << text; });
    };
    std::string text;
    if (!flags.file.empty())
        text = source.shuffle ? mpi_shuffle_routine(source.program, *source.shuffle, routine)
                              : mpi_routine(source.program, routine);
    write(flags.goal, flags.goal.empty() ? "" : to_goal(source.program));
    write(header, mpi_header(routine));
    write(flags.file, text);
    return done;
}

}  // namespace

void add_generate(CLI::App& app, Action& action) {
    auto flags = std::make_shared<GenerateFlags>();
    CLI::App* command =
        app.add_subcommand("generate", "Write a collective as a C routine on MPI, for one cluster");
    command->add_option("COLLECTIVE", flags->collective, "Collective that the routine performs")
        ->type_name(bar_list(choices_of(collectives)))
        ->required();
    add_cluster_flags(*command, flags->cluster);
    command->add_option("--algorithm", flags->algorithm,
                        "An algorithm of interlace allgather, alltoall or, for broadcast, multicast "
                        "(default: lr3, scheduled, fnf)");
    Values& values = flags->cluster.values;
    add_exchange_flags(*command, values);
    command
        ->add_option("--message", flags->message,
                     "Bytes of a message, for GOAL and for the choice of tuned and best")
        ->type_name("BYTES")
        ->default_str(std::to_string(AllToAllExperiment().message));
    add_truth(*command, values, "--barriers", "allgather.barriers",
              "Put a barrier after each step of a ring");
    command->add_option("--source", flags->source, "Root machine of a broadcast")
        ->check(whole(0, UINT32_MAX))
        ->capture_default_str();
    add_list(*command, values, "--tini", "event.workstation.start_us",
             "With broadcast: start-up time of a message (t_ini) for each machine, or one for all, "
             "in microseconds")
        ->check(finite())
        ->type_name("FLOAT");
    command->add_option(
        "--function", flags->function,
        "Name of the routine (default: interlace_allgather, interlace_alltoall, interlace_bcast)");
    command->add_option("-o,--output", flags->file, "C file to write, with its header FILE.h")
        ->type_name("FILE");
    command
        ->add_option("--goal", flags->goal,
                     "Also write the program as GOAL, the text of LogGOPSim (interlace replay runs it)")
        ->type_name("FILE");
    command->footer("Example: interlace generate alltoall cluster:figure1 -o alltoall.c");
    command->callback(
        [flags, &action, command] { action = [flags, command] { return generate(*command, *flags); }; });
}

}  // namespace interlace::cli
