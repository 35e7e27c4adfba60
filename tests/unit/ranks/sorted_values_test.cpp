// Interlace: values that ranks keep, in ascending order
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/ranks/sorted_values.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interlace/core/random.h"
#include "support/rank_threads.h"

namespace interlace {
namespace {

// Few and many, equal ones, none on some ranks, and the ends of what 64 bits hold.
TEST(SortedValues, AreThoseOfAllRanks) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto ranks = static_cast<std::uint32_t>(1 + seed % 5);
        std::vector<std::vector<std::uint64_t>> own(ranks);
        std::vector<std::uint64_t> all;
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            for (std::uint64_t i = 0, count = random_bits(seed, 0, rank) % 20; i < count; ++i) {
                const std::uint64_t drawn = random_bits(seed, 1 + rank, i);
                own[rank].push_back(seed % 3 == 0 ? drawn % 5 : seed % 3 == 1 ? drawn % 10'000 : drawn);
                if (seed == 2 && i < 2) own[rank].back() = i == 0 ? 0 : UINT64_MAX;
                all.push_back(own[rank].back());
            }
        std::sort(all.begin(), all.end());
        const auto check = [&](Communicator& rank) {
            const SortedValues sorted(own[rank.rank()], rank);
            EXPECT_EQ(sorted.size(), all.size());
            EXPECT_EQ(sorted.empty(), all.empty());
            EXPECT_EQ(sorted.sum(), std::accumulate(all.begin(), all.end(), std::uint64_t{0}));
            for (std::uint64_t i = 0; i < all.size(); ++i) EXPECT_EQ(sorted[i], all[i]) << i;
        };
        if (ranks == 1)
            check(no_other_ranks());
        else
            run_on_ranks(ranks, check);
    }
}

TEST(SortedValues, OfNoneHaveNoMean) {
    EXPECT_TRUE(std::isnan(SortedValues({}, no_other_ranks()).mean()));
    run_on_ranks(2, [](Communicator& rank) {
        EXPECT_TRUE(std::isnan(SortedValues({}, rank).mean()));
        EXPECT_EQ(SortedValues(std::vector<std::uint64_t>(rank.rank(), 3), rank).mean(), 3);
    });
}

}  // namespace
}  // namespace interlace
