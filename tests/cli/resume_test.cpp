// Interlace: runs that are killed, and go on from their last checkpoint
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"
#include "support/run_command.h"

namespace interlace {
namespace {

/// Of --json, all but the speed of this machine, and how a network was cut.
nlohmann::json result_of(const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    auto json = nlohmann::json::parse(outcome.out, nullptr, false);
    for (const char* key : {"router_cycles_per_second", "regions"}) json.erase(key);
    for (const char* key : {"regions", "threads"}) json["experiment"].erase(key);
    return json;
}

/// A command that is killed as soon as it has saved something. Whether it was, before it ended. `before`:
/// what a shell does first.
bool killed_when_saved(const std::string& command, const std::string& file, const std::string& before = {}) {
    const Outcome outcome = run_in_shell(
        fmt::format("{}{} >/dev/null & pid=$!; while [ ! -s {} ] && kill -0 $pid; do sleep 0.002; done; "
                    "kill -9 $pid; wait $pid",
                    before, command, file));
    return outcome.code == 128 + 9;
}

class Resume : public testing::Test {
  protected:
    /// Killed on one cut, the run says on another what it says alone.
    void expect_to_survive(std::string_view arguments, std::uint64_t every, bool on_ranks = true) {
        SCOPED_TRACE(arguments);
        const std::string command = fmt::format("{} {} --json", INTERLACE_COMMAND, arguments);
        const nlohmann::json alone = result_of(run_in_shell(command));
        for (const auto& [saved, resumed] : {std::pair{"--regions 1", "--regions 3 --threads 2"},
                                             {"--regions 4 --threads 2", "--regions 1"}}) {
            const TemporaryFile file;
            killed_ += killed_when_saved(fmt::format("{} {} --checkpoint {} --every {}", command, saved,
                                                     file.path(), every),
                                         file.path())
                           ? 1
                           : 0;
            const std::string resume = fmt::format("{} --resume {}", command, file.path());
            EXPECT_EQ(result_of(run_in_shell(fmt::format("{} {}", resume, resumed))), alone) << resumed;
            ++tried_;
#ifdef INTERLACE_MPIRUN
            if (tried_ % 2 == 0 || !on_ranks) continue;
            EXPECT_EQ(result_of(run_in_shell(fmt::format("{} --allow-run-as-root --oversubscribe --mca "
                                                         "mpi_yield_when_idle 1 -n 2 {}",
                                                         INTERLACE_MPIRUN, resume))),
                      alone);
#endif
        }
    }
    /// The same where that is the only cut, from four cycles. `before`: what a shell does first, each time.
    void expect_to_survive_in_the_same_regions(std::string_view arguments, const std::string& before = {}) {
        SCOPED_TRACE(arguments);
        const std::string command = fmt::format("{} {} --json", INTERLACE_COMMAND, arguments);
        const nlohmann::json alone = result_of(run_in_shell(before + command));
        for (const int every : {400, 413, 426, 439}) {
            const TemporaryFile file;
            const std::string saves =
                fmt::format("{} --checkpoint {} --every {}", command, file.path(), every);
            killed_ += killed_when_saved(saves, file.path(), before) ? 1 : 0;
            const std::string resume = fmt::format("{}{} --resume {}", before, command, file.path());
            EXPECT_EQ(result_of(run_in_shell(resume)), alone);
            ++tried_;
        }
    }
    int killed_ = 0, tried_ = 0;
};

// Worms, packets that are stored, adaptive ones, pipelined nodes; bursts, hosts that cost
// something; several runs, and a search.
TEST_F(Resume, TrafficOnNativeNodes) {
    for (const char* more : {"0.3", "0.05 --links bgl", "0.3 --set node.pipeline=7", "0.3 --host bgl",
                             "0.3 --set node.switching=store_and_forward --burst 20 --burst-load 0.9"})
        expect_to_survive(
            fmt::format("traffic torus:4x4x4 --node bgl --packet-flits 8 --cycles 3000 --load {}", more),
            731);
    expect_to_survive("traffic torus:4x4x4 --load 0.3 --cycles 3000", 731);  // worms
    expect_to_survive(
        "traffic torus:4x4x4 --node bgl --packet-flits 8 --load 0.3 --seeds 30 --cycles 900 --warmup 300",
        731, false);
    expect_to_survive("traffic ibt:16x16:b=4 --node bgl --packet-flits 8 --routing table --load 0.1", 999);
    expect_to_survive(
        "traffic torus:4x4 --load saturation --cycles 300 --warmup 500 --node bgl --packet-flits 8", 2000,
        false);
    EXPECT_GT(2 * killed_, tried_);
}

// ... and a trace, whose file has to be the same.
TEST_F(Resume, ATraceWhoseFileIsTheSame) {
    std::string rows = "cycle,from,to,flits\n";
    for (std::uint32_t i = 0; i < 20'000; ++i)
        rows += fmt::format("{},{},{},8\n", i, i % 16, (i * 7 + 1) % 16);
    const TemporaryFile trace(rows);
    const std::string run = fmt::format("traffic torus:4x4 --node bgl --pattern trace:{}", trace.path());
    expect_to_survive(run, 3000);
    const TemporaryFile file;
    killed_when_saved(fmt::format("{} {} --checkpoint {} --every 3000", INTERLACE_COMMAND, run, file.path()),
                      file.path());
    write_whole_file(trace.path(), [&](std::ostream& out) { out << rows << "30000,0,1,8\n"; });
    const Outcome outcome =
        run_in_shell(fmt::format("{} {} --resume {}", INTERLACE_COMMAND, run, file.path()));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, testing::HasSubstr("of another experiment: its files."));
}

// Packets that wait for others, at random and by hosts with costs.
TEST_F(Resume, CollectivesAsUnicastPackets) {
    for (const char* more : {"alltoall: {algorithm: two_phase, chunks: 4}\norder: random\npace: 0.9\n",
                             "allreduce: {algorithm: swing, chunks: 8}\nhost: {base: bgl}\n"}) {
        const TemporaryFile file(
            fmt::format("schema: 1\nnetwork: torus:8x4\nengine: native\nforwarding: unicast\n{}", more));
        expect_to_survive_in_the_same_regions("run " + file.path());
    }
    EXPECT_GT(2 * killed_, tried_);
}

// Forwarding by hosts and by routers, bounded memories, pace, background traffic, whose warm-up may be what
// is resumed, and several runs.
TEST_F(Resume, ProgramsOnNativeNodes) {
    for (const char* more : {"", "--host bgl", "--forwarding table", "--forwarding deposit --links bgl",
                             "--pace step", "--background 0.1"})
        expect_to_survive(fmt::format("broadcast torus:4x4x4 --packets 256 --engine native {}", more), 307);
    expect_to_survive(
        "broadcast torus:4x4x4 --packets 32 --engine native --host bgl --set host.memory_packets=4 --set "
        "host.jitter_cycles=5 --seeds 30",
        77, false);
    expect_to_survive("broadcast torus:4x4x4 --packets 64 --engine native --background 0.1 --seeds 30", 1307,
                      false);
    EXPECT_GT(2 * killed_, tried_);
}

#ifdef INTERLACE_HARDWARE
TEST_F(Resume, Hardware) {
    for (const char* engine : {"rtl", "systemc"})
        for (const char* more : {"", "--links bgl", "--set node.pipeline=7"}) {
            expect_to_survive(
                fmt::format("traffic torus:4x4 --node bgl --packet-flits 8 --load 0.3 --warmup 500 "
                            "--cycles 3000 --engine {} {}",
                            engine, more),
                400);
            expect_to_survive(fmt::format("broadcast torus:4x4 --packets 64 --engine {} {}", engine, more),
                              100);
        }
    EXPECT_GT(2 * killed_, tried_);
}

// Links whose ends are in RTL and in C++, every pin compared.
TEST_F(Resume, LinksThatFail) {
    for (const char* more : {"native", "rtl", "rtl --links bgl"})
        expect_to_survive(
            fmt::format("traffic torus:4x4 --node bgl --packet-flits 8 --load 0.2 --warmup 500 --cycles 3000 "
                        "--set links.bit_error_rate=1e-4 --engine {}",
                        more),
            400, false);
    expect_to_survive("broadcast torus:4x4 --packets 256 --engine native --set links.bit_error_rate=1e-4",
                      400, false);
    EXPECT_GT(2 * killed_, tried_);
}

// Engines beside one another, which are compared.
TEST_F(Resume, LockstepAndShadows) {
    const std::string traffic =
        "traffic torus:4x4 --node bgl --packet-flits 8 --load 0.3 --warmup 500 --cycles 2000 ";
    for (const char* more :
         {"--lockstep rtl,systemc", "--engine rtl --shadow 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
          "--rtl-nodes 5,6 --shadow 5,6 --level packets",
          "--rtl-nodes 5,6 --shadow 5,6 --level links --links bgl"})
        expect_to_survive_in_the_same_regions(traffic + more);
    EXPECT_GT(2 * killed_, tried_);
}

// Nodes in another process, which is started anew: asked cycle by cycle, and working ahead of its host.
TEST_F(Resume, Devices) {
    const TemporaryFile socket;
    const std::string address = "unix:" + socket.path() + ".device";
    const std::string traffic =
        "traffic torus:4x4 --node bgl --packet-flits 8 --load 0.3 --warmup 500 --cycles 2000";
    for (const char* engine : {"rtl", "systemc"}) {
        // Not for ever: what does not come, or go, is an error.
        const std::string device = fmt::format(
            "i=0; while [ -S {1}.device ] && [ $((i+=1)) -lt 5000 ]; do sleep 0.002; done; "
            "{0} device --once --engine {2} --listen {3} >{1}.log 2>&1 & "
            "i=0; while [ ! -S {1}.device ] && [ $((i+=1)) -lt 5000 ]; do sleep 0.002; done; "
            "[ $i -lt 5000 ] || {{ cat {1}.log >&2; exit 97; }}; ",
            INTERLACE_COMMAND, socket.path(), engine, address);
        for (const std::string& run :
             {traffic, traffic + " --links bgl", traffic + " --set links.latency=40",
              traffic + " --links bgl --set node.injection_queues=1 --burst 30 --burst-load 1",
              traffic + " --host bgl --links bgl --shadow 5,6",
              std::string("broadcast torus:4x4 --engine native --packets 256 "
                          "--links bgl")})
            expect_to_survive_in_the_same_regions(fmt::format("{} --device 5,6={}", run, address), device);
    }
    std::filesystem::remove(socket.path() + ".log");
    EXPECT_GT(2 * killed_, tried_);
}

// Where native nodes know packets ahead and their neighbours do not, the regions have to stay.
TEST_F(Resume, NodesOfSeveralEnginesInTheSameRegions) {
    const std::string run =
        fmt::format("{} traffic torus:4x4 --load 0.3 --rtl-nodes 0,5,6 --node bgl --packet-flits 8 --json",
                    INTERLACE_COMMAND);
    const nlohmann::json alone = result_of(run_in_shell(run));
    const TemporaryFile file;
    run_in_shell(fmt::format("{} --regions 2 --checkpoint {} --every 1300", run, file.path()));
    EXPECT_EQ(result_of(run_in_shell(fmt::format("{} --regions 2 --resume {}", run, file.path()))), alone);
    const Outcome outcome = run_in_shell(fmt::format("{} --regions 3 --resume {}", run, file.path()));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, testing::HasSubstr("cannot resume with other regions"));
}
#endif

// --every counts the cycles of all runs: so those that are over are not lost where each is short.
TEST(ResumeFile, HasRunsThatAreShorterThanFromOneCheckpointToTheNext) {
    const TemporaryFile file;
    const std::string search = fmt::format(
        "{} traffic torus:4x4 --load saturation --warmup 500 --cycles 500 --json", INTERLACE_COMMAND);
    const nlohmann::json alone = result_of(run_in_shell(search));
    EXPECT_TRUE(file.text().empty());
    run_in_shell(fmt::format("{} --checkpoint {} --every 6000", search, file.path()));
    ASSERT_FALSE(file.text().empty());
    EXPECT_EQ(result_of(run_in_shell(fmt::format("{} --resume {}", search, file.path()))), alone);
}

// The use of queues is in a state where it is asked for.
TEST(ResumeFile, HasTheUseOfQueues) {
    const TemporaryFile file, alone, resumed;
    const std::string traffic = fmt::format("{} traffic torus:4x4 --cycles 3000", INTERLACE_COMMAND);
    run_in_shell(
        fmt::format("{} --queue-use {} --checkpoint {} --every 1000", traffic, alone.path(), file.path()));
    run_in_shell(
        fmt::format("{} --queue-use {} --resume {} --regions 3", traffic, resumed.path(), file.path()));
    EXPECT_FALSE(alone.text().empty());
    EXPECT_EQ(alone.text(), resumed.text());
}

// What a run has noted before its checkpoint is in the files that it leaves, and in its details, in the same
// order.
TEST_F(Resume, TracesLogsAndDetails) {
    const std::string traffic = "traffic torus:4x4 --node bgl --packet-flits 8 --cycles 2000 --warmup 500";
    for (const std::string& run : {traffic, traffic + " --load 0.3 --links bgl", traffic + " --host bgl",
                                   traffic + " --load 0.2 --links bgl --set node.pipeline=7",
                                   std::string("broadcast torus:4x4 --engine native --packets 64")}) {
        SCOPED_TRACE(run);
        const TemporaryFile file;
        const std::string folder = file.path() + ".d";
        const auto leave = [&](const std::string& name, const std::string& more) {
            std::filesystem::create_directories(folder + name);
            std::vector<std::string> texts;
            for (const char* trace : {"trace.vcd", "trace.json"}) {
                const Outcome outcome =
                    run_in_shell(fmt::format("{0} {1} --json --details --trace {2}/{3} --trace-nodes 0,5 "
                                             "--packet-log {2}/log.csv {4}",
                                             INTERLACE_COMMAND, run, folder + name, trace,
                                             fmt::format(fmt::runtime(more), file.path(), trace)));
                texts.push_back(result_of(outcome).dump());
                for (const char* left : {trace, "log.csv"})
                    texts.push_back(read_whole_file(folder + name + "/" + left, "a file"));
            }
            return texts;
        };
        const auto alone = leave("alone", "");
        for (const auto& text : alone) EXPECT_GT(text.size(), 1'000U);
        const int every = run.starts_with("traffic") ? 1'300 : 170;  // the last one is in the middle
        const std::string save = fmt::format("--checkpoint {{}}.{{}} --every {}", every);
        for (const auto& [name, more] : {std::pair{"saved", save.c_str()},
                                         {"resumed", "--resume {}.{}"},
                                         {"cut", "--resume {}.{} --regions 3 --threads 2"}}) {
            const auto texts = leave(name, more);
            for (std::size_t i = 0; i < alone.size(); ++i)  // too long for EXPECT_EQ to compare line by line
                EXPECT_TRUE(texts[i] == alone[i]) << name << ", text " << i;
        }
        for (const char* name : {"alone", "saved", "resumed", "cut"})
            std::filesystem::remove_all(folder + name);
        for (const char* trace : {".trace.vcd", ".trace.json"}) std::filesystem::remove(file.path() + trace);
    }
}

// What cannot be saved, or gone on from, is said in a line, before anything runs.
TEST(ResumeFile, IsRefusedByName) {
    const TemporaryFile file;
    const std::string traffic = "traffic torus:4x4 --cycles 3000 ";
    ASSERT_EQ(run(fmt::format("{} --checkpoint {} --every 1000", traffic, file.path())).code, 0);
    const std::string saved = file.text();
    const auto expect = [&](const std::string& text, std::string_view arguments, const char* why) {
        write_whole_file(file.path(), [&](std::ostream& out) { out << text; });
        const Outcome outcome =
            run_in_shell(fmt::format("{} {} --resume {}", INTERLACE_COMMAND, arguments, file.path()));
        EXPECT_EQ(outcome.code, 2) << why;
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(outcome.err, testing::HasSubstr(why));
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    };
    expect("cycle,from,to,flits\n", traffic, "it is not a checkpoint");
    expect("", traffic, "it is not a checkpoint");
    expect(saved.substr(0, saved.size() / 2), traffic, "it is damaged, or a part of one");
    std::string other = saved;
    other.back() = static_cast<char>(other.back() ^ 1);
    expect(other, traffic, "it is damaged, or a part of one");
    other = saved;
    other.insert(other.find("interlace ", 1) + 10, 1, '9');
    expect(other, traffic, "it was written by interlace 9");
    expect(saved, "traffic torus:4x4 --cycles 3000 --load 0.2",
           "another experiment: its traffic.load is 0.1, not 0.2");
    expect(saved, "broadcast torus:4x4 --engine native", "it is of another experiment");
    expect(saved, "traffic torus:4x4 --cycles 3000 --queue-use /dev/null",
           "its records.queue_use is false, not true");
    expect(saved, "traffic torus:4x4 --cycles 3000 --trace x.vcd --trace-nodes 3",
           "its records.waveform is null, not \"3\"");
}

/// Files beside the test's own.
class ResumeFolder : public testing::Test {
  protected:
    ~ResumeFolder() override { std::filesystem::remove_all(folder_); }
    const std::string folder_ = testing::TempDir() + "resumed" + std::to_string(::getpid()) + "/";
    bool made_ = std::filesystem::create_directories(folder_);
};

// Runs that save into one file leave each other, and files of similar names, alone.
TEST_F(ResumeFolder, IsSavedIntoByManyAtATime) {
    const std::string file = folder_ + "u.ck", mine = file + ".part";
    write_whole_file(mine, [](std::ostream& out) { out << "mine"; });
    const std::string traffic = fmt::format("{} traffic torus:4x4 --cycles 3000", INTERLACE_COMMAND);
    const std::string one = fmt::format("{} --checkpoint {} --every 10 >/dev/null", traffic, file);
    const Outcome outcome =
        run_in_shell(fmt::format("{0} & a=$!; {0} & b=$!; {0} & c=$!; wait $a && wait $b && wait $c", one));
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(result_of(run_in_shell(fmt::format("{} --json --resume {}", traffic, file))),
              result_of(run_in_shell(traffic + " --json")));
    EXPECT_EQ(read_whole_file(mine, "a file"), "mine");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2);
}

// A disk that is full while a run saves does not end it, and leaves what was saved before.
TEST_F(ResumeFolder, ThatIsFullIsANote) {
    const std::string file = folder_ + "ck";
    const std::string traffic = fmt::format("{} traffic torus:4x4 --cycles 3000 --json", INTERLACE_COMMAND);
    ASSERT_EQ(run_in_shell(fmt::format("{} --checkpoint {} --every 2000", traffic, file)).code, 0);
    const std::string before = read_whole_file(file, "a checkpoint");
    const nlohmann::json alone = result_of(run_in_shell(traffic));
    const Outcome outcome =  // files may have one block of 1024 bytes
        run_in_shell(fmt::format("(ulimit -f 1; exec {} --checkpoint {} --every 300)", traffic, file));
    EXPECT_EQ(result_of(outcome), alone);
    EXPECT_THAT(outcome.err, testing::HasSubstr("note: cannot save cycle 300 in '" + file + "'"));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(read_whole_file(file, "a checkpoint"), before);
    EXPECT_EQ(result_of(run_in_shell(fmt::format("{} --resume {}", traffic, file))), alone);
}

/// A checkpoint whose body is that of `text` with `change`, and whose fingerprint fits.
std::string forged(const std::string& text, const std::function<void(std::string&)>& change) {
    std::size_t at = 0;
    for (int lines = 0; lines < 4; ++lines) at = text.find('\n', at) + 1;
    const std::size_t experiment = text.rfind('\n', at - 2) + 1;
    std::uint64_t count = 0;
    std::memcpy(&count, text.data() + at, sizeof count);
    std::string body(count, '\0');
    uLongf size = count;
    const auto bytes = [](auto* characters) { return reinterpret_cast<Bytef*>(characters); };
    uncompress(bytes(body.data()), &size, reinterpret_cast<const Bytef*>(text.data() + at + sizeof count),
               text.size() - at - sizeof count);
    change(body);
    std::string deflated(compressBound(body.size()), '\0');
    size = deflated.size();
    compress2(bytes(deflated.data()), &size, bytes(body.data()), body.size(), Z_BEST_SPEED);
    deflated.resize(size);
    count = body.size();
    const std::string about = text.substr(experiment, at - experiment) +
                              std::string(reinterpret_cast<const char*>(&count), sizeof count) + deflated;
    const std::size_t print = text.rfind('\n', experiment - 2) + 1;
    return text.substr(0, print) + fingerprint(about) + "\n" + about;
}

// Whoever knows how can make a fingerprint fit: what is missing, or is more than there is, is refused.
TEST_F(ResumeFolder, WithAForgedFingerprintIsRefusedWhereItIsNotWhole) {
    const std::string file = folder_ + "ck";
    for (const char* arguments : {"traffic torus:4x4 --cycles 900 --load 0.3 --node bgl --packet-flits 8",
                                  "traffic torus:4x4 --cycles 900 --set node.switching=wormhole",
                                  "broadcast torus:4x4 --engine native --packets 64 --host bgl"}) {
        const std::string command = fmt::format("{} {}", INTERLACE_COMMAND, arguments);
        ASSERT_EQ(run_in_shell(fmt::format("{} --checkpoint {} --every 700", command, file)).code, 0);
        const std::string saved = read_whole_file(file, "a checkpoint");
        ASSERT_EQ(forged(saved, [](std::string&) {}), saved);
        const auto expect_damaged = [&](const std::string& text) {
            write_whole_file(file, [&](std::ostream& out) { out << text; });
            const Outcome outcome = run_in_shell(fmt::format("{} --resume {}", command, file));
            EXPECT_EQ(outcome.code, 2) << arguments << outcome.err;
            EXPECT_THAT(outcome.err, testing::HasSubstr("': it is damaged, or a part of one; expected"));
            EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        };
        for (std::size_t part = 0; part < 40; ++part)
            expect_damaged(forged(saved, [&](std::string& body) { body.resize(body.size() * part / 40); }));
        expect_damaged(forged(saved, [](std::string& body) { body.replace(0, 8, 8, '\xff'); }));  // a count
        expect_damaged(forged(saved, [](std::string& body) { body += '\0'; }));
    }
}

TEST(ResumeFile, RefusesWhatHasNoState) {
    for (const auto& [arguments, why] : {
             std::pair{"traffic torus:4x4 --checkpoint x", "--checkpoint without --every"},
             {"traffic torus:4x4 --every 7", "--every without --checkpoint"},
             {"traffic torus:4x4 --checkpoint /no/such/folder/x --every 7", "cannot write"},
             {"traffic torus:4x4 --resume /no/such/file", "cannot read"},
             {"broadcast torus:4x4 --checkpoint x --every 7", "--engine step"},
             {"broadcast cluster:figure1 --algorithm fnf --checkpoint x --every 7", "--checkpoint"},
         }) {
        const Outcome outcome = run_in_shell(fmt::format("{} {}", INTERLACE_COMMAND, arguments));
        EXPECT_EQ(outcome.code, 2) << arguments;
        EXPECT_THAT(outcome.err, testing::HasSubstr(why)) << arguments;
    }
}

}  // namespace
}  // namespace interlace
