// Interlace: samples against the tables of Student's t
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/measure/sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace interlace {
namespace {

// Quantiles as printed in tables of the distribution (NIST/SEMATECH e-Handbook, 1.3.6.7.2).
TEST(Sample, StudentsTIsThatOfTheTables) {
    for (const auto& [degrees, t] : {std::pair{1U, 12.706},
                                     {2U, 4.303},
                                     {3U, 3.182},
                                     {5U, 2.571},
                                     {9U, 2.262},
                                     {29U, 2.045},
                                     {30U, 2.042},
                                     {59U, 2.001},
                                     {100U, 1.984}})
        EXPECT_NEAR(student_t(degrees), t, 0.0005) << degrees;
    EXPECT_NEAR(student_t(1'000'000), 1.95996, 1e-5);
    for (const auto& [degrees, t] : {std::pair{1U, 31.821},
                                     {2U, 6.965},
                                     {3U, 4.541},
                                     {5U, 3.365},
                                     {10U, 2.764},
                                     {29U, 2.462},
                                     {100U, 2.364}})
        EXPECT_NEAR(student_t(degrees, 0.99), t, 0.0005) << degrees;
    EXPECT_NEAR(student_t(1'000'000, 0.99), 2.32635, 1e-5);
    // With 4 degrees of freedom, in closed form: t = 2 sqrt(q - 1), q = cos(arccos(sqrt(a)) / 3) / sqrt(a)
    // and a = 4 p (1 - p) (W. T. Shaw, Journal of Computational Finance 9(4), 2006).
    for (const double p : {0.9, 0.95, 0.975, 0.9995}) {
        const double a = 4 * p * (1 - p);
        const double q = std::cos(std::acos(std::sqrt(a)) / 3) / std::sqrt(a);
        EXPECT_NEAR(student_t(4, p), 2 * std::sqrt(q - 1), 1e-9) << p;
    }
}

TEST(Sample, HasTheIntervalOfItsStandardError) {
    const Sample sample = sample_of({4, 1, 3, 2});
    EXPECT_EQ(sample.count, 4U);
    EXPECT_DOUBLE_EQ(sample.mean, 2.5);
    EXPECT_EQ(sample.min, 1);
    EXPECT_EQ(sample.max, 4);
    // The squares of 1.5, 1.5, 0.5, 0.5 are 5 together: s^2 = 5 / 3, and t of three degrees.
    EXPECT_NEAR(sample.half_interval, 3.182 * std::sqrt(5.0 / 3 / 4), 0.004 * std::sqrt(5.0 / 3 / 4));
    EXPECT_EQ(sample_of({7}).half_interval, 0);
    EXPECT_EQ(sample_of({7, 7, 7}).half_interval, 0);
    EXPECT_EQ(sample_of(std::vector<double>(30, 10'719)).mean, 10'719);
    EXPECT_EQ(sample_of(std::vector<double>(30, 10'719)).half_interval, 0);
}

// A quotient is the double nearest to the decimal, which JSON then prints; 2,024,000,000 * 1e-12 is
// 0.0020239999999999998.
TEST(Sample, OfPicosecondsIsSecondsAsTheyAreWritten) {
    for (const auto& [picoseconds, seconds] : {std::pair{2'024'000'000.0, "0.002024"},
                                               {23'000.0, "2.3e-08"},
                                               {35'123'456.0, "3.5123456e-05"},
                                               {713'700'000.0, "0.0007137"}}) {
        const Json json = to_json(divided(sample_of({picoseconds}), 1e12));
        EXPECT_EQ(json["mean"].dump(), seconds);
        EXPECT_EQ(json["max"].dump(), seconds);
    }
}

// Pairs of runs under one seed are compared by their values; lists are no columns of a table of results.
TEST(Sample, KeepsTheValueOfEachRun) {
    Json json;
    add_sample(json, "cycles", divided(sample_of({40, 10, 30, 20}), 10), true);
    EXPECT_EQ(json["cycles"], 2.5);
    EXPECT_EQ(json["cycles_of_runs"]["values"], Json({4.0, 1.0, 3.0, 2.0}));
    add_sample(json, "seconds", sample_of({7}), false);
    EXPECT_FALSE(json.contains("seconds_of_runs"));
}

}  // namespace
}  // namespace interlace
