// Interlace: tests of collectives over links on the routers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "interlace/core/error.h"
#include "interlace/experiment/kinds/collective.h"

namespace interlace {
namespace {

/// The cycles that one run takes where nothing waits for room are those of max-plus (docs/node.md, section
/// 7), and these are no fewer than F + h for the longest path and F for each packet of the fullest link.
TEST(CollectivesOnRouters, TakeTheCyclesOfMaxPlus) {
    for (const char* network : {"torus:4x4", "torus:5x3", "mesh:3x3", "ibt:4x4:b=2", "torus:3x3x3"})
        for (const DirectCollective collective :
             {DirectCollective::allgather, DirectCollective::reducescatter, DirectCollective::allreduce,
              DirectCollective::alltoall, DirectCollective::reduce, DirectCollective::scatter,
              DirectCollective::gather}) {
            CollectiveExperiment e;
            e.collective = collective;
            e.network = network;
            e.chunks = 3;
            e.engine = "native";
            const CollectiveRun run = run_collective(e);
            ASSERT_TRUE(run.cycles) << network;
            const auto cycles = static_cast<std::uint64_t>(run.cycles->cycles.mean);
            EXPECT_EQ(cycles, run.cycles->max_plus_cycles) << network << collective_name(collective);
            constexpr std::uint64_t flits = 8, overhead = 4;
            EXPECT_GE(cycles, run.bound.steps * flits + overhead) << network << collective_name(collective);
            EXPECT_LE(cycles, run.report.steps * (flits + overhead))
                << network << collective_name(collective);
        }
}

/// Hosts that cost something, several regions and threads: the same cycles for the same seed.
TEST(CollectivesOnRouters, AreTheSameOnAnyNumberOfThreads) {
    CollectiveExperiment e;
    e.collective = DirectCollective::allreduce;
    e.network = "torus:4x4";
    e.engine = "native";
    e.cycles.host = host_parameters("bgl");
    const double alone = run_collective(e).cycles->cycles.mean;
    e.cycles.regions = 4;
    e.cycles.threads = 2;
    EXPECT_EQ(run_collective(e).cycles->cycles.mean, alone);
}

// A reduce on a line of five to one end: a sum waits for the one behind it, four times one after another.
TEST(CollectivesOnRouters, PayForSums) {
    CollectiveExperiment e;
    e.collective = DirectCollective::reduce;
    e.network = "mesh:5";
    e.chunks = 1;
    e.engine = "native";
    e.cycles.host.receive_cycles = 20;
    const double free = run_collective(e).cycles->cycles.mean;
    e.cycles.host.combine_cycles = 100;
    EXPECT_EQ(run_collective(e).cycles->cycles.mean, free + 4 * 100);
    e.collective = DirectCollective::gather;
    const double gathered = run_collective(e).cycles->cycles.mean;
    e.cycles.host.combine_cycles = 0;
    EXPECT_EQ(run_collective(e).cycles->cycles.mean, gathered);
}

CollectiveExperiment unicast(DirectCollective collective, const std::string& network,
                             const std::string& algorithm) {
    CollectiveExperiment e;
    e.collective = collective;
    e.network = network;
    e.algorithm = algorithm;
    e.engine = "native";
    e.cycles.forwarding = "unicast";
    return e;
}

// Packets of an all-to-all: one from each node to each other; in two phases one to each node of its line for
// each node of the others' planes, and one from there to each node of its plane but itself. By minimal
// routing they cross as many links as their ends are apart: in rings of 8 two on average, of 4 one, and none
// is for its own node.
TEST(CollectivesOnRouters, SendUnicastPacketsFromEndToEnd) {
    CollectiveExperiment e = unicast(DirectCollective::alltoall, "torus:8x4x4", "direct");
    const CollectiveRun direct = run_collective(e);
    ASSERT_TRUE(direct.unicast);
    EXPECT_EQ(direct.unicast->packets, 128U * 127);
    EXPECT_NEAR(direct.unicast->mean_hops.mean, 4 * 128 / 127.0, 1e-9);
    EXPECT_EQ(direct.unicast->bound_cycles, 128U * 8);
    EXPECT_GE(direct.unicast->cycles.mean, 128 * 8);
    e.algorithm = "two_phase";
    const CollectiveRun two = run_collective(e);
    const std::uint64_t line = 7 * 16, plane = 15 * 8;
    EXPECT_EQ(two.unicast->packets, 128 * (line + plane));
    EXPECT_NEAR(two.unicast->mean_hops.mean * static_cast<double>(two.unicast->packets), 4.0 * 128 * 128,
                1e-3);
}

// No order and no pace is faster than the links, and the seed decides on the order.
TEST(CollectivesOnRouters, HaveTheOrderAndPaceThatHostsChoose) {
    CollectiveExperiment e = unicast(DirectCollective::alltoall, "torus:4x4", "direct");
    e.chunks = 4;
    std::set<double> cycles;
    for (const char* order : {"schedule", "random"})
        for (const char* pace : {"off", "step", "0.5"}) {
            e.order = order;
            e.cycles.pace = pace;
            const CollectiveRun run = run_collective(e);
            const double bound = 8 * 4 * 8;  // 8 packets of a pair of links, 4 chunks, 8 flits
            EXPECT_EQ(static_cast<double>(run.unicast->bound_cycles), bound);
            // The last of 60 packets leaves at 59 / 60 of twice the bound.
            const double least = e.cycles.pace == "0.5" ? 2 * bound * 59 / 60 : bound;
            EXPECT_GE(run.unicast->cycles.mean, least) << order << pace;
            cycles.insert(run.unicast->cycles.mean);
        }
    EXPECT_GT(cycles.size(), 3U);
    e.cycles.pace = "off";
    e.cycles.seeds = 5;
    EXPECT_GT(run_collective(e).unicast->cycles.max, run_collective(e).unicast->cycles.min);
}

// Sums over several links, which have no program from neighbour to neighbour: each packet waits for those of
// the rounds before, so a chain of rounds takes F + 4 cycles a round at least. The same cycles on threads.
TEST(CollectivesOnRouters, SendSumsOverSeveralLinks) {
    for (const auto& [network, algorithm] : {std::pair("torus:8x8", "swing"),
                                             {"torus:4x4", "recursive_doubling"},
                                             {"mesh:4x4", "rabenseifner"}}) {
        CollectiveExperiment e = unicast(DirectCollective::allreduce, network, algorithm);
        const CollectiveRun run = run_collective(e);
        EXPECT_GE(run.unicast->cycles.mean, run.rounds * 12) << algorithm;
        e.cycles.regions = 4;
        e.cycles.threads = 2;
        EXPECT_EQ(run_collective(e).unicast->cycles.mean, run.unicast->cycles.mean) << algorithm;
    }
}

// 8 own packets of a host at a millionth of the bound's rate: the last leaves after 7 / 8 of a million times
// the bound, long after those that wait have been idle for longer than a network that is stuck.
TEST(CollectivesOnRouters, WaitForPacketsThatArePaced) {
    CollectiveExperiment e = unicast(DirectCollective::alltoall, "torus:3x3", "two_phase");
    e.cycles.pace = "1e-6";
    const CollectiveRun run = run_collective(e);
    EXPECT_GE(run.unicast->cycles.mean, 7e6 / 8 * static_cast<double>(run.unicast->bound_cycles));
}

// Along rings of 16 nodes a packet is sent 15 times, 14 times by hosts that it came to: each copies it after
// it has sent it. An all-to-all without relays copies nothing.
TEST(CollectivesOnRouters, PayForCopies) {
    const auto cost_of_copies = [](CollectiveExperiment e) {
        e.cycles.host.servers = 1;
        const double free = run_collective(e).unicast->cycles.mean;
        e.cycles.host.copy_cycles = 1'000;
        return run_collective(e).unicast->cycles.mean - free;
    };
    EXPECT_GE(cost_of_copies(unicast(DirectCollective::allgather, "torus:4x4", "ring")), 14 * 1'000);
    EXPECT_EQ(cost_of_copies(unicast(DirectCollective::alltoall, "torus:4x4", "direct")), 0);
}

TEST(CollectivesOnRouters, RefuseWhatUnicastPacketsCannotDo) {
    const auto refuses = [](const CollectiveExperiment& e, const std::string& text) {
        try {
            run_collective(e);
            ADD_FAILURE() << text;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
        }
    };
    refuses(unicast(DirectCollective::allgather, "torus:4x4", "optimal"), "whose packets follow trees");
    CollectiveExperiment e = unicast(DirectCollective::alltoall, "torus:4x4", "direct");
    e.order = "any";
    refuses(e, "cannot use order 'any'; expected schedule or random");
    e.order = "random";
    e.cycles.pace = "1.5";
    refuses(e, "cannot use pace '1.5'; expected off, step, or a share above 0 to 1");
    e.cycles.pace = "off";
    e.cycles.forwarding = "host";
    refuses(e, "cannot use order random with forwarding by host; expected forwarding unicast");
    e.order = "schedule";
    e.cycles.pace = "0.9";
    refuses(e, "cannot use pace 0.9 with forwarding by host; expected forwarding unicast");
    e.cycles.forwarding = "unicast";
    e.engine = "step";
    refuses(e, "cannot send unicast packets on the engine step");
    e.engine = "native";
    e.cycles.pace = "1e-19";
    refuses(e, "cannot use a pace of 1e-19");
    e.cycles.pace = "off";
    e.chunks = 100'000;
    refuses(e, "cannot send 24000000 unicast packets");
    e.chunks = 1;
    e.cycles.host.memory_packets = 3;
    refuses(e, "cannot bound the memory of hosts");
    e = unicast(DirectCollective::gather, "torus:8x4", "optimal");
    e.cycles.pace = "0.5";
    refuses(e, "cannot pace packets where each host has one");
}

}  // namespace
}  // namespace interlace
