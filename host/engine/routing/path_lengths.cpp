// Interlace: how many links a unicast packet crosses
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routing/path_lengths.h"

#include <algorithm>

#include "interlace/network/metrics.h"

namespace interlace {
namespace {

/// Links of length 1 from one coordinate to another, the shorter way.
std::uint32_t steps(const Lattice& lattice, std::uint32_t d, NodeId from, NodeId to) {
    const std::uint32_t a = lattice.coordinate(from, d), b = lattice.coordinate(to, d);
    const std::uint32_t straight = a < b ? b - a : a - b;
    return lattice.wraps() ? std::min(straight, lattice.sizes()[d] - straight) : straight;
}

/// The direction of dimension order in dimension d (docs/node.md, section 4): 1 or -1.
std::int32_t direction(const Lattice& lattice, std::uint32_t d, NodeId from, NodeId to, std::uint32_t slot) {
    const std::uint32_t size = lattice.sizes()[d];
    const std::uint32_t up = (lattice.coordinate(to, d) + size - lattice.coordinate(from, d)) % size;
    if (2 * up == size) return (slot >> d & 1U) != 0 ? -1 : 1;
    return 2 * up < size ? 1 : -1;
}

}  // namespace

std::optional<PathLengths> PathLengths::of(const Network& network, const Fabric& fabric,
                                           const RoutingTables& tables) {
    if (fabric.adaptive() && !fabric.by_coordinates()) return {};
    return PathLengths(network, fabric, tables);
}

PathLengths::PathLengths(const Network& network, const Fabric& fabric, const RoutingTables& tables)
    : network_(network), fabric_(fabric), tables_(tables) {
    const std::optional<Lattice>& lattice = network.lattice();
    if (!lattice || lattice->kind() != Lattice::Kind::ibt) return;
    hops_.resize(lattice->species_count());
    for (std::uint32_t v = 0; v < lattice->node_count() &&
                              std::any_of(hops_.begin(), hops_.end(), [](auto& h) { return h.empty(); });
         ++v)
        if (auto& hops = hops_[lattice->species(NodeId{v})]; hops.empty()) hops = lattice->hops(NodeId{v});
}

std::uint32_t PathLengths::links(NodeId from, NodeId to, std::uint32_t slot) const {
    if (by_table(fabric_.parameters.routing)) return tables_.links[from][to];
    if (!hops_.empty()) return by_order(from, to, slot);
    std::uint32_t links = 0;
    for (std::uint32_t d = 0; d < network_.lattice()->dimensions(); ++d)
        links += steps(*network_.lattice(), d, from, to);
    return links;
}

/// Hop by hop, each the longest that does not overshoot: which there are depends on the species on the way.
std::uint32_t PathLengths::by_order(NodeId from, NodeId to, std::uint32_t slot) const {
    const Lattice& lattice = *network_.lattice();
    std::uint32_t links = 0;
    for (std::uint32_t d = 0; d < lattice.dimensions(); ++d)
        for (; lattice.coordinate(from, d) != lattice.coordinate(to, d); ++links) {
            const auto size = static_cast<std::int32_t>(lattice.sizes()[d]);
            const auto left = static_cast<std::int32_t>(steps(lattice, d, from, to));
            const std::int32_t sign = direction(lattice, d, from, to, slot);
            std::int32_t longest = 0;
            Hop next;
            for (const Hop& hop : hops_[lattice.species(from)]) {
                if (hop.dimension != d) continue;
                // The hop counted the way that the packet goes; one of half the ring leads either way.
                const std::int32_t length = ((hop.offset * sign) % size + size) % size;
                if (length > left || length <= longest) continue;
                longest = length;
                next = hop;
            }
            from = lattice.neighbour(from, next);
        }
    return links;
}

double PathLengths::mean() const {
    const std::uint32_t nodes = fabric_.endpoints;
    const double pairs = static_cast<double>(nodes) * (nodes - 1);
    if (tables_.load) return tables_.load->mean * network_.link_count() / pairs;
    if (hops_.empty()) return measure_network(network_).mean_distance_distinct;
    constexpr std::uint32_t most = 200'000;  // pairs
    const Lattice& lattice = *network_.lattice();
    const std::uint32_t stride = 1 + nodes / (most / lattice.species_count());
    std::vector<bool> seen(lattice.species_count(), false);
    std::uint64_t count = 0, links = 0;
    for (std::uint32_t from = 0; std::find(seen.begin(), seen.end(), false) != seen.end(); ++from) {
        const std::uint32_t species = lattice.species(NodeId{from});
        if (seen[species]) continue;
        seen[species] = true;
        for (std::uint32_t to = from % stride; to < nodes; to += stride) {
            if (to == from) continue;
            ++count;
            links += by_order(NodeId{from}, NodeId{to}, 0);
        }
    }
    return static_cast<double>(links) / static_cast<double>(count);
}

}  // namespace interlace
