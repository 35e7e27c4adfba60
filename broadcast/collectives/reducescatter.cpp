// Interlace: reduce-scatters in as few steps as any schedule can take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/reducescatter.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/error.h"

namespace interlace {
namespace {

bool goes_both_ways(const Network& network) {
    if (network.lattice()) return true;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (const NodeId to : network.neighbours(NodeId{v}))
            if (!network.link(to, NodeId{v})) return false;
    return true;
}

}  // namespace

Network reversed_links(const Network& network) {
    if (goes_both_ways(network)) return network;
    std::vector<std::pair<NodeId, NodeId>> links;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (const NodeId to : network.neighbours(NodeId{v})) links.emplace_back(to, NodeId{v});
    Network reversed(network.name(), std::move(links));
    if (reversed.node_count() < network.node_count())
        throw InputError(fmt::format("{}: node {} has no links", network.name(), reversed.node_count()),
                         "a network whose nodes all reach one another");
    return reversed;
}

OptimalAllGather optimal_reducescatter(const Network& network, std::uint32_t chunks,
                                       const AllGatherOptions& options) {
    const Network reversed = reversed_links(network);
    OptimalAllGather found = optimal_allgather(reversed, chunks, options);
    for (std::vector<RelativeSend>& sends : found.schedule.sends) {
        for (RelativeSend& send : sends) {
            const NodeId from = reversed.neighbours(send.from)[send.port];
            const LinkId back = *network.link(from, send.from);
            send = {found.steps + 1 - send.step, from, back - network.first_link(from), send.chunk};
        }
        std::reverse(sends.begin(), sends.end());
    }
    return found;
}

}  // namespace interlace
