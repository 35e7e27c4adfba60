// Interlace: where unicast packets go
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interlace/core/names.h"
#include "interlace/network/network.h"

namespace interlace {

/// Where each node's packets go: to one node, or to any other one alike, some of them to hot spots.
struct TrafficPattern {
    /// [node - first]: its one destination; itself: it sends nothing. Empty: there is none.
    std::vector<std::uint32_t> fixed = {};
    std::uint32_t first = 0;
    bool silent = false;                       ///< not a node sends
    std::vector<std::uint32_t> hotspots = {};  ///< nodes that draw packets
    double hotspot_share = 0;                  ///< of each node's packets, for a hot spot at random

    /// The destination of the packet that `source`, one of `hosts`, makes in `cycle`; the same for the same
    /// arguments.
    std::uint32_t destination(std::uint32_t hosts, std::uint32_t source, std::uint64_t cycle,
                              std::uint64_t seed) const;
    bool uniform() const { return fixed.empty() && hotspots.empty(); }
    bool sends(std::uint32_t source) const { return fixed.empty() || fixed[source - first] != source; }
};

/// The names of all patterns, as in hotspot:SHARE:NODES.
Choices traffic_patterns();

/// The patterns of Dally and Towles, Principles and Practices of Interconnection Networks, section 3.2, and
/// others: uniform;
/// on numbers of nodes that are a power of two, with b bits: bit_complement, bit_reverse, shuffle (rotated
/// left by one); on lattices: transpose (coordinates in reverse order; equal sizes), tornado (each coordinate
/// ceil(k/2) - 1 on, modulo k), neighbour (each coordinate 1 on); hotspot:SHARE:5,7 (SHARE of the packets of
/// every other node go to one of these, the rest to any other node); permutation:FILE.csv (header from,to; no
/// node sends or receives twice; who is not there sends nothing). Of the nodes in `own`, all unless it is
/// given. Throws InputError for what the network cannot have, and for another name, with those that are
/// `known`.
TrafficPattern traffic_pattern(const std::string& name, const Network& network,
                               std::optional<NodeRange> own = std::nullopt,
                               const Choices& known = traffic_patterns());

}  // namespace interlace
