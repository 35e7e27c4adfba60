// Interlace: the queue of rtl/prim against std::deque
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <type_traits>

#include "interlace/core/random.h"
#include "rtl/clocked.h"

#include "Vil_fifo_130x512.h"
#include "Vil_fifo_64x16.h"
#include "Vil_fifo_8x2.h"

namespace interlace {
namespace {

/// A pin's value whatever its type, in 32-bit words.
template <std::uint32_t width>
using Words = std::array<std::uint32_t, (width + 31) / 32>;

template <std::uint32_t width, class Pin>
Words<width> get(const Pin& pin) {
    Words<width> words{};
    for (std::size_t i = 0; i < words.size(); ++i)
        if constexpr (std::is_integral_v<Pin>)
            words[i] = static_cast<std::uint32_t>(std::uint64_t{pin} >> (32 * i));
        else
            words[i] = pin[i];
    return words;
}

template <std::uint32_t width, class Pin>
void set(Pin& pin, const Words<width>& words) {
    if constexpr (std::is_integral_v<Pin>) pin = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
        if constexpr (std::is_integral_v<Pin>)
            pin = static_cast<Pin>(pin | std::uint64_t{words[i]} << (32 * i));
        else
            pin[i] = words[i];
}

template <class M, std::uint32_t w, std::uint32_t d>
struct Size {
    using Model = M;
    static constexpr std::uint32_t width = w, depth = d;
};

template <class Size>
struct Fifo : testing::Test {
    using Entry = Words<Size::width>;
    static constexpr std::uint32_t depth = Size::depth;

    /// Entry number n of a test: no two of a queue's length are alike, and none is 0.
    static Entry entry(std::uint64_t n) {
        Entry words;
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i] = static_cast<std::uint32_t>(random_bits(1, n, i));
        words[0] = (words[0] & ~3U) | (n % 3 + 1);
        if constexpr (Size::width % 32 != 0) words.back() &= (1U << Size::width % 32) - 1;
        return words;
    }

    /// A cycle; the output pins depend on nothing that is on the input pins.
    void cycle(bool push, bool pop, const Entry& data) {
        fifo.push_i = push;
        fifo.pop_i = pop;
        set<Size::width>(fifo.data_i, data);
        fifo.settle();
        expect_shows_the_oldest();
        if (pop) model.pop_front();
        if (push) model.push_back(data);
        fifo.clock();
        fifo.push_i = fifo.pop_i = 0;
        fifo.settle();
        expect_shows_the_oldest();
    }
    void push(std::uint64_t n) { cycle(true, false, entry(n)); }
    void pop() { cycle(false, true, {}); }

    void expect_shows_the_oldest() {
        ASSERT_EQ(fifo.valid_o != 0, !model.empty());
        ASSERT_EQ(get<Size::width>(fifo.data_o), model.empty() ? Entry{} : model.front());
    }

    VerilatedContext context;
    Clocked<typename Size::Model> fifo{context};
    std::deque<Entry> model;
};

struct SizeName {
    template <class Size>
    static std::string GetName(int /*index*/) {
        return std::to_string(Size::width) + "x" + std::to_string(Size::depth);
    }
};
using Sizes =
    testing::Types<Size<Vil_fifo_8x2, 8, 2>, Size<Vil_fifo_64x16, 64, 16>, Size<Vil_fifo_130x512, 130, 512>>;
TYPED_TEST_SUITE(Fifo, Sizes, SizeName);

TYPED_TEST(Fifo, IsEmptyAndShowsZeroAfterReset) {
    this->expect_shows_the_oldest();
    for (std::uint64_t n = 0; n < TestFixture::depth; ++n) this->push(n);
    EXPECT_EQ(this->fifo.valid_o, 1);
    this->fifo.reset();
    this->model.clear();
    this->expect_shows_the_oldest();
    this->push(99);
    this->pop();
}

TYPED_TEST(Fifo, ShowsAnEntryFromTheCycleAfterItsPushOn) {
    this->fifo.push_i = 1;
    set<TypeParam::width>(this->fifo.data_i, TestFixture::entry(0));
    this->fifo.settle();
    EXPECT_EQ(this->fifo.valid_o, 0);
    this->fifo.clock();
    EXPECT_EQ(this->fifo.valid_o, 1);
    EXPECT_EQ(get<TypeParam::width>(this->fifo.data_o), TestFixture::entry(0));
}

TYPED_TEST(Fifo, FillsToItsDepthAndEmptiesInOrderFromEveryPlaceOfItsPointers) {
    std::uint64_t n = 0;
    for (std::uint32_t start = 0; start < std::min(2 * TestFixture::depth, 40U); ++start) {
        for (std::uint32_t i = 0; i < TestFixture::depth; ++i) this->push(n++);
        for (std::uint32_t i = 0; i < TestFixture::depth; ++i) this->pop();
        this->push(n++);
        this->pop();
        if (this->HasFatalFailure()) return;
    }
}

TYPED_TEST(Fifo, PushAndPopInOneCycleLeaveAsManyEntries) {
    std::uint64_t n = 0;
    for (std::uint32_t held = 1; held < TestFixture::depth; held += held < 20 ? 1 : 97) {
        while (this->model.size() < held) this->push(n++);
        for (std::uint32_t i = 0; i < 2 * TestFixture::depth + 1; ++i)
            this->cycle(true, true, TestFixture::entry(n++));
        ASSERT_EQ(this->model.size(), held);
        if (this->HasFatalFailure()) return;
    }
}

TYPED_TEST(Fifo, GivesBackWhatWasPushedInOrderAtRandom) {
    std::uint64_t pushed = 0, full = 0, empty = 0, both = 0;
    for (std::uint64_t t = 0; t < 40'000; ++t) {
        // Phases in which the queue fills, drains or stays as it is on average.
        const std::uint64_t phase = random_bits(2, t / (3 * TestFixture::depth), 0) % 3;
        const auto likely = [&](std::uint64_t which, std::uint64_t of_ten) {
            return random_bits(3, t, which) % 10 < of_ten;
        };
        const bool push = this->model.size() < TestFixture::depth && likely(0, phase == 0   ? 9
                                                                               : phase == 1 ? 2
                                                                                            : 5);
        const bool pop = !this->model.empty() && likely(1, phase == 0 ? 2 : phase == 1 ? 9 : 5);
        full += this->model.size() == TestFixture::depth;
        empty += this->model.empty();
        both += push && pop;
        // What is on the data pins without a push is not taken.
        this->cycle(push, pop, TestFixture::entry(t));
        pushed += push;
        if (this->HasFatalFailure()) return;
    }
    EXPECT_GT(pushed, 20 * TestFixture::depth);
    EXPECT_GT(full, 100U);
    EXPECT_GT(empty, 100U);
    EXPECT_GT(both, 1000U);
}

}  // namespace
}  // namespace interlace
