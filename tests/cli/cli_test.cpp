// Interlace: the command as its users see it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/json_of_command.h"
#include "support/run_command.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

TEST(Command, TopologyAsJson) {
    const auto result = json("topology ibt:64x64:b=8,24");
    EXPECT_EQ(result["schema"], "interlace.topology/1");
    EXPECT_EQ(result["nodes"], 4096);
    EXPECT_EQ(result["links"], 4096 * 6);
    EXPECT_EQ(result["degree"], 6);
    EXPECT_EQ(result["diameter"], 10);
    EXPECT_EQ(result["eccentricity"].size(), 4U);  // d k species
    EXPECT_LT(result["mean_distance"], result["mean_distance_distinct"]);
}

TEST(Command, SaysWhatMayHaveBeenMeant) {
    EXPECT_THAT(run("brodcast torus:4x4").err, testing::HasSubstr("'brodcast' (did you mean broadcast?)"));
    EXPECT_THAT(run("traffic torus:4x4 --lod 0.1").err, testing::HasSubstr("--lod (did you mean --load?)"));
    EXPECT_THAT(run("traffic torus:4x4 --set node.vc_dept=8").err,
                testing::HasSubstr("vc_dept: this is an unknown key (did you mean vc_depth?)"));
    EXPECT_THAT(run("nothing like it").err, testing::Not(testing::HasSubstr("did you mean")));
    for (const char* wrong : {"brodcast torus:4x4", "traffic torus:4x4 --lod 0.1", "help brodcast"})
        EXPECT_EQ(run(wrong).code, 2) << wrong;
}

TEST(Command, HelpOfASubcommandIsWhatItsFlagPrints) {
    for (const char* command : {"traffic", "broadcast", "help"})
        EXPECT_EQ(run(std::string("help ") + command).out, run(std::string(command) + " --help").out);
    EXPECT_EQ(run("help").out, run("--help").out);
}

TEST(Command, AllGatherOfTopologyDIsThePapers) {
    const std::string file = "cluster:" INTERLACE_CONFIGS "/clusters/topology_d.yaml";
    const auto lr1 = json("allgather " + file + " --algorithm lr1 --message 64KiB");
    EXPECT_EQ(lr1["schema"], "interlace.allgather/1");
    EXPECT_EQ(lr1["max_path_length"], 4);
    EXPECT_NEAR(lr1["lower_bound_seconds"], 0.0786432, 1e-9);
    EXPECT_NEAR(lr1["seconds"], 0.0793632, 1e-9);
    EXPECT_EQ(lr1["packets_dropped"], 0);
    const auto lr2 = json("allgather " + file + " --algorithm lr2 --plan");
    EXPECT_EQ(lr2["max_path_length"], 2);
    EXPECT_EQ(lr2["contention_free"], true);
    EXPECT_EQ(lr2["ring"].size(), 16U);
    EXPECT_FALSE(lr2.contains("seconds"));
}

TEST(Command, AllToAllPlanOfFigure1IsTable4) {
    const std::string file =
        "alltoall cluster:" INTERLACE_CONFIGS "/clusters/figure1.yaml --algorithm scheduled";
    const auto plan = json(file + " --plan");
    EXPECT_EQ(plan["root"], 3);
    EXPECT_EQ(plan["load"], 6);
    EXPECT_EQ(plan["phases"].size(), 6U);
    EXPECT_THAT(plan["phases"][2],
                testing::UnorderedElementsAre(testing::ElementsAre(1, 3), testing::ElementsAre(3, 0)));
    const auto run = json(file + " --sync barrier_partial_sender --block 2 --message 1MiB");
    EXPECT_NEAR(run["peak_throughput_mbps"], 5 * 4 * 100 / 6.0, 1e-9);
    EXPECT_LT(run["throughput_mbps"], run["peak_throughput_mbps"]);
    EXPECT_EQ(run["experiment"]["alltoall"]["block"], 2);
}

TEST(Command, AllToAllOnATorusSaysHowFarItsTreeIsFromTheBisection) {
    const auto run = json("alltoall torus:4x4x4 --algorithm scheduled --message 1500");
    // 64 machines, each with a link of 1 Gbps. Over the bisection go 32 x 32 messages, on 2 x 16 links: 32
    // each, so the 64 x 63 messages take as long as 32 of them on one link.
    EXPECT_NEAR(run["machine_links_throughput_mbps"], 64'000, 1e-6);
    EXPECT_NEAR(run["bisection_throughput_mbps"], 64 * 63 * 1000 / 32.0, 1e-6);
    EXPECT_NEAR(run["peak_throughput_mbps"].get<double>(), 64 * 63 * 1000 / run["load"].get<double>(), 1e-6);
}

TEST(Command, AClusterOfRoutersIsTheSameOnEveryEngine) {
    for (const std::string collective : {"alltoall cluster:routers --sync sender_all --message 3000",
                                         "allgather cluster:routers --message 3000",
                                         "alltoall cluster:routers --sync barrier_all --message 3000",
                                         "multicast cluster:routers --tini 1.28"}) {
        const auto event = json(collective);
        const auto native = json(collective + " --engine native --lockstep rtl,systemc");
        EXPECT_GT(event["seconds"], 0);
        EXPECT_EQ(native["seconds"], event["seconds"]);
        EXPECT_NEAR(native["cycles"].get<double>() * 0.128e-6, event["seconds"], 1e-12);
        EXPECT_EQ(native["packets"], event["packets"]);
        EXPECT_LE(native["queues"]["virtual_channel"]["high_water"], 2 * 16);  // two frames of 16 flits
    }
    const Outcome wormhole = run("multicast cluster:routers --switching wormhole");
    EXPECT_EQ(wormhole.code, 2);
    EXPECT_THAT(wormhole.err, ::testing::HasSubstr("expected the engine native"));
    EXPECT_EQ(run("multicast cluster:routers --switching wormhole --engine native --routing up_down").code,
              0);
    EXPECT_EQ(run("broadcast cluster:routers --algorithm fnf --tree dfs --root 1 --engine native").code, 0);
}

TEST(Command, ABroadcastOverBackgroundTrafficIsTheSameOnEveryEngine) {
    for (const std::string more :
         {"", " --host bgl", " --forwarding table", " --set node.routing=adaptive_bubble"}) {
        const std::string over =
            "broadcast torus:4x4 --packets 4 --engine native --background 0.3 --seeds 1" + more;
        const auto beside = json(over + " --lockstep rtl,systemc");
        EXPECT_GT(beside["background"]["latency_mean"], 8) << more;
        EXPECT_EQ(beside["cycles"], json(over)["cycles"]) << more;
    }
    EXPECT_EQ(run("broadcast torus:4x4 --background 0.1").code, 2);  // the engine step has no cycles
    EXPECT_EQ(run("broadcast torus:4x4 --engine native --background -0.1").code, 2);
    EXPECT_EQ(run("broadcast torus:4x4 --engine native --background 3 --seeds 1").code, 1);
    const auto random = json("broadcast torus:4x4 --packets 4 --engine native --background 0.1");
    EXPECT_EQ(random["cycles_of_runs"]["runs"], 30);
}

// What is known of the numbers stands in the text, too: their intervals, or that there are none.
// Hosts of native nodes hand over whole packets, those of hardware flit by flit.
TEST(Command, TrafficIsTheSameWithHardwareAmongNativeNodes) {
    for (const std::string arguments :
         {"traffic torus:4x4 --load 0.45 --node bgl --cycles 2000",
          "traffic torus:4x3 --load 0.1 --cycles 2000",
          "traffic ibt:4x4:b=2 --load 0.3 --cycles 2000 --node bgl --seeds 3",
          "traffic mesh:3x3 --load 0.2 --node bgl --set node.switching=store_and_forward --host bgl --cycles "
          "2000",
          "broadcast torus:4x4 --packets 8 --engine native --background 0.05"}) {
        SCOPED_TRACE(arguments);
        const auto measured = [&](const char* hardware) {
            nlohmann::json result = json(arguments + hardware);
            for (const char* key : {"experiment", "regions", "router_cycles_per_second"}) result.erase(key);
            return result;
        };
        const auto native = measured("");
        EXPECT_EQ(measured(" --rtl-nodes 0,5"), native);
        EXPECT_EQ(measured(" --systemc-nodes 1 --rtl-nodes 3"), native);
    }
}

TEST(Command, SizeSaysHowFarItsAnswerCanBeTrusted) {
    const auto size = [](const std::string& experiment) {
        const TemporaryFile file("schema: 1\nexperiment: {network: torus:3, " + experiment +
                                 "}\nsize: {tolerance: 0.5, queues: reception}\n");
        const TemporaryFile results;
        std::filesystem::remove(results.path());
        const Outcome outcome = run("size " + file.path() + " -o " + results.path());
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.out;
    };
    const std::string traffic = "traffic: {load: 0.3, cycles: 300, warmup: 50}, node: {injection_depth: 4}";
    const std::string thirty = size(traffic);
    EXPECT_THAT(thirty, testing::ContainsRegex("\ntogether  .* slow-down [0-9.]+ \\+- [0-9.]+\n"));
    EXPECT_THAT(thirty,
                testing::ContainsRegex("\nconfirmed  .* [0-9.]+ \\+- [0-9.]+ under [0-9]+ other seeds\n"));
    EXPECT_THAT(thirty, testing::ContainsRegex("fixed  .*injection 4, virtual_channel 16: as in the file"));
    const std::string one = size(traffic + ", seeds: 1");
    EXPECT_THAT(one, testing::HasSubstr("NO INTERVALS"));
    EXPECT_THAT(one, testing::Not(testing::HasSubstr("+-")));
    EXPECT_THAT(size("broadcast: {packets: 2}, engine: native"),
                testing::Not(testing::HasSubstr("INTERVALS")));
}

TEST(Command, AProgramGoesOutAsGoalAndComesBack) {
    const TemporaryFile file;
    const std::string cluster = "cluster:topology_d";
    ASSERT_EQ(run("generate allgather " + cluster + " --algorithm lr2 --goal " + file.path()).code, 0);
    const auto replayed = json("replay " + cluster + " --goal " + file.path());
    const auto original = json("allgather " + cluster + " --algorithm lr2");
    EXPECT_EQ(replayed["seconds"], original["seconds"]);
    EXPECT_EQ(replayed["ranks"], 16);
    EXPECT_EQ(replayed["messages"], 16 * 15);
    EXPECT_EQ(json("replay torus:4x4 --goal " + file.path())["packets"], original["packets"]);
    const Outcome few = run("replay cluster:figure1 --goal " + file.path());
    EXPECT_EQ(few.code, 2);
    EXPECT_THAT(few.err, testing::HasSubstr("cannot run 16 ranks on the 5 machines of cluster:figure1"));
    EXPECT_THAT(run("replay cluster:figure1 --goal nowhere.goal").err,
                testing::HasSubstr("cannot read 'nowhere.goal'"));
    EXPECT_THAT(run("generate allgather cluster:figure1").err,
                testing::HasSubstr("-o FILE.c, --goal FILE or both"));
    EXPECT_EQ(run("generate allgather cluster:figure1 -o same --goal same").code, 2);
    EXPECT_THAT(run("generate allgather cluster:figure1 -o x.c --function 'a b'").err,
                testing::HasSubstr("expected a name as C has them"));
    EXPECT_EQ(run("generate allgather cluster:figure1 --goal /dev/stdout").out.substr(0, 9), "num_ranks");
    EXPECT_EQ(run("generate allgather cluster:figure1 --goal /dev/full").code, 2);
    // A barrier of messages takes its time.
    const std::string exchange = "alltoall cluster:figure1 --sync barrier_all";
    EXPECT_GT(json(exchange + " --set event.protocol.barrier=messages")["seconds"],
              json(exchange)["seconds"]);
}

TEST(Command, AGeneratedRoutineHasAHeaderAndANameOfItsOwn) {
    namespace fs = std::filesystem;
    const TemporaryFile file;
    const std::string source = file.path() + ".c", header = file.path() + ".h";
    const auto text = [](const std::string& path) {
        std::ifstream stream(path);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    const std::string generate = "generate alltoall cluster:figure1 -o " + source;
    ASSERT_EQ(run(generate).code, 0);
    EXPECT_THAT(text(header), testing::HasSubstr("extern \"C\" {\n#endif\nint interlace_alltoall("));
    EXPECT_EQ(run(generate + " --goal " + header).code, 2);
    EXPECT_EQ(run(generate).code, 0);  // again, over its own
    const std::string before = text(source);
    for (const char* name : {"int", "template", "printf", "MPI_x", "_x", "x__y", "machines", "3d", "''"}) {
        const Outcome outcome = run(generate + " --function " + name);
        EXPECT_EQ(outcome.code, 2) << name;
        EXPECT_THAT(outcome.err, testing::HasSubstr("; expected a name")) << name;
    }
    std::ofstream(header) << "/* of another hand */";
    EXPECT_THAT(run(generate).err, testing::HasSubstr("is not made by interlace"));
    EXPECT_EQ(text(source), before);
    fs::remove(header);
    // A folder that would end the comment at the top.
    const fs::path folder = file.path() + " */ int added; /*";
    fs::create_directories(folder);
    fs::copy_file(INTERLACE_CONFIGS "/clusters/figure1.yaml", folder / "x.yaml");
    EXPECT_EQ(run("generate alltoall 'cluster:" + (folder / "x.yaml").string() + "' -o " + source).code, 0);
    for (const std::string& path : {source, header}) {
        const std::string comment = text(path).substr(0, text(path).find("*/"));
        EXPECT_THAT(comment, testing::HasSubstr(" *\\/ int added; /\\*\\/x.yaml"));
        EXPECT_THAT(comment, testing::HasSubstr("Made by interlace."));
        fs::remove(path);
    }
    fs::remove_all(folder);
}

TEST(Command, TreesOfFigure1OfTheHeterogeneousPaper) {
    const std::string broadcast =
        "broadcast cluster:" INTERLACE_CONFIGS "/clusters/hnow.yaml --plan --algorithm ";
    for (const auto& [algorithm, latency] :
         {std::pair("binomial", 700), {"spoc", 500}, {"fnf", 400}, {"optimal_tree", 400}}) {
        const auto plan = json(broadcast + algorithm);
        EXPECT_EQ(plan["latency_us"], latency) << algorithm;
        EXPECT_EQ(plan["sends"].size(), 7U);
    }
    const auto some = json("multicast cluster:" INTERLACE_CONFIGS
                           "/clusters/hnow.yaml --tini 100 --destinations 3,5,7 --sources 0,1 --plan");
    EXPECT_EQ(some["latency_us"], 200);
    EXPECT_EQ(some["multicasts"].size(), 2U);
    const Outcome mixed = run(broadcast + "fnf --packets 3");
    EXPECT_EQ(mixed.code, 2);
    EXPECT_THAT(mixed.err, testing::HasSubstr("--packets with a tree of messages"));
    EXPECT_EQ(run("broadcast torus:4x4 --plan").code, 2);
}

TEST(Command, AllGatherSaysWhatIsWrong) {
    const std::string file = " cluster:" INTERLACE_CONFIGS "/clusters/figure1.yaml";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"allgather" + file + " --algorithm lr4", "algorithm 'lr4' (did you mean lr1?); expected lr1, lr2"},
        {"allgather" + file + " --algorithm lr2", "s0 has 1 machine and 2 neighbour switches"},
        {"allgather" + file + " --message 64KB", "--message: cannot use value '64KB'; expected bytes"},
        {"allgather" + file + " --tree bush", "tree 'bush'; expected bfs, dfs or random"},
        {"allgather" + file + " --root 6", "root s6; expected s0 to s5"},
        {"allgather" + file + " --switching wormhole", "wormhole on the engine event"},
        {"allgather" + file + " --set event.frame.mtu=0", "mtu: cannot use value '0'"},
        {"alltoall" + file + " --set alltoall.mesage=5", "mesage: this is an unknown key"},
        {"alltoall" + file + " --set alltoal.message=5", "alltoal: this is an unknown key"},
        {"alltoall" + file + " --window 5", "--window with algorithm scheduled; expected algorithm shuffle"},
        {"alltoall" + file + " --algorithm tuned --sync none", "--sync with algorithm tuned"},
        {"alltoall" + file + " --algorithm best --window 5", "--window with algorithm best"},
        {"alltoall" + file + " --algorithm best --plan", "cannot plan the algorithm best"},
        {"generate allgather" + file + " -o x.c --sync none", "--sync with allgather; expected alltoall"},
        {"generate allgather" + file + " -o x.c --engine zzz", "--engine of a routine that is not run"},
        {"alltoall" + file + " --engine native", "figure1.yaml: cannot use event.flow that is not credit"},
        {"allgather cluster:nowhere.yaml", "cannot read 'nowhere.yaml'"},
        {"broadcast" + file + " --algorithm optimal", "switches are not hosts"}};
    for (const auto& [arguments, says] : cases) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 2) << arguments;
        EXPECT_THAT(outcome.err, testing::HasSubstr(says)) << arguments;
    }
}

// Two pairs of machines that no link joins: whatever goes from all to all is refused, not a fault of memory.
TEST(Command, NetworksInPartsAreRefused) {
    const TemporaryFile graph("from,to\n0,1\n1,0\n2,3\n3,2\n");
    const TemporaryFile goal("num_ranks 4\nrank 0 { send 5b to 3 }\nrank 3 { recv 5b from 0 }\n");
    const TemporaryFile c;
    const std::string network = " graph:" + graph.path();
    for (const std::string& command :
         {"alltoall" + network + " --algorithm scheduled",
          "alltoall" + network + " --algorithm scheduled --plan", "allgather" + network + " --algorithm lr3",
          "multicast" + network, "multicast" + network + " --routing up_down",
          "broadcast" + network + " --algorithm fnf", "replay" + network + " --goal " + goal.path(),
          "generate alltoall" + network + " -o " + c.path()}) {
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.code, 2) << command;
        EXPECT_THAT(outcome.err,
                    testing::HasSubstr("no trunks lead from s0 (n0) to s2 (n2); expected a connected"))
            << command;
    }
}

TEST(Command, BestSaysWhatItChose) {
    const std::string exchange = "alltoall cluster:figure1 --message 1500 --algorithm best";
    const auto best = json(exchange);
    const Outcome text = run(exchange);
    EXPECT_THAT(text.out, testing::HasSubstr("\nalgorithm              best: " +
                                             best["chosen"]["algorithm"].get<std::string>()));
    for (const char* algorithm : {"scheduled, ", "pairwise", "staggered", "post_all", "shuffle, "})
        EXPECT_THAT(text.out, testing::ContainsRegex(std::string("\n  [0-9.]+ ms +") + algorithm));
    const TemporaryFile c;
    EXPECT_EQ(run("generate " + exchange + " -o " + c.path()).code, 0);
    std::ifstream file(c.path());
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}),
                testing::HasSubstr("machines: best: "));
}

TEST(Command, TrunksThatATreeLeavesIdleAreNamed) {
    EXPECT_EQ(run("alltoall cluster:figure1 --plan").err, "");  // a tree
    // Of a ring of three one trunk is too many.
    const TemporaryFile ring(
        "network: {kind: cluster, switches: 3, trunks: [[0, 1], [1, 2], [2, 0]], machines: [0, 1, 2]}\n");
    const std::string network = " cluster:" + ring.path();
    for (const std::string& command : {"alltoall" + network + " --plan", "allgather" + network + " --plan",
                                       "multicast" + network + " --plan"})
        EXPECT_EQ(run(command).err, "interlace: note: the spanning tree leaves 1 trunk idle: s1-s2\n")
            << command;
    EXPECT_EQ(run("multicast" + network + " --plan --routing up_down").err, "");
}

TEST(Command, ATreeRunsOnTheEngineThatIsAskedFor) {
    const std::string tree = "broadcast cluster:figure1 --algorithm fnf --message 1KiB";
    const Outcome steps = run(tree + " --engine step");
    EXPECT_EQ(steps.code, 2);
    EXPECT_THAT(steps.err, testing::HasSubstr("engine 'step'; expected event, native, systemc or rtl"));
    EXPECT_EQ(json(tree + " --engine event"), json(tree));
    EXPECT_EQ(json(tree)["experiment"]["engine"], "event");
    EXPECT_THAT(run("broadcast torus:4x4 --engine event").err, testing::HasSubstr("expected step, native"));
}

// --set says the same as flags, whatever part of the experiment it is.
TEST(Command, CollectivesTakeAnyValueByItsPath) {
    for (const auto& [flags, paths] :
         {std::pair<std::string, std::string>{
              "alltoall cluster:figure1 --message 4096 --sync dummy",
              "alltoall cluster:figure1 --set alltoall.message=4096 --set alltoall.sync=dummy"},
          {"allgather cluster:topology_d --algorithm lr2 --tree dfs",
           "allgather cluster:topology_d --set allgather.algorithm=lr2 --set tree=dfs"},
          {"multicast cluster:figure1 --destinations 3,4 --tini 10",
           "multicast cluster:figure1 --set multicast.destinations=[3,4] --tini 10"}})
        EXPECT_EQ(json(flags + " --set event.frame.mtu=1000"), json(paths + " --set event.frame.mtu=1000"))
            << paths;
}

TEST(Command, BroadcastAsJson) {
    const auto result = json("broadcast ibt:64x64:b=6 --group line --source 1,0 --algorithm optimal");
    EXPECT_EQ(result["schema"], "interlace.broadcast/1");
    EXPECT_EQ(result["source"], 1);
    EXPECT_EQ(result["axes"], "x");
    EXPECT_EQ(result["gap"], 0);
    EXPECT_EQ(result["steps"], result["lower_bound"]);
    EXPECT_EQ(result["experiment"]["network"], "ibt:64x64:b=6");
    EXPECT_EQ(result["sends"], 63 * 32);
}

// A ring of 8, 32 packets: 4 + 16 - 1 steps (eq. 4); packets of 8 flits, a hop of 4 cycles more
// (docs/node.md).
TEST(Command, BroadcastCountsCyclesOnNativeNodes) {
    const std::string line = "broadcast torus:8x8 --group line --algorithm ring --engine native";
    const auto paced = json(line + " --pace step");
    EXPECT_EQ(paced["steps"], 19);
    EXPECT_EQ(paced["cycles"], 19 * (8 + 4));
    EXPECT_EQ(paced["excess_cycles"], 0);
    // One packet takes the four hops to the far node.
    const auto one = json(line + " --packets 1 --set node.vc_depth=64");
    EXPECT_EQ(one["experiment"]["node"]["vc_depth"], 64);
    EXPECT_EQ(one["flits_per_packet"], 8);
    EXPECT_EQ(one["cycles"], 4 * (8 + 4));
    EXPECT_EQ(one["max_plus_cycles"], 4 * (8 + 4));
}

// docs/node.md: a line of 7 links by table under cut-through, 32 packets: the first takes 2 H + F + 2 cycles,
// and one follows every F. By hosts on the same links: F + h a hop.
TEST(Command, BroadcastForwardsByRouters) {
    const std::string line = "broadcast mesh:8 --group line --algorithm optimal --engine native";
    const auto table = json(line + " --forwarding table");
    EXPECT_EQ(table["cycles"], 2 * 7 + 8 + 2 + 31 * 8);
    EXPECT_EQ(table["deadlock_free"], "acyclic channel dependencies");
    EXPECT_EQ(table["experiment"]["forwarding"], "table");
    const auto host = json(line);
    EXPECT_EQ(host["cycles"], 7 * (8 + 4) + 31 * 8);
    EXPECT_EQ(host["deadlock_free"], "every packet leaves the network at the next node");
    EXPECT_EQ(json(line + " --forwarding deposit")["cycles"], table["cycles"]);
}

TEST(Command, BroadcastSaysHowQueuesWereUsed) {
    // One server for two reception queues and more: packets pile up where they arrive.
    const auto slow = json("broadcast torus:8x8 --engine native --host bgl --links bgl");
    EXPECT_EQ(slow["queues"]["reception"]["depth"], 32);
    EXPECT_GT(slow["queues"]["reception"]["high_water"], 8);
    EXPECT_LE(slow["queues"]["reception"]["high_water"], 32);
    EXPECT_GT(slow["excess_cycles"], 0);
    EXPECT_EQ(slow["experiment"]["links"]["cycles_per_flit"], 8);
    EXPECT_EQ(slow["experiment"]["host"]["servers"], 1);
    const auto cut =
        json("broadcast torus:8x8 --engine native --host bgl --links bgl --threads 2 --regions 7");
    EXPECT_EQ(cut["cycles"], slow["cycles"]);
    EXPECT_EQ(cut["queues"], slow["queues"]);
    EXPECT_EQ(cut["regions"], 7);
}

TEST(Command, BroadcastTracesNodes) {
    const TemporaryFile file;
    ASSERT_EQ(run("broadcast mesh:3 --packets 1 --algorithm optimal --engine native --trace " + file.path() +
                  " --trace-nodes 1")
                  .code,
              0);
    std::ifstream in(file.path());
    const std::string text(std::istreambuf_iterator<char>(in), {});
    EXPECT_THAT(text, testing::HasSubstr("$scope module node1 $end"));
    EXPECT_THAT(text, testing::HasSubstr("$var wire 1"));
    // The head leaves node 0 in cycle 2 (docs/node.md, section 7) and node 1, its host between, F + h later.
    EXPECT_THAT(text, testing::HasSubstr("#140\n1!\n1\""));
    EXPECT_EQ(run("broadcast mesh:3 --engine native --trace /nowhere/x.vcd").code, 2);
}

TEST(Command, RefusesNodesOfTheStepEngine) {
    for (const char* flag :
         {"--node bgl", "--pace step", "--lockstep rtl", "--forwarding table", "--threads 2"}) {
        const Outcome outcome = run(std::string("broadcast torus:4x4 ") + flag);
        EXPECT_EQ(outcome.code, 2) << flag;
        EXPECT_THAT(outcome.err, testing::HasSubstr("expected --engine native, systemc or rtl"));
    }
}

TEST(Command, RefusesImpossibleNodesLinksAndHosts) {
    const TemporaryFile links("cycles_per_flit: 0\n");
    const TemporaryFile host("servers: 1\npoling: round_robin\n");
    const std::string native = "broadcast torus:4x4 --engine native ";
    for (const auto& [flags, what] :
         {std::pair{"--links " + links.path(), links.path() + ":1: cycles_per_flit"},
          {"--host " + host.path(), host.path() + ":2: poling"},
          {"--links slow", std::string("bgl, unit or a file")},
          {"--set node.vc_depth=4", std::string("room for a whole packet")},
          {"--forwarding table --set node.switching=wormhole", std::string("cannot replicate")}}) {
        const Outcome outcome = run(native + flags);
        EXPECT_EQ(outcome.code, 2) << flags;
        EXPECT_THAT(outcome.err, testing::HasSubstr(what)) << flags;
    }
    EXPECT_THAT(run("broadcast torus:4x4 --engine rtl --set node.vc_depth=1024").err,
                testing::HasSubstr("INTERLACE_QUEUE_DEPTH"));
    EXPECT_THAT(run("broadcast torus:4x4 --engine systemc --set node.vc_depth=0").err,
                testing::HasSubstr("the engine native"));
    EXPECT_EQ(run("broadcast torus:4x4 --engine native --set node.vc_depth=0").code, 0);
}

TEST(Command, TrafficAsJson) {
    const auto result =
        json("traffic torus:4x4 --load 0.1 --packet-flits 4 --cycles 2000 --warmup 200 --seed 7");
    EXPECT_EQ(result["schema"], "interlace.traffic/1");
    EXPECT_EQ(result["nodes"], 16);
    EXPECT_GT(result["packets"], 0);
    EXPECT_GE(result["latency_mean"], 2 + 4 + 1);  // one link: docs/node.md, section 7
    EXPECT_GE(result["latency_max"], result["latency_p99"]);
    EXPECT_GT(result["router_cycles_per_second"], 0);
}

TEST(Command, ScheduleGoesOutAndIsProvenOnTheWayBack) {
    const TemporaryFile file;
    EXPECT_EQ(run("broadcast torus:6x6 --packets 8 --write-schedule " + file.path()).code, 0);
    const auto checked = json("check torus:6x6 --packets 8 --schedule " + file.path());
    EXPECT_EQ(checked["valid"], true);
    EXPECT_EQ(checked["steps"], 2 * 5 + 2 - 1);  // eq. 5
    // Every engine runs it as it runs the algorithm that wrote it; nothing of the file changes.
    const std::string written = file.text();
    for (const std::string engine : {"", " --engine native"}) {
        const auto own = json("broadcast torus:6x6 --packets 8" + engine);
        auto anyones = json("broadcast torus:6x6 --packets 8 --schedule " + file.path() + engine);
        EXPECT_EQ(anyones["steps"], own["steps"]);
        EXPECT_EQ(anyones["sends"], own["sends"]);
        if (!engine.empty()) {
            EXPECT_EQ(anyones["cycles"], own["cycles"]);
        }
        EXPECT_EQ(anyones["algorithm"], "schedule");
    }
    EXPECT_EQ(file.text(), written);
    EXPECT_EQ(run("broadcast torus:6x6 --packets 9 --schedule " + file.path()).code, 2);
    EXPECT_EQ(run("broadcast torus:6x6 --packets 8 --algorithm paper --schedule " + file.path()).code, 2);
    EXPECT_EQ(run("broadcast torus:6x6 --packets 8 --algorithm schedule").code, 2);
    // For one packet more it is no longer whole.
    const Outcome short_of_one = run("check torus:6x6 --packets 9 --schedule " + file.path());
    EXPECT_EQ(short_of_one.code, 1);
    EXPECT_THAT(short_of_one.out, testing::HasSubstr("never receives packet 8"));
}

// Two packets round a ring of four by hand: links 0 to 1 and 0 to 3 in both steps, 1 to 2 and 3 to 2 in the
// second; packets reach node 1 in steps 1 and 2, node 2 both in step 2.
const std::string ring_of_four =
    "step,from,to,packet\n1,0,1,0\n1,0,3,1\n2,1,2,0\n2,3,2,1\n2,0,1,1\n2,0,3,0\n";

TEST(Command, CheckShowsWhatAReportDraws) {
    const TemporaryFile file(ring_of_four);
    const std::string check = "check torus:4 --packets 2 --schedule " + file.path();
    EXPECT_FALSE(json(check).contains("wavefront"));
    const auto details = json(check + " --details");
    EXPECT_EQ(details["wavefront"]["arrivals"], nlohmann::json::parse("[[], [1, 2], [2, 2], [1, 2]]"));
    EXPECT_EQ(details["links"]["ports"], nlohmann::json::parse(R"(["+x", "-x"])"));
    EXPECT_EQ(details["links"]["utilisation"], nlohmann::json::parse("[[1, 0.5, 0, 0], [1, 0, 0, 0.5]]"));
    EXPECT_EQ(details["links"]["over_time"], nlohmann::json::parse("[0.25, 0.5]"));
    // As the step engine draws it.
    const auto own = json("broadcast torus:4 --packets 2 --details --schedule " + file.path());
    EXPECT_EQ(details["wavefront"], own["wavefront"]);
    EXPECT_EQ(details["links"], own["links"]);
    // Steps far apart are windows.
    const TemporaryFile late("step,from,to,packet\n1,0,1,0\n4000000000,0,2,0\n");
    const auto windows = json("check torus:3 --packets 1 --details --schedule " + late.path())["links"];
    EXPECT_LE(windows["over_time"].size(), 1000U);
}

TEST(Command, CheckCountsProblemsAndShowsTenLines) {
    std::string rows = "step,from,to,packet\n";
    for (int i = 0; i < 12; ++i) rows += "1,0,2,0\n";  // where no link is
    const TemporaryFile file(rows);
    const std::string check = "check torus:4 --packets 1 --schedule " + file.path();
    const Outcome text = run(check);
    EXPECT_EQ(text.code, 1);
    EXPECT_THAT(text.out, testing::StartsWith("problems               15, of which the first are\n"));
    EXPECT_THAT(text.out,
                testing::HasSubstr("not valid              line 11: step 1: node 0 sends packet 0 to "));
    EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 1 + 10);
    const Outcome outcome = run(check + " --json");
    const auto result = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(result["problems"], 12 + 3);
    EXPECT_EQ(result["first_problems"].size(), 10U);
    EXPECT_EQ(result["problem"], result["first_problems"][0]);
    const Outcome run_of_it = run("broadcast torus:4 --packets 1 --schedule " + file.path());
    EXPECT_EQ(run_of_it.code, 2);
    EXPECT_THAT(run_of_it.err, testing::HasSubstr(file.path() + ": 15 problems: line 2: step 1: "));
    EXPECT_EQ(std::count(run_of_it.err.begin(), run_of_it.err.end(), '\n'), 1);
}

// A file's schedule goes by the file's name, and takes the same two steps of F + h cycles on every engine
// (docs/node.md, section 7): one send list a link, no queue fills.
TEST(Command, AConfigurationRunsAScheduleUnderItsName) {
    const TemporaryFile file(ring_of_four);
    const TemporaryFile config(
        "schema: 1\nnetwork: torus:4\nbroadcast: {packets: 2, schedule: " + file.path() + "}\npace: step\n");
    std::vector<std::string> engines = {"native"};
    if (run("broadcast torus:4 --engine rtl --packets 1").code == 0)
        engines.insert(engines.end(), {"systemc", "rtl", "native --set lockstep=rtl,systemc"});
    for (const std::string& engine : engines) {
        const auto result = json("run " + config.path() + " --set engine=" + engine);
        EXPECT_EQ(result["schedule"], file.path());
        EXPECT_EQ(result["algorithm"], "schedule");
        EXPECT_EQ(result["steps"], 2);
        EXPECT_EQ(result["cycles"], 2 * (8 + 4)) << engine;
        EXPECT_EQ(result["experiment"]["broadcast"]["schedule"], file.path());
    }
    const std::string text = run("run " + config.path()).out;
    EXPECT_THAT(text, testing::HasSubstr("schedule               " + file.path() + "\n"));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("algorithm")));
    EXPECT_FALSE(json("broadcast torus:4 --packets 2").contains("schedule"));
}

TEST(Command, LinksFileHasARowForEachLink) {
    const TemporaryFile file;
    EXPECT_EQ(run("broadcast torus:3x3 --link-use " + file.path()).code, 0);
    std::ifstream in(file.path());
    EXPECT_EQ(std::count(std::istreambuf_iterator<char>(in), {}, '\n'), 1 + 9 * 4);
}

TEST(Command, AFileIsSugarForTheFlags) {
    const auto by_file = json("run " INTERLACE_CONFIGS "/networks/ibt-64x64.yaml --set broadcast.packets=8");
    const auto by_flags = json("broadcast ibt:64x64:b=8,24 --packets 8");
    EXPECT_EQ(by_file, by_flags);
}

TEST(Command, ComparesAnIbtWithItsTorus) {
    const auto result = json("compare ibt:64x64:b=8,24 torus:64x64 --packets 4");
    EXPECT_EQ(result["coefficient"], "alpha");
    EXPECT_DOUBLE_EQ(result["metrics"]["diameter"]["coefficient"], 1 - 10.0 / 64);
    EXPECT_DOUBLE_EQ(result["metrics"]["line_steps"]["second"], 64 / 2 + 4 / 2 - 1);       // eq. 4
    EXPECT_DOUBLE_EQ(result["metrics"]["rectangle_steps"]["second"], 2 * 64 + 4 / 4 - 3);  // eq. 6
}

// Packets of one flit under strict priority of the fullest queue: an adaptive packet at node 0 asks for the
// link that the broadcast keeps busy, in every cycle, and loses, while another that it may take is idle.
// docs/node.md, section 5, has it so (native nodes in lockstep, too), and nothing in it is a fault of the
// hardware.
TEST(Command, HardwareThatPassesAnAdaptivePacketOverForLongIsNotAtFault) {
    const std::string experiment =
        "broadcast torus:4x4 --group line --axes x --algorithm spanning_tree --packets 45000 --forwarding "
        "deposit "
        "--background 0.001 --seeds 1 --set node.packet_flits=1 --set node.priority_channel=false "
        "--set node.selection=round_robin --set node.round_robin_every=0 --engine ";
    const auto native = json(experiment + "native");
    const Outcome rtl = run(experiment + "rtl --json");
    if (rtl.err.find("a build with INTERLACE_RTL") != std::string::npos) GTEST_SKIP() << "built without RTL";
    ASSERT_EQ(rtl.code, 0) << rtl.err;
    EXPECT_EQ(nlohmann::json::parse(rtl.out)["cycles"], native["cycles"]);
}

TEST(Command, WrongInputIsOneLineAndExitCode2) {
    for (const char* arguments : {"",
                                  "frobnicate",
                                  "topology",
                                  "topology torus:0x2",
                                  "topology graph:/nowhere",
                                  "broadcast torus:4x4 --packets 0",
                                  "broadcast torus:4x4 --packets x",
                                  "broadcast torus:4x4 --source 16",
                                  "broadcast torus:4x4 --source 1,4",
                                  "broadcast torus:4x4 --group line --axes z",
                                  "broadcast torus:4x4 --group circle",
                                  "broadcast ibt:8x8:b=4 --pattern 16",
                                  "broadcast torus:4x4 --engine fpga",
                                  "broadcast torus:4x4 --engine native --node nobody",
                                  "broadcast torus:4x4 --engine native --set vcs=1",
                                  "broadcast torus:4x4 --engine native --set node.vcs=9",
                                  "broadcast torus:4x4 --set node.vcs=2",
                                  "traffic torus:4x4 --set traffic.lode=0.2",
                                  "broadcast torus:4x4 --engine native --set node.vc_depth=4",
                                  "broadcast torus:4x4 --engine native --set node.reception_queues=3",
                                  "broadcast torus:4x4 --engine native --pace fast",
                                  "broadcast torus:4x4 --engine native --rtl-nodes 16",
                                  "broadcast torus:4x4 --engine native --lockstep vhdl",
                                  "broadcast torus:3x3x3x3x3x3 --engine native",
                                  "traffic torus:4x4 --load 0",
                                  "traffic torus:4x4 --pattern storm",
                                  "traffic torus:4x4 --engine step",
                                  "traffic graph:/nowhere",
                                  "broadcast torus:4x4 --no-such-flag",
                                  "broadcast torus:4x4 --write-schedule /nowhere/x.csv",
                                  "broadcast torus:4x4 --schedule /nowhere/x.csv",
                                  "check torus:4x4 --schedule /nowhere",
                                  "run /nowhere.yaml",
                                  "reproduce nobody",
                                  "reproduce ibt table9",
                                  "broadcast torus:512x512 --packets 1000000"}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 2) << arguments;
        EXPECT_EQ(outcome.out, "") << arguments;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1)
            << arguments << ": " << outcome.err;
        EXPECT_THAT(outcome.err, testing::StartsWith("interlace: ")) << arguments;
    }
}

// On a ring of three every node has a link to both others.
TEST(Command, ExportsANetworksLinks) {
    const std::string links = "from,to\n0,1\n0,2\n1,0\n1,2\n2,0\n2,1\n";
    EXPECT_EQ(run("topology torus:3 --export -").out, links);
    EXPECT_EQ(run("topology torus:3 --export - --form csv").out, links);
    EXPECT_THAT(run("topology torus:3 --export - --form dot").out,
                testing::StartsWith("digraph \"torus:3\""));
    const std::string file = testing::TempDir() + "interlace-export.csv";
    const Outcome outcome = run("topology torus:3 --export " + file);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(run("topology graph:" + file + " --export - ").out, links);
    for (const std::string wrong :
         {"torus:3 --export x.svg", "torus:3 --export /nowhere/x.csv", "torus:1 --export x.csv",
          "torus:3 --export x.csv --json", "torus:3 --form dot", "torus:3 --export x.csv --form svg"}) {
        EXPECT_EQ(run("topology " + wrong).code, 2) << wrong;
        EXPECT_FALSE(std::ifstream("x.csv").good()) << wrong;
    }
    EXPECT_THAT(run("topology graph:" + file + " --export " + file).err, testing::HasSubstr("which is read"));
    std::remove(file.c_str());
}

// Every network of the list is measured as it is alone, the best of a degree first.
TEST(Command, ListsNetworksWithTheirMeasures) {
    for (const auto& [flags, count] : std::vector<std::pair<std::string, std::size_t>>{
             {"ibt --nodes 64", 4}, {"torus --nodes 64 --dimensions 2", 2}, {"mesh --nodes 27", 3}}) {
        const auto list = json("topology --list " + flags);
        EXPECT_EQ(list["schema"], "interlace.topologies/1");
        ASSERT_EQ(list["networks"].size(), count) << list;
        for (const auto& listed : list["networks"]) {
            const auto alone = json("topology " + listed["network"].get<std::string>());
            for (const char* key : {"degree", "links", "diameter", "mean_distance", "mean_distance_distinct"})
                EXPECT_EQ(listed[key], alone[key]) << key;
            const auto& first = list["networks"][0];
            EXPECT_TRUE(listed["degree"] > first["degree"] || listed["diameter"] >= first["diameter"]);
        }
    }
    const std::string table = run("topology --list torus --nodes 16").out;
    EXPECT_THAT(table, testing::HasSubstr("torus:4x4"));
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 2);
    for (const std::string wrong :
         {"--list torus", "--list ring --nodes 8", "--list ibt --nodes 250",
          "--list torus --nodes 64 --lengths 1", "--list torus --nodes 2", "torus:4x4 --nodes 16",
          "torus:4x4 --list torus --nodes 16", "--list torus --nodes 16 --export x.csv"}) {
        const Outcome outcome = run("topology " + wrong);
        EXPECT_EQ(outcome.code, 2) << wrong;
        EXPECT_EQ(outcome.out, "") << wrong;
    }
}

// A table that was written is the table that the run has anyway: byte by byte the same result, on every
// engine.
TEST(Command, RoutingTableGoesOutAndComesBack) {
    for (const std::string network : {"torus:4x4", "ibt:8x8:b=4"}) {
        const TemporaryFile file;
        ASSERT_EQ(run("topology " + network + " --routing-table " + file.path()).code, 0);
        const std::string table = file.text();
        const std::string traffic = "traffic " + network + " --load 0.2 --cycles 300 --routing table";
        auto own = json(traffic);
        std::vector<std::string> engines = {""};
        if (run(traffic + " --engine rtl").code == 0 && network == "torus:4x4")
            engines.insert(engines.end(), {" --lockstep rtl,systemc", " --engine rtl", " --engine systemc"});
        for (const std::string& engine : engines) {
            auto by_file = json(traffic + ":" + file.path() + engine);
            EXPECT_EQ(by_file["experiment"]["node"]["routing"], "table:" + file.path());
            own["experiment"] = by_file["experiment"] = nullptr;
            for (auto* result : {&own, &by_file})
                for (const char* key : {"router_cycles_per_second", "engine"}) result->erase(key);
            EXPECT_EQ(by_file.dump(), own.dump()) << engine;
        }
        EXPECT_EQ(file.text(), table);
    }
}

// On a ring of three with rows that send everything upwards two of three ways are detours: upwards by two
// links, though there is one downwards.
TEST(Command, TrafficGoesByAUsersTable) {
    const TemporaryFile file(
        "node,destination,port,channel\n0,1,0,1\n0,2,0,1\n1,2,0,1\n1,0,0,0\n2,0,0,0\n2,1,0,0\n");
    const auto result = json("traffic torus:3 --load 0.1 --cycles 2000 --routing table:" + file.path());
    EXPECT_EQ(result["link_load"]["detours"], 3);
    EXPECT_EQ(result["link_load"]["max"], 3);  // of each link: one pair of next nodes, two halves of detours
    EXPECT_NEAR(result["mean_hops"].get<double>(), 1.5, 0.1);
    EXPECT_THAT(run("traffic torus:3 --cycles 300 --routing table:" + file.path()).out,
                testing::HasSubstr("3 pairs, which the table sends on longer paths than the shortest\n"));
    EXPECT_THAT(
        run("traffic torus:3 --routing table:" + file.path() + " --set node.vcs=1").err,
        testing::HasSubstr(file.path() + ": 3 problems: line 2: channel: cannot use value '1'; expected"));
    EXPECT_EQ(run("traffic torus:4 --routing table:" + file.path()).code, 2);
    EXPECT_EQ(run("traffic torus:3 --routing table:/nowhere.csv").code, 2);
    EXPECT_EQ(run("topology torus:3 --routing-table x.csv --json").code, 2);
    EXPECT_EQ(run("topology torus:3 --channels 2").code, 2);
    EXPECT_EQ(run("topology torus:3 --routing-table /nowhere/x.csv").code, 2);
}

TEST(Command, HelpShowsAnExample) {
    for (const char* name : {"topology", "compare", "broadcast", "traffic", "check", "run", "reproduce"}) {
        const Outcome outcome = run(std::string(name) + " --help");
        EXPECT_EQ(outcome.code, 0);
        EXPECT_THAT(outcome.out, testing::HasSubstr(std::string("Example: interlace ") + name));
    }
    EXPECT_THAT(run("--version").out, testing::StartsWith("interlace "));
}

}  // namespace
}  // namespace interlace
