// Interlace: forwarding tables by which unicast packets find their way
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routing_tables.h"

#include <fmt/format.h>

#include <bit>

#include "interlace/core/error.h"
#include "interlace/network/dependency_graph.h"

namespace interlace {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

/// [node]: hops to `destination`.
std::vector<std::uint32_t> distances_to(const IncomingLinks& incoming, NodeId destination) {
    std::vector<std::uint32_t> distance(incoming.first.size() - 1, none);
    std::vector<NodeId> reached{destination};
    distance[destination] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (const NodeId sender : incoming.senders_to(reached[i]))
            if (distance[sender] == none) {
                distance[sender] = distance[reached[i]] + 1;
                reached.push_back(sender);
            }
    return distance;
}

/// The ports of `node` that lead nearer.
std::uint32_t nearer_ports(const Network& network, NodeId node, const std::vector<std::uint32_t>& distance) {
    std::uint32_t mask = 0;
    const auto neighbours = network.neighbours(node);
    for (std::uint32_t p = 0; p < neighbours.size(); ++p)
        if (distance[neighbours[p]] < distance[node]) mask |= 1U << p;
    return mask;
}

/// [node]: the ports towards `to`, and the node's own reception at `to`.
std::vector<std::uint32_t> ports_towards(const Network& network, const Fabric& fabric,
                                         const IncomingLinks& incoming, std::uint32_t to) {
    const std::vector<std::uint32_t> distance = distances_to(incoming, NodeId{to});
    std::vector<std::uint32_t> ports(fabric.nodes);
    for (std::uint32_t v = 0; v < fabric.nodes; ++v) {
        if (distance[v] == none)
            throw InputError(fmt::format("no path from node {} to node {} of {}", v, to, network.name()),
                             "a network whose nodes all reach one another");
        ports[v] = v == to ? 1U << fabric.ports : nearer_ports(network, NodeId{v}, distance);
    }
    return ports;
}

/// What a packet from `from` waits for on its way by the lowest of `ports` at each node.
std::vector<Dependency> dependencies(const Network& network, const std::vector<std::uint32_t>& ports,
                                     std::uint32_t from, std::uint32_t to) {
    std::vector<Dependency> waits;
    std::uint32_t before = none;
    while (from != to) {
        const std::uint32_t link =
            network.first_link(NodeId{from}) + static_cast<std::uint32_t>(std::countr_zero(ports[from]));
        if (before != none) waits.emplace_back(before, link);
        before = link;
        from = network.target(LinkId{link});
    }
    return waits;
}

/// Slots for destinations and channels as pairs of nodes need them.
class Layers {
  public:
    Layers(const Network& network, const Fabric& fabric)
        : n_(network), f_(fabric), in_(fabric.vcs, DependencyGraph(network.link_count())) {
        tables_.ports.resize(fabric.nodes);
        tables_.slots.resize(std::size_t{fabric.nodes} * fabric.nodes, 0);
    }

    void route(const std::vector<std::uint32_t>& ports, std::uint32_t to) {
        std::vector<std::uint32_t> slot(f_.vcs, none);
        for (std::uint32_t from = 0; from < f_.nodes; ++from) {
            if (from == to) continue;
            const std::uint32_t channel = channel_for(dependencies(n_, ports, from, to));
            if (slot[channel] == none) slot[channel] = new_slot(ports, channel);
            tables_.slots[std::size_t{from} * f_.nodes + to] = static_cast<std::uint16_t>(slot[channel]);
        }
    }

    RoutingTables take() { return std::move(tables_); }

  private:
    std::uint32_t channel_for(const std::vector<Dependency>& waits) {
        for (std::uint32_t channel = 0; channel < f_.vcs; ++channel)
            if (in_[channel].add(waits).empty()) return channel;
        throw InputError(
            fmt::format("routing by table on {} with {} virtual channels", n_.name(), f_.vcs),
            "more channels (vcs), or another routing: packets would wait for one another in a circle");
    }

    std::uint32_t new_slot(const std::vector<std::uint32_t>& ports, std::uint32_t channel) {
        const auto slot = static_cast<std::uint32_t>(tables_.ports.front().size());
        if (slot == most_slots)
            throw InputError("routing by table on " + n_.name(),
                             fmt::format("at most {} slots, one a destination and channel", most_slots));
        for (std::uint32_t v = 0; v < f_.nodes; ++v)
            tables_.ports[v].push_back((ports[v] & (~ports[v] + 1)) | 1U << (16 + channel));
        return slot;
    }

    const Network& n_;
    const Fabric& f_;
    std::vector<DependencyGraph> in_;
    RoutingTables tables_;
};

}  // namespace

RoutingTables routing_tables(const Network& network, const Fabric& fabric) {
    const Routing routing = fabric.parameters.routing;
    if (routing == Routing::dimension_order) return {};
    if (fabric.nodes > most_slots)
        throw InputError(fmt::format("{} on {} nodes", routing_name(routing), fabric.nodes),
                         fmt::format("at most {}: a table entry a node", most_slots));
    const IncomingLinks incoming(network);
    Layers layers(network, fabric);
    RoutingTables adaptive;
    adaptive.ports.assign(fabric.nodes, std::vector<std::uint32_t>(fabric.nodes, 0));
    for (std::uint32_t to = 0; to < fabric.nodes; ++to) {
        const std::vector<std::uint32_t> ports = ports_towards(network, fabric, incoming, to);
        if (routing == Routing::table) layers.route(ports, to);
        for (std::uint32_t v = 0; v < fabric.nodes; ++v) adaptive.ports[v][to] = ports[v];
    }
    return routing == Routing::table ? layers.take() : adaptive;
}

}  // namespace interlace
