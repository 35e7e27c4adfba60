// Interlace: barriers over all links in as few steps as any can take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/barrier.h"

#include <fmt/format.h>

#include "interlace/core/error.h"
#include "interlace/network/metrics.h"

namespace interlace {

std::vector<TimedSend> optimal_barrier(const Network& network) {
    const std::uint32_t nodes = network.node_count();
    std::vector<std::vector<bool>> brings_news;  // [step - 1][link]
    for (std::uint32_t of = 0; of < nodes; ++of) {
        const std::vector<std::uint32_t> heard = distances_from(network, NodeId{of});  // [node]: the step
        for (std::uint32_t v = 0; v < nodes; ++v) {
            if (heard[v] == unreachable)
                throw InputError(
                    fmt::format("{}: node {} cannot be reached from node {}", network.name(), v, of),
                    "a strongly connected network");
            const LinkId first = network.first_link(NodeId{v});
            for (std::uint32_t port = 0; const NodeId next : network.neighbours(NodeId{v})) {
                const LinkId link{first + port++};
                if (heard[next] != heard[v] + 1) continue;
                if (brings_news.size() < heard[next])
                    brings_news.resize(heard[next], std::vector<bool>(network.link_count(), false));
                brings_news[heard[v]][link] = true;
            }
        }
    }
    std::vector<TimedSend> sends;
    for (std::uint32_t step = 1; step <= brings_news.size(); ++step)
        for (std::uint32_t v = 0; v < nodes; ++v)
            for (std::uint32_t port = 0; const NodeId next : network.neighbours(NodeId{v}))
                if (brings_news[step - 1][network.first_link(NodeId{v}) + port++])
                    sends.push_back({step, NodeId{v}, next, PacketId{0}});
    return sends;
}

}  // namespace interlace
