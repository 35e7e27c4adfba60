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

CheckReport check(const std::vector<TimedSend>& schedule, const std::vector<std::uint32_t>& lines = {}) {
    const Network network = make_network("torus:4");
    return check_schedule(network, global_group(network), NodeId{0}, 2, schedule, lines);
}

TEST(Check, AcceptsAHandWorkedSchedule) {
    const CheckReport report = check(ring_schedule());
    EXPECT_TRUE(report.valid()) << report.problem();
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
    EXPECT_THAT(check(schedule).problem(),
                testing::HasSubstr("step 1: node 1 sends packet 0 to node 2, which it does not hold"));
}

TEST(Check, FindsPacketsThatOnlyEachOtherWouldJustify) {
    // 1 and 2 hand packet 0 to each other out of nowhere.
    EXPECT_FALSE(check({send(1, 1, 2, 0), send(2, 2, 1, 0), send(3, 1, 2, 0)}).valid());
}

TEST(Check, FindsTwoPacketsOnOneLinkInOneStep) {
    auto schedule = ring_schedule();
    schedule[4].step = 1;
    EXPECT_THAT(check(schedule).problem(), testing::HasSubstr("from node 0 to node 1 carries two packets"));
}

// Of a file, whose first row is in line 2, and whose lines need not be those of the sends' order.
TEST(Check, NamesTheLinesOfAFile) {
    auto schedule = ring_schedule();
    schedule[4].step = 1;                  // as line 2 uses the link from 0 to 1
    schedule.push_back(send(3, 2, 1, 2));  // of two packets
    const CheckReport report = check(schedule, {2, 3, 5, 6, 7, 8, 4});
    EXPECT_EQ(report.problems.count(), 2U);
    EXPECT_THAT(
        report.problems.first(),
        testing::ElementsAre("line 4: step 3: node 2 sends packet 2 to node 1, but packets are 0 "
                             "to 1",
                             "line 7: step 1: the link from node 0 to node 1 carries two packets, as in "
                             "line 2"));
}

// Nobody sends: three nodes lack two packets each. A source that sends fifteen packets that are not there.
TEST(Check, CountsEveryProblemAndKeepsTen) {
    EXPECT_EQ(check({}).problems.count(), 6U);
    EXPECT_EQ(check({}).problems.first().size(), 6U);
    const CheckReport report = check(std::vector<TimedSend>(15, send(1, 0, 1, 9)));
    EXPECT_EQ(report.problems.count(), 15U + 6);
    EXPECT_EQ(report.problems.first().size(), 10U);
}

TEST(Check, FindsAMissingPacket) {
    auto schedule = ring_schedule();
    schedule.pop_back();
    const CheckReport report = check(schedule);
    EXPECT_EQ(report.problems.count(), 1U);
    EXPECT_THAT(report.problem(), testing::HasSubstr("node 3 never receives packet 0"));
}

TEST(Check, FindsWhatIsNoLinkOrPacket) {
    const std::vector<std::pair<TimedSend, std::string>> cases = {
        {send(3, 0, 2, 0), "node 0 sends packet 0 to node 2, but there is no such link"},
        {send(3, 0, 1, 2), "node 0 sends packet 2 to node 1, but packets are 0 to 1"},
        {send(0, 0, 1, 0), "step 0: node 0 sends packet 0 to node 1, but the first step is 1"},
        {send(3, 0, 9, 0), "node 0 sends packet 0 to node 9, but nodes are 0 to 3"},
        {send(3, 9, 0, 0), "node 9 sends packet 0 to node 0, but nodes are 0 to 3"}};
    for (const auto& [wrong, says] : cases) {
        auto schedule = ring_schedule();
        schedule.push_back(wrong);
        EXPECT_THAT(check(schedule).problem(), testing::HasSubstr(says));
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

TEST(ScheduleFile, KnowsTheLineOfEachSend) {
    const TemporaryFile file("step,from,to,packet\n1,0,1,0\n\n1,0,3,1\r\n");
    std::vector<std::uint32_t> lines;
    EXPECT_EQ(read_schedule(file.path(), &lines).size(), 2U);
    EXPECT_EQ(lines, (std::vector<std::uint32_t>{2, 4}));
}

TEST(ScheduleFile, AllErrorsAreCountedAndTenAreShown) {
    std::string rows = "step,from,to,packet\n1,0,1,0\n";
    for (int i = 0; i < 12; ++i) rows += "0,0,1,0\n";
    const TemporaryFile file(rows);
    try {
        read_schedule(file.path());
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(),
                    testing::StartsWith(file.path() +
                                        ": 12 problems: line 3: step: cannot use value '0'; expected "));
        EXPECT_THAT(error.what(), testing::HasSubstr(" | line 12: step: cannot use value '0'"));
        EXPECT_THAT(error.what(), testing::HasSubstr(" | and 2 more; expected rows of step,from,to,packet"));
        EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("line 13")));
    }
}

TEST(ScheduleFile, ErrorsNameFileAndLine) {
    for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
             {"step,from,to\n", ":1: cannot use header"},
             {"", ":1: cannot use header"},
             {"step,from,to,packet\n1,2,3\n", ":2: cannot use row"},
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
