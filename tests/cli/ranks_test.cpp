// Interlace: runs that mpirun divides among ranks
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "interlace/core/whole_file.h"
#include "support/run_command.h"

namespace interlace {
namespace {

/// Ranks that wait let other tests have their core.
const std::vector<std::string> mpirun = {
    INTERLACE_MPIRUN, "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n"};

Outcome run_on_ranks(std::uint32_t ranks, const std::string& arguments) {
    return run_in_shell(
        fmt::format("{} {} {} {}", fmt::join(mpirun, " "), ranks, INTERLACE_COMMAND, arguments));
}

/// Of --json, all but the speed of this machine.
nlohmann::json result_of(const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    auto json = nlohmann::json::parse(outcome.out);
    json.erase("router_cycles_per_second");
    return json;
}

/// As without mpirun, on 1, 2 and 4 ranks.
void expect_same(const std::string& arguments) {
    SCOPED_TRACE(arguments);
    const nlohmann::json alone = result_of(run(arguments + " --json"));
    for (const std::uint32_t ranks : {1U, 2U, 4U})
        EXPECT_EQ(result_of(run_on_ranks(ranks, arguments + " --json")), alone) << ranks << " ranks";
}

// Packets (cut-through) and flits (worms), links of one cycle and of more, hosts that cost something, loads
// that are searched for, programs and what runs under them.
TEST(Mpirun, SaysTheSameOfNativeNodes) {
    expect_same("traffic torus:4x4x4 --load 0.1 --warmup 500 --cycles 500");
    expect_same(
        "traffic torus:4x4x4 --load 0.1 --warmup 500 --cycles 500 --set node.switching=virtual_cut_through "
        "--set node.vc_depth=32 --set node.reception_depth=32");
    expect_same("traffic torus:4x4 --load saturation --cycles 200 --warmup 200 --links bgl");
    expect_same("traffic torus:8x8 --load 0.05 --warmup 500 --cycles 500 --host bgl --regions 3 --threads 2");
    expect_same("broadcast torus:4x4x4 --packets 8 --engine native --algorithm optimal");
    expect_same(
        "broadcast ibt:16x16:b=4 --packets 8 --engine native --background 0.02 --links bgl --seeds 1");
    expect_same(
        "broadcast torus:8x8 --packets 8 --engine native --forwarding table --write-schedule /dev/null");
}

TEST(Mpirun, SaysTheSameOfCollectivesOverLinks) {
    expect_same("allgather torus:4x4 --engine native --forwarding table");
    expect_same("allreduce torus:4x4 --engine native --host bgl");
    expect_same("allreduce mesh:5x3 --engine native --host bgl");
    expect_same("allreduce torus:4x4 --algorithm swing --engine native --forwarding unicast --host bgl");
    expect_same(
        "alltoall torus:4x4 --algorithm two_phase --engine native --forwarding unicast --order random --pace "
        "0.9");
}

// Rings, schedules with barriers of their own and of messages, trees, a search for the fastest, programs of
// files.
TEST(Mpirun, SaysTheSameOfMessagesOnClusters) {
    expect_same("allgather cluster:routers --algorithm lr2 --barriers --engine native");
    expect_same("alltoall cluster:routers --sync barrier_all --message 3000 --engine native");
    expect_same(
        "alltoall cluster:routers --sync sender_all --message 3000 --engine native --set "
        "event.protocol.barrier=messages");
    expect_same("alltoall cluster:routers --algorithm best --message 1500 --engine native");
    expect_same("multicast cluster:routers --engine native");
    expect_same("broadcast cluster:routers --algorithm binomial --engine native");
    const TemporaryFile goal;
    EXPECT_EQ(
        run("generate allgather cluster:routers --algorithm lr2 --message 3000 --goal " + goal.path()).code,
        0);
    expect_same("replay cluster:routers --engine native --goal " + goal.path());
}

#ifdef INTERLACE_HARDWARE
TEST(Mpirun, SaysTheSameOfHardware) {
    for (const char* engine : {"rtl", "systemc"}) {
        expect_same(
            fmt::format("traffic torus:4x4 --load 0.1 --warmup 500 --cycles 500 --engine {}", engine));
        expect_same(
            fmt::format("broadcast torus:4x4 --packets 8 --node bgl --links bgl --engine {}", engine));
        // Of tables a rank has its own nodes' rows.
        expect_same(
            fmt::format("traffic torus:4x4 --load 0.1 --warmup 200 --cycles 200 --engine {} --set "
                        "node.routing=table",
                        engine));
        expect_same(fmt::format("broadcast torus:4x4 --packets 4 --forwarding table --engine {}", engine));
        expect_same(fmt::format("allgather cluster:routers --message 3000 --engine {}", engine));
    }
}
#endif

// One rank speaks for all.
TEST(Mpirun, SaysOnceWhatIsWrong) {
    const Outcome outcome = run_on_ranks(3, "traffic torus:4x4 --load 99");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    const std::size_t first = outcome.err.find("interlace: ");
    EXPECT_NE(first, std::string::npos);
    EXPECT_EQ(outcome.err.find("interlace: ", first + 1), std::string::npos) << outcome.err;
}

TEST(Mpirun, RefusesWhatOneProcessHasToDo) {
    for (const char* arguments :
         {"traffic torus:4x4 --packet-log /dev/null", "traffic torus:3 --cycles 100",
          "traffic torus:4x4 --set links.bit_error_rate=1e-6", "traffic torus:4x4 --lockstep native",
          "broadcast torus:4x4", "allgather cluster:figure1", "topology torus:4x4",
          "broadcast cluster:figure1 --algorithm binomial"}) {
        const Outcome outcome = run_on_ranks(5, arguments);
        EXPECT_EQ(outcome.code, 2) << arguments;
        EXPECT_THAT(outcome.err, testing::HasSubstr("cannot divide")) << arguments;
    }
}

/// On two ranks, each of which has `arguments` as its shell reads them.
void expect_refused(const std::string& arguments, const std::string& says) {
    const Outcome outcome = run_in_shell(
        fmt::format("timeout 60 {} 2 sh -c '{} {}'", fmt::join(mpirun, " "), INTERLACE_COMMAND, arguments));
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_THAT(outcome.err, testing::HasSubstr(says)) << arguments;
}

// A script that gives each rank arguments of its own does not get a mixture of them, nor waits for ever.
TEST(Mpirun, RefusesRanksThatDiffer) {
    const TemporaryFile file;
    const std::string saves = fmt::format("--checkpoint {} --every 99", file.path());
    for (const std::string& arguments :
         {std::string("traffic torus:4x4 --cycles 500 --seed $((1 + OMPI_COMM_WORLD_RANK))"),
          std::string("traffic torus:4x4 --cycles 500 --load 0.1$OMPI_COMM_WORLD_RANK"),
          std::string("traffic torus:4x4 --cycles 500 $([ $OMPI_COMM_WORLD_RANK = 0 ] || echo --json)"),
          fmt::format("traffic torus:4x4 --cycles 500 $([ $OMPI_COMM_WORLD_RANK = 0 ] && echo {})", saves),
          fmt::format("traffic torus:4x4 --cycles 500 $([ $OMPI_COMM_WORLD_RANK = 1 ] && echo {})", saves),
          fmt::format("broadcast torus:4x4 --engine native --checkpoint {} --every 9$OMPI_COMM_WORLD_RANK",
                      file.path()),
          std::string("$([ $OMPI_COMM_WORLD_RANK = 0 ] && echo traffic || echo broadcast) torus:4x4 --engine "
                      "native")})
        expect_refused(arguments, "the command is not the same on all ranks: rank 0 has ");
}

// ... nor one whose files are others on each machine.
TEST(Mpirun, RefusesRanksWhoseFilesDiffer) {
    const TemporaryFile folder;  // its name
    const std::string at = folder.path() + ".d/";
    const std::string links = "from,to\n0,1\n1,0\n1,2\n2,1\n2,0\n0,2\n";
    const auto write = [&](const std::string& name, const std::string& here, const std::string& there) {
        for (const auto& [rank, text] : {std::pair{"0/", here}, {"1/", there}}) {
            std::filesystem::create_directories(at + rank);
            write_whole_file(at + rank + name, [&](std::ostream& out) { out << text; });
        }
    };
    const auto expect_different = [&](const std::string& arguments) {
        const Outcome outcome =
            run_in_shell(fmt::format("timeout 60 {} 2 sh -c 'cd {}$OMPI_COMM_WORLD_RANK && {} {}'",
                                     fmt::join(mpirun, " "), at, INTERLACE_COMMAND, arguments));
        EXPECT_EQ(outcome.code, 2) << arguments;
        EXPECT_THAT(outcome.err, testing::HasSubstr("the experiment is not the same on all ranks"))
            << arguments;
    };
    ASSERT_EQ(run_in_shell(fmt::format("mkdir -p {0}0 && {1} topology torus:4x4 --routing-table {0}0/r.csv",
                                       at, INTERLACE_COMMAND))
                  .code,
              0);
    const std::string routes = read_whole_file(at + "0/r.csv", "a table");
    write("r.csv", routes, routes + "\n");
    expect_different("traffic torus:4x4 --routing table:r.csv");
    write("p.csv", "from,to\n0,1\n", "from,to\n0,2\n");
    expect_different("traffic torus:4x4 --pattern permutation:p.csv");
    expect_different(
        "broadcast torus:4x4 --engine native --background 0.1 --set background.pattern=permutation:p.csv");
    write("t:1.csv", "cycle,from,to,flits\n0,0,1,8\n", "cycle,from,to,flits\n0,0,2,8\n");
    expect_different("traffic torus:4x4 --pattern trace:t:1.csv");
    write("g.csv", links, links + "\n");
    expect_different("broadcast graph:g.csv --engine native");
    write("s.csv", "step,from,to,packet\n1,0,1,0\n2,0,2,0\n", "step,from,to,packet\n1,0,1,0\n1,0,2,0\n");
    expect_different("broadcast torus:3 --engine native --packets 1 --schedule s.csv");
    write("p.goal", "num_ranks 1\nrank 0 {\nl1: calc 1\n}\n", "num_ranks 1\nrank 0 {\nl1: calc 2\n}\n");
    expect_different("replay cluster:routers --engine native --goal p.goal");
    std::filesystem::remove_all(at);
}

/// Alone, with variables that a launcher has set.
Outcome run_under(const std::string& variables, const std::string& arguments) {
    return run_in_shell(fmt::format("env {} {} {}", variables, INTERLACE_COMMAND, arguments));
}

// The launcher of another MPI, or srun without one, starts processes of which each is alone.
TEST(Mpirun, IsTheOneOfItsOwnMpi) {
    for (const auto& [variables, says] :
         {std::pair{"PMI_RANK=0 PMI_SIZE=2", "PMI_SIZE is 2, but MPI has 1 rank;"},
          {"PMI_RANK=1 PMI_SIZE=2", "rank 1: PMI_SIZE is 2, but MPI has 1 rank;"},
          {"OMPI_COMM_WORLD_SIZE=3", "OMPI_COMM_WORLD_SIZE is 3, but MPI has 1 rank;"},
          {"SLURM_NTASKS=2 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0",
           "SLURM_STEP_NUM_TASKS is 2, but MPI has 1 rank;"}})
        for (const char* arguments :
             {"traffic torus:4x4 --cycles 500", "reproduce ibt table1", "sweep x.yaml"}) {
            const Outcome outcome = run_under(variables, arguments);
            EXPECT_EQ(outcome.code, 2) << variables;
            EXPECT_EQ(outcome.out, "") << variables;
            EXPECT_THAT(outcome.err, testing::HasSubstr(says)) << variables;
            EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        }
}

// Whoever starts it alone hears it: from a rank of a program of their own, in an allocation of Slurm (a batch
// script, a shell of salloc, a step of one task), or in mpirun under Slurm, whose daemons are a step.
TEST(Mpirun, IsNotTakenForOneThatStartedSomethingElse) {
    for (const char* variables :
         {"OMPI_COMM_WORLD_SIZE=1 PMI_RANK=1", "SLURM_NTASKS=8 SLURM_PROCID=0", "SLURM_NTASKS=8",
          "SLURM_NTASKS=1 SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0",
          "SLURM_NTASKS=8 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=3 OMPI_COMM_WORLD_SIZE=1"}) {
        const Outcome outcome = run_under(variables, "topology torus:4x4");
        EXPECT_EQ(outcome.code, 0) << variables << outcome.err;
        EXPECT_THAT(outcome.out, testing::HasSubstr("torus:4x4"));
    }
}

TEST(Mpirun, WritesAFileOnce) {
    const TemporaryFile alone, ranks;
    const std::string arguments = "broadcast torus:4x4 --packets 4 --engine native --write-schedule ";
    EXPECT_EQ(run(arguments + alone.path()).code, 0);
    EXPECT_EQ(run_on_ranks(2, arguments + ranks.path()).code, 0);
    EXPECT_EQ(read_whole_file(ranks.path(), "a schedule"), read_whole_file(alone.path(), "a schedule"));
}

/// MiB, of the largest process that was started up to now, or that those have started.
double peak_memory() {
    rusage use = {};
    getrusage(RUSAGE_CHILDREN, &use);
    return static_cast<double>(use.ru_maxrss) / 1024;
}

// What a rank needs beyond a small network is an eighth of what one process does. The links of all nodes
// alone would be 7 MiB more, the fabric of all 12. Runs come in the order of their memory.
TEST(Mpirun, DividesTheNetworkOfTraffic) {
    const auto traffic = [](const std::string& network) {
        return "traffic " + network + " --load 0.00001 --warmup 0 --cycles 10 --set occupancy=false --set " +
               "node.switching=virtual_cut_through --set node.vc_depth=32 --set node.reception_depth=32";
    };
    std::vector<double> peaks;
    const auto note = [&](const Outcome& outcome) {
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        peaks.push_back(peak_memory());
    };
    note(run(traffic("torus:4x4x4")));
    note(run_on_ranks(8, traffic("torus:4x4x4")));
    note(run_on_ranks(8, traffic("torus:64x64x64")));
    note(run(traffic("torus:64x64x64")));
    const double whole = peaks[3] - peaks[0], of_a_rank = peaks[2] - peaks[1];
    EXPECT_GT(whole, 100);
    EXPECT_LT(of_a_rank, whole / 8 + 4);
}

/// Processes that `process` has started.
std::vector<pid_t> children_of(pid_t process) {
    std::ifstream file(fmt::format("/proc/{0}/task/{0}/children", process));
    std::vector<pid_t> children;
    for (pid_t child = 0; file >> child;) children.push_back(child);
    return children;
}

// A rank that is killed ends the run, which would have taken hours, with a message.
TEST(Mpirun, EndsWithARankThatDies) {
    const TemporaryFile errors;
    std::vector<std::string> command = mpirun;
    for (const char* word : {"2", INTERLACE_COMMAND, "traffic", "torus:8x8", "--cycles", "100000000000"})
        command.emplace_back(word);
    const pid_t process = fork();
    if (process == 0) {
        std::vector<char*> words;
        words.reserve(command.size() + 1);
        for (std::string& word : command) words.push_back(word.data());
        words.push_back(nullptr);
        if (std::freopen(errors.path().c_str(), "w", stderr) != nullptr) execv(words.front(), words.data());
        _exit(127);
    }
    std::vector<pid_t> ranks;
    for (int i = 0; i < 600 && ranks.size() < 2; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        ranks = children_of(process);
    }
    ASSERT_EQ(ranks.size(), 2U);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    kill(ranks[1], SIGKILL);
    int status = 0;
    waitpid(process, &status, 0);
    EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_THAT(read_whole_file(errors.path(), "messages"), testing::HasSubstr("signal 9"));
}

}  // namespace
}  // namespace interlace
