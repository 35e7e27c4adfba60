// Interlace: the checker catches every way in which a schedule can be wrong
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/check.h"

#include <gmock/gmock.h>

#include <sstream>

#include "interlace/core/error.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

TimedSend send(std::uint32_t step, std::uint32_t from, std::uint32_t to, std::uint32_t packet) {
    return {step, NodeId{from}, NodeId{to}, PacketId{packet}};
}

/// Two packets from node 0 round a ring of 4, by hand: packet 0 to the right, packet 1 to the left, then on.
std::vector<TimedSend> ring_schedule() {
    return {send(1, 0, 1, 0), send(1, 0, 3, 1), send(2, 1, 2, 0),
            send(2, 3, 2, 1), send(2, 0, 1, 1), send(2, 0, 3, 0)};
}

CheckReport check(const std::vector<TimedSend>& schedule) {
    const Network network = make_network("torus:4");
    return check_schedule(network, global_group(network), NodeId{0}, 2, schedule);
}

TEST(Check, AcceptsAHandWorkedSchedule) {
    const CheckReport report = check(ring_schedule());
    EXPECT_TRUE(report.valid()) << report.problem;
    EXPECT_EQ(report.steps, 2U);
    EXPECT_EQ(report.sends, 6U);
    EXPECT_EQ(report.redundant_sends, 0U);
}

TEST(Check, OrderOfRowsDoesNotMatter) {
    auto schedule = ring_schedule();
    std::reverse(schedule.begin(), schedule.end());
    EXPECT_TRUE(check(schedule).valid());
}

TEST(Check, FindsAPacketSentInTheStepItArrives) {
    auto schedule = ring_schedule();
    schedule[2].step = 1;
    EXPECT_THAT(check(schedule).problem,
                testing::HasSubstr("step 1: node 1 sends packet 0 to node 2, which it does not hold"));
}

TEST(Check, FindsPacketsThatOnlyEachOtherWouldJustify) {
    // 1 and 2 hand packet 0 to each other out of nowhere.
    EXPECT_FALSE(check({send(1, 1, 2, 0), send(2, 2, 1, 0), send(3, 1, 2, 0)}).valid());
}

TEST(Check, FindsTwoPacketsOnOneLinkInOneStep) {
    auto schedule = ring_schedule();
    schedule[4].step = 1;
    EXPECT_THAT(check(schedule).problem, testing::HasSubstr("from node 0 to node 1 carries two packets"));
}

TEST(Check, FindsAMissingPacket) {
    auto schedule = ring_schedule();
    schedule.pop_back();
    const CheckReport report = check(schedule);
    EXPECT_EQ(report.problem_count, 1U);
    EXPECT_THAT(report.problem, testing::HasSubstr("node 3 never gets packet 0"));
}

TEST(Check, FindsWhatIsNoLinkOrPacket) {
    for (const TimedSend& wrong : {send(3, 0, 2, 0), send(3, 0, 1, 2), send(0, 0, 1, 0), send(3, 0, 9, 0)}) {
        auto schedule = ring_schedule();
        schedule.push_back(wrong);
        EXPECT_FALSE(check(schedule).valid());
    }
}

TEST(Check, CountsRedundantSends) {
    auto schedule = ring_schedule();
    schedule.push_back(send(3, 2, 1, 0));
    const CheckReport report = check(schedule);
    EXPECT_TRUE(report.valid());
    EXPECT_EQ(report.redundant_sends, 1U);
    EXPECT_EQ(report.steps, 2U);
}

TEST(Check, RefusesLinksOutsideAClosedGroup) {
    const Network network = make_network("torus:3x3");
    const Group line = axes_group(network, NodeId{0}, {0});
    const std::vector<TimedSend> inside = {send(1, 0, 1, 0), send(1, 0, 2, 0)};
    EXPECT_TRUE(check_schedule(network, line, NodeId{0}, 1, inside).valid());
    auto outside = inside;
    outside.push_back(send(1, 0, 3, 0));
    EXPECT_FALSE(check_schedule(network, line, NodeId{0}, 1, outside).valid());
}

TEST(ScheduleFile, ReadsWhatItWrites) {
    std::ostringstream text;
    write_schedule(text, ring_schedule());
    const TemporaryFile file(text.str());
    const auto read = read_schedule(file.path());
    ASSERT_EQ(read.size(), 6U);
    EXPECT_EQ(read[3].step, 2U);
    EXPECT_EQ(read[3].from, 3U);
    EXPECT_EQ(read[3].to, 2U);
    EXPECT_EQ(read[3].packet, 1U);
}

TEST(ScheduleFile, ErrorsNameFileAndLine) {
    for (const auto& [text, says] :
         std::vector<std::pair<std::string, std::string>>{{"step,from,to\n", ":1: header"},
                                                          {"", ":1: header"},
                                                          {"step,from,to,packet\n1,2,3\n", ":2: row"},
                                                          {"step,from,to,packet\n0,1,2,3\n", ":2: step"},
                                                          {"step,from,to,packet\n1,a,2,3\n", ":2: from"}}) {
        const TemporaryFile file(text);
        try {
            read_schedule(file.path());
            FAIL() << text;
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr(says));
        }
    }
}

}  // namespace
}  // namespace interlace
