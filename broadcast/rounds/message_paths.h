// Interlace: shortest paths of messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/core/random.h"
#include "interlace/network/network.h"

namespace interlace {

/// One path of each pair of nodes, as RoutedRounds has them.
class MessagePaths {
  public:
    /// Keeps a reference.
    MessagePaths(const Network& network, std::uint64_t seed) : network_(network), draws_(seed) {}

    /// Links from the first one on. Throws InputError where there are none.
    std::vector<LinkId> path(NodeId from, NodeId to);

  private:
    std::vector<LinkId> by_dimensions(NodeId from, NodeId to) const;
    /// Breadth first, of several links that come first to a node any.
    void draw(NodeId origin);

    const Network& network_;
    Draws draws_;
    std::vector<std::vector<LinkId>> entry_;   // [origin][node]: the last link; none before it is asked for
    std::vector<std::vector<NodeId>> before_;  // [origin][node]
};

}  // namespace interlace
