// Interlace: shortest paths from the first node of each class to all nodes, several to each
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/capacity/capacity.h"
#include "interlace/core/random.h"
#include "interlace/network/network.h"
#include "interlace/program/symmetric_schedule.h"

namespace interlace {

/// Trees of shortest paths by the lengths of a best flow, each drawn among those that are equally short. A
/// use is a class of nodes and an output of theirs: packets of all images of an origin load its links alike.
class PathTrees {
  public:
    /// Keeps references. Of each class of nodes `of_each` trees by each of its lengths.
    PathTrees(const Network& network, const Translations& translations, const LinkClasses& classes,
              const Capacity& capacity, std::uint32_t of_each, Draws& draws);

    std::uint32_t uses() const { return static_cast<std::uint32_t>(weight_.size()); }
    /// [use]: the length of such a link in the bound.
    const std::vector<std::uint32_t>& weight() const { return weight_; }
    std::uint32_t use(LinkId link) const { return use_[link]; }
    NodeId from(LinkId link) const { return from_[link]; }

    std::uint32_t count(std::uint32_t of_class) const {
        return static_cast<std::uint32_t>(trees_[of_class].size());
    }
    /// Calls visit(link) for the links of a path in a tree, the last one first.
    template <class Visit>
    void path(std::uint32_t of_class, std::uint32_t tree, NodeId to, const Visit& visit) const {
        const std::vector<LinkId>& entry = trees_[of_class][tree];
        for (NodeId at = to; at != translations_.firsts()[of_class];) {
            visit(entry[at]);
            at = from_[entry[at]];
        }
    }

  private:
    /// [node]: the link by which its path comes.
    std::vector<LinkId> draw(NodeId origin, const std::vector<std::uint32_t>& lengths, bool by_port,
                             Draws& draws) const;

    const Network& network_;
    const Translations& translations_;
    const LinkClasses& classes_;
    std::vector<NodeId> from_;        // [link]
    std::vector<std::uint32_t> use_;  // [link]
    std::vector<std::uint32_t> weight_;
    std::vector<std::vector<std::vector<LinkId>>> trees_;  // [class][tree][node]
};

}  // namespace interlace
