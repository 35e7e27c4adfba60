// Interlace: the packets of one origin on shortest paths
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/capacity/capacity.h"

namespace interlace {

/// What the packets of an origin do. Each destination has two shortest paths, which are equal where there is
/// one only, and each takes half of its packets.
struct OriginFlow {
    std::uint64_t distances = 0;       ///< the sum over the packets of the lengths of their paths
    std::vector<std::uint64_t> loads;  ///< [class]: halves of packets over its links together
};

/// Sends packets along shortest paths, by lengths that change from call to call.
class ShortestFlow {
  public:
    /// Keeps references.
    ShortestFlow(const Network& network, const LinkClasses& classes, const Demands& demands,
                 AllowedPaths paths);

    /// Throws InputError where a host is not reached.
    OriginFlow from(NodeId origin, const std::vector<std::uint32_t>& lengths);

  private:
    void search_any(NodeId origin, const std::vector<std::uint32_t>& lengths);
    void search_shortest(NodeId origin, const std::vector<std::uint32_t>& lengths);
    void reach(NodeId node, std::uint32_t link_class, NodeId next, std::uint32_t length);
    OriginFlow collect(NodeId origin);
    std::vector<std::uint32_t> packets_of(NodeId origin) const;

    /// The last link of a path.
    struct Entry {
        NodeId from;
        std::uint32_t link_class;
    };

    const Network& network_;
    const LinkClasses& classes_;
    const Demands& demands_;
    AllowedPaths paths_;
    std::vector<std::uint64_t> distance_;  // [node]
    std::vector<std::uint32_t> hops_;      // [node], where paths have the fewest links
    std::vector<Entry> first_, last_;      // [node]: of its paths, the first and the last to be found
    std::vector<NodeId> order_;            // nodes that were reached, each behind those on its paths
    std::vector<std::vector<NodeId>> buckets_;
    std::vector<std::uint64_t> packets_;  // [node]: that enter it
};

}  // namespace interlace
