// Interlace: what a report draws of a run: links' use and the wavefront, as JSON
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interlace/measure/json_result.h"
#include "interlace/network/network.h"

namespace interlace {

/// How busy links were, 0 to 1, in all and in windows of `window` units of time (all links together).
struct LinkShares {
    std::function<double(NodeId, std::uint32_t port)> of_link;
    std::uint64_t window = 1;
    std::vector<double> over_time;
    std::string unit;  ///< steps or cycles
};
/// {sizes (null without coordinates), nodes, ports, utilisation [port][node] (null: no such link), to
/// [port][node] (the node at the other end; likewise), window, over_time, unit}. Ports go by what they do to
/// coordinates: +x, -x, +y, ..., +8x for a bypass link.
Json links_json(const Network& network, const LinkShares& shares);

/// {sizes, nodes, packets, source, unit, arrivals [node][..]}: the times at which packets reached a node,
/// ascending; none at the source. `arrival`: [node * packets + packet]; UINT64_MAX: never.
Json wavefront_json(const Network& network, NodeId source, std::uint32_t packets, const std::string& unit,
                    const std::vector<std::uint64_t>& arrival);

}  // namespace interlace
