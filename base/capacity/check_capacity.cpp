// Interlace: the independent checker of bounds on what a network can carry
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/capacity/check_capacity.h"

#include <fmt/format.h>

#include <functional>
#include <queue>
#include <tuple>

#include "interlace/core/error.h"

namespace interlace {
namespace {

constexpr std::uint64_t unknown = UINT64_MAX;

/// From one node to every other: the length of the shortest path, of those with the fewest links if so asked.
std::vector<std::uint64_t> distances(const Network& network, NodeId from,
                                     const std::vector<std::uint32_t>& length, bool fewest_links) {
    using Reached =
        std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>;  // links, if they count; length; node
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
    std::vector<std::uint64_t> result(network.node_count(), unknown);
    queue.emplace(0, 0, from);
    while (!queue.empty()) {
        const auto [links, here, v] = queue.top();
        queue.pop();
        if (result[v] != unknown) continue;
        result[v] = here;
        LinkId link = network.first_link(NodeId{v});
        for (const NodeId next : network.neighbours(NodeId{v})) {
            if (result[next] == unknown)
                queue.emplace(links + (fewest_links ? 1 : 0), here + length[link],
                              static_cast<std::uint32_t>(next));
            link = LinkId{link + 1};
        }
    }
    return result;
}

void require_equal_species(const Network& network, const Lattice& lattice,
                           const std::vector<std::uint32_t>& length) {
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        const LinkId first = network.first_link(NodeId{v});
        const LinkId like = network.first_link(NodeId{lattice.species(NodeId{v})});
        for (std::uint32_t p = 0; p < network.degree(NodeId{v}); ++p)
            if (length[first + p] != length[like + p])
                throw InputError(
                    fmt::format("lengths at node {} differ from those at node {}, of its species", v,
                                lattice.species(NodeId{v})),
                    "the same lengths at all nodes of a species");
    }
}

}  // namespace

CheckedBound check_capacity(const Network& network, const Demands& demands,
                            const std::vector<std::uint32_t>& length, bool fewest_links) {
    constexpr std::uint32_t few = 1024;
    const auto& lattice = network.lattice();
    const std::uint32_t hosts = network.endpoint_count();
    std::uint32_t sources = hosts, nodes_of_each = 1;
    if (lattice && lattice->wraps() && demands.uniform() && hosts > few) {
        require_equal_species(network, *lattice, length);
        sources = lattice->species_count();  // nodes 0, 1, ... are one of each
        nodes_of_each = hosts / sources;
    }
    CheckedBound bound;
    for (std::uint32_t link = 0; link < network.link_count(); ++link) bound.lengths += length[link];
    for (std::uint32_t v = 0; v < sources; ++v) {
        const std::vector<std::uint64_t> distance = distances(network, NodeId{v}, length, fewest_links);
        const auto reached = [&](std::uint32_t to) {
            if (distance[to] == unknown)
                throw InputError(
                    fmt::format("{}: node {} cannot be reached from node {}", network.name(), to, v),
                    "a strongly connected network (a row from,to is one directed link)");
            return distance[to];
        };
        for (std::uint32_t to = 0; demands.each > 0 && to < hosts; ++to)
            bound.distances += demands.each * reached(to);
        if (!demands.uniform())
            for (const auto& [to, packets] : demands.more[v]) bound.distances += packets * reached(to);
    }
    bound.distances *= nodes_of_each;
    return bound;
}

}  // namespace interlace
