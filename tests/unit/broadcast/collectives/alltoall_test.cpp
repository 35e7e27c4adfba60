// Interlace: all-to-all exchanges on tori at their lower bounds, proven by both checkers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/alltoall.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <string>

#include "interlace/core/error.h"
#include "interlace/program/check_collective.h"
#include "proven_exchange.h"

namespace interlace {
namespace {

using testing::HasSubstr;

struct Exchanged {
    const char* network;
    std::uint32_t chunks, bound, steps;
};

// Of a dimension of n of N nodes a node's packets make N / n times floor(n^2 / 4) hops, half of them each
// way; the first ten as independent programs found them. From torus:4 on, n is even and N / n times the
// chunks is odd, in the busiest dimension or (torus:8x9) in another one.
TEST(AllToAll, TakesAsManyStepsAsTheBound) {
    for (const Exchanged& c : {Exchanged{"torus:8x8", 1, 64, 64},
                               {"torus:4x4x3", 1, 24, 24},
                               {"torus:5x5", 1, 15, 15},
                               {"torus:3x3x3", 1, 9, 9},
                               {"torus:8x4x4", 1, 128, 128},
                               {"torus:7x6", 1, 36, 36},
                               {"torus:4x4x4", 1, 32, 32},
                               {"torus:16x8", 1, 256, 256},
                               {"torus:9x9", 1, 90, 90},
                               {"torus:12x10", 1, 180, 180},
                               {"torus:16x16", 1, 512, 512},
                               {"torus:8x8", 2, 128, 128},
                               {"torus:5", 1, 3, 3},
                               {"torus:3", 2, 2, 2},
                               {"torus:6x6", 1, 27, 27},
                               {"torus:3x3x3x3", 1, 27, 27},
                               {"torus:4", 2, 4, 4},
                               {"torus:4", 1, 2, 2},
                               {"torus:4", 3, 6, 6},
                               {"torus:6", 1, 5, 5},
                               {"torus:10", 1, 13, 13},
                               {"torus:12", 1, 18, 18},
                               {"torus:4x3", 1, 6, 6},
                               {"torus:3x4", 1, 6, 6},
                               {"torus:6x5", 1, 23, 23},
                               {"torus:8x9", 1, 80, 80},
                               {"torus:5x14x3", 3, 1103, 1103}}) {
        SCOPED_TRACE(fmt::format("{} with {} chunks", c.network, c.chunks));
        const Network network = make_network(c.network);
        const OptimalAllToAll found = optimal_alltoall(network, c.chunks);
        EXPECT_EQ(found.bound.steps, c.bound);
        EXPECT_EQ(proven_exchange(network, found.schedule), c.steps);
    }
}

// Of 100 nodes a dimension: 10^6 / 100 times 2500 hops, half of them each way.
TEST(AllToAll, OfAMillionNodesMeetsItsBound) {
    const Network network = make_network("torus:100x100x100");
    const OptimalAllToAll found = optimal_alltoall(network, 1);
    EXPECT_EQ(found.schedule.steps(), 12'500'000U);
    const CheckReport report = check_alltoall(network, found.schedule);
    EXPECT_TRUE(report.valid()) << report.problem();
    EXPECT_EQ(report.sends, std::uint64_t{75'000'000} * 1'000'000);
}

TEST(AllToAll, ByOffsetsNeedsATorus) {
    for (const char* network : {"mesh:3x3", "ibt:8x8:b=4"}) {
        try {
            optimal_alltoall(make_network(network), 1);
            FAIL() << network;
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), HasSubstr("expected a torus"));
        }
    }
}

/// What both checkers say of the torus's schedule after a change: whether they agree, and one's words.
std::string said_of_exchange(const char* torus, const std::function<void(ExchangeSchedule&)>& change) {
    const Network network = make_network(torus);
    ExchangeSchedule schedule = optimal_alltoall(network, 1).schedule;
    change(schedule);
    const CheckReport report = check_alltoall(network, schedule);
    EXPECT_EQ(report.valid(), check_alltoall(network, 1, all_sends(network, schedule)).valid());
    return report.problem();
}

TEST(CheckAllToAll, FindsWhatIsWrong) {
    EXPECT_EQ(said_of_exchange("torus:4x4", [](auto&) {}), "");
    EXPECT_THAT(said_of_exchange("torus:4x4", [](auto& s) { s.job.front() = ExchangeSchedule::none; }),
                HasSubstr("ends at node"));
    EXPECT_THAT(said_of_exchange("torus:4x4", [](auto& s) { s.job[1] = s.job[0]; }),
                HasSubstr("goes by two links"));
    EXPECT_THAT(said_of_exchange("torus:4x4", [](auto& s) { std::swap(s.job[0], s.job[1]); }),
                HasSubstr("ends at node"));
}

// On torus:4x3 even and odd nodes of the first dimension do different things.
TEST(CheckAllToAll, FindsWhatIsWrongWithTwoClassesOfNodes) {
    EXPECT_EQ(said_of_exchange("torus:4x3", [](auto&) {}), "");
    EXPECT_THAT(said_of_exchange("torus:4x3", [](auto& s) { s.job.front() ^= 1U; }),
                HasSubstr("is not at nodes of class 0"));
    const auto lose_last = [](ExchangeSchedule& s) {
        *std::find_if(s.job.rbegin(), s.job.rend(), [](std::uint32_t job) {
            return job != ExchangeSchedule::none;
        }) = ExchangeSchedule::none;
    };
    EXPECT_THAT(said_of_exchange("torus:4x3", lose_last), HasSubstr("ends at node"));
    ExchangeSchedule schedule = optimal_alltoall(make_network("torus:4x3"), 1).schedule;
    schedule.split = 1;
    EXPECT_THAT(check_alltoall(make_network("torus:4x3"), schedule).problem(),
                HasSubstr("are not two classes of dimension 1"));
}

TEST(CheckAllToAll, FindsWhatIsWrongInWrittenSends) {
    const Network network = make_network("torus:4x3");
    const std::vector<TimedSend> sends = all_sends(network, optimal_alltoall(network, 1).schedule);
    std::vector<TimedSend> lost = sends;
    lost.pop_back();
    EXPECT_THAT(check_alltoall(network, 1, lost).problem(), HasSubstr("never receives packet"));
    std::vector<TimedSend> twice = sends;
    twice.push_back(sends.back());
    EXPECT_THAT(check_alltoall(network, 1, twice).problem(), HasSubstr("carries two packets"));
    std::vector<TimedSend> early = sends;
    early.back().step = 1;
    EXPECT_FALSE(check_alltoall(network, 1, early).valid());
}

}  // namespace
}  // namespace interlace
