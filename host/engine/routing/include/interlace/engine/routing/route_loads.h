// Interlace: the packets over each link, by the routing of unicast packets alone
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/capacity/demands.h"
#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/routing/routing_tables.h"

namespace interlace {

/// The links by which unicast packets leave nodes, as find_route() chooses them, without a run.
///
/// Dimension order: where both ways round a ring are equal, half of the packets go each way, as hosts send
/// them. Adaptive bubble routing: the path over the escape channel alone.
class NextHops {
  public:
    /// A link out of a node, and the share of the packets there that leave by it.
    struct Hop {
        std::uint32_t port;
        double share;
    };
    using Hops = std::vector<Hop>;

    /// Keeps references. All nodes are the fabric's own.
    NextHops(const Fabric& fabric, const RoutingTables& tables) : fabric_(fabric), tables_(tables) {}

    /// Of packets for `to` at `node`, another one: one link or two. The next call replaces it. Throws
    /// InputError where a table leads nowhere.
    const Hops& of(NodeId node, NodeId to);

  private:
    std::uint32_t port(NodeId node, NodeId to, std::uint32_t slot) const;

    const Fabric& fabric_;
    const RoutingTables& tables_;
    Hops hops_;
};

/// All nodes but `to`, each behind those whose packets for it pass by, for any routing: farthest first.
class FarthestFirst {
  public:
    /// Keeps references.
    FarthestFirst(const Network& network, const Fabric& fabric, const RoutingTables& tables)
        : network_(network), tables_(tables), by_table_(by_table(fabric.parameters.routing)) {}

    void order(NodeId to, std::vector<NodeId>& nodes);

  private:
    std::uint32_t distance(NodeId node, NodeId to) const;

    const Network& network_;
    const RoutingTables& tables_;
    bool by_table_;
    std::vector<std::uint32_t> at_;  // [node]
};

/// Whether a routing treats all nodes of a species alike: on a torus or iBT, without a table.
bool same_by_species(const Network& network, const Fabric& fabric);

/// [link]: the packets over it when hosts send `demands`, in the mean. Exact but for rounding. Under
/// uniform demands, where the routing is the same by species, from one destination of each.
std::vector<double> route_loads(const Network& network, const Fabric& fabric, const RoutingTables& tables,
                                const Demands& demands);

}  // namespace interlace
