// Interlace: interlace generate
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cluster_flags.h"
#include "interlace/codegen/mpi_routine.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/whole_file.h"
#include "interlace/experiment/allgather.h"
#include "interlace/experiment/alltoall.h"
#include "interlace/experiment/multicast.h"
#include "interlace/program/goal.h"

namespace interlace::cli {
namespace {

constexpr Names<Collective, 3> collectives = {{{"allgather", Collective::allgather},
                                               {"alltoall", Collective::alltoall},
                                               {"broadcast", Collective::broadcast}}};

struct Flags {
    std::string collective, algorithm, function, file, goal;
    std::uint64_t message = 65'536;
    ClusterExperiment cluster;
    AllGatherExperiment allgather;
    AllToAllExperiment alltoall;
    MulticastExperiment multicast;
    std::uint32_t source = 0;
};

/// What the routine does; `what` becomes its description.
MessageProgram make_program(const Flags& flags, Collective collective, std::string& what) {
    const auto prepare = [&](auto experiment) {
        experiment.cluster = flags.cluster;
        experiment.until = Until::program;
        experiment.message = flags.message;
        if (!flags.algorithm.empty()) experiment.algorithm = flags.algorithm;
        what = experiment.algorithm;
        return experiment;
    };
    if (collective == Collective::allgather) return run_allgather(prepare(flags.allgather), warn).program;
    if (collective == Collective::alltoall) {
        const AllToAllRun run = run_alltoall(prepare(flags.alltoall), warn);
        what = run.plan
                   ? fmt::format("{}, {} (blocks of {})", what, run.experiment.sync, run.experiment.block)
                   : what;
        return run.program;
    }
    MulticastExperiment tree = prepare(flags.multicast);
    tree.sources = {flags.source};
    return run_multicast(tree, warn).program;
}

int generate(const Flags& flags) {
    if (flags.file.empty() && flags.goal.empty())
        throw InputError("generate without a file", "-o FILE.c, --goal FILE or both");
    const Collective collective = value_of(collectives, flags.collective, "collective");
    std::string what;
    const MessageProgram program = make_program(flags, collective, what);
    const auto write = [](const std::string& file, const std::string& text) {
        if (!file.empty()) write_whole_file(file, [&](std::ostream& out) { out << text; });
    };
    write(flags.goal, flags.goal.empty() ? "" : to_goal(program));
    if (flags.file.empty()) return done;
    MpiRoutine routine{collective, flags.function, {}, flags.source};
    if (routine.function.empty())
        routine.function = std::string("interlace_") +
                           (collective == Collective::broadcast ? "bcast" : name_of(collectives, collective));
    routine.title = fmt::format("{} on {} for {} machines: {}", flags.collective, flags.cluster.network,
                                program.machines, what);
    write(flags.file, mpi_routine(program, routine));
    return done;
}

}  // namespace

void add_generate(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand("generate", "A collective as a C routine on MPI, for one cluster");
    command->add_option("COLLECTIVE", flags->collective, "allgather, alltoall or broadcast")->required();
    add_cluster_flags(*command, flags->cluster);
    command->add_option("--algorithm", flags->algorithm,
                        "One of interlace allgather, alltoall or multicast (default: lr3, scheduled, fnf)");
    command->add_option("--sync", flags->alltoall.sync, "Of an exchange: see interlace alltoall --help")
        ->capture_default_str();
    command->add_option("--block", flags->alltoall.block, "Phases of a block of a partial synchronisation")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    add_bytes_flag(*command, "--message", flags->message,
                   "Bytes of a message, for GOAL and for what `tuned` is to be the fastest for");
    command->add_flag("--barriers", flags->allgather.barriers, "A barrier after each step of a ring");
    command->add_option("--source", flags->source, "The root of a broadcast")->capture_default_str();
    command
        ->add_option("--tini", flags->multicast.start_us,
                     "Of a broadcast: t_ini of each machine, or of all, in us")
        ->delimiter(',');
    command->add_option(
        "--function", flags->function,
        "The routine's name (default: interlace_allgather, interlace_alltoall, interlace_bcast)");
    command->add_option("-o,--output", flags->file, "The C file to write");
    command->add_option("--goal", flags->goal,
                        "Write the program as GOAL, LogGOPSim's text, too (interlace replay runs it)");
    command->footer("Example: interlace generate alltoall cluster:figure1 -o alltoall.c");
    command->callback([flags, &action] { action = [flags] { return generate(*flags); }; });
}

}  // namespace interlace::cli
