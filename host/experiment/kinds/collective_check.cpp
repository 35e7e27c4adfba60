// Interlace: which checker proves a collective
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "collective_check.h"

namespace interlace {

CheckReport check_copies(const CollectiveExperiment& e, const Network& network,
                         const std::vector<TimedSend>& sends, const std::vector<std::uint32_t>& lines) {
    const NodeId root{e.root};
    switch (e.collective) {
        case DirectCollective::alltoall:
            return check_alltoall(network, e.chunks, sends, lines);
        case DirectCollective::scatter:
            return check_scatter(network, root, e.chunks, sends, lines);
        case DirectCollective::gather:
            return check_gather(network, root, e.chunks, sends, lines);
        case DirectCollective::barrier:
            return check_barrier(network, sends, lines);
        default:
            return check_allgather(network, e.chunks, sends, lines);
    }
}

}  // namespace interlace
