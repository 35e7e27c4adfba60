// Interlace: the permutation under which a link carries most
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routing/worst_permutation.h"

#include <algorithm>
#include <numeric>
#include <queue>

#include "heaviest_matching.h"
#include "interlace/engine/routing/route_loads.h"

namespace interlace {
namespace {

/// A share of packets as a whole number: shares are halves for each dimension, of which there are at most 16.
constexpr double whole = 1U << 16U;

/// Which packets cross which links.
class Crossings {
  public:
    Crossings(const Network& network, const Fabric& fabric, const RoutingTables& tables)
        : network_(network),
          hops_(fabric, tables),
          farthest_(network, fabric, tables),
          place_(network.node_count()),
          share_(network.node_count(), 0) {}

    /// For each link of `links`, ascending, the pairs whose packets cross it.
    std::vector<std::vector<WeightedPair>> of(const std::vector<LinkId>& links) {
        std::vector<std::vector<WeightedPair>> pairs(links.size());
        for (std::uint32_t to = 0; to < network_.endpoint_count(); ++to) {
            find_next(NodeId{to});
            for (std::size_t i = 0; i < links.size(); ++i) collect(links[i], NodeId{to}, pairs[i]);
        }
        return pairs;
    }

  private:
    struct Upstream {
        NodeId node;
        double share;  ///< of its packets, that take this link
    };

    void find_next(NodeId to) {
        farthest_.order(to, order_);
        before_.assign(network_.node_count(), {});
        leaving_.assign(network_.link_count(), 0);
        for (std::uint32_t i = 0; i < order_.size(); ++i) {
            const NodeId node = order_[i];
            place_[node] = i;
            for (const NextHops::Hop& hop : hops_.of(node, to)) {
                const LinkId link{network_.first_link(node) + hop.port};
                leaving_[link] = hop.share;
                before_[network_.target(link)].push_back({node, hop.share});
            }
        }
    }

    /// From the link's sender upstream, nearest first, so that what a node's next hops do is known.
    void collect(LinkId link, NodeId to, std::vector<WeightedPair>& pairs) {
        if (leaving_[link] == 0) return;
        const NodeId sender = network_.origin(link);
        std::priority_queue<std::uint32_t> waiting;  // places; the latest is the nearest
        share_[sender] = leaving_[link];
        waiting.push(place_[sender]);
        for (std::uint32_t last = UINT32_MAX; !waiting.empty();) {
            const std::uint32_t place = waiting.top();
            waiting.pop();
            if (place == last) continue;
            last = place;
            const NodeId node = order_[place];
            if (node < network_.endpoint_count())
                pairs.push_back({node, to, static_cast<std::int64_t>(share_[node] * whole)});
            for (const Upstream& upstream : before_[node]) {
                share_[upstream.node] += upstream.share * share_[node];
                waiting.push(place_[upstream.node]);
            }
            share_[node] = 0;
        }
    }

    const Network& network_;
    NextHops hops_;
    FarthestFirst farthest_;
    // Of the destination at hand:
    std::vector<NodeId> order_;
    std::vector<std::uint32_t> place_;           // [node]: in the order
    std::vector<std::vector<Upstream>> before_;  // [node]: those whose packets come by it next
    std::vector<double> leaving_;                // [link]: the share of its sender's packets
    std::vector<double> share_;                  // [node]: 0 between calls of collect()
};

std::vector<LinkId> links_to_look_at(const Network& network, const Fabric& fabric) {
    const std::uint32_t nodes =
        same_by_species(network, fabric) ? network.lattice()->species_count() : network.node_count();
    std::vector<LinkId> links;
    for (std::uint32_t v = 0; v < nodes; ++v)  // on rings nodes 0, 1, ... are one of each species
        for (std::uint32_t p = 0; p < network.degree(NodeId{v}); ++p)
            links.emplace_back(network.first_link(NodeId{v}) + p);
    return links;
}

/// No matching is heavier: each source or destination is in it once at most.
std::int64_t weight_at_most(std::uint32_t nodes, const std::vector<WeightedPair>& pairs) {
    std::vector<std::int64_t> sent(nodes, 0), received(nodes, 0);
    for (const WeightedPair& pair : pairs) {
        sent[pair.source] = std::max(sent[pair.source], pair.weight);
        received[pair.destination] = std::max(received[pair.destination], pair.weight);
    }
    return std::min(std::accumulate(sent.begin(), sent.end(), std::int64_t{0}),
                    std::accumulate(received.begin(), received.end(), std::int64_t{0}));
}

/// Those that the matching leaves out send to one another, too, to themselves only where nothing else is
/// left.
std::vector<std::uint32_t> completed(std::uint32_t nodes, const HeaviestMatching& matching) {
    std::vector<std::uint32_t> destination(nodes, UINT32_MAX);
    std::vector<bool> receives(nodes, false);
    for (const auto& [from, to] : matching.pairs) {
        destination[from] = to;
        receives[to] = true;
    }
    std::vector<std::uint32_t> left;
    for (std::uint32_t v = 0; v < nodes; ++v)
        if (!receives[v]) left.push_back(v);
    for (std::uint32_t v = nodes; v-- > 0;) {
        if (destination[v] != UINT32_MAX) continue;
        const auto other = std::find_if(left.begin(), left.end(), [&](std::uint32_t to) { return to != v; });
        const auto chosen = other == left.end() ? left.begin() : other;
        destination[v] = *chosen;
        left.erase(chosen);
    }
    return destination;
}

}  // namespace

WorstPermutation worst_permutation(const Network& network, const Fabric& fabric, const RoutingTables& tables,
                                   const std::function<void(double)>& progress) {
    constexpr std::size_t batch = 256;  // links whose pairs are in memory together
    const std::uint32_t hosts = network.endpoint_count();
    const std::vector<LinkId> links = links_to_look_at(network, fabric);
    Crossings crossings(network, fabric, tables);
    HeaviestMatching heaviest;
    WorstPermutation worst;
    for (std::size_t first = 0; first < links.size(); first += batch) {
        const std::vector<LinkId> some(
            links.begin() + static_cast<std::ptrdiff_t>(first),
            links.begin() + static_cast<std::ptrdiff_t>(std::min(first + batch, links.size())));
        const auto pairs = crossings.of(some);
        for (std::size_t i = 0; i < some.size(); ++i) {
            if (progress) progress(static_cast<double>(first + i) / static_cast<double>(links.size()));
            if (weight_at_most(hosts, pairs[i]) <= heaviest.weight) continue;
            HeaviestMatching matching = heaviest_matching(hosts, pairs[i]);
            if (matching.weight <= heaviest.weight) continue;
            heaviest = std::move(matching);
            worst.link = some[i];
        }
    }
    worst.link_load = static_cast<double>(heaviest.weight) / whole;
    worst.destination = completed(hosts, heaviest);
    return worst;
}

}  // namespace interlace
