// Interlace: a spanning tree of a cluster's switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interlace/network/network.h"

namespace interlace {

enum class TreeKind { bfs, dfs, random };

/// Switches as nodes of a tree and machines as its leaves: what the algorithms for clusters work on. A path
/// between two machines is unique; its length is the number of its switches, as Faraj, Patarasuk and Yuan
/// count. Switches with no machine behind them are left out.
class SwitchTree {
  public:
    /// A spanning tree of `network` (as_cluster is applied): breadth first or depth first from `root`, a
    /// switch's number in its own row (s0, s1, ...), or links drawn one by one. The root matters for
    /// algorithms that start somewhere; if it is left out, the nearest switch that is not takes its place.
    explicit SwitchTree(const Network& network, TreeKind kind = TreeKind::bfs, std::uint32_t root = 0,
                        std::uint64_t seed = 1);

    std::uint32_t size() const { return static_cast<std::uint32_t>(neighbours_.size()); }
    std::uint32_t machine_count() const { return static_cast<std::uint32_t>(home_.size()); }
    /// Switches are numbered 0 to size() - 1 depth first from the root, lower numbers of their own row first;
    /// so 0 is the root, and a switch's parent comes before it.
    const std::vector<std::uint32_t>& neighbours(std::uint32_t s) const { return neighbours_[s]; }
    /// Of the machines on switch s, ascending.
    const std::vector<NodeId>& machines(std::uint32_t s) const { return machines_[s]; }
    std::uint32_t home(NodeId machine) const { return home_[machine]; }
    std::uint32_t id(std::uint32_t s) const { return id_[s]; }  ///< s's number in its own row
    /// Of its own row: the switches that take no part.
    const std::vector<std::uint32_t>& left_out() const { return left_out_; }

    std::uint32_t parent(std::uint32_t s) const { return parent_[s]; }  ///< of the root: itself
    /// Machines of each switch and of all below it: those on its side of the trunk to its parent.
    std::vector<std::uint32_t> machines_behind() const;
    /// The switches from one machine's to another's.
    std::vector<std::uint32_t> path(NodeId from, NodeId to) const;
    std::uint32_t length(NodeId from, NodeId to) const;  ///< of the path, in switches

  private:
    /// Of each switch in its own row, the number in the tree, UINT32_MAX of those left out.
    std::vector<std::uint32_t> number_switches(std::vector<std::vector<std::uint32_t>>& tree,
                                               std::uint32_t root);
    std::vector<std::vector<std::uint32_t>> neighbours_;  // ascending
    std::vector<std::vector<NodeId>> machines_;
    std::vector<std::uint32_t> home_, id_, left_out_, parent_, depth_;
};

/// "s4, s7 have no machine behind them and take no part", or nothing.
std::string left_out_note(const SwitchTree& tree);

/// "the spanning tree leaves 1 trunk idle: s1-s2", or nothing: trunks of `cluster`, which has switches, that
/// would close a loop of its tree.
std::string idle_trunks_note(const Network& cluster, const SwitchTree& tree);

}  // namespace interlace
