// Interlace: shuffle exchange: permutations, windows and orders of the paper
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/cluster/shuffle.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "interlace/core/error.h"
#include "interlace/engine/switches/event.h"
#include "interlace/network/cluster.h"
#include "interlace/program/check_messages.h"
#include "support/clusters.h"

namespace interlace {
namespace {

TEST(Shuffle, EveryStepIsAPermutationAndEveryPairMeetsOnce) {
    for (const Permutation permutation :
         {Permutation::shift, Permutation::exclusive_or, Permutation::edge_colour})
        for (std::uint32_t p = 1; p <= 33; ++p) {
            if (permutation == Permutation::exclusive_or && (p & (p - 1)) != 0) {
                EXPECT_THROW(shuffle_steps(permutation, p), InputError);
                continue;
            }
            std::set<std::pair<std::uint32_t, std::uint32_t>> met;
            for (std::uint32_t step = 1; step <= shuffle_steps(permutation, p); ++step) {
                std::set<std::uint32_t> receivers;
                for (std::uint32_t id = 0; id < p; ++id) {
                    const std::uint32_t to = shuffle_to(permutation, p, id, step);
                    EXPECT_EQ(shuffle_from(permutation, p, to, step), id);
                    receivers.insert(to);
                    EXPECT_TRUE(to == id || met.emplace(id, to).second) << p << ' ' << step;
                    EXPECT_TRUE(permutation == Permutation::shift ||
                                shuffle_to(permutation, p, to, step) == id);
                }
                EXPECT_EQ(receivers.size(), p);
            }
            EXPECT_EQ(met.size(), std::size_t{p} * (p - 1));
        }
}

TEST(Shuffle, WindowsOfThePaper) {
    EXPECT_DOUBLE_EQ(uplink_packets(16, 4), 3.2);
    EXPECT_EQ(global_window(30, 16, 4), 9U);   // the example of Figure 3
    EXPECT_EQ(global_window(45, 16, 4), 14U);  // section 5.2
    EXPECT_EQ(global_window(45, 16, 8), 10U);  // section 5.3
    EXPECT_EQ(global_window(1, 16, 8), 1U);
}

TEST(Shuffle, ReorderingIsFigure4) {
    // The first row of Figure 4: logical places 0 .. 15 have machines 0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15.
    const auto logical = reordered(16, 4);
    std::vector<std::uint32_t> physical(16);
    for (std::uint32_t id = 0; id < 16; ++id) physical[logical[id]] = id;
    EXPECT_THAT(physical, testing::ElementsAre(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    // A machine's xor partners in four steps in a row are on four switches.
    for (std::uint32_t id = 0; id < 16; ++id)
        for (std::uint32_t step = 4; step < 16; step += 4) {
            std::set<std::uint32_t> switches;
            for (std::uint32_t i = 0; i < 4; ++i)
                switches.insert(physical[shuffle_to(Permutation::exclusive_or, 16, logical[id], step + i)] /
                                4);
            EXPECT_EQ(switches.size(), 4U);
        }
    auto eight_by_two = reordered(16, 8);
    std::sort(eight_by_two.begin(), eight_by_two.end());
    for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(eight_by_two[i], i);
    EXPECT_THROW(reordered(16, 5), InputError);
}

TEST(Shuffle, ExchangesEveryPacketOnce) {
    for (const Permutation permutation :
         {Permutation::shift, Permutation::exclusive_or, Permutation::edge_colour})
        for (const std::uint32_t p : {2U, 4U, 7U, 8U})
            for (const std::uint32_t window : {0U, 1U, 3U}) {
                if (permutation == Permutation::exclusive_or && p == 7) continue;
                const auto program = shuffle_exchange(p, {permutation, 250, 100, window, {}});
                std::vector<std::vector<std::uint32_t>> has(p), needs(p);
                for (std::uint32_t i = 0; i < p; ++i)
                    for (std::uint32_t j = 0; j < p; ++j)
                        for (std::uint32_t k = 0; k < 3 && i != j; ++k) {
                            has[i].push_back((i * p + j) * 3 + k);
                            needs[j].push_back((i * p + j) * 3 + k);
                        }
                EXPECT_EQ(fault_of(program, has, needs), "") << p;
            }
}

TEST(Shuffle, TakesEquation2OnASwitchThatDoesNotBlock) {
    // T = O_s + k g (p - 1) + L - g + O_r + U_r. Frames of 1492 + 46 bytes at 100 Mbps: g = 123.04 us, L = 2
    // g.
    ClusterPlan plan;
    plan.switches = 1;
    plan.machines.assign(16, 0);
    plan.link.bits_per_second = 100'000'000;
    const Network network = make_cluster("16x1", plan);
    EventParameters parameters;
    parameters.frame = {1492, 46, 84};
    constexpr std::uint64_t us = 1'000'000;
    parameters.workstation.send_overhead = 5 * us;
    parameters.workstation.receive_overhead = 9 * us;
    const std::uint64_t g = 1538 * 80'000;
    for (const std::uint32_t k : {1U, 7U}) {
        const auto program =
            shuffle_exchange(16, {Permutation::exclusive_or, std::uint64_t{k} * 1492, 1492, 0, {}});
        const auto result = run_event(network, Routes(network, SwitchTree(network)), program, parameters);
        EXPECT_EQ(result.time_ps, 5 * us + k * g * 15 + 2 * g - g + 9 * us);
        EXPECT_EQ(result.time_ps, shuffle_time(16, k, g, 2 * g, 14 * us));
    }
}

}  // namespace
}  // namespace interlace
