// Interlace: collectives on clusters as users see them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

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

}  // namespace
}  // namespace interlace
