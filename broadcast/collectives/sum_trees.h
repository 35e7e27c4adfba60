// Interlace: spanning trees for the packets of an all-reduce
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/core/random.h"
#include "interlace/network/network.h"

namespace interlace {

/// A spanning tree of links that go both ways.
struct SumTree {
    NodeId root{0};
    std::vector<LinkId> up;     ///< [node]: the link to its parent; of the root nothing
    std::vector<NodeId> order;  ///< nodes, each after its parent
};

/// A network's links in pairs, one there and one back, and how many trees use each pair.
class SumTrees {
  public:
    /// Keeps a reference.
    explicit SumTrees(const Network& network);

    /// Whether the links that have one in the other direction join all nodes.
    bool connected() const { return connected_; }
    std::uint32_t node_count() const { return network_.node_count(); }
    std::uint32_t link_count() const { return network_.link_count(); }
    /// Nodes, those that are farthest from another last.
    const std::vector<NodeId>& central() const { return central_; }
    NodeId origin(LinkId link) const { return origin_[link]; }
    NodeId target(LinkId link) const { return network_.target(link); }
    std::uint32_t first_link(NodeId node) const { return network_.first_link(node); }
    std::uint32_t degree(NodeId node) const { return network_.degree(node); }
    /// The link in the other direction.
    LinkId back(LinkId link) const { return back_[link]; }
    /// Trees that use the pair of links which most of them use.
    std::uint32_t most_used() const;

    /// A tree by the links that fewest trees use. No node is farther from the root than the network has it by
    /// more than so many links.
    SumTree grow(NodeId root, std::uint32_t detour, Draws& draws) const;
    void use(const SumTree& tree) { count(tree, 1); }
    void drop(const SumTree& tree) { count(tree, UINT32_MAX); }

  private:
    void count(const SumTree& tree, std::uint32_t more);

    const Network& network_;
    std::vector<NodeId> origin_;                        // [link]
    std::vector<LinkId> back_;                          // [link]; itself where there is none
    std::vector<std::uint32_t> used_;                   // [link]: as its pair
    std::vector<std::vector<std::uint32_t>> distance_;  // [node][node]: over pairs of links
    std::vector<NodeId> central_;
    bool connected_ = true;
};

}  // namespace interlace
