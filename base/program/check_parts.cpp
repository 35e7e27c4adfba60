// Interlace: networks in parts, which prove that all-reduces take so many steps
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/check_parts.h"

#include <fmt/format.h>

#include <set>

#include "interlace/core/error.h"

namespace interlace {

CheckedCut check_parts_cut(const Network& network, const PartsCut& cut) {
    if (cut.part.size() != network.node_count())
        throw InputError(fmt::format("there are {} parts", cut.part.size()),
                         fmt::format("{}, one of each node of {}", network.node_count(), network.name()));
    std::uint64_t links = 0;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (const NodeId to : network.neighbours(NodeId{v})) links += cut.part[v] != cut.part[to] ? 1 : 0;
    const std::set<std::uint32_t> parts(cut.part.begin(), cut.part.end());
    return {2 * (parts.size() - 1) * cut.packets, links * cut.steps};
}

}  // namespace interlace
