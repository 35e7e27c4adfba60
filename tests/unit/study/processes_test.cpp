// Interlace: work in processes of its own
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "processes.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <stdexcept>

namespace interlace {
namespace {

std::map<std::size_t, TaskOutcome> run(std::uint32_t jobs, std::size_t tasks,
                                       const std::function<std::string(std::size_t)>& compute) {
    std::map<std::size_t, TaskOutcome> outcomes;
    run_in_processes(
        jobs, tasks, compute,
        [&](std::size_t task, const TaskOutcome& outcome) {
            EXPECT_TRUE(outcomes.emplace(task, outcome).second) << "twice: " << task;
        },
        [] {});
    return outcomes;
}

TEST(Processes, EveryTaskEndsOnceWithItsText) {
    for (const std::uint32_t jobs : {1U, 3U, 50U}) {
        const auto outcomes = run(jobs, 20, [](std::size_t i) { return std::string(i * 10'000, 'a') + "."; });
        ASSERT_EQ(outcomes.size(), 20U);
        for (const auto& [task, outcome] : outcomes) {
            EXPECT_FALSE(outcome.failed);
            EXPECT_EQ(outcome.text, std::string(task * 10'000, 'a') + ".");  // more than a pipe holds
        }
    }
    EXPECT_TRUE(run(2, 0, [](std::size_t) { return ""; }).empty());
}

TEST(Processes, OneThatCrashesHarmsNoOther) {
    const auto outcomes = run(2, 6, [](std::size_t i) -> std::string {
        if (i == 1) throw std::runtime_error("no luck");
        if (i == 2) ::raise(SIGKILL);
        if (i == 3) ::_exit(0);
        if (i == 4) throw std::bad_alloc();
        return "fine";
    });
    EXPECT_EQ(outcomes.at(0).text, "fine");
    EXPECT_EQ(outcomes.at(1).text, "no luck");
    EXPECT_EQ(outcomes.at(2).text, "its process was ended by signal 9 (Killed)");
    EXPECT_EQ(outcomes.at(3).text, "its process ended without a result");
    EXPECT_EQ(outcomes.at(4).text, "not enough memory");
    EXPECT_EQ(outcomes.at(5).text, "fine");
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(outcomes.at(i).failed, i > 0 && i < 5) << i;
}

TEST(Processes, WhatFinishedThrowsEndsAll) {
    const auto stop = [](std::size_t, const TaskOutcome&) { throw std::runtime_error("disk full"); };
    EXPECT_THROW(run_in_processes(
                     4, 8,
                     [](std::size_t i) {
                         if (i > 0) ::pause();
                         return std::string("x");
                     },
                     stop, [] {}),
                 std::runtime_error);
}

}  // namespace
}  // namespace interlace
