// Interlace: collectives on clusters as users see them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/json_of_command.h"
#include "support/run_command.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

// Programs whose sends of one pair and tag start in another order than they stand in the file, on one switch
// with links of 1000 Mbps; LogGOPSim, with G = 8 ns a byte for the two links, has 800,064 ns, 168 ns
// and 57.999992 ms.
TEST(Clusters, SendsAndReceivesOfOneTagMatchAsTheyStart) {
    const TemporaryFile cluster(
        "network: {kind: cluster, switches: 1, trunks: [], machines: [0, 0], link: {rate_mbps: 1000}}\n"
        "event: {frame: {mtu: 1500, overhead: 0, minimum: 0}}\n");
    const auto replay = [&](const std::string& ranks) {
        const TemporaryFile goal("num_ranks 2\n" + ranks);
        return json("replay cluster:" + cluster.path() + " --goal " + goal.path())["rank_seconds"];
    };
    EXPECT_NEAR(replay("rank 0 {\nbig: send 100000b to 1 tag 5\nsmall: send 10b to 1 tag 5\n"
                       "big requires small\n}\nrank 1 {\nx: recv 10b from 0 tag 5\n"
                       "y: recv 100000b from 0 tag 5\ny requires x\n}\n")[1],
                0.8e-3, 0.02e-3);
    EXPECT_NEAR(replay("rank 0 {\na: send 8b to 1\nb: send 8b to 1\nr: recv 8b from 1\nr requires b\n"
                       "a requires r\n}\nrank 1 {\nx: recv 8b from 0\ny: recv 8b from 0\ns: send 8b to 0\n"
                       "s requires x\ny requires s\n}\n")[1],
                3 * 2 * 64e-9, 1e-12);  // three messages of 64 ns over two links, one after another
    EXPECT_NEAR(replay("rank 0 {\na: send 1000000b to 1\nb: send 1000000b to 1\nw: calc 50000000\n"
                       "a requires w\n}\nrank 1 {\nx: recv 1000000b from 0\ny: recv 1000000b from 0\n"
                       "c: calc 10000000\nc requires x\n}\n")[1],
                58.0e-3, 0.02e-3);
}

// 19 times 10^15 ns are more picoseconds than 64 bits hold, one after another or as the machine takes them.
TEST(Clusters, ComputationsDoNotOverflow) {
    for (const bool one_by_one : {true, false}) {
        std::string rank;
        for (int i = 0; i < 19; ++i) {
            const std::string name = "c" + std::to_string(i);
            rank += name + ": calc 1000000000000000\n";
            if (one_by_one && i > 0) rank += name + " requires c" + std::to_string(i - 1) + "\n";
        }
        const TemporaryFile goal("num_ranks 2\nrank 0 {\n" + rank + "}\nrank 1 {\ncalc 1\n}\n");
        const Outcome outcome = run("replay torus:3x3 --goal " + goal.path());
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, testing::HasSubstr("the run is longer than 2^61 ps, 26 days"));
    }
}

TEST(Clusters, AllGatherIsBoundedByFramesOnALink) {
    // 15 messages of a byte fit into one frame, of 84 bytes at least: 672 ns at 1000 Mbps.
    const auto byte = json("allgather torus:4x4 --algorithm lr3 --message 1");
    EXPECT_NEAR(byte["lower_bound_seconds"], 672e-9, 1e-15);
    EXPECT_EQ(byte["lower_bound_link"], "a machine's link");
    EXPECT_NEAR(byte["all_links_lower_bound_seconds"], 672e-9, 1e-15);
    EXPECT_GE(byte["seconds"], byte["lower_bound_seconds"]);
    // 15 x 1500 bytes are 15 frames of 1538 bytes; on one of four links at least 5625 bytes, in 4 frames.
    const auto frame = json("allgather torus:4x4 --algorithm lr3 --message 1500 --plan");
    EXPECT_NEAR(frame["lower_bound_seconds"], 15 * 1538 * 8e-9, 1e-12);
    EXPECT_NEAR(frame["all_links_lower_bound_seconds"], (5625 + 4 * 38) * 8e-9, 1e-12);
    // Machines behind two switches: 4 messages over the trunk are more than 7 into a machine, if it is
    // slower.
    const TemporaryFile two(
        "network: {kind: cluster, switches: 2, trunks: [[0, 1]], machines: [0, 0, 0, 0, 1, 1, 1, 1],\n"
        "          trunk: {rate_mbps: 100}}\n");
    const auto trunk = json("allgather cluster:" + two.path() + " --message 1500 --plan");
    EXPECT_EQ(trunk["lower_bound_link"], "trunk s0-s1");
    EXPECT_NEAR(trunk["lower_bound_seconds"], 4 * 1538 * 8e-8, 1e-12);
    EXPECT_FALSE(trunk.contains("all_links_lower_bound_seconds"));
}

TEST(Clusters, AllToAllSaysWhatFiniteQueuesWouldDo) {
    const std::string exchange = "alltoall cluster:figure1 --algorithm post_all";
    const Outcome infinite = run(exchange);
    const double finite = json(exchange + " --set event.switch.capacity=16")["seconds"];
    EXPECT_THAT(infinite.err, testing::HasSubstr("switches have infinite queues"));
    const std::string figure = "event.switch.capacity=16 it takes ";
    ASSERT_THAT(infinite.err, testing::HasSubstr(figure));
    EXPECT_NEAR(std::stod(infinite.err.substr(infinite.err.find(figure) + figure.size())), finite * 1e3,
                1e-3);
    EXPECT_EQ(run("alltoall cluster:figure1").err, "");  // a schedule has no contention
}

// A message of 65536 bytes is 44 frames, with 38 more bytes each: 67208 bytes take 537.664 us at 1000 Mbps.
// Trees of 16 machines, equal in that, take 4 such rounds, and no tree fewer.
TEST(Clusters, TreesCountWhatAMessageTakesWhereNothingElseDoes) {
    for (const std::string algorithm : {"binomial", "fnf", "spoc", "optimal_tree"}) {
        const auto plan = json("multicast torus:4x4 --plan --algorithm " + algorithm);
        EXPECT_NEAR(plan["message_us"], 537.664, 1e-9) << algorithm;
        EXPECT_NEAR(plan["latency_us"], 4 * 537.664, 1e-6) << algorithm;
    }
    EXPECT_FALSE(json("multicast cluster:hnow --plan").contains("message_us"));  // which has start-up times
}

// Three machines on two switches: six links of machines and two of the trunk, counted each way.
TEST(Clusters, ResultsSayHowFastTheLinksAre) {
    const TemporaryFile cluster(
        "network: {kind: cluster, switches: 2, trunks: [[0, 1]], machines: [0, 0, 1],\n"
        "  link: {rate_mbps: 1000}, trunk: {rate_mbps: 100, latency_us: 5}}\n");
    const TemporaryFile goal("num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n");
    const auto speeds = nlohmann::json::parse(
        R"([{"links": 6, "mbps": 1000, "latency_us": 0}, {"links": 2, "mbps": 100, "latency_us": 5}])");
    for (const std::string& command :
         {"allgather cluster:" + cluster.path(), "alltoall cluster:" + cluster.path(),
          "multicast cluster:" + cluster.path(), "broadcast cluster:" + cluster.path(),
          "replay cluster:" + cluster.path() + " --goal " + goal.path()}) {
        EXPECT_EQ(json(command)["link_speeds"], speeds) << command;
        EXPECT_THAT(run(command).out,
                    testing::HasSubstr("links                  6 of 1000 Mbps, 0 us; 2 of 100 Mbps, 5 us\n"))
            << command;
    }
}

TEST(Clusters, CollectivesAgreeInTheirDefaults) {
    for (const std::string collective : {"allgather", "alltoall", "multicast"})
        EXPECT_EQ(json(collective + " cluster:hnow --plan")["experiment"][collective]["message"], 65536);
    EXPECT_EQ(json("broadcast cluster:hnow --plan")["experiment"]["multicast"]["algorithm"], "fnf");
}

/// Each link of a result without what depends on engines and time.
nlohmann::json measured(const std::string& arguments) {
    nlohmann::json result = json(arguments);
    for (const char* key : {"experiment", "engine", "regions", "router_cycles_per_second"}) result.erase(key);
    return result;
}

TEST(Switches, CarryTrafficInLockstep) {
    for (const std::string network :
         {"fattree:4", "fattree:2,3", "dragonfly:2,1,2", "hyperx:3x2:p=2", "crossbar:8", "cluster:figure1"}) {
        const std::string run = "traffic " + network + " --load 0.3 --cycles 1000 --engine native --seeds 2";
        EXPECT_EQ(measured(run + " --lockstep rtl,systemc"), measured(run)) << network;
        const std::string bgl = run + " --node bgl --routing table";
        EXPECT_EQ(measured(bgl + " --rtl-nodes 0,5"), measured(bgl)) << network;
    }
}

// Of the 15 other hosts 1 is 2 links away, 2 are 4 and 12 are 6; each host sends and receives 15 packets by
// one link, and no link need carry more.
TEST(Switches, OfAFatTreeCarryAsMuchAsItsHostsSend) {
    const auto result = json("traffic fattree:4 --load 0.2 --cycles 3000");
    EXPECT_EQ(result["nodes"], 36);
    EXPECT_EQ(result["hosts"], 16);
    EXPECT_DOUBLE_EQ(result["mean_distance_distinct"], 82.0 / 15);
    EXPECT_EQ(result["link_load"]["max"], 15);
    EXPECT_EQ(result["link_load"]["detours"], 0);
    EXPECT_EQ(result["routing_capacity"], 1);
    EXPECT_EQ(json("traffic fattree:4 --load 0.2 --cycles 3000 --set node.vcs=1")["link_load"]["max"], 15);
}

// Its tree has one path for each pair, so the routing's load is what any routing's is: 4 packets from each
// machine, 6 over the fullest trunk.
TEST(Switches, OfATreeLeaveARoutingNoChoice) {
    const auto result = json("capacity cluster:figure1 --routing table");
    EXPECT_EQ(result["routing"]["link_load"], 6);
    EXPECT_DOUBLE_EQ(result["routing"]["capacity"], 4.0 / 6);
}

// A packet through a crossbar crosses two links and the router between them, as one along a line of three
// nodes does; 20 of them to different machines do not meet.
TEST(Switches, OfManyPortsAreNative) {
    for (const std::string how : {"wormhole", "virtual_cut_through", "store_and_forward"}) {
        const std::string with = " --set node.vc_depth=64 --set node.switching=" + how;
        const TemporaryFile one("cycle,from,to,flits\n0,0,2,7\n");
        const auto line = json("traffic mesh:3 --pattern trace:" + one.path() + with);
        std::string rows = "cycle,from,to,flits\n";
        for (int from = 0; from < 26; ++from)
            rows += "0," + std::to_string(from) + "," + std::to_string((from + 5) % 26) + ",7\n";
        const TemporaryFile all(rows);
        const auto crossed = json("traffic crossbar:26 --pattern trace:" + all.path() + with);
        EXPECT_EQ(crossed["latency_max"], line["latency_max"]);
        EXPECT_EQ(crossed["latency_mean"], line["latency_mean"]);
        EXPECT_EQ(crossed["mean_hops"], 2);
    }
    EXPECT_THAT(
        run("traffic crossbar:12 --cycles 500 --engine rtl").err,
        testing::HasSubstr("cannot use RTL or SystemC nodes with 12 ports; expected at most 10, or native"));
    EXPECT_THAT(run("traffic crossbar:27 --cycles 500").err,
                testing::HasSubstr("with 27 ports; expected at most 26 ports for a cycle engine"));
    EXPECT_THAT(run("traffic crossbar:26 --cycles 500 --set node.vcs=3").err,
                testing::HasSubstr("cannot use nodes with 26 ports, 3 virtual channels"));
}

// A line of three routers: each link of 6 cycles in place of 1 adds 5, whether all links have them or the
// first one.
TEST(Switches, RefuseWhatOnlyMachinesOnSwitchesCanDo) {
    // A host with a link to another one; two pairs without a link between them; links with latencies.
    const TemporaryFile triangle("from,to\n0,1\n1,0\n0,2\n2,0\n1,2\n2,1\n", ".csv");
    const TemporaryFile apart("from,to\n0,2\n2,0\n1,3\n3,1\n", ".csv");
    const TemporaryFile timed("from,to,latency\n0,2,3\n2,0,3\n1,2,3\n2,1,3\n", ".csv");
    const auto error = [](const std::string& file) {
        return run("allgather graph:" + file + ":hosts=2").err;
    };
    EXPECT_THAT(error(triangle.path()), testing::HasSubstr("expected one link, to a switch"));
    EXPECT_THAT(error(apart.path()), testing::HasSubstr("no links lead from machine 0 to machine 1"));
    EXPECT_THAT(error(timed.path()), testing::HasSubstr("whose links have latencies in cycles"));
    const TemporaryFile mapping(
        "schema: 1\nnetwork: {kind: cluster, file: figure1, machines: [0, 0, 1]}\ntraffic: {load: 0.1}\n");
    EXPECT_THAT(run("run " + mapping.path()).err,
                testing::HasSubstr("cannot replace values of a cluster's file here: network.machines="));
}

TEST(Switches, HaveWorstPermutationsOfTheirHosts) {
    const std::string file = testing::TempDir() + "worst.json";
    const auto result = json("capacity fattree:4 --routing table --pattern worst");
    EXPECT_EQ(result["permutation"].size(), 16);
    std::ofstream(file) << result;
    EXPECT_EQ(run("check fattree:4 --capacity " + file).code, 0);
}

TEST(Networks, OfEveryKindHaveWorkingDefaults) {
    for (const char* arguments :
         {"broadcast torus:3x3x3x3x3 --engine native --packets 2", "barrier hyperx:3x3 --engine native",
          "compare torus:2x4 mesh:2x4", "allreduce hypercube:4 --engine native", "alltoall fattree:4",
          "broadcast torus:2x2x3", "alltoall torus:2x5", "traffic hypercube:6 --load 0.1 --cycles 500"})
        EXPECT_EQ(run(arguments).code, 0) << arguments << ": " << run(arguments).err;
    EXPECT_THAT(run("traffic torus:3x3x3x3x3x3 --routing adaptive_bubble --set node.reception_queues=1").err,
                testing::HasSubstr("cannot use adaptive_bubble on nodes with 12 ports; expected at most 10"));
    EXPECT_THAT(run("area crossbar:12 --node wide").err, testing::HasSubstr("nodes with 12 ports"));
    EXPECT_EQ(run("topology dragonfly:524288,67108864,1").code, 2);
}

TEST(Latencies, OfSingleLinksDelayWhatCrossesThem) {
    const TemporaryFile trace("cycle,from,to,flits\n0,0,2,7\n");
    const auto latency = [&](const std::string& network) {
        return json("traffic " + network + " --pattern trace:" + trace.path())["latency_max"].get<int>();
    };
    const int unit = latency("mesh:3");
    EXPECT_EQ(latency("mesh:3 --set links.latency=6"), unit + 10);
    const TemporaryFile one("from,to,latency\n0,1,6\n1,0,\n1,2,\n2,1,\n", ".csv");
    EXPECT_EQ(latency("graph:" + one.path()), unit + 5);
    EXPECT_EQ(latency("graph:" + one.path() + " --set links.latency=6"), unit + 10);
    const TemporaryFile back("from,to,latency\n0,1,\n1,0,6\n1,2,\n2,1,\n", ".csv");
    EXPECT_EQ(latency("graph:" + back.path()), unit);
}

TEST(Latencies, OfSingleLinksAreTheSameOnEveryEngine) {
    const TemporaryFile links(
        "from,to,latency\n0,1,3\n1,0,9\n1,2,\n2,1,2\n2,3,1\n3,2,5\n3,0,7\n0,3,\n1,3,4\n3,1,4\n", ".csv");
    for (const std::string& run :
         {"traffic graph:" + links.path() + " --load 0.4 --cycles 1500 --seeds 2",
          "traffic graph:" + links.path() + " --load 0.3 --cycles 1500 --node bgl --routing table",
          "broadcast graph:" + links.path() + " --packets 12",
          "allreduce graph:" + links.path() + " --set allreduce.chunks=2"}) {
        const auto native = measured(run + " --engine native");
        EXPECT_EQ(measured(run + " --engine native --lockstep rtl,systemc"), native) << run;
        EXPECT_EQ(measured(run + " --engine native --threads 2"), native) << run;
    }
}

TEST(Switches, AreRowsOfRoutingTables) {
    const std::string file = testing::TempDir() + "switches.csv";
    ASSERT_EQ(run("topology dragonfly:2,1,2 --routing-table " + file).code, 0);
    const std::string traffic = "traffic dragonfly:2,1,2 --load 0.3 --cycles 1000 --routing table";
    EXPECT_EQ(measured(traffic + ":" + file), measured(traffic));
}

TEST(Switches, AreNeitherSourcesNorDestinations) {
    const TemporaryFile trace("cycle,from,to,flits\n0,0,5,7\n");  // machines 0 to 4
    EXPECT_THAT(run("traffic cluster:figure1 --pattern trace:" + trace.path()).err,
                testing::HasSubstr(":2: to: cannot use value '5'; expected a whole number from 0 to 4"));
    EXPECT_THAT(run("traffic cluster:figure1 --pattern hotspot:0.1:5").err,
                testing::HasSubstr("from 0 to 4"));
    EXPECT_EQ(run("traffic crossbar:8 --pattern bit_complement --cycles 500").code, 0);
    EXPECT_EQ(run("traffic crossbar:6 --pattern bit_complement --cycles 500").code, 2);
}

}  // namespace
}  // namespace interlace
