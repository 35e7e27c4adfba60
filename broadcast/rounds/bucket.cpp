// Interlace: the bucket all-gather, a ring in each dimension
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "gathering.h"
#include "grid.h"
#include "interlace/broadcast/rounds/algorithms.h"

namespace interlace {

Rounds bucket_allgather(const Network& network, std::uint32_t chunks) {
    const Grid grid(network);
    const std::uint32_t dimensions = grid.dimensions();
    Gathering gathering(grid.nodes(), 2 * dimensions, chunks);
    for (std::uint32_t part = 0; part < 2 * dimensions; ++part) {
        const std::int64_t by = part < dimensions ? 1 : -1;
        std::size_t round = 0;
        for (std::uint32_t i = 0; i < dimensions; ++i) {
            const std::uint32_t dimension = (part + i) % dimensions;
            // A node lacks of its neighbour's packets those that this got last.
            for (std::uint32_t turn = 1; turn < grid.size(dimension); ++turn)
                gathering.send_all(round++, part, [&](NodeId v) { return grid.moved(v, dimension, by); });
        }
    }
    return gathering.take();
}

}  // namespace interlace
