// Interlace: a reproduction fails when it should
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/reproduce.h"

#include <gmock/gmock.h>

#include "interlace/core/error.h"

namespace interlace {
namespace {

ReproducedTable table_of(const std::string& rows) {
    return reproduce_text("title: t\nrows:\n" + rows, "test", {});
}

TEST(Reproduce, AValueMarkedAsReproducedThatIsNotBreaksTheTable) {
    // The diameter of a torus 8x8 is 8.
    const auto row = [](const std::string& published) {
        return table_of("  - {quantity: lambda, network: 'torus:8x8', published: '" + published +
                        "', verdict: reproduced}");
    };
    EXPECT_TRUE(row("8").holds());
    EXPECT_FALSE(row("9").holds());
    EXPECT_EQ(row("9").rows[0].verdict, "BROKEN");
}

TEST(Reproduce, AnEquationOfATorusIsTheBaselinesStepCount) {
    const auto table = table_of(
        "  - {quantity: T_all, network: 'torus:8x8', algorithm: spanning_tree, equation: 5, verdict: "
        "reproduced}\n"
        "  - {quantity: T_x, network: 'torus:8x8', algorithm: spanning_tree, equation: 4, verdict: "
        "reproduced}\n");
    EXPECT_EQ(table.rows[0].published, "21");  // 2 (8 - 1) + 32 / 4 - 1
    EXPECT_EQ(table.rows[0].verdict, "reproduced");
    EXPECT_EQ(table.rows[1].verdict, "BROKEN");  // trees of a line are no two-way ring
}

TEST(Reproduce, AFitBelowWhatAnyScheduleCanDoIsNamed) {
    const auto table =
        table_of("  - {quantity: T_x, network: ['ibt:12x12x12:b=6', 'ibt:64x64:b=8'], fit: published}\n");
    // Table 2: 2.79 * 1728^0.16 = 9.2; most nodes of the line have two links, which bring 32 packets in 16
    // steps or more.
    EXPECT_EQ(table.rows[0].published, "~9.2");
    EXPECT_EQ(table.rows[0].verdict, "fit, below the bound");
    // Such a fit marked as reproduced breaks the table all the same.
    EXPECT_FALSE(
        table_of("  - {quantity: T_x, network: 'ibt:12x12x12:b=6', fit: published, verdict: reproduced}")
            .holds());
    // Table 2: 0.0625 * 64 + 21.
    EXPECT_EQ(table.rows[1].published, "~25.0");
    EXPECT_EQ(table.rows[1].verdict, "fit");
}

TEST(Reproduce, ImprovementsAreHeldAgainstTheTorusFormulas) {
    // alpha: torus 8x8, diameter 8 = 8: 0. beta: a torus of 4^3 has diameter 6: 1 - 8/6.
    const auto table = table_of(
        "  - {quantity: lambda, network: 'torus:8x8', against: alpha}\n"
        "  - {quantity: lambda, network: 'torus:8x8', against: beta}\n");
    EXPECT_EQ(table.rows[0].computed, "0.000");
    EXPECT_EQ(table.rows[1].computed, "-0.333");
}

TEST(Reproduce, RowsExpandTheirLists) {
    const auto table = table_of("  - {quantity: [lambda, mu], network: ['torus:4x4', 'torus:8x8']}");
    ASSERT_EQ(table.rows.size(), 4U);
    EXPECT_EQ(table.rows[3].quantity, "mu");
    EXPECT_EQ(table.rows[3].network, "torus:8x8");
    EXPECT_EQ(table.rows[3].verdict, "unpublished");
}

TEST(Reproduce, RefusesARowThatDiffersWithoutAReasonAndUnknownKeys) {
    for (const char* row : {"  - {quantity: lambda, network: 'torus:4x4', published: '9', verdict: differs}",
                            "  - {quantity: lambda, network: 'torus:4x4', colour: red}",
                            "  - {quantity: T_x, network: 'torus:4x4', fit: published}",
                            "  - {quantity: T_x, network: 'torus:4x4', fit: mine}",
                            "  - {quantity: speed, network: 'torus:4x4'}",
                            "  - {quantity: T_x, network: 'torus:4x4', equation: 7}",
                            "  - {quantity: T_x, network: 'torus:4x4', against: gamma}"})
        EXPECT_THROW(table_of(row), InputError) << row;
}

TEST(Reproduce, TheResultDoesNotDependOnTheOrderOfThreads) {
    const ReproduceOptions options{"table2", false, 1, {}};
    EXPECT_EQ(to_json(reproduce("ibt", options), "ibt", options).dump(),
              to_json(reproduce("ibt", options), "ibt", options).dump());
}

}  // namespace
}  // namespace interlace
