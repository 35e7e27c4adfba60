// Interlace: two networks side by side
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/compare.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace interlace {
namespace {

// Diameters: a torus of 4 x 4 has 2 + 2, a mesh 3 + 3. The coefficient is what its name says, so that it is
// positive where the first network has the lower value.
TEST(Compare, NamesItsCoefficientForWhatItIs) {
    const auto diameter = [](const Comparison& comparison) {
        EXPECT_EQ(comparison.metrics.front().metric, "diameter");
        return comparison.metrics.front().coefficient;
    };
    const Comparison better = compare("torus:4x4", "mesh:4x4", 1, 1);
    EXPECT_EQ(better.coefficient, "1 - first/second");
    EXPECT_DOUBLE_EQ(diameter(better), 1 - 4.0 / 6);
    const Comparison worse = compare("mesh:4x4", "torus:4x4x4", 1, 1);
    EXPECT_EQ(worse.coefficient, "1 - first/second");
    EXPECT_DOUBLE_EQ(diameter(worse), 0);                                    // 6 and 2 + 2 + 2
    EXPECT_EQ(compare("mesh:4x4", "torus:4x4", 1, 1).coefficient, "alpha");  // of the same sizes, eq. 2
    EXPECT_DOUBLE_EQ(diameter(compare("mesh:4x4", "torus:4x4", 1, 1)), 1 - 6.0 / 4);
}

// Mean distances of 2 and 2.5 hops: the double nearest to 0.2, as JSON prints it.
TEST(Compare, ItsCoefficientIsTheNearestDouble) {
    const Comparison comparison = compare("torus:4x4", "mesh:4x4", 1, 1);
    EXPECT_EQ(comparison.metrics[1].metric, "mean_distance");
    EXPECT_EQ(comparison.metrics[1].coefficient, 0.2);
}

// 16 nodes: 8 packets over each link of the torus, 4 x 8 over the 4 links of the mesh's middle, 15 from each
// node.
TEST(Compare, ShowsWhatTheLinksCarry) {
    const Comparison comparison = compare("torus:4x4", "mesh:4x4", 1, 1);
    EXPECT_EQ(comparison.metrics[2].metric, "link_load");
    EXPECT_DOUBLE_EQ(comparison.metrics[2].first, 8);
    EXPECT_DOUBLE_EQ(comparison.metrics[2].second, 16);
    EXPECT_EQ(comparison.metrics[3].metric, "capacity");
    EXPECT_DOUBLE_EQ(comparison.metrics[3].first, 15.0 / 8);
    EXPECT_DOUBLE_EQ(comparison.metrics[3].second, 15.0 / 16);
}

// 16 nodes take in 15 packets by 4 links, or by the 2 of a mesh's corner; and two phases of that. All to all
// 8 packets go over each link of the torus, and over each of the four in the mesh's middle 16.
TEST(Compare, HasTheStepsOfCollectives) {
    std::map<std::string, ComparedMetric> metrics;
    for (const ComparedMetric& metric : compare("torus:4x4", "mesh:4x4", 1, 1).metrics)
        metrics[metric.metric] = metric;
    EXPECT_EQ(metrics.at("allgather_steps").first, 4);
    EXPECT_EQ(metrics.at("allgather_steps").second, 8);
    EXPECT_EQ(metrics.at("allgather_steps_by_degree").first, 16);
    EXPECT_EQ(metrics.at("allreduce_steps").first, 8);
    EXPECT_EQ(metrics.at("alltoall_steps").first, 8);
    EXPECT_EQ(metrics.at("alltoall_steps").second, 16);
    EXPECT_EQ(metrics.at("alltoall_steps_by_degree").coefficient, 0.5);
}

}  // namespace
}  // namespace interlace
