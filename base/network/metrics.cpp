// Interlace: distances in a network, and what follows from them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/metrics.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/error.h"
#include "interlace/core/random.h"

namespace interlace {
namespace {

/// The nodes that searches start from, each with the share of all nodes that it stands for.
struct Sources {
    std::vector<NodeId> nodes;
    bool sampled = false;
};

Sources choose_sources(const Network& network, std::uint64_t seed, std::uint64_t work_limit) {
    Sources sources;
    const auto& lattice = network.lattice();
    if (lattice && lattice->wraps()) {
        // Along x the species takes every value in turn.
        for (std::uint32_t s = 0; s < lattice->species_count(); ++s) sources.nodes.emplace_back(s);
        return sources;
    }
    const std::uint64_t one_search = std::uint64_t{network.node_count()} + network.link_count();
    const std::uint64_t affordable = std::max<std::uint64_t>(1, work_limit / one_search);
    sources.sampled = affordable < network.node_count();
    const std::uint64_t count = std::min<std::uint64_t>(affordable, network.node_count());
    for (std::uint64_t i = 0; i < count; ++i)
        sources.nodes.emplace_back(
            static_cast<std::uint32_t>(sources.sampled ? random_bits(seed, 0, i) % network.node_count() : i));
    return sources;
}

/// Distances from `source` to `nodes` nodes, breadth first. each_neighbour(node, visit) visits those that may
/// be entered.
template <class EachNeighbour>
std::vector<std::uint32_t> search(std::uint32_t nodes, NodeId source, const EachNeighbour& each_neighbour) {
    std::vector<std::uint32_t> distance(nodes, unreachable);
    std::vector<NodeId> queue{source};
    distance[source] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const NodeId here = queue[head];
        each_neighbour(here, [&](NodeId next) {
            if (distance[next] != unreachable) return;
            distance[next] = distance[here] + 1;
            queue.push_back(next);
        });
    }
    return distance;
}

/// On rings, of which few sources are enough, so that the network's links need not be there.
std::vector<std::uint32_t> distances_on(const Lattice& lattice, NodeId source) {
    LatticeHops hops(lattice);
    return search(lattice.node_count(), source, [&](NodeId node, const auto& visit) {
        for (const Hop& hop : hops.of(node)) visit(lattice.neighbour(node, hop));
    });
}

/// The smallest number of outputs of a node. On rings those of a species have equally many; of a mesh the
/// corner has fewest, which is node 0.
std::uint32_t min_degree(const Network& network) {
    std::uint32_t least = UINT32_MAX;
    if (const auto& lattice = network.lattice())
        for (std::uint32_t s = 0; s < lattice->species_count(); ++s)
            least = std::min(least, static_cast<std::uint32_t>(lattice->hops(NodeId{s}).size()));
    else
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            least = std::min(least, network.degree(NodeId{v}));
    return least;
}

/// Distances from hosts to other ones.
struct HostPairs {
    std::uint32_t longest = 0;
    std::uint64_t sum = 0, count = 0;

    void add(const std::vector<std::uint32_t>& distance, std::uint32_t hosts) {
        for (std::uint32_t v = 0; v < hosts; ++v) {
            longest = std::max(longest, distance[v]);
            sum += distance[v];
        }
        count += hosts - 1;
    }
    double mean() const { return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count); }
};

}  // namespace

std::vector<std::uint32_t> distances_from(const Network& network, NodeId source,
                                          const std::vector<bool>& allowed) {
    return search(network.node_count(), source, [&](NodeId node, const auto& visit) {
        for (const NodeId next : network.neighbours(node))
            if (allowed.empty() || allowed[next]) visit(next);
    });
}

Metrics measure_network(const Network& network, std::uint64_t seed, std::uint64_t work_limit) {
    const Sources sources = choose_sources(network, seed, work_limit);
    Metrics metrics;
    metrics.nodes = network.node_count();
    metrics.hosts = network.endpoint_count();
    metrics.links = network.link_count();
    metrics.degree = network.max_degree();
    metrics.degree_min = min_degree(network);
    metrics.sampled = sources.sampled;
    metrics.sources = static_cast<std::uint32_t>(sources.nodes.size());
    metrics.radius = UINT32_MAX;
    std::vector<std::uint64_t> pairs;
    HostPairs of_hosts;
    for (const NodeId source : sources.nodes) {
        std::uint32_t eccentricity = 0;
        const auto& lattice = network.lattice();
        const auto distance =
            lattice && lattice->wraps() ? distances_on(*lattice, source) : distances_from(network, source);
        for (std::uint32_t v = 0; v < metrics.nodes; ++v) {
            if (distance[v] == unreachable)
                throw InputError(fmt::format("{}: node {} cannot be reached from node {}", network.name(), v,
                                             static_cast<std::uint32_t>(source)),
                                 "a strongly connected network (a row from,to is one directed link)");
            eccentricity = std::max(eccentricity, distance[v]);
            if (distance[v] >= pairs.size()) pairs.resize(distance[v] + 1, 0);
            ++pairs[distance[v]];
        }
        metrics.diameter = std::max(metrics.diameter, eccentricity);
        if (source < network.endpoint_count()) of_hosts.add(distance, network.endpoint_count());
        metrics.radius = std::min(metrics.radius, eccentricity);
        if (network.lattice() && network.lattice()->wraps()) metrics.eccentricity.push_back(eccentricity);
    }
    double sum = 0;
    const double total = static_cast<double>(metrics.nodes) * metrics.sources;
    for (std::size_t h = 0; h < pairs.size(); ++h) {
        sum += static_cast<double>(h) * static_cast<double>(pairs[h]);
        metrics.histogram.push_back(static_cast<double>(pairs[h]) / total);
    }
    metrics.mean_distance = sum / total;
    metrics.mean_distance_distinct = sum / (total - metrics.sources);
    metrics.mean_distance_hosts = of_hosts.mean();
    metrics.diameter_hosts = of_hosts.longest;
    return metrics;
}

}  // namespace interlace
