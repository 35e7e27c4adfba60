// Interlace: how many links a unicast packet crosses
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/routing/routing_tables.h"

namespace interlace {

/// The links that packets from a fabric's own nodes cross, worked out from routing alone, without a run.
class PathLengths {
  public:
    /// None where the network's state decides: under adaptive_bubble on an iBT, whose packets may escape.
    /// Keeps references.
    static std::optional<PathLengths> of(const Network& network, const Fabric& fabric,
                                         const RoutingTables& tables);

    /// Of a packet from an own node to another; `slot` as in its header (docs/node.md, section 2).
    std::uint32_t links(NodeId from, NodeId to, std::uint32_t slot) const;
    /// Over all ordered pairs of different nodes; by dimension order on a large iBT over every n-th
    /// destination.
    double mean() const;

  private:
    PathLengths(const Network& network, const Fabric& fabric, const RoutingTables& tables);
    std::uint32_t by_order(NodeId from, NodeId to, std::uint32_t slot) const;

    const Network& network_;
    const Fabric& fabric_;
    const RoutingTables& tables_;
    std::vector<std::vector<Hop>> hops_;  ///< [species] of an iBT
};

}  // namespace interlace
