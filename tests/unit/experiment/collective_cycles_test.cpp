// Interlace: tests of collectives over links on the routers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace interlace
