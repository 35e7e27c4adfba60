// Interlace: which link leads to which machine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/network/switch_tree.h"

namespace interlace {

/// For each switch of a cluster and each machine, the link that a frame takes next: Ethernet's, along a
/// spanning tree. 4 bytes an entry.
class Routes {
  public:
    /// `tree` is one of `cluster`, which has switches.
    Routes(const Network& cluster, const SwitchTree& tree);

    /// `at`: a switch of the tree, as a node of the cluster.
    LinkId next(NodeId at, NodeId to) const { return links_[std::size_t{at - machines_} * machines_ + to]; }

  private:
    std::uint32_t machines_;
    std::vector<LinkId> links_;
};

}  // namespace interlace
