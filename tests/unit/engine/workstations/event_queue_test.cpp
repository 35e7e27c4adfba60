// Interlace: the event queue against a sorted list of all events
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/workstations/event_queue.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace interlace {
namespace {

using EventKind = EventQueue::Kind;
using Key = std::tuple<std::uint64_t, EventKind, std::uint64_t>;  // time, kind, how many were made before

TEST(EventQueue, IsEmptyAtFirstAndHasNoNextTime) {
    const EventQueue queue;
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.next_time(), UINT64_MAX);
    EXPECT_EQ(queue.now(), 0U);
}

TEST(EventQueue, WhatEndsComesBeforeWhatBeginsAndElseTheFirstMade) {
    EventQueue queue;
    queue.at(7, EventKind::arbitrate, 0);
    queue.at(7, EventKind::credit, 1, 10);
    queue.at(7, EventKind::credit, 2);
    queue.at(7, EventKind::link_free, 3);
    queue.at(6, EventKind::arbitrate, 4);
    std::vector<std::uint32_t> subjects;
    while (!queue.empty()) {
        const EventQueue::Event event = queue.next();
        subjects.push_back(event.subject);
        EXPECT_EQ(queue.now(), event.time);
        EXPECT_EQ(event.other, event.subject == 1 ? 10U : 0U);
    }
    EXPECT_EQ(subjects, (std::vector<std::uint32_t>{4, 3, 1, 2, 0}));
}

TEST(EventQueue, RefusesTimesBeyondTheLongest) {
    EventQueue queue;
    queue.at(longest_time, EventKind::credit, 0);
    EXPECT_THROW(queue.at(longest_time + 1, EventKind::credit, 0), InputError);
    EXPECT_EQ(queue.next().time, longest_time);
    EXPECT_TRUE(queue.empty());
}

// Runs of thousands of events that make others while they happen, at distances from none to the longest time,
// as a link's, a timer's and a machine's are, and of one time most often; kinds come that are before what
// happened last.
TEST(EventQueue, IsASortedListOnRandomRuns) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        std::mt19937_64 random(seed);
        EventQueue queue;
        std::set<Key> sorted;
        std::uint64_t made = 0;
        const unsigned widest = std::uniform_int_distribution(1U, 56U)(random);
        const auto make = [&] {
            const unsigned bits = std::uniform_int_distribution(0U, widest)(random);
            const std::uint64_t time = queue.now() + (random() & ((std::uint64_t{1} << bits) - 1));
            if (time > longest_time) return;
            const EventKind kind{static_cast<std::uint8_t>(random() % 16)};
            queue.at(time, kind, static_cast<std::uint32_t>(made), seed);
            sorted.emplace(time, kind, made++);
        };
        for (unsigned i = 0; i < 200; ++i) make();
        for (unsigned i = 0; i < 3000 && !sorted.empty(); ++i) {
            ASSERT_FALSE(queue.empty());
            ASSERT_EQ(queue.next_time(), std::get<0>(*sorted.begin()));
            if (random() % 4 == 0)  // nothing happens in between
                queue.advance_to(queue.now() + (queue.next_time() - queue.now()) / 2);
            const EventQueue::Event event = queue.next();
            ASSERT_EQ((Key{event.time, event.kind, event.subject}), *sorted.begin()) << "seed " << seed;
            ASSERT_EQ(event.other, seed);
            sorted.erase(sorted.begin());
            ASSERT_EQ(queue.has_now(event.kind), !sorted.empty() &&
                                                     std::get<0>(*sorted.begin()) == event.time &&
                                                     std::get<1>(*sorted.begin()) == event.kind);
            for (std::uint64_t more = random() % 3; more > 0; --more) make();
        }
        while (!sorted.empty()) {
            ASSERT_EQ(queue.next().subject, std::get<2>(*sorted.begin()));
            sorted.erase(sorted.begin());
        }
        ASSERT_TRUE(queue.empty());
    }
}

}  // namespace
}  // namespace interlace
