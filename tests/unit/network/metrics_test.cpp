// Interlace: distances of networks against closed formulas, the paper and all pairs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/metrics.h"

#include <gmock/gmock.h>

namespace interlace {
namespace {

TEST(Metrics, TorusMeetsItsClosedFormulas) {
    // Ring of even n: eccentricity n/2, sum of distances n^2/4. Of odd n: (n-1)/2 and (n^2-1)/4.
    const Metrics m = measure_network(make_network("torus:8x5x4"));
    EXPECT_EQ(m.nodes, 160U);
    EXPECT_EQ(m.links, 160U * 6);
    EXPECT_EQ(m.degree, 6U);
    EXPECT_EQ(m.diameter, 4U + 2 + 2);
    const double mean = 16.0 / 8 + 6.0 / 5 + 4.0 / 4;
    EXPECT_DOUBLE_EQ(m.mean_distance, mean);
    EXPECT_DOUBLE_EQ(m.mean_distance_distinct, mean * 160 / 159);
    EXPECT_THAT(m.eccentricity, testing::ElementsAre(8U));
}

TEST(Metrics, MeshMeetsItsClosedFormulas) {
    // Path of n: mean distance (n^2 - 1) / 3n over ordered pairs, a node with itself included.
    const Metrics m = measure_network(make_network("mesh:6x4"));
    EXPECT_EQ(m.diameter, 5U + 3);
    EXPECT_EQ(m.radius, 3U + 2);
    EXPECT_DOUBLE_EQ(m.mean_distance, 35.0 / 18 + 15.0 / 12);
    EXPECT_EQ(m.degree, 4U);
    EXPECT_EQ(m.degree_min, 2U);
    EXPECT_TRUE(m.eccentricity.empty());
    EXPECT_FALSE(m.sampled);
}

TEST(Metrics, SampleOfALargeMeshIsLabelledAndInRange) {
    const Metrics m = measure_network(make_network("mesh:40x40"), 1, 100'000);
    EXPECT_TRUE(m.sampled);
    EXPECT_LT(m.sources, m.nodes);
    EXPECT_LE(m.diameter, 78U);
    EXPECT_GE(m.diameter, 40U);  // every eccentricity is at least half the diameter
}

TEST(Metrics, HistogramOfARing) {
    EXPECT_THAT(measure_network(make_network("torus:6")).histogram,
                testing::ElementsAre(1 / 6.0, 2 / 6.0, 2 / 6.0, 1 / 6.0));
}

struct Published {
    const char* network;
    std::uint32_t diameter;
    double mean;  // four decimals, by an independent calculation (docs/ibt-paper.md)
};

void PrintTo(const Published& published, std::ostream* out) {
    *out << published.network;
}

class Table1 : public testing::TestWithParam<Published> {};

TEST_P(Table1, DiameterAndMeanDistance) {
    const Metrics m = measure_network(make_network(GetParam().network));
    EXPECT_EQ(m.diameter, GetParam().diameter);
    EXPECT_NEAR(m.mean_distance, GetParam().mean, 0.00005);
}

INSTANTIATE_TEST_SUITE_P(ZhangDeng, Table1,
                         testing::Values(Published{"ibt:64x64:b=6", 14, 8.0962},
                                         Published{"ibt:64x64:b=14", 12, 7.4819},
                                         Published{"ibt:64x64:b=4,16", 10, 6.5679},
                                         Published{"ibt:64x64:b=8,24", 10, 6.6338}));

TEST(Metrics, OneSearchASpeciesEqualsAllPairs) {
    for (const char* name : {"ibt:12x12:b=4", "ibt:12x12x12:b=3", "ibt:16x16:b=4,8", "ibt:8x16:b=4,12",
                             "ibt:24:b=6", "torus:5x4x3"}) {
        const Network network = make_network(name);
        const Lattice& lattice = *network.lattice();
        const Metrics m = measure_network(network);
        std::uint64_t sum = 0;
        for (std::uint32_t v = 0; v < network.node_count(); ++v) {
            std::uint32_t farthest = 0;
            for (const std::uint32_t distance : distances_from(network, NodeId{v})) {
                sum += distance;
                farthest = std::max(farthest, distance);
            }
            EXPECT_EQ(farthest, m.eccentricity[lattice.species(NodeId{v})]) << name << " node " << v;
        }
        EXPECT_DOUBLE_EQ(m.mean_distance,
                         static_cast<double>(sum) / network.node_count() / network.node_count())
            << name;
    }
}

}  // namespace
}  // namespace interlace
