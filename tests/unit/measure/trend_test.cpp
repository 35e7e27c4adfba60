// Interlace: growth against what a random walk does by chance
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/measure/trend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace interlace {
namespace {

constexpr int readings = 33;

/// The share of 20,000 runs of levels x' = keep x + noise of mean `drift` and deviation 1 that grow.
double share_that_grows(double keep, double drift) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> noise(drift, 1);
    constexpr int runs = 20'000;
    int grown = 0;
    for (int run = 0; run < runs; ++run) {
        double level = 0;
        for (int i = 0; i < 1'000 * (keep < 1 ? 1 : 0); ++i) level = keep * level + noise(random);
        std::vector<double> levels;
        for (int i = 0; i < readings; ++i) levels.push_back(level = keep * level + noise(random));
        grown += grows(levels) ? 1 : 0;
    }
    return static_cast<double>(grown) / runs;
}

TEST(Trend, OfALineIsSure) {
    EXPECT_TRUE(grows({1, 2, 3, 4}));
    EXPECT_FALSE(grows({4, 3, 2, 1}));
    EXPECT_FALSE(grows({5, 5, 5, 5}));
    EXPECT_FALSE(grows({1, 2}));
}

// Increments 1, 2, 3: m = 2, s = 1, and t(2, 0.99) = 6.965 of the tables: 2 < 6.965 / sqrt(3) = 4.02. With 7
// more in each, 9 > 4.02; with 2.01 and 2.03 more the levels stand on both sides of the limit.
TEST(Trend, IsStudentsTestByHand) {
    EXPECT_FALSE(grows({0, 1, 3, 6}));
    EXPECT_TRUE(grows({0, 8, 17, 27}));
    EXPECT_FALSE(grows({0, 3.01, 7.02, 12.03}));
    EXPECT_TRUE(grows({0, 3.03, 7.06, 12.09}));
}

// The test's level is 1%: of 20,000 walks 200, with a standard deviation of 14.
TEST(Trend, OfARandomWalkIsSeenOnceInAHundred) {
    EXPECT_NEAR(share_that_grows(1, 0), 0.01, 4 * 0.0007);
}

// Levels that return to their mean are less often mistaken: consecutive increments are correlated by (keep -
// 1) / 2.
TEST(Trend, OfAStationaryLevelIsSeenLessOften) {
    EXPECT_LT(share_that_grows(0.9, 0), 0.005);
    EXPECT_LT(share_that_grows(0.5, 0), 0.0005);
    EXPECT_EQ(share_that_grows(0, 0), 0);
}

// The noncentral t distribution with 31 degrees of freedom has its median near the noncentrality, m sqrt(n) /
// s = 2.45: a drift of 2.45 / sqrt(32) is seen half of the time, one of twice as much 99 times in 100
// (normal: 2.45 - 4.9).
TEST(Trend, OfADriftIsSeen) {
    const double limit = 2.453 / std::sqrt(readings - 1);
    EXPECT_NEAR(share_that_grows(1, limit), 0.5, 0.03);
    EXPECT_GT(share_that_grows(1, 2 * limit), 0.98);
}

// Of 30, P(more than 1) = 1 - 0.99^30 - 30 x 0.01 x 0.99^29 = 3.6%; P(more than 2) = 0.33%. Of 1, P(more than
// 0) is 1% itself; of 200, by the Poisson distribution of mean 2, P(more than 5) = 1.7% and P(more than 6) =
// 0.5%.
TEST(Trend, OfManyRunsAFewGrowByChance) {
    EXPECT_EQ(growing_by_chance(0), 0U);
    EXPECT_EQ(growing_by_chance(1), 0U);
    EXPECT_EQ(growing_by_chance(30), 2U);
    EXPECT_EQ(growing_by_chance(200), 6U);
}

}  // namespace
}  // namespace interlace
