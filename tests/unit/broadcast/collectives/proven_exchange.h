// Interlace: all-to-alls by both checkers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>

#include <cstdint>

#include "interlace/program/check_collective.h"

namespace interlace {

/// Its steps, by both checkers where all rows are few.
template <class Schedule>
std::uint32_t proven_exchange(const Network& network, const Schedule& schedule) {
    const CheckReport symmetric = check_alltoall(network, schedule);
    EXPECT_TRUE(symmetric.valid()) << network.name() << ": " << symmetric.problem();
    if (network.node_count() <= 256) {
        const CheckReport plain = check_alltoall(network, schedule.chunks, all_sends(network, schedule));
        EXPECT_TRUE(plain.valid()) << network.name() << ": " << plain.problem();
        EXPECT_EQ(symmetric.steps, plain.steps);
        EXPECT_EQ(symmetric.sends, plain.sends);
        EXPECT_EQ(plain.redundant_sends, 0U);
    }
    return symmetric.steps;
}

}  // namespace interlace
