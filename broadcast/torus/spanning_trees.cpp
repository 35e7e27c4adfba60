// Interlace: link-disjoint spanning trees of a torus
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/torus/spanning_trees.h"

#include <algorithm>

#include "interlace/core/error.h"

namespace interlace {
namespace {

/// A spanning tree by the one link that enters each node.
class Tree {
  public:
    Tree(const Network& network, NodeId source, std::vector<std::uint32_t> axes, std::int32_t direction)
        : network_(network),
          lattice_(*network.lattice()),
          source_(source),
          axes_(std::move(axes)),
          direction_(direction) {}

    /// The link over which `node` (not the source) gets this tree's packets.
    LinkId link_into(NodeId node) const {
        Hop from_parent{axes_.front(),
                        -direction_};  // shares the source's first coordinate: served last, from ahead
        if (differs(node, axes_.front())) {
            const auto last = std::find_if(axes_.rbegin(), axes_.rend(),
                                           [&](std::uint32_t axis) { return differs(node, axis); });
            from_parent = {*last, direction_};
        }
        const NodeId parent = lattice_.neighbour(node, {from_parent.dimension, -from_parent.offset});
        return network_.link_between(parent, node);
    }

  private:
    bool differs(NodeId node, std::uint32_t axis) const {
        return lattice_.coordinate(node, axis) != lattice_.coordinate(source_, axis);
    }

    const Network& network_;
    const Lattice& lattice_;
    NodeId source_;
    std::vector<std::uint32_t> axes_;
    std::int32_t direction_;
};

}  // namespace

std::vector<Send> spanning_tree_broadcast(const Network& network, NodeId source,
                                          const std::vector<std::uint32_t>& axes, std::uint32_t packets) {
    const Lattice& lattice = network.lattice_for("the spanning-tree broadcast");
    if (!lattice.has_rings() || !lattice.has_rows())
        throw InputError("cannot plan spanning trees on " + network.name(),
                         "a torus without a twist and with 3 nodes or more in each dimension, or an ibt");
    std::vector<NodeId> members{source};
    for (const std::uint32_t axis : axes)
        for (std::size_t i = 0, before = members.size(); i < before; ++i)
            for (NodeId next = lattice.neighbour(members[i], {axis, 1}); next != members[i];
                 next = lattice.neighbour(next, {axis, 1}))
                members.push_back(next);
    const auto colours = static_cast<std::uint32_t>(2 * axes.size());
    std::vector<Send> sends;
    sends.reserve((members.size() - 1) * packets);
    std::vector<std::uint32_t> order = axes;
    for (std::uint32_t colour = 0; colour < colours; ++colour) {
        const Tree tree(network, source, order, colour % 2 == 0 ? +1 : -1);
        for (std::size_t i = 1; i < members.size(); ++i) {
            const LinkId link = tree.link_into(members[i]);
            for (std::uint32_t p = colour; p < packets; p += colours) sends.push_back({link, PacketId{p}});
        }
        if (colour % 2 == 1) std::rotate(order.begin(), order.begin() + 1, order.end());
    }
    return sends;
}

}  // namespace interlace
