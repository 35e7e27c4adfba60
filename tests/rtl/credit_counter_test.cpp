// Interlace: the credit counters of rtl/prim against integers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>

#include "interlace/core/random.h"
#include "rtl/clocked.h"

#include "Vil_credit_counter_1x10.h"
#include "Vil_credit_counter_1x3.h"
#include "Vil_credit_counter_4x10.h"

namespace interlace {
namespace {

template <class M, std::uint32_t c, std::uint32_t w, std::uint32_t a>
struct Size {
    using Model = M;
    static constexpr std::uint32_t counters = c, width = w, amount_width = a;
    static constexpr std::uint32_t deepest = 1U << (w - 1), most = (1U << a) - 1;
};

template <class Size>
struct CreditCounter : testing::Test {
    using Amounts = std::array<std::uint32_t, Size::counters>;
    using Depth = std::remove_reference_t<decltype(Size::Model::depth_i)>;

    void set_up(std::uint32_t depth) {
        counter.reset();
        counter.depth_i = static_cast<Depth>(depth);
        counter.enable_i = 0;
        cycle({}, {});
        counter.enable_i = 1;
        model.fill(depth);
    }

    /// A cycle, after which the amounts are 0 again. Whether an error was shown in it or in the next one.
    bool cycle(const Amounts& take, const Amounts& give) {
        std::uint64_t taken = 0, given = 0;
        for (std::uint32_t c = 0; c < Size::counters; ++c) {
            taken |= std::uint64_t{take[c]} << (c * Size::amount_width);
            given |= std::uint64_t{give[c]} << (c * Size::amount_width);
            model[c] += give[c] - take[c];
        }
        bool error = show(taken, given);
        counter.clock();
        error = show(0, 0) || error;
        return error;
    }

    bool show(std::uint64_t taken, std::uint64_t given) {
        using Pin = std::remove_reference_t<decltype(counter.take_i)>;
        counter.take_i = static_cast<Pin>(taken);
        counter.give_i = static_cast<Pin>(given);
        counter.settle();
        return counter.error_o != 0;
    }

    Amounts counts() const {
        Amounts counts;
        for (std::uint32_t c = 0; c < Size::counters; ++c)
            counts[c] = std::uint64_t{counter.count_o} >> (c * Size::width) & ((1U << Size::width) - 1);
        return counts;
    }

    VerilatedContext context;
    Clocked<typename Size::Model> counter{context};
    Amounts model{};
};

struct SizeName {
    template <class Size>
    static std::string GetName(int /*index*/) {
        return std::to_string(Size::counters) + "x" + std::to_string(Size::width);
    }
};
using Sizes = testing::Types<Size<Vil_credit_counter_1x3, 1, 3, 3>, Size<Vil_credit_counter_1x10, 1, 10, 7>,
                             Size<Vil_credit_counter_4x10, 4, 10, 7>>;
TYPED_TEST_SUITE(CreditCounter, Sizes, SizeName);

TYPED_TEST(CreditCounter, TakesTheDepthInTheCycleAfterOneInWhichItIsNotEnabled) {
    typename TestFixture::Amounts expected{};
    EXPECT_EQ(this->counts(), expected);
    this->counter.enable_i = 0;
    for (const std::uint32_t depth : {TypeParam::deepest, 1U, 0U, TypeParam::deepest / 2 + 1}) {
        this->counter.depth_i = static_cast<typename TestFixture::Depth>(depth);
        EXPECT_FALSE(this->show(0, 0));
        EXPECT_EQ(this->counts(), expected);
        this->counter.clock();
        expected.fill(depth);
        EXPECT_EQ(this->counts(), expected);
    }
    this->counter.enable_i = 1;
    EXPECT_FALSE(this->cycle({}, {}));
    EXPECT_EQ(this->counts(), expected);
}

TYPED_TEST(CreditCounter, CountsWhatIsTakenAndGivenBackAtRandom) {
    std::uint64_t none = 0, all = 0;
    for (std::uint64_t round = 0; round < 10; ++round) {
        const auto depth = static_cast<std::uint32_t>(
            round == 0 ? TypeParam::deepest : 1 + random_bits(6, round, 0) % TypeParam::deepest);
        this->set_up(depth);
        for (std::uint64_t t = 0; t < 5000; ++t) {
            typename TestFixture::Amounts take{}, give{};
            for (std::uint32_t c = 0; c < TypeParam::counters; ++c) {
                // Long phases in which more is taken, and in which more is given back.
                const auto up_to = [&](std::uint64_t which, std::uint32_t most, std::uint64_t phase) {
                    most = std::min(most, TypeParam::most);
                    const std::uint64_t draw = random_bits(7 + round, t, 10 * c + which);
                    return static_cast<std::uint32_t>(draw % 4 == phase ? draw / 4 % (most + 1)
                                                      : draw % 16 == 15 ? most
                                                                        : 0);
                };
                const std::uint64_t phase = t / 200 % 3;
                take[c] = up_to(0, this->model[c], phase == 1 ? 4 : 0);
                give[c] = up_to(1, depth - this->model[c] + take[c], phase == 2 ? 4 : 0);
                none += this->model[c] == 0;
                all += this->model[c] == depth;
            }
            ASSERT_FALSE(this->cycle(take, give)) << "cycle " << t << " at depth " << depth;
            ASSERT_EQ(this->counts(), this->model) << "cycle " << t << " at depth " << depth;
        }
    }
    EXPECT_GT(none, 1000U);
    EXPECT_GT(all, 1000U);
}

TYPED_TEST(CreditCounter, ShowsAnErrorWhereMoreComesBackThanTheDepthForEveryCountTakenAndGiven) {
    const std::uint32_t deepest = std::min(TypeParam::deepest, 6U);
    const std::uint32_t most = std::min(TypeParam::most, 7U);
    for (std::uint32_t c = 0; c < TypeParam::counters; ++c)
        for (std::uint32_t depth = 0; depth <= deepest; ++depth)
            for (std::uint32_t count = 0; count <= depth; ++count)
                for (std::uint32_t take = 0; take <= count; ++take)
                    for (std::uint32_t give = 0; give <= most; ++give) {
                        typename TestFixture::Amounts first{}, taken{}, given{};
                        this->set_up(depth);
                        first[c] = depth - count;
                        EXPECT_FALSE(this->cycle(first, {}));
                        taken[c] = take;
                        given[c] = give;
                        const bool more = count - take + give > depth;
                        ASSERT_EQ(this->cycle(taken, given), more)
                            << "counter " << c << ": " << count << " of " << depth << ", " << take
                            << " taken, " << give << " given";
                        if (!more) {
                            ASSERT_EQ(this->counts(), this->model);
                        }
                    }
}

TYPED_TEST(CreditCounter, ShowsAnErrorOfAnyCounterAtItsFullDepthAndNoneAfterReset) {
    for (std::uint32_t c = 0; c < TypeParam::counters; ++c) {
        typename TestFixture::Amounts one{}, most{};
        one[c] = 1;
        most[c] = TypeParam::most;
        this->set_up(TypeParam::deepest);
        EXPECT_FALSE(this->cycle(one, {}));
        EXPECT_FALSE(this->cycle({}, one));
        EXPECT_TRUE(this->cycle({}, one));
        this->set_up(TypeParam::deepest);
        EXPECT_FALSE(this->cycle({}, {}));
        EXPECT_TRUE(this->cycle({}, most));
        this->set_up(TypeParam::deepest);
        EXPECT_FALSE(this->cycle({}, {}));
    }
}

}  // namespace
}  // namespace interlace
