// Interlace: forwarding tables by which unicast packets find their way
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routing/routing_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interlace/core/error.h"
#include "interlace/engine/fabric/default_routing.h"
#include "interlace/engine/routing/routing_file.h"
#include "interlace/network/metrics.h"
#include "paths_near_capacity.h"
#include "tables_of_paths.h"

namespace interlace {
namespace {

/// The ports of every node that lead nearer to every other, and its own reception.
RoutingTables adaptive(const Network& network, const Fabric& fabric) {
    RoutingTables tables{{fabric.nodes, std::vector<std::uint32_t>(fabric.nodes, 0)}};
    for (std::uint32_t to = 0; to < fabric.nodes; ++to) {
        // Adaptive routing needs a lattice, whose links go both ways: distances are the same back.
        const std::vector<std::uint32_t> distance = distances_from(network, NodeId{to});
        for (std::uint32_t v = 0; v < fabric.nodes; ++v) {
            const auto neighbours = network.neighbours(NodeId{v});
            for (std::uint32_t p = 0; p < neighbours.size(); ++p)
                if (distance[neighbours[p]] < distance[v]) tables.ports[v][to] |= 1U << p;
        }
        tables.ports[to][to] = 1U << fabric.ports;
    }
    return tables;
}

void measure_paths(const Network& network, std::uint32_t channels, const Paths& paths,
                   RoutingTables& tables) {
    const PathHops hops = hops_of(network, channels, paths);
    const std::vector<std::uint32_t> crossing = crossings(network, channels, paths, hops);
    LinkLoad load;
    load.max = *std::max_element(crossing.begin(), crossing.end());
    load.mean = std::accumulate(crossing.begin(), crossing.end(), 0.0) / network.link_count();
    tables.links.assign(network.node_count(), std::vector<std::uint16_t>(paths.size()));
    for (std::uint32_t from = 0; from < network.node_count(); ++from) {
        const std::vector<std::uint32_t> distance = distances_from(network, NodeId{from});
        for (std::uint32_t to = 0; to < paths.size(); ++to) {
            tables.links[from][to] = hops[to][from];
            if (from < paths.size() && hops[to][from] > distance[to]) ++load.detours;
        }
    }
    tables.load = load;
}

}  // namespace

RoutingTables tables_of_paths(const Network& network, const Fabric& fabric, const Paths& paths,
                              bool any_channel) {
    RoutingTables tables{{fabric.nodes, std::vector<std::uint32_t>(fabric.endpoints)}};
    measure_paths(network, fabric.vcs, paths, tables);
    for (std::uint32_t to = 0; to < fabric.endpoints; ++to)
        for (std::uint32_t v = 0; v < fabric.nodes; ++v) {
            const std::uint32_t hop = paths[to][v];
            const std::uint32_t channels = any_channel ? 0 : entry_of_channels(1U << hop % fabric.vcs);
            tables.ports[v][to] = v == to
                                      ? 1U << fabric.ports
                                      : 1U << (hop / fabric.vcs - network.first_link(NodeId{v})) | channels;
        }
    return tables;
}

namespace {

/// Empties the rows of other nodes.
template <class Row>
void keep_rows(std::vector<Row>& tables, NodeRange own) {
    for (std::uint32_t node = 0; node < tables.size(); ++node)
        if (!own.contains(node)) Row().swap(tables[node]);
}

RoutingTables tables_of_all(const Network& network, const Fabric& fabric) {
    const Routing routing = fabric.parameters.routing;
    if (routing == Routing::dimension_order || fabric.by_coordinates()) return {};
    if (fabric.endpoints > max_slots)
        throw InputError(fmt::format("cannot use {} on {} nodes", routing_name(routing), fabric.endpoints),
                         fmt::format("at most {}, a table entry a node{}", max_slots,
                                     has_dimension_order(network) ? ", or routing: dimension_order" : ""));
    if (!by_table(routing)) return adaptive(network, fabric);
    if (const std::string& file = fabric.parameters.routing_table; !file.empty())
        return read_routing_table(file, network, fabric);
    const Paths paths = routing == Routing::balanced ? paths_near_capacity(network, fabric.vcs)
                                                     : balanced_paths(network, fabric.vcs);
    return tables_of_paths(network, fabric, paths, false);
}

}  // namespace

RoutingTables routing_tables(const Network& network, const Fabric& fabric) {
    RoutingTables tables = tables_of_all(network, fabric);
    keep_rows(tables.ports, fabric.own);
    keep_rows(tables.links, fabric.own);
    return tables;
}

}  // namespace interlace
