// Interlace: which link leads to which machine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/network/switch_tree.h"

namespace interlace {

/// For each switch of a cluster and each machine, the link that a frame takes next. 4 bytes an entry.
class Routes {
  public:
    /// Along a spanning tree, as Ethernet does. `tree` is one of `cluster`, which has switches.
    Routes(const Network& cluster, const SwitchTree& tree);
    /// Up*/down* (Schroeder et al., "Autonet", 1991): a link goes up if it leads nearer to the switch `root`,
    /// or to a lower number among switches as near; a path goes up, then down, never up again, so that links
    /// cannot wait for one another in a cycle. What comes next depends on the destination alone: down by the
    /// shortest way where only ways down are left, else up towards the shortest of such paths; among equal
    /// ones the destination's number decides. Throws InputError for a root that is no switch.
    static Routes up_down(const Network& cluster, std::uint32_t root);

    /// Whether `at` takes part.
    bool reaches(NodeId at, NodeId to) const { return next(at, to) != none; }
    /// `at`: a switch of the tree, as a node of the cluster.
    LinkId next(NodeId at, NodeId to) const { return links_[std::size_t{at - machines_} * machines_ + to]; }

  private:
    static constexpr LinkId none{UINT32_MAX};
    explicit Routes(const Network& cluster);
    std::uint32_t machines_;
    std::vector<LinkId> links_;
};

}  // namespace interlace
