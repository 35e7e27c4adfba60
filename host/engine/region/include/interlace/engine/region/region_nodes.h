// Interlace: the nodes of a region
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interlace/core/ids.h"

namespace interlace {

/// Nodes of a fabric by their places in a region, from 0 on. Ones that follow one another, as they nearly
/// always do, take no memory each, and nothing is read of memory to find them.
class RegionNodes {
  public:
    explicit RegionNodes(const std::vector<NodeId>& nodes)
        : first_(nodes.empty() ? 0 : +nodes.front()), count_(static_cast<std::uint32_t>(nodes.size())) {
        for (std::uint32_t i = 0; i < count_ && in_order(); ++i)
            if (nodes[i] != first_ + i) others_ = nodes;
    }
    /// They follow one another.
    bool in_order() const { return others_.empty(); }

    std::size_t size() const { return count_; }
    NodeId operator[](std::size_t place) const {
        return in_order() ? NodeId{first_ + static_cast<std::uint32_t>(place)} : others_[place];
    }
    std::vector<NodeId> list() const {
        std::vector<NodeId> nodes;
        for (std::uint32_t i = 0; i < count_; ++i) nodes.push_back((*this)[i]);
        return nodes;
    }

  private:
    std::uint32_t first_, count_;
    std::vector<NodeId> others_;  // where they do not follow one another
};

/// The places of nodes in a region.
class RegionPlaces {
  public:
    static constexpr std::uint32_t outside = UINT32_MAX;

    /// Of a fabric of `all` nodes.
    RegionPlaces(const RegionNodes& nodes, std::uint32_t all)
        : first_(nodes.size() == 0 ? 0 : +nodes[0]), count_(static_cast<std::uint32_t>(nodes.size())) {
        if (nodes.in_order()) return;
        places_.assign(all, outside);
        for (std::uint32_t i = 0; i < count_; ++i) places_[nodes[i]] = i;
    }

    /// Of a node of the fabric; `outside`: it is of another region.
    std::uint32_t operator[](std::uint32_t node) const {
        if (!places_.empty()) return places_[node];
        return node - first_ < count_ ? node - first_ : outside;
    }

  private:
    std::uint32_t first_, count_;
    std::vector<std::uint32_t> places_;  // [node], where they do not follow one another
};

}  // namespace interlace
