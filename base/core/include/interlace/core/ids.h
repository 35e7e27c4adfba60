// Interlace: strong identifiers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace interlace {

/// A number that names one kind of thing. It reads as an unsigned integer (so it indexes a vector) but is
/// made only on purpose, so that a packet never stands where a node is meant.
template <class Tag>
class Id {
  public:
    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t value) : value_(value) {}
    constexpr operator std::uint32_t() const { return value_; }

  private:
    std::uint32_t value_ = 0;
};

using NodeId = Id<struct NodeTag>;  ///< 0 .. nodes - 1; on a lattice the first coordinate (x) runs fastest
using LinkId =
    Id<struct LinkTag>;  ///< a directed link, 0 .. links - 1, ordered by its sending node, then port
using PortId = Id<struct PortTag>;      ///< an output of a node, 0 .. degree - 1
using PacketId = Id<struct PacketTag>;  ///< a packet of a message, from 0

/// Nodes that follow one another.
struct NodeRange {
    std::uint32_t first = 0, count = 0;
    bool contains(std::uint32_t node) const { return node - first < count; }
    std::uint32_t end() const { return first + count; }  ///< behind the last one
    /// Those of them below `limit`.
    NodeRange below(std::uint32_t limit) const {
        return {first, first < limit ? std::min(count, limit - first) : 0};
    }
    bool operator==(const NodeRange&) const = default;
};

}  // namespace interlace
