// Interlace: the search for saturation
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/traffic.h"

#include <gtest/gtest.h>

#include "interlace/core/error.h"

namespace interlace {
namespace {

TrafficRun saturation(const std::string& network, const std::string& pattern) {
    TrafficExperiment e;
    e.network = network;
    e.pattern = pattern;
    e.nodes.node = node_parameters("wide");
    e.traffic.packet_flits = 4;
    e.traffic.warmup = detect_warmup;
    e.saturation = true;
    return run_traffic(e);
}

// Every packet of the neighbour pattern on a ring takes one link, which nobody else uses: a flit a cycle, and
// 98% are taken of up to 2% more.
TEST(Saturation, OfNeighboursIsTheLinksRate) {
    const TrafficRun run = saturation("torus:8", "neighbour");
    EXPECT_NEAR(run.experiment.traffic.load, 1, 0.03);
    EXPECT_LE(run.result.accepted_load, 1);
    EXPECT_EQ(run.tried.size(), 11U);
}

// Three links for each packet, all in one direction: a third of a flit a node and cycle at most.
TEST(Saturation, OfATornadoIsBelowTheRingsBound) {
    const TrafficRun run = saturation("torus:8", "tornado");
    EXPECT_LE(run.result.accepted_load, 1.0 / 3);
}

TEST(Saturation, IsOfAPattern) {
    EXPECT_THROW(saturation("torus:8", "trace:x.csv"), InputError);
}

}  // namespace
}  // namespace interlace
