// Interlace: lengths of links, and nodes in the order of their distances by them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "interlace/core/ids.h"

namespace interlace {

/// What paths are measured in: hops, or lengths of links.
class LinkLengths {
  public:
    LinkLengths() = default;  ///< hops
    /// [link]: 1 to 16.
    explicit LinkLengths(std::vector<std::uint32_t> lengths) : length_(std::move(lengths)) {}

    std::uint32_t of(LinkId link) const { return length_.empty() ? 1 : length_[link]; }
    bool in_hops() const { return length_.empty(); }
    std::uint32_t longest() const {
        return length_.empty() ? 1 : *std::max_element(length_.begin(), length_.end());
    }

  private:
    std::vector<std::uint32_t> length_;
};

/// Nodes with their distances from one, the nearest first; of equal distances in the order of push().
class NearestFirst {
  public:
    /// `longest`: link.
    explicit NearestFirst(std::uint32_t longest) : at_(longest + 1) {}

    /// `distance`: from that of the node popped last on, to a link's length beyond.
    void push(NodeId node, std::uint32_t distance) {
        at_[distance % at_.size()].push_back(node);
        ++size_;
    }
    /// None: it is empty, and begins anew.
    std::optional<std::pair<NodeId, std::uint32_t>> pop() {
        if (size_ == 0) {
            at_[distance_ % at_.size()].clear();
            distance_ = next_ = 0;
            return {};
        }
        while (next_ == at_[distance_ % at_.size()].size()) {
            at_[distance_ % at_.size()].clear();
            next_ = 0;
            ++distance_;
        }
        --size_;
        return std::pair{at_[distance_ % at_.size()][next_++], distance_};
    }

  private:
    std::vector<std::vector<NodeId>> at_;  // [distance, modulo]
    std::uint32_t distance_ = 0;           // that of the nodes being popped
    std::size_t next_ = 0;                 // of these
    std::size_t size_ = 0;
};

}  // namespace interlace
