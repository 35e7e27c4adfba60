// Interlace: complete exchanges by direct messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <utility>

#include "gathering.h"
#include "grid.h"
#include "interlace/broadcast/rounds/algorithms.h"
#include "interlace/core/error.h"

namespace interlace {
namespace {

RoundMessage between(std::uint32_t from, std::uint32_t to, std::uint32_t nodes, std::uint32_t chunks) {
    RoundMessage message{NodeId{from}, NodeId{to}, {}};
    add_packets(message.packets, from * nodes + to, 0, 1, chunks);
    return message;
}

std::uint32_t longest_dimension(const Grid& grid) {
    std::uint32_t longest = 0;
    for (std::uint32_t d = 1; d < grid.dimensions(); ++d)
        if (grid.size(d) > grid.size(longest)) longest = d;
    return longest;
}

}  // namespace

Rounds direct_alltoall(const Network& network, std::uint32_t chunks) {
    const std::uint32_t nodes = network.node_count();
    Rounds rounds;
    for (std::uint32_t k = 1; k < nodes; ++k)
        for (std::uint32_t v = 0; v < nodes; ++v)
            add_message(rounds, 0, between(v, (v + k) % nodes, nodes, chunks));
    return rounds;
}

Rounds pairwise_alltoall(const Network& network, std::uint32_t chunks) {
    const std::uint32_t nodes = network.node_count();
    Rounds rounds;
    for (std::uint32_t k = 1; k < nodes; ++k)
        for (std::uint32_t v = 0; v < nodes; ++v)
            add_message(rounds, k - 1,
                        between(v, std::has_single_bit(nodes) ? v ^ k : (v + k) % nodes, nodes, chunks));
    return rounds;
}

Rounds two_phase_alltoall(const Network& network, std::uint32_t chunks) {
    const Grid grid(network);
    if (grid.dimensions() < 2)
        throw InputError("cannot run two_phase on " + network.name(), "a lattice of two or more dimensions");
    const std::uint32_t nodes = grid.nodes(), along = longest_dimension(grid);
    Rounds rounds;
    rounds.pipelined = true;
    for (std::uint32_t v = 0; v < nodes; ++v)
        for (std::uint32_t by = 1; by < grid.size(along); ++by) {
            const NodeId to = grid.moved(NodeId{v}, along, by);
            RoundMessage message{NodeId{v}, to, {}};
            for (std::uint32_t d = 0; d < nodes; ++d)
                if (grid.coordinate(NodeId{d}, along) == grid.coordinate(to, along))
                    add_packets(message.packets, v * nodes + d, 0, 1, chunks);
            add_message(rounds, 0, std::move(message));
        }
    for (std::uint32_t k = 1; k < nodes; ++k)
        for (std::uint32_t v = 0; v < nodes; ++v) {
            const NodeId to{(v + k) % nodes};
            if (grid.coordinate(to, along) != grid.coordinate(NodeId{v}, along)) continue;
            RoundMessage message{NodeId{v}, to, {}};
            for (std::uint32_t i = 0; i < grid.size(along); ++i)
                add_packets(message.packets, grid.with(NodeId{v}, along, i) * nodes + to, 0, 1, chunks);
            add_message(rounds, 1, std::move(message));
        }
    return rounds;
}

}  // namespace interlace
