// Interlace: the torus formulas beside tori, even and odd
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/analysis/formulas.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "interlace/network/metrics.h"

namespace interlace {
namespace {

TEST(Formulas, DistancesAreThoseOfATorus) {
    for (const auto& [name, n, d] : {std::tuple("torus:5", 5, 1), std::tuple("torus:8x8", 8, 2),
                                     std::tuple("torus:7x7", 7, 2), std::tuple("torus:5x5x5", 5, 3),
                                     std::tuple("torus:3x3x3x3", 3, 4), std::tuple("torus:6x6x6", 6, 3)}) {
        const Metrics metrics = measure_network(make_network(name));
        EXPECT_EQ(torus_diameter(n, d), metrics.diameter) << name;
        EXPECT_DOUBLE_EQ(torus_mean_distance(n, d), metrics.mean_distance) << name;
    }
}

// Sizes between whole ones are on the line through the even ones.
TEST(Formulas, AreThoseOfEvenSizesWhereASizeIsNotWhole) {
    EXPECT_EQ(torus_diameter(6.5, 2), 6.5);
    EXPECT_EQ(torus_mean_distance(6.5, 2), 3.25);
    EXPECT_EQ(ring_steps(6.5, 32), 3.25 + 16 - 1);
}

// A size that is computed as a root is whole but for rounding: 81^3 = 27^4.
TEST(Formulas, KnowAnOddSizeThatIsARoot) {
    EXPECT_NEAR(torus_diameter(std::pow(81.0, 0.75), 4), 4 * 13, 1e-9);
    EXPECT_EQ(ring_steps(std::pow(81.0, 0.75), 32), 29);  // ceil((27 + 32) / 2) - 1
}

}  // namespace
}  // namespace interlace
