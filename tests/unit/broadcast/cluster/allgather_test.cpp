// Interlace: all-gather programs: right on data, and as long as the paper's formula
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/cluster/allgather.h"

#include <gtest/gtest.h>

#include "interlace/engine/switches/event.h"
#include "interlace/program/check_messages.h"
#include "support/clusters.h"

namespace interlace {
namespace {

/// "" if every machine begins with its own block and ends with all.
std::string fault(const MessageProgram& program, std::uint32_t machines) {
    std::vector<std::vector<std::uint32_t>> has(machines), needs(machines);
    for (std::uint32_t i = 0; i < machines; ++i) {
        has[i] = {i};
        for (std::uint32_t block = 0; block < machines; ++block) needs[i].push_back(block);
    }
    return fault_of(program, has, needs);
}

TEST(AllGather, EveryAlgorithmGivesEveryMachineEveryBlockOnce) {
    for (std::uint32_t machines = 1; machines <= 17; ++machines) {
        const SwitchTree tree(test::network_of(test::chain(1, machines)));
        EXPECT_EQ(fault(ring_allgather(ring_lr1(tree), 100), machines), "") << machines;
        EXPECT_EQ(fault(ring_allgather(ring_lr1(tree), 100, true), machines), "") << machines;
        EXPECT_EQ(fault(recursive_doubling_allgather(machines, 100), machines), "") << machines;
        EXPECT_EQ(fault(gather_broadcast_allgather(machines, 100), machines), "") << machines;
    }
}

/// 100 Mbps links without latency, frames of 1500 bytes without overhead, a path over d switches stores a
/// frame d - 1 times: as the paper counts.
struct TopologyD {
    test::PlainCluster plain = test::chain(4, 4);
    Network network;
    SwitchTree tree;
    Routes routes;
    EventParameters parameters;

    static Network slow(const test::PlainCluster& plain) {
        ClusterPlan plan;
        plan.switches = plain.switches;
        for (const auto& [a, b] : plain.trunks) plan.trunks.emplace_back(a, b);
        plan.machines.assign(plain.machines.begin(), plain.machines.end());
        plan.link.bits_per_second = plan.trunk.bits_per_second = 100'000'000;
        return make_cluster("topology d", plan);
    }
    TopologyD() : network(slow(plain)), tree(network), routes(network, tree) {
        parameters.frame = {1500, 0, 0};
        parameters.switches.stored_from = StoredFrom::trunks;
    }
    double milliseconds(const Ring& ring, bool barriers) const {
        const auto result = run_event(network, routes, ring_allgather(ring, 65'536, barriers), parameters);
        return static_cast<double>(result.time_ps) / 1e9;
    }
};

// Section 3.2: (P - 1) (msize + (d - 1) pkt) / B, with P = 16, msize = 64 KiB, pkt = 1500 bytes, B = 100
// Mbps.
double formula(unsigned d) {
    return 15 * (65'536 + (d - 1) * 1'500) * 8 / 100e6 * 1e3;
}

TEST(AllGather, RingWithBarriersTakesExactlyThePapersFormula) {
    const TopologyD d;
    EXPECT_DOUBLE_EQ(d.milliseconds(ring_lr1(d.tree), true), formula(4));  // 84.04 ms
    EXPECT_DOUBLE_EQ(d.milliseconds(ring_lr2(d.tree), true), formula(2));  // 80.44 ms
}

TEST(AllGather, RingWithoutBarriersTakesTheDelaysOfTheWorstPMinusOneEdges) {
    const TopologyD d;
    // LR1: three edges of 2 switches, one of 4: 3 + 3 frames. LR2: six edges of 2 switches: 6 frames.
    const double expected = formula(1) + 6 * 1'500 * 8 / 100e6 * 1e3;
    EXPECT_NEAR(expected, 79.363, 0.0005);
    EXPECT_DOUBLE_EQ(d.milliseconds(ring_lr1(d.tree), false), expected);
    EXPECT_DOUBLE_EQ(d.milliseconds(ring_lr2(d.tree), false), expected);
    EXPECT_DOUBLE_EQ(d.milliseconds(ring_lr3(d.tree), false), expected);
}

}  // namespace
}  // namespace interlace
