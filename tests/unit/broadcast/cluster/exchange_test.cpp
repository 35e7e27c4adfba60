// Interlace: complete exchange: Table 4, independent checks on random trees, every way of phases
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/cluster/exchange.h"

#include <gmock/gmock.h>

#include <set>

#include "interlace/engine/switches/event.h"
#include "interlace/program/check_messages.h"
#include "interlace/program/check_phases.h"
#include "support/clusters.h"
#include "support/plain_phases.h"

namespace interlace {
namespace {

using test::PlainCluster;
using test::tree_of;
using Plain = std::vector<test::PlainPhase>;

Plain plain(const std::vector<Phase>& phases) {
    Plain result;
    for (const Phase& phase : phases) result.emplace_back(phase.begin(), phase.end());
    return result;
}

TEST(Exchange, IsTable4MessageByMessage) {
    const SwitchTree tree = tree_of(test::figure_1());
    const ExchangePlan plan = schedule_exchange(tree);
    EXPECT_EQ(tree.id(plan.root), 3U);
    // m00 = n0, m01 = n1, m10 = n3, m11 = n4, m20 = n2; the columns of Table 4 from left to right.
    const Plain table = {
        {{0, 3}, {3, 2}, {2, 1}, {1, 0}}, {{1, 4}, {4, 2}, {2, 0}, {0, 1}}, {{1, 3}, {3, 0}},
        {{0, 4}, {3, 1}, {4, 3}},         {{0, 2}, {4, 1}, {2, 3}, {3, 4}}, {{1, 2}, {4, 0}, {2, 4}}};
    const Plain mine = plain(plan.phases);
    ASSERT_EQ(mine.size(), table.size());
    for (std::size_t p = 0; p < table.size(); ++p)
        EXPECT_THAT(mine[p], testing::UnorderedElementsAreArray(table[p])) << "phase " << p;
}

TEST(Exchange, PhasesAreFreeOfContentionCompleteAndAsFewAsTheLoad) {
    std::set<std::size_t> subtrees;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const PlainCluster cluster = test::random_cluster(seed, 1 + static_cast<unsigned>(seed % 10),
                                                          2 + static_cast<unsigned>(seed / 10 % 14));
        const SwitchTree tree = tree_of(cluster);
        const ExchangePlan plan = schedule_exchange(tree);
        EXPECT_EQ(test::fault_of(cluster, plain(plan.phases)), "") << seed;
        EXPECT_EQ(plan.phases.size(), test::load(cluster)) << seed;
        EXPECT_EQ(exchange_load(tree), test::load(cluster)) << seed;
        EXPECT_LE(2 * plan.subtrees[0].size(), cluster.machines.size()) << seed;  // Lemma 1
        subtrees.insert(plan.subtrees.size());
    }
    EXPECT_GT(subtrees.size(), 8U);
}

TEST(Exchange, OfOneAndTwoMachines) {
    EXPECT_TRUE(schedule_exchange(tree_of(test::chain(1, 1))).phases.empty());
    EXPECT_EQ(schedule_exchange(tree_of(test::chain(1, 2))).phases.size(), 1U);
    const PlainCluster far{4, {{0, 1}, {1, 2}, {2, 3}}, {0, 3}};
    EXPECT_EQ(test::fault_of(far, plain(schedule_exchange(tree_of(far)).phases)), "");
}

TEST(Exchange, TheProgramsOwnCheckersAgreeWithTheTests) {
    const PlainCluster cluster = test::figure_1();
    const SwitchTree tree = tree_of(cluster);
    std::vector<Phase> phases = schedule_exchange(tree).phases;
    EXPECT_EQ(contention_of(tree, phases), "");
    EXPECT_EQ(fault_of_exchange(5, phases), "");
    std::swap(phases[0][0], phases[1][0]);  // n1 sends twice in phase 0
    EXPECT_NE(contention_of(tree, phases), "");
    EXPECT_EQ(contention_of(tree, phases).empty(), test::fault_of(cluster, plain(phases)).empty());
    phases[0].pop_back();
    EXPECT_THAT(fault_of_exchange(5, phases), testing::HasSubstr("is in no phase"));
}

/// All pairs of messages of different phases that share an edge, by the tests' own paths.
std::set<std::pair<unsigned, unsigned>> conflicts(const PlainCluster& cluster,
                                                  const std::vector<Phase>& phases) {
    std::vector<std::set<test::PlainEdge>> edges;
    std::vector<unsigned> phase_of;
    for (unsigned p = 0; p < phases.size(); ++p)
        for (const auto& [from, to] : phases[p]) {
            const auto path = test::path(cluster, from, to);
            edges.emplace_back(path.begin(), path.end());
            phase_of.push_back(p);
        }
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (unsigned a = 0; a < edges.size(); ++a)
        for (unsigned b = a + 1; b < edges.size(); ++b)
            if (phase_of[a] < phase_of[b] && std::any_of(edges[a].begin(), edges[a].end(),
                                                         [&](const auto& e) { return edges[b].contains(e); }))
                pairs.emplace(a, b);
    return pairs;
}

TEST(Exchange, DependencesAreTheTransitiveReductionOfAllConflicts) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const PlainCluster cluster = test::random_cluster(seed, 1 + static_cast<unsigned>(seed % 6),
                                                          3 + static_cast<unsigned>(seed / 6 % 5));
        const SwitchTree tree = tree_of(cluster);
        const auto phases = schedule_exchange(tree).phases;
        const auto all = conflicts(cluster, phases);
        // Paper: a pair is redundant if another message is between the two; by the plain definition, closure
        // first.
        std::size_t count = 0;
        for (const Phase& phase : phases) count += phase.size();
        std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count));
        for (const auto& [a, b] : all) reaches[a][b] = true;
        for (std::size_t m = 0; m < count; ++m)
            for (std::size_t a = 0; a < m; ++a)
                for (std::size_t b = m + 1; b < count; ++b)
                    if (reaches[a][m] && reaches[m][b]) reaches[a][b] = true;
        std::set<std::pair<unsigned, unsigned>> needed;
        for (const auto& [a, b] : all) {
            bool redundant = false;
            for (std::size_t m = a + 1; m < b; ++m) redundant = redundant || (reaches[a][m] && reaches[m][b]);
            if (!redundant) needed.emplace(a, b);
        }
        std::set<std::pair<unsigned, unsigned>> mine;
        for (const Dependence& d : exchange_dependences(tree, phases)) mine.emplace(d.before, d.after);
        EXPECT_EQ(mine, needed) << seed;
    }
}

std::string fault(const MessageProgram& program) {
    const std::uint32_t n = program.machines;
    std::vector<std::vector<std::uint32_t>> has(n), needs(n);
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j)
            if (i != j) {
                has[i].push_back(i * n + j);
                needs[j].push_back(i * n + j);
            }
    return fault_of(program, has, needs);
}

TEST(Exchange, EveryVariantExchangesEveryBlockOnceAndComesToAnEnd) {
    using Pairs = Synchronisation::Pairs;
    const std::vector<Synchronisation> ways = {
        {Pairs::none, 1, false, false, false},   {Pairs::none, 1, false, false, true},
        {Pairs::sender, 1, false, false, false}, {Pairs::receiver, 1, false, false, false},
        {Pairs::sender, 4, false, false, false}, {Pairs::receiver, 4, false, false, false},
        {Pairs::none, 1, true, false, false},    {Pairs::none, 4, true, false, false},
        {Pairs::sender, 4, true, true, false},   {Pairs::receiver, 4, true, true, false}};
    for (const unsigned machines : {1U, 2U, 5U, 8U}) {
        const PlainCluster cluster = machines == 5 ? test::figure_1() : test::chain(1, machines);
        const Network network = test::network_of(cluster);
        const SwitchTree tree(network);
        const auto phases = schedule_exchange(tree).phases;
        std::vector<MessageProgram> programs = {post_all_exchange(machines, 3000),
                                                staggered_exchange(machines, 3000),
                                                pairwise_exchange(machines, 3000)};
        for (const Synchronisation& way : ways)
            programs.push_back(scheduled_exchange(tree, phases, 3000, way));
        for (std::size_t i = 0; i < programs.size(); ++i) {
            EXPECT_EQ(fault(programs[i]), "") << machines << " machines, program " << i;
            run_event(network, Routes(network, tree), programs[i], {});
        }
    }
}

TEST(Exchange, WithBarriersTakesThePhasesOneAfterTheOther) {
    // A phase is as long as its longest message: (msize + d pkt) / B, a path over d switches, here at most 6
    // of them.
    const PlainCluster cluster = test::figure_1();
    const Network network = test::network_of(cluster);
    const SwitchTree tree(network);
    const auto phases = schedule_exchange(tree).phases;
    EventParameters parameters;
    parameters.frame = {1000, 0, 0};  // 8 us at 1 Gbps
    Synchronisation barriers;
    barriers.barriers = true;
    const auto result = run_event(network, Routes(network, tree),
                                  scheduled_exchange(tree, phases, 10'000, barriers), parameters);
    std::uint64_t frames = 0;
    for (const Phase& phase : phases) {
        unsigned longest = 0;
        for (const auto& [from, to] : phase)
            longest = std::max(longest, test::path_length(cluster, from, to));
        frames += 10 + longest;
    }
    EXPECT_EQ(result.time_ps, frames * 8'000'000);
}

}  // namespace
}  // namespace interlace
