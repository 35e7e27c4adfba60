// Interlace: a property of rtl/ that does not hold is named, in a sentence, and stops a simulation
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include "rtl/clocked.h"

#include "Vil_credit_counter_1x3.h"
#include "Vil_fifo_8x2.h"

namespace interlace {
namespace {

/// Verilated models say so on standard output, of which death tests do not know.
template <class Model>
void clock_aloud(Clocked<Model>& model) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    model.clock();
}

/// A context has threads: what dies is a process that begins anew.
struct RtlAssertionDeathTest : testing::Test {
    RtlAssertionDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(RtlAssertionDeathTest, PopOfAnEmptyQueueIsNamed) {
    VerilatedContext context;
    Clocked<Vil_fifo_8x2> fifo(context);
    fifo.pop_i = 1;
    EXPECT_DEATH(clock_aloud(fifo), "il_fifo\\.pop_has_entry: an entry is taken from an empty queue");
}

TEST_F(RtlAssertionDeathTest, PushIntoAFullQueueIsNamed) {
    VerilatedContext context;
    Clocked<Vil_fifo_8x2> fifo(context);
    fifo.push_i = 1;
    for (int entry = 0; entry < 2; ++entry) fifo.clock();  // its depth: nothing is said
    EXPECT_DEATH(clock_aloud(fifo), "il_fifo\\.push_has_room: an entry is put into a full queue");
}

// In a loop of the source: each turn's has the name.
TEST_F(RtlAssertionDeathTest, CreditsThatAreNotThereAreNamed) {
    VerilatedContext context;
    Clocked<Vil_credit_counter_1x3> counter(context);
    counter.enable_i = 0;
    counter.depth_i = 4;
    counter.clock();
    counter.enable_i = 1;
    counter.take_i = 4;
    counter.clock();  // all that there are: nothing is said
    counter.take_i = 1;
    EXPECT_DEATH(clock_aloud(counter), "take_is_covered: more credits are taken than there are");
}

// Reset and a stopped clock are no use of a queue.
TEST_F(RtlAssertionDeathTest, WhatIsNotClockedIsNotAsserted) {
    VerilatedContext context;
    Clocked<Vil_fifo_8x2> fifo(context);
    fifo.pop_i = 1;
    fifo.clk_en_i = 0;
    fifo.clock();
    fifo.clk_en_i = 1;
    fifo.reset();
    EXPECT_EQ(fifo.valid_o, 0);
}

}  // namespace
}  // namespace interlace
