// Interlace: files that go into the command and come out of it, and its flags, touched by another hand
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <tuple>
#include <vector>

#include "support/run_command.h"

namespace interlace {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// One line on stderr that begins with the command's name, nothing on stdout.
void expect_sentence(const std::string& arguments, const std::string& says, int code = 2) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << arguments << ": " << outcome.err;
    EXPECT_THAT(outcome.err, testing::StartsWith("interlace: ")) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(says)) << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << arguments << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
}

class Files : public testing::Test {
  protected:
    ~Files() override { fs::remove_all(folder_); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ + name) << text;
        return folder_ + name;
    }
    std::string read(const std::string& name) const {
        std::ifstream file(folder_ + name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    /// A file of results with two points.
    std::string results(const std::string& name) const {
        const std::string file = write("s.yaml",
                                       "schema: 1\nname: s\nexperiment: {network: torus:3, broadcast: {}}\n"
                                       "sweep: {broadcast.packets: [2, 3]}\n");
        EXPECT_EQ(run("sweep " + file + " -o '" + folder_ + name + "'").code, 0);
        return folder_ + name;
    }
    const std::string folder_ = testing::TempDir() + "files" + std::to_string(::getpid()) + "/";
    bool made_ = fs::create_directories(folder_);
};

TEST(Flags, AreDecimalNumbersInTheirRange) {
    const std::vector<std::string> commands = {"broadcast torus:4x4 --seed",
                                               "traffic torus:4x4 --seed",
                                               "alltoall cluster:figure1 --seed",
                                               "alltoall cluster:figure1 --root",
                                               "topology torus:4x4 --seed",
                                               "compare torus:4x4 mesh:4x4 --seed",
                                               "reproduce ibt table1 --seed",
                                               "broadcast torus:4x4 --packets",
                                               "traffic torus:4x4 --cycles",
                                               "traffic torus:4x4 --packet-flits",
                                               "multicast cluster:hnow --sources",
                                               "multicast cluster:hnow --destinations",
                                               "generate broadcast cluster:hnow -o x.c --source"};
    for (const std::string& command : commands)
        for (const char* value :
             {"=-1", "=99999999999999999999999", " ''", "=010", "=0x10", "=1.0", "=x", "=' 1'"})
            expect_sentence(command + value, "a whole number from ");
    for (const char* command :
         {"traffic torus:4x4 --burst", "traffic torus:4x4 --burst-load",
          "broadcast torus:4x4 --engine native --background", "multicast cluster:hnow --tini"})
        for (const char* value : {"=inf", "=nan", "=-inf", "=1e999", " ''", "=x"})
            expect_sentence(std::string(command) + value, "expected a number");
    EXPECT_EQ(run("topology torus:4x4 --seed 18446744073709551615").code, 0);
}

TEST(Flags, SayWhatALoadMayBe) {
    for (const char* load : {"17", "0", "-1", "8.1"})
        expect_sentence(std::string("traffic torus:4x4 --packet-flits 8 --load ") + load,
                        "expected more than 0 and at most 8: one packet per node and cycle");
}

TEST(Flags, SayWhatMayBeMeant) {
    expect_sentence("topology tours:8x8", "cannot use kind 'tours' (did you mean torus?)");
    expect_sentence("traffic torus:8x8 --pattern unifrom", "(did you mean uniform?)");
    expect_sentence("traffic torus:8x8 --pattern trcae:x.csv", "(did you mean trace?)");
    expect_sentence("traffic torus:8x8 --pattern storm", "permutation:FILE.csv or trace:FILE.csv");
    expect_sentence("traffic torus:8x8 --node widee", "(did you mean wide?)");
    expect_sentence("broadcast torus:8x8 --algorithm optimla", "(did you mean optimal?)");
}

// As spreadsheets save "CSV UTF-8", and with a byte order mark of any other text.
TEST_F(Files, MayBeginWithAByteOrderMark) {
    const std::string mark = "\xef\xbb\xbf";
    const std::string graph = "from,to\n0,1\n1,0\n", trace = "cycle,from,to,flits\n0,0,1,4\n";
    const std::string goal =
        "num_ranks 2\nrank 0 {\n  l1: send 1000b to 1 tag 0\n}\nrank 1 {\n  l1: recv 1000b from 0 tag 0\n}\n";
    const std::string yaml = "schema: 1\nnetwork: torus:3\nbroadcast: {}\n";
    for (const auto& [arguments, name, text] : std::vector<std::tuple<std::string, std::string, std::string>>{
             {"topology --json graph:", "g.csv", graph},
             {"traffic mesh:4 --json --pattern trace:", "t.csv", trace},
             {"replay cluster:figure1 --json --goal ", "p.goal", goal},
             {"run ", "x.yaml", yaml}}) {
        const Outcome without = run(arguments + write(name, text));
        const Outcome with = run(arguments + write(name, mark + text));
        EXPECT_EQ(with.code, 0) << with.err;
        const auto result = [](const std::string& out) { return out.substr(0, out.find("router_cycles")); };
        EXPECT_EQ(result(with.out), result(without.out)) << arguments;
    }
}

TEST_F(Files, OfExperimentsSayWhatIsWrongOnOneLine) {
    for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
             {"event: &a {frame: *a}\n", ":4: an alias is inside its own value"},
             {"network: torus:4x4\n", ":4: network: duplicate key"},
             {"---\nschema: 1\n", ":4: there is a second document"}}) {
        const std::string file =
            write("x.yaml", "schema: 1\nnetwork: cluster:figure1\nalltoall: {}\n" + text);
        expect_sentence("run " + file, file + says);
    }
    for (const char* section : {"node", "links", "host"}) {
        const std::string file = write("base.yaml", "base: " + folder_ + "base.yaml\n");
        expect_sentence(std::string("broadcast torus:4x4 --engine native --") + section + " " + file,
                        "of itself; expected bases that end");
    }
}

// Of an experiment's file, each refusal names the file, the line and the key, whatever finds it: reading, or
// the run.
TEST_F(Files, RefusalsNameFileLineAndKey) {
    const auto expect_place = [&](const std::string& text, const std::string& place) {
        const std::string file = write("x.yaml", text);
        expect_sentence("run " + file, "interlace: " + file + place);
    };
    const std::string broadcast = "schema: 1\nnetwork: torus:4x4\nbroadcast:\n  packets: 2\n";
    for (const auto& [line, key] :
         std::vector<std::pair<std::string, std::string>>{{"  algorithm: fastest\n", "algorithm"},
                                                          {"  group: circle\n", "group"},
                                                          {"  group: nodes:99\n", "group"},
                                                          {"  axes: q\n", "axes"},
                                                          {"  source: 99\n", "source"},
                                                          {"  pattern: 16\n", "pattern"},
                                                          {"  source: \"a\\nb\"\n", "source"},
                                                          {"engine: fpga\n", "engine"},
                                                          {"pace: fast\n", "pace"},
                                                          {"forwarding: pigeon\n", "forwarding"},
                                                          {"lockstep: vhdl\n", "lockstep"},
                                                          {"seeds: 3x\n", "seeds"},
                                                          {"background: {load: 0.1}\n", "background"}})
        expect_place(broadcast + line, ":5: " + key + ": ");
    for (const auto& [line, key] : std::vector<std::pair<std::string, std::string>>{
             {"pace: fast\n", "pace"},
             {"forwarding: pigeon\n", "forwarding"},
             {"lockstep: vhdl\n", "lockstep"},
             {"rtl_nodes: 0,99\n", "rtl_nodes"},
             {"node: {reception_queues: 3}\n", "node"},
             {"background: {load: 0.1, pattern: storm}\n", "background"}})
        expect_place(broadcast + "engine: native\n" + line, ":6: " + key + ": ");
    for (const char* network :
         {"torus:0x2", "torus:4xx", "thing", "graph:/nowhere", "cluster:nowhere", "cluster:/nowhere.yaml",
          "{kind: ibt, size: 8x8, bypass: 3}", "{kind: cluster, file: figure1, link: {rate_mbps: -1}}"})
        for (const char* section : {"broadcast", "alltoall"})
            expect_place("schema: 1\n" + std::string(section) + ": {}\nnetwork: " + network + "\n",
                         std::string(network).find("rate") == std::string::npos ? ":3: network: "
                         : section == std::string("alltoall") ? ":3: rate_mbps: cannot use value -1"
                                                              : ":3: network: ");
    expect_place("schema: 1\nnetwork: torus:4x4\ntraffic:\n  pattern: storm\n", ":4: pattern: ");
    expect_place("schema: 1\nnetwork: torus:4x4\ntraffic: {}\nengine: step\n", ":4: engine: ");
    const std::string alltoall = "schema: 1\nnetwork: cluster:figure1\nalltoall: {}\n";
    for (const auto& [line, place] : std::vector<std::pair<std::string, std::string>>{
             {"tree: bush\n", ":4: tree: "},
             {"root: 99\n", ":4: root: "},
             {"routing: by_car\n", ":4: routing: "},
             {"engine: fpga\n", ":4: engine: "},
             {"lockstep: rtl\n", ":4: lockstep: "},
             {"event:\n  frame: {mtu: 0}\n", ":5: mtu: cannot use value '0'; expected "},
             {"event:\n  frame: 7\n", ":5: frame: this is not a mapping"},
             {"event:\n  farme: {mtu: 7}\n", ":5: "},
             {"event:\n  switch:\n    capacity: x\n", ":6: capacity: cannot use value 'x'; expected "},
             {"event: {other_switches: [{switches: [0], capacity: x}]}\n", ":4: other_switches: capacity: "}})
        expect_place(alltoall + line, place);
    expect_place("schema: 1\nnetwork: cluster:figure1\nalltoall:\n  algorithm: fastest\n", ":4: algorithm: ");
    expect_place("schema: 1\nnetwork: cluster:figure1\nalltoall:\n  sync: never\n", ":4: sync: ");
    expect_place("schema: 1\nnetwork: cluster:figure1\nallgather:\n  algorithm: lr4\n", ":4: algorithm: ");
    expect_place("schema: 1\nnetwork: cluster:figure1\nmulticast:\n  sources: [99]\n", ":4: sources: ");
    expect_place("schema: 1\nnetwork: cluster:figure1\nmulticast:\n  destinations: [99]\n",
                 ":4: destinations: ");
    // What --set gives is named as that.
    const std::string file = write("x.yaml", broadcast);
    expect_sentence("run " + file + " --set engine=fpga", "interlace: --set engine=fpga: engine: ");
}

// A device may never end, a directory has no text, and 3^16 nodes have more links than memory holds.
TEST_F(Files, ThatAreNoneEndAtOnce) {
    const auto start = std::chrono::steady_clock::now();
    for (const std::string& path : {std::string("/dev/zero"), folder_}) {
        const std::string says = path == folder_ ? "is a directory" : "is a device";
        for (const char* command :
             {"topology graph:", "run ", "sweep ", "size ", "report --json ",
              "alltoall cluster:", "replay cluster:figure1 --goal ", "check torus:4x4 --schedule ",
              "traffic torus:4x4 --pattern trace:", "traffic torus:4x4 --pattern permutation:",
              "broadcast torus:4x4 --engine native --node "})
            expect_sentence(command + path, says);
        expect_sentence("results " + path, "cannot read '" + path);
    }
    std::string sizes = "3";
    for (int i = 1; i < 16; ++i) sizes += "x3";
    expect_sentence("topology torus:" + sizes, "1377495072 links; expected at most 2^30");  // 32 x 3^16
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
    EXPECT_LT(all.count(), 20);
}

TEST_F(Files, AFullDiskIsAnError) {
    results("k.db");
    for (const std::string& command :
         {std::string("topology torus:4x4 --json"), std::string("topology torus:4x4"),
          std::string("broadcast torus:16x16 --details --json"),  // more than a buffer
          std::string("--help"), std::string("--version"), "results " + folder_ + "k.db",
          std::string("reproduce ibt table1")})
        expect_sentence(command + " > /dev/full", "cannot write all of it to the standard output", 1);
    expect_sentence("results " + folder_ + "k.db -o /dev/full", "cannot write '/dev/full'");
}

TEST_F(Files, ThatAreReadAreNotWrittenOver) {
    const std::string db = results("k.db");
    const std::string before = read("k.db");
    fs::create_symlink(db, folder_ + "link.db");
    for (const std::string& other : {db, folder_ + "link.db", folder_ + "./k.db"})
        for (const char* command : {"results ", "report "})
            expect_sentence(command + db + " -o " + other, "which is read; expected a file of its own");
    EXPECT_EQ(read("k.db"), before);
    const std::string graph = write("g.csv", "from,to\n0,1\n1,0\n");
    const std::string file = write("g.yaml", "schema: 1\nnetwork: graph:" + graph + "\nbroadcast: {}\n");
    for (const char* flag : {"--write-schedule", "--link-use"}) {
        expect_sentence("run " + file + " " + flag + " " + file, "which is read");
        expect_sentence("run " + file + " " + flag + " " + graph, "which is read");
        expect_sentence("broadcast graph:" + graph + " " + flag + " " + graph, "which is read");
    }
    const std::string node = write("n.yaml", "base: bgl\n");
    for (const char* flag : {"--trace", "--packet-log", "--queue-use"}) {
        expect_sentence("broadcast torus:3 --engine native --node " + node + " " + flag + " " + node,
                        "which is read");
        expect_sentence("traffic graph:" + graph + " " + flag + " " + graph, "which is read");
    }
    EXPECT_EQ(read("g.csv"), "from,to\n0,1\n1,0\n");
    EXPECT_EQ(read("n.yaml"), "base: bgl\n");
    // Two outputs, one file.
    const std::string out = folder_ + "out";
    expect_sentence("broadcast torus:3 --write-schedule " + out + " --link-use " + out,
                    "--write-schedule writes, too");
    expect_sentence("traffic torus:3 --packet-log " + out + " --queue-use " + folder_ + "./out",
                    "--packet-log writes, too");
    expect_sentence("generate allgather cluster:figure1 -o " + out + " --goal " + out, "-o writes, too");
    EXPECT_FALSE(fs::exists(out));
    EXPECT_EQ(run("broadcast torus:3 --write-schedule /dev/null --link-use /dev/null").code, 0);
}

TEST_F(Files, OfASweepAreWhereTheySayThatTheyAre) {
    const std::string file =
        write("s.yaml", "schema: 1\nname: s\nexperiment: {network: torus:3, broadcast: {}}\n");
    const std::string here = fs::current_path().string();
    fs::current_path(folder_);
    EXPECT_EQ(run("sweep " + file + " -o :memory:").code, 0);
    EXPECT_THAT(run("results :memory: --csv").out, HasSubstr("0,done"));
    fs::current_path(here);
    EXPECT_TRUE(fs::exists(folder_ + ":memory:"));
}

// A folder that cannot be written to has room for none of the files that SQLite would make beside this one.
// A file makes another point when it has changed, and is another experiment's, whatever its name.
TEST_F(Files, WithColonsInTheirNamesAreSeenToChange) {
    const std::string trace = write("run_10:30.csv", "cycle,from,to,flits\n0,0,1,8\n");
    const std::string schedule = write("a:b.csv", "step,from,to,packet\n1,0,1,0\n2,0,2,0\n");
    const std::string sweep =
        write("s.yaml", "schema: 1\nname: s\nexperiment: {network: torus:3, broadcast: {packets: 1}}\n" +
                            ("sweep: {broadcast.schedule: ['" + schedule + "']}\n"));
    const std::string db = folder_ + "s.db", checkpoint = folder_ + "ck";
    const std::string traffic = "traffic torus:4x4 --pattern trace:" + trace;
    EXPECT_THAT(run("sweep " + sweep + " -o " + db).out, HasSubstr("1 computed"));
    EXPECT_THAT(run("sweep " + sweep + " -o " + db).out, HasSubstr("0 computed"));
    EXPECT_EQ(run(traffic + " --checkpoint " + checkpoint + " --every 3").code, 0);
    write("run_10:30.csv", "cycle,from,to,flits\n0,0,2,8\n");
    write("a:b.csv", "step,from,to,packet\n1,0,1,0\n1,0,2,0\n");
    EXPECT_THAT(run("sweep " + sweep + " -o " + db).out, HasSubstr("1 computed"));
    EXPECT_EQ(run("results " + db + " --columns steps --csv").out, "steps\n1\n");
    expect_sentence(traffic + " --resume " + checkpoint, "it is of another experiment: its files.");
}

// Bash's <(...) is one. A run reads its files once, under all of its seeds; who needs them again refuses it.
TEST_F(Files, ThatArePipesAreReadOnceOrRefused) {
    const std::string trace = write("t.csv", "cycle,from,to,flits\n0,0,1,8\n1,3,2,8\n");
    const std::string pairs = write("p.csv", "from,to\n0,1\n5,2\n");
    const std::string pipe = folder_ + "pipe", by_pipe = "& cat ", end = " > " + pipe + "; wait";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const auto& [arguments, file] :
         {std::pair{"traffic torus:4x4 --host bgl --set host.jitter_cycles=9 --pattern trace:", trace},
          {"traffic torus:4x4 --seeds 30 --warmup 9 --cycles 99 --pattern permutation:", pairs}}) {
        const std::string piped = std::string(INTERLACE_COMMAND) + " " + arguments + pipe + " --json ";
        const Outcome outcome = run_in_shell(piped + by_pipe + file + end);
        EXPECT_EQ(outcome.err, "");
        EXPECT_THAT(outcome.out, HasSubstr("\"runs\": 30")) << outcome.out;
    }
    const std::string is_a_pipe = "'" + pipe + "' is a pipe, which can be read only once";
    const std::string traffic = "traffic torus:4x4 --pattern trace:" + pipe;
    expect_sentence(traffic + " --checkpoint " + folder_ + "ck --every 3", is_a_pipe);
    expect_sentence("allgather cluster:" + pipe, is_a_pipe);
    const std::string sweep =
        write("s.yaml", "schema: 1\nexperiment: {network: torus:4x4, traffic: {pattern: 'trace:" + pipe +
                            "'}}\nsweep: {node.vc_depth: [16, 32]}\n");
    expect_sentence("sweep " + sweep + " -o " + folder_ + "s.db", is_a_pipe);
    EXPECT_FALSE(fs::exists(folder_ + "s.db"));
}

TEST_F(Files, OfResultsAreReadWhereNothingCanBeWritten) {
    results("k 1%.db");
    const std::string as_other =
        ::geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
    if (!as_other.empty() && std::system((as_other + "test -x " INTERLACE_COMMAND).c_str()) != 0)
        GTEST_SKIP() << "no other user can run the command here";
    ::chmod((folder_ + "k 1%.db").c_str(), 0444);
    ::chmod(folder_.c_str(), 0555);
    const TemporaryFile said;
    const int code = std::system(
        (as_other + INTERLACE_COMMAND " results '" + folder_ + "k 1%.db' --csv > " + said.path() + " 2>&1")
            .c_str());
    ::chmod(folder_.c_str(), 0755);
    std::ifstream file(said.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(code, 0) << text;
    EXPECT_THAT(text, HasSubstr("1,3,done"));
}

TEST_F(Files, OfResultsTakeAnyConditionAndSql) {
    const std::string db = results("k.db");
    for (const char* value : {"nan", "inf", "-inf", "1e999", "\"'\"", "'x;y'"})
        EXPECT_EQ(run("results " + db + " --csv --where steps=" + value).code, 0) << value;
    EXPECT_THAT(run("results " + db + " --csv --where 'broadcast.packets>=3'").out, HasSubstr("1,3,done"));
    for (const char* form : {"", " --csv", " --jsonl"}) {
        expect_sentence("results " + db + " --sql \"SELECT x'fffe'\"" + form, "a blob; expected");
        expect_sentence("results " + db + " --sql \"SELECT CAST(x'fffe' AS TEXT)\"" + form, "no UTF-8");
        expect_sentence("results " + db + " --sql 'SELECT 9e999'" + form, "an infinite number");
        for (const char* sql : {"nonsense", "SELECT * FROM nowhere", "DELETE FROM point", "SELECT json(1x)"})
            expect_sentence("results " + db + " --sql '" + sql + "'" + form, "--sql: ");
    }
    expect_sentence("report " + db + " --json --title '\xff'", "the title; expected UTF-8");
    EXPECT_EQ(run("topology 'graph:" + write("\xff.csv", "from,to\n0,1\n1,0\n") + "' --json").code, 0);
}

// A limit of the system, whatever needs it first, is no fault of ours.
TEST_F(Files, LimitsOfTheSystemAreNamed) {
    const std::string sweep =
        write("s.yaml",
              "schema: 1\nname: s\nexperiment: {network: torus:3, broadcast: {}}\nsweep: {seed: [1, 2]}\n");
    const auto limited = [&](const std::string& limit, const std::string& arguments) {
        return run_in_shell("(ulimit " + limit + "; " INTERLACE_COMMAND " " + arguments + ")");
    };
#ifndef __SANITIZE_ADDRESS__  // with the sanitizers comes one that opens a pipe to check an object's type
    int refused = 0;
    for (int files = 4; files <= 12; ++files)
        for (const std::string& arguments :
             {"sweep " + sweep + " -o " + folder_ + "n.db", "run " + sweep, std::string("--version")}) {
            const Outcome outcome = limited("-n " + std::to_string(files), arguments);
            EXPECT_THAT(outcome.err, testing::Not(HasSubstr("a fault of interlace"))) << files << arguments;
            if (outcome.err.find("Too many open files; expected a higher limit on open files (ulimit -n)") !=
                std::string::npos)
                ++refused;
        }
    EXPECT_GE(refused, 3);
#endif
    const Outcome outcome = limited("-f 8", "traffic torus:8x8 --packet-log " + folder_ + "big.csv");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              "interlace: cannot write '" + folder_ +
                  "big.csv': File too large; expected a higher limit on file sizes (ulimit -f), or "
                  "a shorter file\n");
    EXPECT_FALSE(fs::exists(folder_ + "big.csv"));
}

// Of a text of 10 MB the beginning and the end are shown, wherever it stands.
TEST_F(Files, LongTextsAreCutInRefusals) {
    const std::string text(10'000'000, 'x');
    const std::string tail = write("x.yaml", "schema: 1\nnetwork: " + text + "\ntraffic: {}\n");
    for (const std::string& arguments :
         {"topology graph:" + write("x.csv", text), "run " + tail,
          "run " + write("key.yaml", "schema: 1\nnetwork: torus:4x4\ntraffic: {" + text + ": 1}\n"),
          "replay cluster:figure1 --goal " + write("x.goal", text),
          "report " + write("x.json", "\"" + text)}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 2) << arguments;
        EXPECT_LT(outcome.err.size(), 10'000U) << arguments;
    }
}

// A run that fails or is ended while it traces.
TEST_F(Files, NoneIsLeftHalfWritten) {
    const std::string file = folder_ + "t.vcd";
    // 100,000 packets over one link of a ring of three: hours, of which a moment is traced.
    EXPECT_EQ(run("x 2>/dev/null; timeout -s TERM 1 " INTERLACE_COMMAND
                  " broadcast torus:3 --packets 1000000 --engine native --trace " +
                  file + " >/dev/null")
                  .code,
              124);
    EXPECT_EQ(run("x 2>/dev/null; (ulimit -f 100; " INTERLACE_COMMAND
                  " broadcast torus:8x8 --packets 64 --engine native --packet-log " +
                  file + " >/dev/null)")
                  .code,
              2);
    EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace interlace
