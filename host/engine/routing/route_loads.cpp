// Interlace: the packets over each link, by the routing of unicast packets alone
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routing/route_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "interlace/core/error.h"
#include "interlace/engine/routing/route.h"

namespace interlace {

const NextHops::Hops& NextHops::of(NodeId node, NodeId to) {
    const std::uint32_t first = port(node, to, 0);
    hops_.assign(1, {first, 1});
    if (fabric_.parameters.routing != Routing::dimension_order) return hops_;
    const std::uint32_t other = port(node, to, max_slots - 1);  // the other way in every dimension
    if (other != first) hops_ = {{first, 0.5}, {other, 0.5}};
    return hops_;
}

std::uint32_t NextHops::port(NodeId node, NodeId to, std::uint32_t slot) const {
    PacketFields fields;
    const Routing routing = fabric_.parameters.routing;
    fields.kind = fabric_.unicast_kind();
    fields.slot = routing == Routing::dimension_order ? slot : fabric_.by_coordinates() ? 0 : +to;
    if (!by_table(routing)) fields.destination = fabric_.destination(to);
    const Route route = find_route(fabric_, &tables_.ports, node, Entrance{}, make_packet(fields));
    const std::uint32_t links = route.adaptive ? 1U << route.escape : route.links;
    if (links == 0)
        throw InputError(fmt::format("packets for node {} do not leave node {}", +to, +node),
                         "a path to every node");
    return static_cast<std::uint32_t>(std::countr_zero(links));
}

/// Every hop lowers it: by table the hops that are left, by dimension order the steps along all dimensions.
std::uint32_t FarthestFirst::distance(NodeId node, NodeId to) const {
    if (by_table_) return tables_.links[node][to];
    const Lattice& lattice = *network_.lattice();
    std::uint32_t sum = 0;
    for (std::uint32_t d = 0; d < lattice.dimensions(); ++d) {
        const std::uint32_t a = lattice.coordinate(node, d), b = lattice.coordinate(to, d);
        const std::uint32_t straight = a < b ? b - a : a - b;
        sum += lattice.wraps() ? std::min(straight, lattice.sizes()[d] - straight) : straight;
    }
    return sum;
}

void FarthestFirst::order(NodeId to, std::vector<NodeId>& nodes) {
    const std::uint32_t count = network_.node_count();
    at_.resize(count);
    std::vector<std::uint32_t> reached(1, 0);  // [distance]: nodes that far or farther
    for (std::uint32_t v = 0; v < count; ++v) {
        at_[v] = distance(NodeId{v}, to);
        if (reached.size() <= at_[v]) reached.resize(at_[v] + 1, 0);
        ++reached[at_[v]];
    }
    for (std::size_t d = reached.size() - 1; d-- > 0;) reached[d] += reached[d + 1];
    nodes.assign(count, to);
    for (std::uint32_t v = 0; v < count; ++v) nodes[--reached[at_[v]]] = NodeId{v};
    nodes.pop_back();  // the destination
}

bool same_by_species(const Network& network, const Fabric& fabric) {
    return network.lattice() && network.lattice()->wraps() && !by_table(fabric.parameters.routing);
}

namespace {

class Loads {
  public:
    Loads(const Network& network, const Fabric& fabric, const RoutingTables& tables)
        : network_(network),
          hops_(fabric, tables),
          farthest_(network, fabric, tables),
          packets_(network.node_count()),
          load_(network.link_count(), 0) {}

    /// `packets` [node]: that it sends to `to`. visit(link, packets).
    template <class Visit>
    void send(NodeId to, const std::vector<double>& packets, const Visit& visit) {
        farthest_.order(to, order_);
        packets_ = packets;
        for (const NodeId node : order_) {
            if (packets_[node] == 0) continue;
            const LinkId first = network_.first_link(node);
            for (const NextHops::Hop& hop : hops_.of(node, to)) {
                const LinkId link{first + hop.port};
                visit(node, link, packets_[node] * hop.share);
                packets_[network_.target(link)] += packets_[node] * hop.share;
            }
        }
    }

    /// Each host's packets on their way, one destination after another.
    std::vector<double> of_few(const Demands& demands) {
        for (std::uint32_t v = 0; v < demands.more.size(); ++v)
            for (const auto& [to, packets] : demands.more[v]) follow(NodeId{v}, to, packets);
        return std::move(load_);
    }

    std::vector<double> of_all(const Demands& demands) {
        const std::uint32_t hosts = network_.endpoint_count();
        std::vector<std::vector<std::pair<NodeId, std::uint32_t>>> more(hosts);  // by destination
        for (std::uint32_t v = 0; v < demands.more.size(); ++v)
            for (const auto& [to, packets] : demands.more[v]) more[to].emplace_back(v, packets);
        std::vector<double> packets(network_.node_count(), 0);
        for (std::uint32_t to = 0; to < hosts; ++to) {
            if (demands.each == 0 && more[to].empty()) continue;
            std::fill(packets.begin(), packets.begin() + hosts, demands.each);
            for (const auto& [from, count] : more[to]) packets[from] += count;
            packets[to] = 0;
            send(NodeId{to}, packets, [&](NodeId, LinkId link, double count) { load_[link] += count; });
        }
        return std::move(load_);
    }

    /// Uniform demands by a routing that treats nodes of a species alike.
    std::vector<double> by_species(const Lattice& lattice, std::uint32_t each) {
        const std::uint32_t ports = network_.max_degree();
        std::vector<double> of_species(std::size_t{lattice.species_count()} * ports, 0);
        std::vector<double> packets(network_.node_count(), each);
        for (std::uint32_t to = 0; to < lattice.species_count(); ++to)  // nodes 0, 1, ... are one of each
            send(NodeId{to}, packets, [&](NodeId node, LinkId link, double count) {
                of_species[lattice.species(node) * ports + (link - network_.first_link(node))] += count;
            });
        for (std::uint32_t v = 0; v < network_.node_count(); ++v)
            for (std::uint32_t p = 0; p < network_.degree(NodeId{v}); ++p)
                load_[network_.first_link(NodeId{v}) + p] =
                    of_species[lattice.species(NodeId{v}) * ports + p];
        return std::move(load_);
    }

  private:
    void follow(NodeId node, NodeId to, double packets) {
        while (node != to) {
            const NextHops::Hops hops = hops_.of(node, to);
            for (std::size_t i = hops.size(); i-- > 0;) {
                const LinkId link{network_.first_link(node) + hops[i].port};
                load_[link] += packets * hops[i].share;
                if (i > 0) follow(network_.target(link), to, packets * hops[i].share);
            }
            packets *= hops.front().share;
            node = network_.target(LinkId{network_.first_link(node) + hops.front().port});
        }
    }

    const Network& network_;
    NextHops hops_;
    FarthestFirst farthest_;
    std::vector<double> packets_;  // [node]: for the destination at hand
    std::vector<double> load_;     // [link]
    std::vector<NodeId> order_;
};

}  // namespace

std::vector<double> route_loads(const Network& network, const Fabric& fabric, const RoutingTables& tables,
                                const Demands& demands) {
    Loads loads(network, fabric, tables);
    if (demands.uniform() && same_by_species(network, fabric))
        return loads.by_species(*network.lattice(), demands.each);
    std::size_t pairs = 0;
    for (const auto& more : demands.more) pairs += more.size();
    if (demands.each == 0 && pairs <= network.node_count()) return loads.of_few(demands);
    return loads.of_all(demands);
}

}  // namespace interlace
