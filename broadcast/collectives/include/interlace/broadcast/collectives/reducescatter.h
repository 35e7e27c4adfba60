// Interlace: reduce-scatters in as few steps as any schedule can take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/broadcast/collectives/allgather.h"

namespace interlace {

/// Every node has a contribution to each packet of every node, and every node ends with the sums of its own
/// `chunks` packets. Reversed in time on reversed links this is an all-gather: where that sends a packet on,
/// this adds what comes back to the contribution of the node, and sends the sum. So it takes as many steps,
/// and its bound is that of an all-gather on the reversed links. Sends of the schedule are relative to the
/// node at which the packet ends.
OptimalAllGather optimal_reducescatter(const Network& network, std::uint32_t chunks,
                                       const AllGatherOptions& options = {});

/// The network with every link turned round; itself where each link has one in the other direction.
Network reversed_links(const Network& network);

}  // namespace interlace
