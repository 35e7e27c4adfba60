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

// Increments x, x + 1, x + 2: m = x + 1, s = 1, and t(2, 0.95) = 2.920 of the tables: the limit is x + 1 =
// 2.920 / sqrt(3) = 1.686.
TEST(Trend, IsStudentsTestByHand) {
    EXPECT_FALSE(grows({0, 0, 1, 3}));
    EXPECT_TRUE(grows({0, 1, 3, 6}));
    EXPECT_FALSE(grows({0, 0.68, 2.36, 5.04}));
    EXPECT_TRUE(grows({0, 0.69, 2.38, 5.07}));
}

// The test's level is 5%: of 20,000 walks 1000, with a standard deviation of 31.
TEST(Trend, OfARandomWalkIsSeenOnceInTwenty) {
    EXPECT_NEAR(share_that_grows(1, 0), 0.05, 4 * 0.00154);
}

// Levels that return to their mean are less often mistaken: over n increments they move by sqrt((1 - keep^n)
// / (n (1 - keep))) of what a walk with such increments does, 0.55 or 0.25 here, so that the limit is 3.1
// or 6.8 standard deviations: 0.1% or none.
TEST(Trend, OfAStationaryLevelIsSeenLessOften) {
    EXPECT_LT(share_that_grows(0.9, 0), 0.005);
    EXPECT_LT(share_that_grows(0.5, 0), 0.0005);
    EXPECT_EQ(share_that_grows(0, 0), 0);
}

// The noncentral t distribution with 31 degrees of freedom has its median near the noncentrality, m sqrt(n) /
// s = 1.70: a drift of 1.70 / sqrt(32) is seen half of the time, one of twice as much 95 times in 100
// (normal: 1.70 - 3.4).
TEST(Trend, OfADriftIsSeen) {
    const double limit = 1.696 / std::sqrt(readings - 1);
    EXPECT_NEAR(share_that_grows(1, limit), 0.5, 0.03);
    EXPECT_NEAR(share_that_grows(1, 2 * limit), 0.955, 0.02);
}

// By hand: 1, 2, 3 have mean 2 and standard deviation 1; t(2, 0.95) = 2.920 from tables, and 2.920 / sqrt(3)
// = 1.686 is below 2, but not below 1.
TEST(Trend, OfAMeanIsSeenAboveItsStandardError) {
    EXPECT_TRUE(mean_is_positive({1, 2, 3}));
    EXPECT_FALSE(mean_is_positive({0, 1, 2}));
    EXPECT_FALSE(mean_is_positive({-1, -2, -3}));
    EXPECT_FALSE(mean_is_positive({0, 0, 0}));
    EXPECT_FALSE(mean_is_positive({5}));
    EXPECT_FALSE(mean_is_positive({}));
}

}  // namespace
}  // namespace interlace
