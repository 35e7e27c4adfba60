// Interlace: interlace capacity and the check of its certificates, as users see them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "support/json_of_command.h"
#include "support/run_command.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

using Json = nlohmann::json;

Outcome check(const std::string& network, const Json& result) {
    const TemporaryFile file(result.dump(1));
    return run("check " + network + " --capacity " + file.path());
}

TEST(CapacityCommand, FindsWhatItsCertificateProves) {
    for (const char* arguments :
         {"ibt:8x8:b=4", "mesh:4x3", "cluster:figure1", "ibt:8x8:b=4 --paths shortest",
          "torus:8x8 --pattern transpose", "torus:4x4 --pattern hotspot:0.125:5,7"}) {
        const Json found = json(std::string("capacity ") + arguments);
        EXPECT_LT(found["gap"], 0.001) << arguments;
        const Outcome outcome = check(found["network"], found);
        EXPECT_EQ(outcome.code, 0) << arguments << outcome.err << outcome.out;
        EXPECT_THAT(outcome.out, testing::StartsWith("valid")) << arguments;
    }
}

TEST(CapacityCommand, ClaimsNoMoreThanTheCertificateProves) {
    const Json right = json("capacity ibt:8x8:b=4");
    Json wrong = right;
    wrong["certificate"][0]["length"] = 5;
    EXPECT_EQ(check("ibt:8x8:b=4", wrong).code, 1);
    EXPECT_THAT(check("ibt:8x8:b=4", wrong).out, testing::HasSubstr("not lower_bound 38"));
    wrong = right;
    wrong["capacity_at_most"] = 1.6;  // 63 / 38 = 1.658
    EXPECT_THAT(check("ibt:8x8:b=4", wrong).out,
                testing::HasSubstr("prove capacity_at_most 1.65789, not 1.6"));
    wrong = right;
    wrong["certificate"] = Json::array();
    EXPECT_EQ(check("ibt:8x8:b=4", wrong).code, 1);
    wrong = right;
    wrong["certificate"][0]["port"] = 6;
    EXPECT_EQ(check("ibt:8x8:b=4", wrong).code, 2);
    EXPECT_EQ(check("torus:8x8", right).code, 2);
}

TEST(CapacityCommand, ComparesARouting) {
    const Json found = json("capacity torus:8x8 --routing dimension_order");
    EXPECT_DOUBLE_EQ(found["routing"]["link_load"], 64);
    EXPECT_DOUBLE_EQ(found["routing"]["share"], 1);
    EXPECT_EQ(found["experiment"]["node"]["routing"], "dimension_order");
    EXPECT_FALSE(json("capacity torus:8x8").contains("routing"));
    // One injection and one reception queue. To the hot spot come 0.5 of the packets of 15 hosts and 1 / 15
    // of the rest.
    EXPECT_EQ(found["injection_limit"], 1);
    EXPECT_EQ(found["ejection_limit"], 1);
    const Json hot = json("capacity torus:4x4 --pattern hotspot:0.5:3 --routing dimension_order");
    EXPECT_NEAR(hot["ejection_limit"], 1 / (15 * (0.5 + 0.5 / 15)), 1e-9);
    // A node of Blue Gene/L has more queues than links.
    EXPECT_EQ(json("capacity torus:4x4 --node bgl")["ejection_limit"], 4);
}

TEST(CapacityCommand, WritesTheWorstPermutationAsAPattern) {
    const TemporaryFile file("");
    const Json worst = json("capacity torus:8x8 --pattern worst --write-permutation " + file.path());
    EXPECT_DOUBLE_EQ(worst["routing"]["capacity"], 2.0 / 7);  // Towles and Dally 2002
    const Json again =
        json("capacity torus:8x8 --routing dimension_order --pattern permutation:" + file.path());
    EXPECT_EQ(again["routing"], worst["routing"]);
    EXPECT_EQ(again["link_load"], worst["link_load"]);
    EXPECT_EQ(check("torus:8x8", worst).code, 0);
    Json shorter = worst;
    shorter["permutation"].erase(0);
    EXPECT_THAT(check("torus:8x8", shorter).err,
                testing::HasSubstr("there are 63 destinations; expected 64"));
}

TEST(TopologySearch, RanksByProvenCapacity) {
    const Json ranked = json("topology search --nodes 64 --degree 6")["networks"];
    ASSERT_GT(ranked.size(), 3U);
    double last = 1e9;
    bool torus = false;
    for (const Json& row : ranked) {
        EXPECT_LE(row["degree"], 6);
        EXPECT_LE(row["value"].get<double>(), last * (1 + 1e-9));
        last = row["value"];
        if (row["network"] != "torus:4x4x4") continue;
        torus = true;
        EXPECT_NEAR(row["value"], 63.0 / 32, 1e-9);  // N n / 8 packets over every link
    }
    EXPECT_TRUE(torus);
    for (const char* objective : {"alltoall", "worst", "mean_distance", "broadcast"}) {
        const Json other =
            json(std::string("topology search --nodes 36 --degree 6 --objective ") + objective)["networks"];
        ASSERT_FALSE(other.empty());
        const double first = other.front()["value"], end = other.back()["value"];
        EXPECT_TRUE(std::string(objective) == "worst" ? first >= end : first <= end) << objective;
    }
    EXPECT_EQ(json("topology search --nodes 64 --degree 6 --jobs 2")["networks"], ranked);
}

// Camara and others, 2010: 8x4 twisted by 4 is edge-symmetric, so that its capacity is what its mean distance
// allows, 4 links of every node over 84 / 31 hops; the torus is bound by its longer rings.
TEST(TopologySearch, PrefersATwistedTorusToOneWithout) {
    const auto value = [](const Json& ranked, const char* network) -> double {
        for (const Json& row : ranked)
            if (row["network"] == network) return row["value"];
        return 0;
    };
    const Json ranked = json("topology search --nodes 32 --degree 4 --twists half")["networks"];
    EXPECT_EQ(ranked.size(), 4U);  // torus:8x4, torus:32, 8x4 and 4x8 with a twist
    double hops = 0;  // of a step in x and y of node (x, y), or the other way round the twisted row
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 4; ++y) {
            const auto ring = [](int by) { return std::min(by, 8 - by); };
            hops += std::min(ring(x) + y, ring((x + 4) % 8) + 4 - y);
        }
    EXPECT_NEAR(value(ranked, "torus:8x4:twist=4"), 31 * 4 / hops, 1e-9);
    EXPECT_NEAR(value(ranked, "torus:8x4"), 31.0 / 32, 1e-9);  // 8 / n flits, n = 8
    EXPECT_GT(json("topology search --nodes 32 --degree 4")["networks"].size(), ranked.size());
    EXPECT_THAT(run("topology --list mesh --nodes 64 --twists all").err,
                testing::HasSubstr("--twists of a mesh, which has none"));
    EXPECT_THAT(run("topology search --nodes 64 --twists none").err,
                testing::HasSubstr("expected half or all"));
}

// A ring of n folded is 0 2 4 ... 5 3 1: two wires of length 1 and n - 2 of length 2. z lies along x, so that
// its neighbours on torus:4x4x4 are four apart. On ibt:8x8:b=4 bypasses join 0 to 7, 2 to 5, 4 to 3 and 6 to
// 1, half of these four in each of 8 rows and 8 columns.
TEST(TopologySearch, ShowsTheLengthOfFoldedWires) {
    const std::map<std::string, int> expected = {{"torus:8x8", 16 * 14},
                                                 {"torus:4x4x4", 32 * 6 + 16 * 6 * 4},
                                                 {"ibt:8x8:b=4", 16 * 14 + 8 * (7 + 3 + 1 + 5)}};
    std::size_t found = 0;
    const Json ranked = json("topology search --nodes 64")["networks"];
    for (const Json& row : ranked)
        if (const auto at = expected.find(row["network"]); at != expected.end()) {
            EXPECT_EQ(row["wire_length"], at->second) << at->first;
            ++found;
        }
    EXPECT_EQ(found, expected.size());
}

TEST(CapacityCommand, SaysWhatIsWrong) {
    const auto error = [](const std::string& arguments) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 2) << arguments;
        EXPECT_EQ(outcome.out, "") << arguments;
        return outcome.err;
    };
    EXPECT_THAT(error("capacity torus:8x8 --pattern tranpose"),
                testing::HasSubstr("did you mean transpose?"));
    EXPECT_THAT(error("capacity torus:8x8 --pattern hotspot:0.12345:5"),
                testing::HasSubstr("expected at most three digits behind the point"));
    EXPECT_THAT(error("capacity torus:8x8 --write-permutation x.csv"),
                testing::HasSubstr("expected --pattern worst"));
    const TemporaryFile ring("from,to\n0,1\n1,2\n2,0\n");
    EXPECT_THAT(error("capacity graph:" + ring.path() + " --routing dimension_order"),
                testing::HasSubstr("cannot run traffic by dimension order"));
    EXPECT_THAT(error("topology search"), testing::HasSubstr("expected --nodes N"));
    EXPECT_THAT(error("topology torus:8x8 --objective worst"), testing::HasSubstr("without search"));
    EXPECT_THAT(error("check torus:8x8"),
                testing::HasSubstr("expected --schedule FILE, --capacity FILE or --certificate FILE"));
    EXPECT_THAT(error("check torus:8x8 --capacity x.json --packets 3"),
                testing::HasSubstr("cannot use --packets with --capacity"));
    const TemporaryFile two("from,to\n0,1\n1,0\n2,3\n3,2\n");
    EXPECT_THAT(error("capacity graph:" + two.path()), testing::HasSubstr("cannot be reached from node"));
}

}  // namespace
}  // namespace interlace
