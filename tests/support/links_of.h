// Interlace: a network's links as a set that tests compare
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "interlace/network/network.h"

namespace interlace::test {

/// From and to; parallel links are one.
inline std::set<std::pair<std::uint32_t, std::uint32_t>> links_of(const Network& network) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> links;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (const NodeId to : network.neighbours(NodeId{v})) links.emplace(v, to);
    return links;
}

}  // namespace interlace::test
