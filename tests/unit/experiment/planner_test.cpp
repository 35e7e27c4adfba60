// Interlace: broadcast algorithms of a program's own: wrong plans are refused, and say why
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interlace/core/error.h"
#include "interlace/experiment/kinds/broadcast.h"

namespace interlace {
namespace {

using Hop = std::pair<std::uint32_t, std::uint32_t>;  // from, to

/// Of packet 0, along a path of three nodes.
std::string refusal_of(const std::vector<Hop>& hops) {
    BroadcastExperiment experiment;
    experiment.network = "mesh:3";
    experiment.packets = 1;
    experiment.algorithm = "own";
    experiment.planner = [&](const BroadcastRequest& request) {
        BroadcastPlan plan;
        for (const auto& [from, to] : hops)
            plan.sends.push_back({request.network.link_between(NodeId{from}, NodeId{to}), PacketId{0}});
        return plan;
    };
    try {
        run_broadcast(experiment);
    } catch (const FellShort& error) {
        return error.what();
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(OwnPlan, IsAcceptedOrToldWhatIsWrong) {
    const std::string wrong = "algorithm 'own' planned an invalid broadcast: ";
    EXPECT_EQ(refusal_of({{0, 1}, {1, 2}}), "accepted");
    EXPECT_EQ(refusal_of({}), wrong + "node 1 never receives packet 0");
    EXPECT_EQ(refusal_of({{0, 1}}), wrong + "node 2 never receives packet 0");
    EXPECT_EQ(refusal_of({{1, 2}}), wrong + "node 1 is to send packet 0 to node 2, but never gets it");
    EXPECT_EQ(refusal_of({{0, 1}, {1, 2}, {1, 2}}),
              wrong + "in its last step, packets are sent only to nodes that have them");
    EXPECT_THAT(refusal_of({{0, 2}}), testing::HasSubstr("no link from node 0 to node 2"));
}

}  // namespace
}  // namespace interlace
