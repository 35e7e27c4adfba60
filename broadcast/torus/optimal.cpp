// Interlace: broadcasts in as few steps as any schedule can take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/torus/optimal.h"

#include <algorithm>

#include "greedy.h"

namespace interlace {
namespace {

/// Drops the sends that no member's copy of a packet depends on: relays that the schedule served in vain.
void prune(const Network& network, const Group& group, std::uint32_t packets, std::vector<Send>& sends) {
    std::vector<bool> needed(std::size_t{network.node_count()} * packets, false);
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        if (group.member[v])
            std::fill_n(needed.begin() + static_cast<std::ptrdiff_t>(std::size_t{v} * packets), packets,
                        true);
    std::vector<Send> kept;
    for (auto send = sends.rbegin(); send != sends.rend(); ++send) {
        if (!needed[std::size_t{network.target(send->link)} * packets + send->packet]) continue;
        needed[std::size_t{network.origin(send->link)} * packets + send->packet] = true;
        kept.push_back(*send);
    }
    std::reverse(kept.begin(), kept.end());
    sends = std::move(kept);
}

}  // namespace

OptimalBroadcast optimal_broadcast(const Network& network, const Group& group, NodeId source,
                                   std::uint32_t packets, const OptimalOptions& options) {
    OptimalBroadcast best;
    best.bound = neighbourhood_bound(network, group, source, packets);
    const IncomingLinks incoming(network);
    best.steps = UINT32_MAX;
    const std::uint64_t one = std::uint64_t{group.members_only ? group.size : network.node_count()} * packets;
    std::uint64_t spent = 0;
    do {
        const auto preference =
            best.attempts % 2 == 0 ? Preference::rarest_nearby : Preference::rarest_outward;
        GreedySchedule schedule = greedy_schedule(network, incoming, group, source, packets, preference,
                                                  options.seed + best.attempts, best.steps - 1,
                                                  best.attempts == 0 ? options.progress : nullptr);
        ++best.attempts;
        spent += one;
        if (schedule.steps < best.steps) {
            best.steps = schedule.steps;
            best.sends = std::move(schedule.sends);
        }
        if (best.attempts == 1 && best.steps > best.bound.steps)
            best.bound = lower_bound(network, group, source, packets, best.steps);
    } while (best.steps > best.bound.steps && spent + one <= options.effort);
    if (group.size < network.node_count() && !group.members_only) prune(network, group, packets, best.sends);
    return best;
}

}  // namespace interlace
