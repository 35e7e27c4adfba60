// Interlace: the arbiter of rtl/prim against the words of docs/node.md, section 5, step 3
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>

#include "interlace/core/random.h"
#include "rtl/clocked.h"

#include "Vil_arbiter_1.h"
#include "Vil_arbiter_2.h"
#include "Vil_arbiter_32.h"
#include "Vil_arbiter_5.h"
#include "Vil_arbiter_52.h"

namespace interlace {
namespace {

template <class M, std::uint32_t n>
struct Size {
    using Model = M;
    static constexpr std::uint32_t requests = n;
    static constexpr std::uint64_t all = (std::uint64_t{1} << n) - 1;
};

/// "If any candidate is of high priority, the others are left out. The winner is the candidate with the
/// lowest source number above the last winner's, or else the lowest."
std::optional<std::uint32_t> winner(std::uint32_t requests, std::uint64_t request, std::uint64_t high,
                                    std::optional<std::uint32_t> last) {
    const auto candidate = [&](std::uint32_t i) {
        const std::uint64_t left = (request & high) != 0 ? request & high : request;
        return (left >> i & 1U) != 0;
    };
    if (last)
        for (std::uint32_t i = *last + 1; i < requests; ++i)
            if (candidate(i)) return i;
    for (std::uint32_t i = 0; i < requests; ++i)
        if (candidate(i)) return i;
    return std::nullopt;
}

template <class Size>
struct Arbiter : testing::Test {
    static constexpr std::uint32_t n = Size::requests;
    static constexpr std::uint64_t bit(std::uint32_t i) { return std::uint64_t{1} << i; }

    std::uint64_t grant(std::uint64_t request, std::uint64_t high) {
        using Pin = std::remove_reference_t<decltype(arbiter.request_i)>;
        arbiter.round_i = 0;
        arbiter.request_i = static_cast<Pin>(request);
        arbiter.high_i = static_cast<Pin>(high);
        arbiter.settle();
        return arbiter.grant_o;
    }

    /// A cycle: its grant is in the cycle of the request, and is the one that the words say.
    std::optional<std::uint32_t> cycle(std::uint64_t request, std::uint64_t high) {
        const auto expected = winner(n, request, high, last);
        EXPECT_EQ(grant(request, high), expected ? bit(*expected) : 0U)
            << std::hex << "request " << request << ", high " << high << ", last winner "
            << (last ? std::to_string(*last) : "none");
        arbiter.clock();
        if (expected) last = expected;
        return expected;
    }

    /// `winner` was the last one, or there was none.
    void start_from(std::optional<std::uint32_t> winner) {
        arbiter.reset();
        last.reset();
        if (winner) cycle(bit(*winner), 0);
    }

    VerilatedContext context;
    Clocked<typename Size::Model> arbiter{context};
    std::optional<std::uint32_t> last;
};

struct SizeName {
    template <class Size>
    static std::string GetName(int /*index*/) {
        return std::to_string(Size::requests);
    }
};
using Sizes = testing::Types<Size<Vil_arbiter_1, 1>, Size<Vil_arbiter_2, 2>, Size<Vil_arbiter_5, 5>,
                             Size<Vil_arbiter_32, 32>, Size<Vil_arbiter_52, 52>>;
TYPED_TEST_SUITE(Arbiter, Sizes, SizeName);

/// Small enough to try everything.
template <class Size>
struct SmallArbiter : Arbiter<Size> {};
using SmallSizes = testing::Types<Size<Vil_arbiter_1, 1>, Size<Vil_arbiter_2, 2>, Size<Vil_arbiter_5, 5>>;
TYPED_TEST_SUITE(SmallArbiter, SmallSizes, SizeName);

TYPED_TEST(SmallArbiter, GrantsTheLowestAboveTheLastWinnerOrElseTheLowestForEveryRequestAndPriority) {
    for (std::uint32_t from = 0; from <= TestFixture::n; ++from)
        for (std::uint64_t request = 0; request <= TypeParam::all; ++request)
            for (std::uint64_t high = 0; high <= TypeParam::all; ++high) {
                if (from == TestFixture::n)
                    this->start_from(std::nullopt);
                else
                    this->start_from(from);
                this->cycle(request, high);
                // Who is next tells who is now the last winner.
                this->cycle(TypeParam::all, 0);
                if (this->HasFailure()) return;
            }
}

TYPED_TEST(Arbiter, GrantsTheLowestAboveTheLastWinnerOrElseTheLowestAtRandom) {
    for (std::uint64_t t = 0; t < 40'000; ++t) {
        // From hardly any request to hardly any pause.
        const auto some = [&](std::uint64_t first) {
            std::uint64_t bits = random_bits(4, t, first);
            for (std::uint64_t i = 1; i < 1 + t / 64 % 5; ++i) bits &= random_bits(4, t, first + i);
            return (t / 512 % 2 != 0 ? ~bits : bits) & TypeParam::all;
        };
        const std::uint64_t high =
            t / 1024 % 2 != 0 ? some(10) : random_bits(4, t, 20) & random_bits(4, t, 21) & TypeParam::all;
        this->cycle(some(0), t / 2048 % 4 == 0 ? 0 : high);
        if (this->HasFailure()) return;
    }
}

TYPED_TEST(Arbiter, LastWinnerStaysInCyclesWithoutARequest) {
    for (std::uint32_t i = 0; i < TestFixture::n; ++i) {
        this->start_from(i);
        for (int idle = 0; idle < 3; ++idle) EXPECT_EQ(this->cycle(0, TypeParam::all), std::nullopt);
        EXPECT_EQ(this->cycle(TypeParam::all, 0), (i + 1) % TestFixture::n);
    }
}

TYPED_TEST(Arbiter, ServesSteadyRequestsInTurn) {
    for (std::uint32_t t = 0; t < 3 * TestFixture::n; ++t)
        EXPECT_EQ(this->cycle(TypeParam::all, 0), t % TestFixture::n);
}

TYPED_TEST(Arbiter, SteadyRequestWaitsForAtMostRequestsMinusOneOtherGrants) {
    constexpr std::uint32_t requests = TestFixture::n;
    std::uint32_t longest = 0;
    for (std::uint64_t t = 0; t < 4000; ++t) {
        const auto waiting = static_cast<std::uint32_t>(random_bits(5, t, 0) % requests);
        // The others ask at random, in every fourth round always; priorities are equal, all low or all high.
        std::uint32_t others = 0;
        for (std::uint64_t i = 1;; ++i) {
            const std::uint64_t request =
                (t % 4 == 0 ? TypeParam::all : random_bits(5, t, i) & TypeParam::all) | this->bit(waiting);
            if (this->cycle(request, t % 3 == 0 ? TypeParam::all : 0) == waiting) break;
            ASSERT_LT(++others, requests);
        }
        longest = std::max(longest, others);
        if (this->HasFailure()) return;
    }
    EXPECT_EQ(longest, requests - 1);
}

TYPED_TEST(Arbiter, HighPriorityLeavesTheOthersOutForAsLongAsItAsks) {
    constexpr std::uint32_t requests = TestFixture::n;
    for (std::uint32_t i = 0; i < requests; ++i) {
        this->start_from(i);
        // The one of high priority wins although all others would come before it.
        for (std::uint32_t t = 0; t < 2 * requests; ++t)
            EXPECT_EQ(this->cycle(TypeParam::all, this->bit(i)), i);
        // A priority without a request leaves nobody out.
        if (requests > 1) {
            EXPECT_EQ(this->cycle(TypeParam::all & ~this->bit(i), this->bit(i)), (i + 1) % requests);
        }
    }
}

}  // namespace
}  // namespace interlace
