// Interlace: where unicast packets go
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic/traffic_pattern.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interlace/core/error.h"
#include "support/error_of.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

TEST(TrafficPattern, IsAsTheTextbookSays) {
    const auto to = [](const char* name, const char* network, std::uint32_t from) {
        return traffic_pattern(name, make_network(network)).fixed.at(from);
    };
    EXPECT_EQ(to("bit_complement", "torus:4x4", 0b0101), 0b1010U);
    EXPECT_EQ(to("bit_reverse", "torus:4x4", 0b0001), 0b1000U);
    EXPECT_EQ(to("bit_reverse", "torus:4x4x4", 0b001101), 0b101100U);
    EXPECT_EQ(to("shuffle", "torus:4x4", 0b1001), 0b0011U);
    EXPECT_EQ(to("transpose", "torus:4x4", 1 + 4 * 2), 2U + 4 * 1);
    EXPECT_EQ(to("transpose", "mesh:3x3x3", 0 + 3 * 1 + 9 * 2), 2U + 3 * 1 + 9 * 0);
    EXPECT_EQ(to("tornado", "torus:8", 6), 1U);                    // 3 on
    EXPECT_EQ(to("tornado", "torus:5x5", 4 + 5 * 0), 1U + 5 * 2);  // 2 on, in each dimension
    EXPECT_EQ(to("neighbour", "torus:4x4", 3 + 4 * 1), 0U + 4 * 2);
}

TEST(TrafficPattern, PermutationsAreOnes) {
    const Network network = make_network("ibt:8x8:b=4");
    std::vector<std::uint32_t> all(64);
    std::iota(all.begin(), all.end(), 0U);
    for (const char* name : {"bit_complement", "bit_reverse", "shuffle", "transpose", "tornado", "neighbour"})
        EXPECT_THAT(traffic_pattern(name, network).fixed, testing::UnorderedElementsAreArray(all)) << name;
}

TEST(TrafficPattern, OfSomeNodesSaysOfThemWhatItSaysOfAll) {
    const Network network = make_network("ibt:8x8:b=4");
    const TemporaryFile file("from,to\n0,60\n30,2\n");
    for (const std::string& name :
         {std::string("uniform"), std::string("hotspot:0.2:5,9"), std::string("bit_reverse"),
          std::string("shuffle"), std::string("transpose"), std::string("tornado"),
          "permutation:" + file.path()}) {
        const TrafficPattern whole = traffic_pattern(name, network);
        EXPECT_FALSE(whole.silent);
        for (const NodeRange own : {NodeRange{0, 21}, {21, 21}, {42, 22}}) {
            const TrafficPattern part = traffic_pattern(name, network, own);
            EXPECT_FALSE(part.silent);
            for (std::uint32_t v = own.first; v < own.end(); ++v) {
                EXPECT_EQ(part.sends(v), whole.sends(v));
                for (std::uint64_t cycle = 0; cycle < 50; ++cycle)
                    EXPECT_EQ(part.destination(64, v, cycle, 3), whole.destination(64, v, cycle, 3));
            }
        }
    }
}

TEST(TrafficPattern, KnowsWhereNobodySends) {
    const TemporaryFile empty("from,to\n"), to_itself("from,to\n3,3\n");
    for (const TemporaryFile* file : {&empty, &to_itself})
        EXPECT_TRUE(traffic_pattern("permutation:" + file->path(), make_network("torus:4x4")).silent);
}

TEST(TrafficPattern, AFileNamesSomeOfThem) {
    const Network network = make_network("torus:4");
    const TemporaryFile file("from,to\n0,2\n3,0\n");
    const TrafficPattern pattern = traffic_pattern("permutation:" + file.path(), network);
    EXPECT_THAT(pattern.fixed, testing::ElementsAre(2, 1, 2, 0));
    EXPECT_TRUE(pattern.sends(0));
    EXPECT_FALSE(pattern.sends(1));
    for (const char* text : {"from,to\n0,2\n0,1\n", "from,to\n0,2\n1,2\n", "from,to\n0,4\n", "0,1\n"}) {
        const TemporaryFile wrong(text);
        EXPECT_THROW(traffic_pattern("permutation:" + wrong.path(), network), InputError) << text;
    }
}

// 100,000 draws: shares within four standard deviations.
TEST(TrafficPattern, HotSpotsDrawTheirShare) {
    const Network network = make_network("torus:4x4");
    const TrafficPattern pattern = traffic_pattern("hotspot:0.2:5,9", network);
    constexpr std::uint32_t draws = 100'000;
    std::vector<std::uint32_t> count(16);
    for (std::uint64_t cycle = 0; cycle < draws; ++cycle) ++count[pattern.destination(16, 3, cycle, 7)];
    EXPECT_EQ(count[3], 0U);
    for (std::uint32_t v = 0; v < 16; ++v) {
        if (v == 3) continue;
        const double share = 0.8 / 15 + (v == 5 || v == 9 ? 0.1 : 0);
        EXPECT_NEAR(count[v], share * draws, 4 * std::sqrt(share * draws)) << v;
    }
}

TEST(TrafficPattern, SaysWhatANetworkCannotHave) {
    const auto error = [](const char* name, const char* network) {
        return error_of([&] { traffic_pattern(name, make_network(network)); });
    };
    EXPECT_EQ(error("shuffle", "torus:6x6"), "cannot use shuffle among 36 nodes; expected a power of two");
    EXPECT_THAT(error("transpose", "torus:4x8"), testing::HasSubstr("unequal sizes"));
    EXPECT_THAT(error("hotspot:0.5", "torus:4x4"), testing::HasSubstr("hotspot:0.1:5,7"));
    EXPECT_THAT(error("hotspot:1.5:3", "torus:4x4"), testing::HasSubstr("from 0 to 1"));
    EXPECT_THAT(error("hotspot:0.5:16", "torus:4x4"), testing::HasSubstr("hot spot '16'"));
    EXPECT_EQ(error("hotspot:0.1:5,7,5", "torus:4x4"),
              "cannot use hot spot 5 twice; expected each node once");
    EXPECT_THAT(error("storm", "torus:4x4"), testing::HasSubstr("expected uniform, bit_complement"));
    EXPECT_THAT(
        error("unifrom", "torus:4x4"),
        testing::StartsWith("cannot use pattern 'unifrom' (did you mean uniform?); expected uniform"));
}

}  // namespace
}  // namespace interlace
