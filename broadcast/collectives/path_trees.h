// Interlace: shortest paths from an origin to all nodes, several to each
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/core/random.h"
#include "interlace/network/network.h"

namespace interlace {

/// Trees of shortest paths, each drawn among those that are equally short.
class PathTrees {
  public:
    struct Origin {
        NodeId node;
        std::vector<std::vector<std::uint32_t>> lengths;  ///< one or more, each by link
    };

    /// Keeps a reference. Of each origin `of_each` trees by each of its lengths.
    PathTrees(const Network& network, const std::vector<Origin>& origins, std::uint32_t of_each,
              Draws& draws);

    std::uint32_t origins() const { return static_cast<std::uint32_t>(trees_.size()); }
    NodeId origin(std::uint32_t i) const { return origin_[i]; }
    const Network& network() const { return network_; }
    NodeId from(LinkId link) const { return from_[link]; }

    std::uint32_t count(std::uint32_t origin) const {
        return static_cast<std::uint32_t>(trees_[origin].size());
    }
    /// Calls visit(link) for the links of a path in a tree, the last one first.
    template <class Visit>
    void path(std::uint32_t origin, std::uint32_t tree, NodeId to, const Visit& visit) const {
        const std::vector<LinkId>& entry = trees_[origin][tree];
        for (NodeId at = to; at != origin_[origin]; at = from_[entry[at]]) visit(entry[at]);
    }

  private:
    /// [node]: the link by which its path comes.
    std::vector<LinkId> draw(NodeId origin, const std::vector<std::uint32_t>& lengths, bool by_port,
                             Draws& draws) const;

    const Network& network_;
    std::vector<NodeId> origin_;                           // [origin]
    std::vector<NodeId> from_;                             // [link]
    std::vector<std::vector<std::vector<LinkId>>> trees_;  // [origin][tree][node]
};

}  // namespace interlace
