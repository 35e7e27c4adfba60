// Interlace: interlace capacity and the check of its certificates, as users see them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/run_command.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

using Json = nlohmann::json;

Json json(const std::string& arguments) {
    const Outcome outcome = run(arguments + " --json");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
}

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
}

TEST(CapacityCommand, WritesTheWorstPermutationAsAPattern) {
    const TemporaryFile file("");
    const Json worst = json("capacity torus:8x8 --pattern worst --write-permutation " + file.path());
    EXPECT_DOUBLE_EQ(worst["routing"]["capacity"], 2.0 / 7);  // Towles and Dally 2002
    const Json again =
        json("capacity torus:8x8 --routing dimension_order --pattern permutation:" + file.path());
    EXPECT_EQ(again["routing"], worst["routing"]);
    EXPECT_EQ(again["link_load"], worst["link_load"]);
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
    EXPECT_THAT(error("capacity cluster:figure1 --routing table"),
                testing::HasSubstr("whose switches have no hosts; expected a torus, mesh, ibt or graph"));
    const TemporaryFile ring("from,to\n0,1\n1,2\n2,0\n");
    EXPECT_THAT(error("capacity graph:" + ring.path() + " --routing dimension_order"),
                testing::HasSubstr("cannot run traffic by dimension order"));
    EXPECT_THAT(error("check torus:8x8"), testing::HasSubstr("expected --schedule FILE or --capacity FILE"));
    EXPECT_THAT(error("check torus:8x8 --capacity x.json --packets 3"),
                testing::HasSubstr("cannot use --packets with --capacity"));
    const TemporaryFile two("from,to\n0,1\n1,0\n2,3\n3,2\n");
    EXPECT_THAT(error("capacity graph:" + two.path()), testing::HasSubstr("cannot be reached from node"));
}

}  // namespace
}  // namespace interlace
