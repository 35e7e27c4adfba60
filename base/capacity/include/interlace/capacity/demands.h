// Interlace: how many packets each host sends to each other one
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "interlace/core/ids.h"

namespace interlace {

/// Packets of one flit each between hosts, in a unit of traffic. No host sends to itself.
struct Demands {
    std::uint32_t each = 1;  ///< from every host to every other one
    /// [host]: what it sends beyond that, by destination. Empty: nothing.
    std::vector<std::vector<std::pair<NodeId, std::uint32_t>>> more = {};

    bool uniform() const { return more.empty(); }
    /// Packets that a host of `hosts` sends.
    std::uint64_t sent(std::uint32_t host, std::uint32_t hosts) const {
        std::uint64_t sum = std::uint64_t{each} * (hosts - 1);
        if (!more.empty())
            for (const auto& [to, packets] : more[host]) sum += packets;
        return sum;
    }
    /// The most that a host sends.
    std::uint64_t most_sent(std::uint32_t hosts) const {
        if (uniform()) return sent(0, hosts);
        std::uint64_t most = 0;
        for (std::uint32_t v = 0; v < hosts; ++v) most = std::max(most, sent(v, hosts));
        return most;
    }
    /// The most that a host receives.
    std::uint64_t most_received(std::uint32_t hosts) const {
        std::vector<std::uint64_t> received(hosts, std::uint64_t{each} * (hosts - 1));
        for (const auto& of_host : more)
            for (const auto& [to, packets] : of_host) received[to] += packets;
        return *std::max_element(received.begin(), received.end());
    }
};

}  // namespace interlace
