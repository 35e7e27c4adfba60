// Interlace: whose a node is
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "interlace/core/ids.h"
#include "interlace/ranks/communicator.h"

namespace interlace {

/// Of `nodes` nodes in all those of `rank`, one of `ranks`: they follow one another, and are nearly as many
/// of each rank.
inline NodeRange nodes_of_rank(std::uint32_t nodes, std::uint32_t rank, std::uint32_t ranks) {
    const auto first = [&](std::uint64_t of) { return static_cast<std::uint32_t>(nodes * of / ranks); };
    return {first(rank), first(rank + 1) - first(rank)};
}
inline NodeRange nodes_of_rank(std::uint32_t nodes, const Communicator& ranks) {
    return nodes_of_rank(nodes, ranks.rank(), ranks.size());
}

/// The region of each node of this rank, and the rank of every other node.
class NodeOwners {
  public:
    /// Called by all ranks. `regions`: the nodes of each, of this rank, which has one at least; nodes of a
    /// rank follow one another, and behind those of the rank before.
    NodeOwners(const std::vector<std::vector<NodeId>>& regions, Communicator& ranks)
        : rank_(ranks.rank()), regions_(static_cast<std::uint32_t>(regions.size())) {
        own_.first = UINT32_MAX;
        for (const auto& nodes : regions)
            for (const NodeId node : nodes) {
                own_.first = std::min<std::uint32_t>(own_.first, node);
                ++own_.count;
            }
        region_.assign(own_.count, UINT32_MAX);
        for (std::uint32_t i = 0; i < regions_; ++i)
            for (const NodeId node : regions[i]) {
                assert(own_.contains(node) && region_[node - own_.first] == UINT32_MAX);
                region_[node - own_.first] = i;
            }
        first_ = ranks.gather_values(std::vector<std::uint32_t>{own_.first});
        assert(std::is_sorted(first_.begin(), first_.end()));
    }

    /// Of this rank.
    NodeRange own() const { return own_; }
    bool owns(std::uint32_t node) const { return own_.contains(node); }
    std::uint32_t region_of(std::uint32_t node) const { return region_[node - own_.first]; }
    std::uint32_t rank_of(std::uint32_t node) const {
        if (owns(node)) return rank_;
        const auto after = std::upper_bound(first_.begin(), first_.end(), node);
        return static_cast<std::uint32_t>(after - first_.begin() - 1);
    }
    /// The region or, from the number of regions on, of others' nodes the rank.
    std::uint32_t operator[](std::uint32_t node) const {
        return owns(node) ? region_of(node) : regions_ + rank_of(node);
    }

  private:
    std::uint32_t rank_, regions_;
    NodeRange own_;
    std::vector<std::uint32_t> region_;  // [own node]
    std::vector<std::uint32_t> first_;   // [rank]: its first node
};

}  // namespace interlace
