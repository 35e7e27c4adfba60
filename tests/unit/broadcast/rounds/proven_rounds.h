// Interlace: rounds of messages that the checkers have proven
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "interlace/broadcast/rounds/algorithms.h"
#include "interlace/broadcast/rounds/routed_rounds.h"
#include "interlace/network/network.h"
#include "interlace/program/check_collective.h"

namespace interlace {

inline std::vector<TimedSend> plain(const RoutedRounds& rounds) {
    std::vector<TimedSend> sends;
    for (const MessageSend& row : rounds.sends) sends.push_back(row.send);
    return sends;
}

/// Over the fullest link of each round, together.
inline std::uint64_t fullest(const RoutedRounds& rounds) {
    std::uint64_t packets = 0;
    for (const RoundLoad& load : rounds.loads.rounds) packets += load.packets;
    return packets;
}

inline RoutedRounds proven_allgather(const Network& network, const Rounds& rounds, std::uint32_t chunks) {
    const RoutedRounds found = routed(network, rounds, 1);
    const CheckReport report = check_allgather(network, chunks, plain(found));
    EXPECT_TRUE(report.valid()) << network.name() << ": " << report.problem();
    return found;
}

inline RoutedRounds proven_reduction(const Network& network, const Rounds& rounds, std::uint32_t chunks,
                                     bool to_all) {
    const RoutedRounds found = routed(network, rounds, 1);
    const CheckReport report = check_reduction(network, chunks, to_all, found.sends);
    EXPECT_TRUE(report.valid()) << network.name() << ": " << report.problem();
    return found;
}

}  // namespace interlace
