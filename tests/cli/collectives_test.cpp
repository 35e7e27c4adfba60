// Interlace: collectives over all links, as users see them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "msccl_replay.h"
#include "support/json_of_command.h"
#include "support/run_command.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

using testing::HasSubstr;

// 63 packets by five links (a bypass of half a ring is one link); 48 nodes of which 12 times 4 hops go by two
// links.
TEST(CollectiveCommands, PrintStepsAndBound) {
    const auto gather = json("allgather ibt:8x8:b=4");
    EXPECT_EQ(gather["steps"], 13);
    EXPECT_EQ(gather["lower_bound"], 13);
    EXPECT_EQ(gather["lower_bound_kind"], "degree");
    EXPECT_EQ(gather["gap"], 0);
    EXPECT_EQ(gather["packets"], 64);
    EXPECT_EQ(gather["sends"], 64 * 63);
    EXPECT_NEAR(gather["link_utilisation"], 64.0 * 63 / 320 / 13, 1e-12);
    const auto exchange = json("alltoall torus:4x4x3");
    EXPECT_EQ(exchange["steps"], 24);
    EXPECT_EQ(exchange["lower_bound"], 24);
    EXPECT_EQ(exchange["lower_bound_kind"], "links");
    EXPECT_EQ(exchange["packets"], 48 * 48);
    const auto routed = json("alltoall ibt:16x16:b=4");
    EXPECT_EQ(routed["steps"], 179);
    EXPECT_EQ(routed["lower_bound"], 179);
    EXPECT_EQ(routed["lower_bound_kind"], "lengths");
    EXPECT_EQ(json("reducescatter torus:8x8")["steps"], 16);
    // 2 x 63 x 64 packets over 256 links are 31.5 steps; a reduce-scatter and an all-gather take 16 each.
    const auto reduce = json("allreduce torus:8x8");
    EXPECT_EQ(reduce["steps"], 32);
    EXPECT_EQ(reduce["lower_bound"], 32);
    EXPECT_EQ(reduce["lower_bound_kind"], "sends");
    EXPECT_EQ(reduce["sends"], 2 * 63 * 64);
    // A broadcast of four packets on links that go both ways; 15 packets by three links; 4 + 4 links apart.
    const auto at_root = json("reduce torus:8x8 --chunks 4 --root 9");
    EXPECT_EQ(at_root["steps"], 8);
    EXPECT_EQ(at_root["packets"], 4);
    EXPECT_EQ(at_root["sends"], 4 * 63);
    EXPECT_EQ(at_root["gap"], 0);
    EXPECT_EQ(json("scatter mesh:4x4 --root 8")["steps"], 5);
    EXPECT_EQ(json("gather mesh:4x4 --root 8")["lower_bound_kind"], "degree");
    EXPECT_EQ(json("barrier torus:8x8")["steps"], 8);
    EXPECT_THAT(run("allgather mesh:3x3 --chunks 2").out, HasSubstr("met: proven optimal"));
}

/// check has no --algorithm.
std::string without_algorithm(std::string arguments) {
    const std::size_t flag = arguments.find(" --algorithm ");
    if (flag == std::string::npos) return arguments;
    const std::size_t next = arguments.find(" --", flag + 1);
    return arguments.erase(flag, next == std::string::npos ? next : next - flag);
}

/// What `check` says of the schedule that the command writes, after a change of its text.
Outcome checked(const std::string& collective, const std::string& arguments, const std::string& from = "",
                const std::string& to = "") {
    const TemporaryFile file;
    EXPECT_EQ(run(collective + " " + arguments + " --write-schedule " + file.path()).code, 0);
    std::string text = file.text();
    if (!from.empty()) {
        EXPECT_NE(text.find(from), std::string::npos) << text;
        text.replace(text.find(from), from.size(), to);
    }
    const TemporaryFile changed(text);
    const std::string known = without_algorithm(arguments);
    return run("check " + known + " --collective " + collective + " --schedule " + changed.path());
}

TEST(CollectiveCommands, WriteSchedulesThatCheckProves) {
    for (const auto& [collective, arguments] :
         {std::pair{"allgather", "torus:4x3 --chunks 3"},
          {"allgather", "ibt:4x4:b=2"},
          {"allgather", "mesh:3x3"},
          {"reducescatter", "torus:4x3 --chunks 2"},
          {"allreduce", "ibt:4x4:b=2"},
          {"allreduce", "mesh:3x3"},
          {"alltoall", "torus:5x3"},
          {"alltoall", "torus:4 --chunks 2"},
          {"reduce", "torus:4x3 --chunks 3 --root 5"},
          {"reduce", "mesh:5 --chunks 2"},
          {"scatter", "ibt:4x4:b=2 --root 1"},
          {"gather", "mesh:3x3 --chunks 2 --root 8"},
          {"barrier", "mesh:4x3"},
          {"alltoall", "torus:4x3"},
          {"alltoall", "ibt:4x4:b=2 --chunks 2"},
          {"alltoall", "mesh:3x4x3"},
          {"allgather", "torus:4x4 --chunks 4 --algorithm swing"},
          {"allreduce", "torus:5x3 --chunks 4 --algorithm swing"},
          {"reducescatter", "torus:4x4 --chunks 2 --algorithm ring"},
          {"allreduce", "torus:8x4 --chunks 4 --algorithm swing_vectors"},
          {"allreduce", "ibt:4x4:b=2 --chunks 4 --algorithm swing"},
          {"alltoall", "torus:5x3 --algorithm two_phase"},
          {"reduce", "mesh:5 --chunks 2 --algorithm binomial --root 3"},
          {"gather", "torus:4x4 --algorithm bine"},
          {"barrier", "mesh:4x3 --algorithm dissemination"}}) {
        const Outcome outcome = checked(collective, arguments);
        EXPECT_EQ(outcome.code, 0) << arguments << outcome.out << outcome.err;
        EXPECT_THAT(outcome.out, testing::StartsWith("valid"));
    }
}

// As many messages as sends; in the time of one link each, as machines of the torus's spanning tree see them.
TEST(CollectiveCommands, WriteGoalThatReplayRuns) {
    for (const auto& [arguments, sends] : {std::pair{"allgather torus:3x3", 72},
                                           {"allreduce torus:4x4 --algorithm swing", 2 * 15 * 16 * 4},
                                           {"reduce mesh:3x3", 8},
                                           {"alltoall torus:3", 6},
                                           {"barrier torus:3x3 --algorithm dissemination", 0}}) {
        const TemporaryFile goal;
        const bool barrier = std::string(arguments).starts_with("barrier");
        ASSERT_EQ(
            run(std::string(arguments) + (barrier ? "" : " --message 9000") + " --goal " + goal.path()).code,
            0);
        const std::string text = goal.text();
        int count = 0;
        for (std::size_t at = text.find(": send "); at != std::string::npos;
             at = text.find(": send ", at + 1))
            ++count;
        if (!barrier) {
            EXPECT_EQ(count, sends) << arguments;
        }
        const std::string network = std::string(arguments).substr(std::string(arguments).find(' ') + 1);
        EXPECT_GT(
            json("replay " + network.substr(0, network.find(' ')) + " --goal " + goal.path())["seconds"], 0);
    }
    const Outcome without = run("allgather torus:3x3 --goal x.goal");
    EXPECT_EQ(without.code, 2);
    EXPECT_THAT(without.err, HasSubstr("messages have no size; expected --message BYTES"));
}

// The lengths prove 179 packets over the fullest link of the iBT, and 24 over that of the torus.
TEST(CollectiveCommands, WriteCertificatesThatCheckProves) {
    for (const auto& [network, bound] :
         {std::pair{"ibt:16x16:b=4", 179}, {"torus:4x4x3", 24}, {"torus:3", 1}}) {
        const TemporaryFile file;
        const std::string exchange = std::string("alltoall ") + network + " --write-certificate ";
        EXPECT_EQ(run(exchange + file.path()).code, 0);
        const auto checked = json(std::string("check ") + network + " --capacity " + file.path());
        EXPECT_TRUE(checked["valid"].get<bool>());
        EXPECT_NEAR(checked["lower_bound"].get<double>(), bound, 1e-9);
    }
}

// Cuts over time, with the numbers that the commands print.
TEST(CollectiveCommands, WriteCutsThatProveTheirBounds) {
    for (const char* arguments :
         {"allgather torus:8x8", "allgather mesh:7x3 --chunks 3", "allgather torus:4x4:twist=2",
          "reducescatter ibt:8x8:b=4", "reducescatter mesh:5 --chunks 2", "alltoall torus:3",
          "reduce mesh:4x4 --root 5 --chunks 4", "reduce torus:4x4 --chunks 3", "scatter mesh:7x3 --root 3",
          "gather ibt:16x16:b=4 --chunks 2", "barrier torus:8x8", "barrier mesh:4x3", "allreduce torus:4x4",
          "allreduce mesh:7 --chunks 2", "allreduce torus:4x4 --chunks 4 --algorithm swing"}) {
        SCOPED_TRACE(arguments);
        const TemporaryFile file;
        const auto result = json(std::string(arguments) + " --write-certificate " + file.path());
        std::string network = result["network"];
        if (std::string(arguments).starts_with("alltoall")) {
            EXPECT_NE(result["lower_bound_kind"], "diameter");
            continue;
        }
        const auto checked = json("check " + network + " --certificate " + file.path());
        EXPECT_TRUE(checked["valid"].get<bool>());
        EXPECT_EQ(checked["lower_bound"], result["lower_bound"]);
        EXPECT_GT(checked["packets_needed"], checked["packets_crossing"]);
    }
}

TEST(CollectiveCommands, RefuseCutsThatProveNothing) {
    const auto checked = [](const char* arguments, const char* network, const auto& change) {
        const TemporaryFile file;
        EXPECT_EQ(run(std::string(arguments) + " --write-certificate " + file.path()).code, 0);
        auto certificate = nlohmann::json::parse(std::ifstream(file.path()));
        change(certificate);
        std::ofstream(file.path()) << certificate;
        return run(std::string("check ") + network + " --certificate " + file.path());
    };
    // All 15 others stay behind the links of node 0 to the end of three steps, in which 12 packets cross
    // these. With node 1 before the cut 9 do, and 2 each over its own three other links.
    const Outcome less =
        checked("scatter torus:4x4", "torus:4x4", [](nlohmann::json& c) { c["times"][1] = 1; });
    EXPECT_EQ(less.code, 1);
    EXPECT_THAT(less.out, HasSubstr("packets can cross the cut in 3 steps"));
    EXPECT_THAT(checked("scatter torus:4x4", "torus:4x4", [](nlohmann::json& c) { c["packets"] = 2; }).out,
                HasSubstr("2 packets are more than the 1 of a scatter"));
    EXPECT_THAT(
        checked("scatter torus:4x4", "torus:4x4", [](nlohmann::json& c) { c["direction"] = "to"; }).out,
        HasSubstr("packets of a scatter leave node 0"));
    EXPECT_THAT(checked("allgather torus:4x4", "torus:4x4",
                        [](nlohmann::json& c) { c["collective"] = "reducescatter"; })
                    .out,
                HasSubstr("no packets to a node from each other are needed in a reducescatter"));
    EXPECT_THAT(checked("barrier torus:4x4", "ibt:4x4:b=2", [](nlohmann::json&) {}).out,
                HasSubstr("not valid"));
    const Outcome other = checked("barrier torus:4x4", "torus:4x5", [](nlohmann::json&) {});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("there are 16 times; expected 20, one of each node of torus:4x5"));
    EXPECT_THAT(
        checked("barrier torus:4x4", "torus:4x4", [](nlohmann::json& c) { c["collective"] = "x"; }).err,
        HasSubstr(":1: collective: cannot use collective 'x'"));
    // A node less by itself: 28 packets of each sum between 15 parts, over 62 links in 7 steps.
    EXPECT_THAT(checked("allreduce torus:4x4", "torus:4x4", [](nlohmann::json& c) { c["parts"][1] = 0; }).out,
                HasSubstr("proven: in 7 steps 434 of 448 packets can go between the parts"));
    EXPECT_THAT(checked("allreduce torus:4x4", "torus:4x4",
                        [](nlohmann::json& c) { c["collective"] = "reducescatter"; })
                    .out,
                HasSubstr("parts are of an allreduce, not of a reducescatter"));
    EXPECT_THAT(checked("allreduce torus:4x4", "torus:4x5", [](nlohmann::json&) {}).err,
                HasSubstr("there are 16 parts; expected 20, one of each node of torus:4x5"));
    EXPECT_THAT(run("check torus:4x4 --certificate x.json --chunks 2").err, HasSubstr("with --certificate"));
    EXPECT_THAT(run("check cluster:figure1 --certificate x.json").err,
                HasSubstr("cluster:figure1, which has switches"));
}

// The first rows send the packets of node 0 from there to its neighbours.
TEST(CollectiveCommands, NameTheFirstWrongRow) {
    const Outcome lost = checked("allgather", "torus:3x3", "1,0,1,0\n", "");
    EXPECT_EQ(lost.code, 1);
    EXPECT_THAT(lost.out, HasSubstr("which it does not hold"));
    const Outcome twice = checked("allgather", "torus:3x3", "1,0,1,0\n", "1,0,1,0\n1,0,1,0\n");
    EXPECT_EQ(twice.code, 1);
    EXPECT_THAT(twice.out, HasSubstr("the link from node 0 to node 1 carries two packets, as in line 2"));
    EXPECT_EQ(checked("alltoall", "torus:3x3", "1,0,1,1\n", "").code, 1);
    const Outcome operation = checked("allreduce", "torus:3x3", "reduce", "add");
    EXPECT_EQ(operation.code, 2);
    EXPECT_THAT(operation.err, HasSubstr("op: cannot use value 'add'; expected send or reduce"));
    EXPECT_EQ(checked("allreduce", "torus:3x3", ",send", ",reduce").code, 1);
    const Outcome other_round =
        checked("allreduce", "torus:8 --chunks 2 --algorithm swing", ",reduce,1,", ",reduce,0,");
    EXPECT_EQ(other_round.code, 1);
    EXPECT_THAT(other_round.out, HasSubstr("ends without the contribution of node 2 to packet 1"));
}

TEST(CollectiveCommands, AreKindsOfExperiments) {
    const TemporaryFile file("schema: 1\nnetwork: torus:4\nallgather: {chunks: 3}\n");
    const auto result = nlohmann::json::parse(run("run " + file.path() + " --json").out);
    EXPECT_EQ(result["steps"], 5);  // 9 packets by two links
    EXPECT_EQ(result["experiment"]["allgather"]["algorithm"], "optimal");
}

// One edge from a to b, one way; node c has none.
TEST(CollectiveCommands, NeedLinksOfAllNodes) {
    const TemporaryFile name;
    const std::string file = name.path() + ".graphml";
    std::ofstream(file) << "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>"
                           "<node id=\"c\"/><edge source=\"a\" target=\"b\"/></graph></graphml>";
    for (const char* collective : {"gather", "reduce", "reducescatter"}) {
        const Outcome outcome = run(std::string(collective) + " graph:" + file);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, HasSubstr("node 2 has no links")) << collective;
    }
    std::filesystem::remove(file);
}

// A leaf of 60 gets 60 packets by one link.
TEST(CollectiveCommands, ExchangeOverAStarInTurns) {
    std::string links = "from,to\n";
    for (int leaf = 1; leaf <= 60; ++leaf)
        links += "0," + std::to_string(leaf) + "\n" + std::to_string(leaf) + ",0\n";
    const TemporaryFile file(links);
    const auto exchange = json("alltoall graph:" + file.path());
    EXPECT_EQ(exchange["lower_bound"], 60);
    EXPECT_LE(exchange["steps"], 63);  // within 5%
}

// In 14 rounds of buckets on 8x8 a node sends 63 packets a chunk, which is what comes to it; 6 rounds of
// Swing move 69 of 64 x 4 packets over each link where 63 have to come (Swing, Table 2: 1.19 in the limit).
TEST(CollectiveCommands, RunTheAlgorithmsOfPapers) {
    const auto bucket = json("allgather torus:8x8 --algorithm bucket");
    EXPECT_EQ(bucket["experiment"]["allgather"]["chunks"], 4);
    EXPECT_EQ(bucket["rounds"], 14);
    EXPECT_EQ(bucket["node_packets"], 4 * 63);
    EXPECT_EQ(bucket["steps"], 63);
    EXPECT_EQ(bucket["gap"], 0);
    const auto swing = json("allreduce torus:8x8 --algorithm swing --message 1MiB");
    EXPECT_EQ(swing["rounds"], 12);
    EXPECT_EQ(swing["link_packets"], 2 * 69);
    EXPECT_GE(swing["steps"], 2 * 63);
    // 12 starts of 1 us; hops 1, 1, 1, 1, 3, 3 of 0.4 us, there and back; 138 packets of 4096 bytes at 50
    // GB/s.
    EXPECT_NEAR(swing["seconds"], 12e-6 + 20 * 0.4e-6 + 138 * 4096 / 50e9, 1e-12);
    // Steps of 1.4 us with 16 KiB each.
    EXPECT_NEAR(json("allreduce torus:8x8 --message 1MiB")["seconds"], 32 * (1.4e-6 + 16384 / 50e9), 1e-12);
    EXPECT_NEAR(json("barrier torus:8x8 --set costs.start_us=2 --set costs.hop_us=0.5")["seconds"],
                8 * 2.5e-6, 1e-12);
}

// A packet of 8 flits is at the next node's host 12 cycles after it was sent (docs/node.md, section 7). It
// goes to nodes four links away, and a sum comes from there first: no fewer cycles; and no more, as four
// steps do.
TEST(CollectiveCommands, RunOnRoutersInLockstep) {
    for (const auto& [arguments, cycles] : {std::pair{"allgather torus:4x4", 4 * 12},
                                            {"reducescatter torus:4x4", 4 * 12},
                                            {"allreduce torus:4x4", 8 * 12}}) {
        const auto result = json(std::string(arguments) + " --engine native --lockstep rtl,systemc");
        EXPECT_EQ(result["cycles"], cycles) << arguments;
        EXPECT_EQ(result["max_plus_cycles"], cycles);
        EXPECT_EQ(result["excess_cycles"], 0);
        EXPECT_EQ(result["experiment"]["engine"], "native");
    }
    for (const char* arguments :
         {"scatter mesh:4x3 --root 5 --chunks 2", "gather mesh:3x3", "reduce torus:4x3 --chunks 7",
          "alltoall torus:4x3", "allgather ibt:4x4:b=2 --algorithm bucket",
          "allreduce torus:4x3 --algorithm ring", "allgather torus:4x3 --forwarding deposit",
          "allgather torus:4x3 --host bgl --seeds 2"})
        EXPECT_GE(json(std::string(arguments) + " --engine native --lockstep rtl")["excess_cycles"], 0)
            << arguments;
    for (const char* arguments : {"alltoall torus:4x3 --algorithm two_phase --order random --pace 0.9",
                                  "scatter mesh:3x3 --pace step", "allreduce torus:4x4 --algorithm swing",
                                  "alltoall ibt:4x4:b=2 --algorithm direct --host bgl",
                                  "gather torus:4x4 --algorithm bine --node wide",
                                  "alltoall torus:4x3:twist=2 --algorithm direct --node wide",
                                  "alltoall torus:4x3:twist=2 --algorithm direct"}) {
        const auto result =
            json(std::string(arguments) + " --forwarding unicast --engine native --lockstep rtl,systemc");
        EXPECT_GE(result["cycles"], result["bound_cycles"]) << arguments;
        EXPECT_FALSE(result.contains("max_plus_cycles"));
    }
}

// Swing with whole vectors has the fewest starts, Swing fewer than buckets, and these the full rate.
TEST(CollectiveCommands, ChooseTheFastestForEachMessage) {
    const auto result = json("allreduce torus:8x8 --algorithm best --message 4MiB");
    EXPECT_EQ(result["algorithm"], "swing");
    ASSERT_EQ(result["fastest"].size(), 3U);
    EXPECT_EQ(result["fastest"][0]["algorithm"], "swing_vectors");
    EXPECT_EQ(result["fastest"][1]["algorithm"], "swing");
    EXPECT_EQ(result["fastest"][2]["algorithm"], "bucket");
    // Start and rate of each: 6 starts and 10 hops, 2.5 vectors over a link; 12, 20, 138 / 256; 28, 28, 126 /
    // 256.
    const double vectors = 6 + 10 * 0.4, swing = 12 + 20 * 0.4, bucket = 28 * 1.4, byte = 1 / 50e3;
    EXPECT_NEAR(result["fastest"][1]["from_bytes"], (swing - vectors) / (2.5 - 138 / 256.0) / byte, 1.01);
    EXPECT_NEAR(result["fastest"][2]["from_bytes"], (bucket - swing) / (12 / 256.0) / byte, 1.01);
    const auto odd = json("allgather torus:5x5 --algorithm best");
    EXPECT_EQ(odd["algorithm"], "optimal");
    for (const auto& algorithm : odd["algorithms"])
        EXPECT_EQ(algorithm.contains("refused"), algorithm["algorithm"] == "recursive_doubling");
    EXPECT_THAT(run("reduce torus:4x4 --algorithm best").out, HasSubstr("message from"));
}

// Algorithms between machines run where they are named, or where something that only they have is said.
TEST(CollectiveCommands, LeaveMachinesToTheirAlgorithms) {
    EXPECT_TRUE(json("allgather torus:4x4 --algorithm lr3").contains("ring"));
    EXPECT_TRUE(json("allgather torus:4x4 --algorithm ring --engine event").contains("ring"));
    EXPECT_TRUE(json("allgather torus:4x4 --algorithm ring --barriers").contains("ring"));
    EXPECT_TRUE(json("allgather torus:4x4 --algorithm ring").contains("rounds"));
    EXPECT_THAT(run("allgather torus:8x8 --algorithm lr3").err,
                HasSubstr("over all of its links, algorithm optimal takes 16 steps of one message a link"));
    EXPECT_TRUE(json("alltoall torus:4x4 --algorithm scheduled").contains("seconds"));
    EXPECT_TRUE(json("alltoall mesh:3x3 --sync none").contains("seconds"));
    EXPECT_TRUE(json("allgather cluster:figure1").contains("seconds"));
    const TemporaryFile goal;
    EXPECT_EQ(run("generate allgather torus:4x4 --goal " + goal.path()).code, 0);
    EXPECT_THAT(goal.text(), HasSubstr("num_ranks 16"));
}

void expect_refused(const std::string& arguments, const std::string& says) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr(says)) << arguments;
}

TEST(CollectiveCommands, RefuseByName) {
    for (const auto& [arguments, says] :
         {std::pair{"allgather torus:4x4 --plan", "cannot use --plan over all links"},
          {"allgather cluster:figure1 --algorithm optimal", "which has switches"},
          {"alltoall cluster:figure1 --algorithm optimal", "which has switches"},
          {"alltoall mesh:64x64", "cannot route 16777216 packets of 4096 origins"},
          {"allgather torus:4x4 --algorithm optimal --engine event", "event"},
          {"allgather torus:4x4 --algorithm lr3 --write-schedule x.csv",
           "cannot use --write-schedule between machines"},
          {"allgather torus:4x4 --chunks 0", "--chunks"},
          {"allgather torus:4x4 --node wide", "--node with --engine step, which has no nodes"},
          {"allreduce torus:4x4 --lockstep rtl", "--lockstep with --engine step, which has no nodes"},
          {"allgather torus:4x4 --seeds 3", "cannot use --seeds with --engine step"},
          {"allgather torus:4x4 --algorithm lr3 --node wide", "cannot use --node between machines"},
          {"allgather torus:4x4 --set allgather.chunk=3", "expected one of algorithm, chunks"},
          {"gather mesh:3x3 --root 9", "node 9 is not in mesh:3x3; expected nodes are 0 to 8"},
          {"scatter torus:4x4 --set scatter.rot=3", "(did you mean root?)"},
          {"barrier torus:4x4 --chunks 2", "--chunks"},
          {"reduce cluster:figure1", "which has switches"},
          {"barrier torus:65x65", "cannot prove a barrier of 4225 nodes; expected 4096 at most"},
          {"scatter mesh:100000", "cannot schedule paths of so many links together"},
          {"allreduce mesh:500x500", "cannot schedule 1 chunk of 250000 different nodes to 250000"},
          {"check mesh:4x4 --collective barrier --chunks 7 --schedule x.csv", "no chunks"},
          {"check mesh:4x4 --collective allgather --root 7 --schedule x.csv", "no root"},
          {"check torus:4x4 --root 2 --schedule x.csv", "cannot use --root without --collective"},
          {"allgather mesh:80x80", "a product of 33554432 at most"},
          {"alltoall torus:100x100x100 --chunks 100", "a product of 1073741824 at most"},
          {"generate allgather torus:4x4 --algorithm optimal --goal x", "one that runs between machines"},
          {"check torus:4x4 --collective broadcast --schedule x.csv", "collective"},
          {"check torus:4x4 --collective allgather", "there is no"},
          {"check torus:4x4 --chunks 2 --schedule x.csv", "cannot use --chunks without --collective"}}) {
        expect_refused(arguments, says);
    }
}

// A host sends what it says in a step when all of the steps before has come. With ideal hosts a packet of 8
// flits takes 12 cycles to the next host, as in every step of an all-reduce; of dissemination the k-th round
// goes 2^k links, by each of which a packet's head takes more cycles, and all of a round's packets take the
// same way.
TEST(CollectiveCommands, RunBarriersOnRouters) {
    for (const char* more : {"", " --forwarding unicast", " --lockstep rtl,systemc", " --threads 2"}) {
        const auto barrier = json(std::string("barrier torus:4x4 --engine native") + more);
        EXPECT_EQ(barrier["cycles"], 4 * 12) << more;
        EXPECT_EQ(barrier["unicast_packets"], barrier["sends"]);
        EXPECT_TRUE(barrier["share_of_bound"].is_null());
    }
    const auto rounds = json("barrier torus:8 --engine native --algorithm dissemination");
    EXPECT_EQ(rounds["unicast_packets"], 3 * 8);
    EXPECT_GT(rounds["cycles"], json("barrier torus:8 --engine native")["cycles"]);
    EXPECT_GT(json("barrier torus:4x4 --engine native --host bgl --seeds 2")["cycles"], 4 * 12);
    expect_refused("barrier torus:4x4 --engine native --forwarding host",
                   "cannot forward what hosts say in a barrier by host; expected unicast");
    expect_refused("barrier torus:64x64 --engine native", "pairs of packets at most");
}

TEST(CollectiveCommands, RefuseAlgorithmsByName) {
    for (const auto& [arguments, says] :
         {std::pair{"allreduce torus:6x4 --algorithm rabenseifner",
                    "a power of two nodes in each dimension, not 6"},
          {"allreduce torus:5x4 --algorithm swing_vectors", "a power of two nodes in each dimension, not 5"},
          {"scatter torus:3x3 --algorithm bine", "a power of two nodes, not 9"},
          {"alltoall torus:8 --algorithm two_phase", "a lattice of two or more dimensions"},
          {"allreduce torus:8x8 --algorithm swings", "(did you mean swing?)"},
          {"allreduce cluster:figure1 --algorithm swing", "which has switches"},
          {"allreduce torus:4x4 --set costs.rate_mbps=0", "expected 1 to 1000000000"},
          {"allreduce torus:4x4 --set costs.rate=3", "expected one of hop_us, rate_mbps, start_us"},
          {"allgather cluster:figure1 --set costs.hop_us=3", "costs"},
          {"alltoall torus:32x32 --algorithm bruck --chunks 8",
           "cannot schedule the hops of so many packets"},
          {"allgather torus:64x64 --algorithm ring", "cannot run ring with 16777216 packets"},
          {"barrier torus:4x4 --message 8", "--message"}})
        expect_refused(arguments, says);
}

std::string contribution(int gpu, int chunk) {
    return std::to_string(gpu) + "." + std::to_string(chunk);
}

TEST(CollectiveCommands, WriteProgramsForMsccl) {
    struct Case {
        const char *arguments, *name;
        int chunks;
    };
    for (const Case& c : {Case{"allgather torus:4x3", "allgather", 1},
                          {"allgather ibt:4x4:b=2 --algorithm bucket --chunks 4", "allgather", 4},
                          {"alltoall mesh:3x3 --chunks 2", "alltoall", 2},
                          {"alltoall torus:4x3:twist=2 --algorithm direct", "alltoall", 1},
                          {"reducescatter torus:3x3 --chunks 2", "reduce_scatter", 2},
                          {"allreduce torus:4x3", "allreduce", 1},
                          {"allreduce torus:6", "allreduce", 1},
                          {"allreduce mesh:5x3 --chunks 2", "allreduce", 2},
                          {"allreduce torus:4x4 --algorithm ring --chunks 4", "allreduce", 4}}) {
        SCOPED_TRACE(c.arguments);
        const TemporaryFile file, schedule;
        ASSERT_EQ(
            run(std::string(c.arguments) + " --msccl " + file.path() + " --write-schedule " + schedule.path())
                .code,
            0);
        MscclReplay program(file.text());
        EXPECT_EQ(program.algo().at("coll"), c.name);
        const int gpus = static_cast<int>(program.gpus());
        EXPECT_EQ(std::to_string(gpus), program.algo().at("ngpus"));
        ASSERT_TRUE(program.run([](int gpu, int chunk) { return contribution(gpu, chunk); }));
        const auto sum = [&](int chunk) {
            MscclReplay::Chunk parts;
            for (int g = 0; g < gpus; ++g) parts.insert(contribution(g, chunk));
            return parts;
        };
        for (int g = 0; g < gpus; ++g)
            for (int at = 0; at < gpus * c.chunks; ++at) {
                const int from = at / c.chunks, i = at % c.chunks;
                if (c.name == std::string("reduce_scatter")) {
                    EXPECT_EQ(program.output(g, i), sum(g * c.chunks + i));
                    continue;
                }
                MscclReplay::Chunk expected = sum(at);
                if (c.name == std::string("allgather")) expected = {contribution(from, i)};
                if (c.name == std::string("alltoall")) expected = {contribution(from, g * c.chunks + i)};
                EXPECT_EQ(program.output(g, at), expected);
            }
        std::set<std::pair<int, int>> links;
        std::istringstream rows(schedule.text());
        std::string row;
        for (std::getline(rows, row); std::getline(rows, row);) {
            int step = 0, from = 0, to = 0;
            ASSERT_EQ(std::sscanf(row.c_str(), "%d,%d,%d", &step, &from, &to), 3);
            links.emplace(from, to);
        }
        EXPECT_EQ(program.links(), links);
    }
    expect_refused("allreduce torus:8x8 --algorithm swing --msccl none.xml", "from neighbour to neighbour");
    EXPECT_NE(run("scatter torus:4x4 --msccl none.xml").code, 0);
}

}  // namespace
}  // namespace interlace
