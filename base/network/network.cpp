// Interlace: a network: nodes, numbered ports, directed links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interlace/core/error.h"
#include "interlace/core/text.h"

namespace interlace {
namespace {

constexpr std::uint64_t max_links = std::uint64_t{1} << 30U;  ///< of a lattice; 4 bytes each

}  // namespace

Network::Network(std::string name, Lattice lattice) : name_(std::move(name)), lattice_(std::move(lattice)) {
    const std::uint32_t nodes = lattice_->node_count();
    const std::uint64_t links =
        std::uint64_t{nodes} * (2 * lattice_->dimensions() + (lattice_->bypass().empty() ? 0 : 2));
    if (links > max_links)
        throw InputError("there are " + std::to_string(links) + " links",
                         "at most 2^30, of fewer nodes or dimensions");
    first_link_.reserve(nodes + 1);
    target_.reserve(links);
    first_link_.push_back(0);
    // On a ring lattice the outputs depend on the species alone; a mesh's borders lack some.
    std::vector<std::vector<Hop>> by_species(lattice_->species_count());
    for (std::uint32_t v = 0; v < nodes; ++v) {
        std::vector<Hop>& hops = by_species[lattice_->species(NodeId{v})];
        if (hops.empty() || !lattice_->wraps()) hops = lattice_->hops(NodeId{v});
        for (const Hop& hop : hops) target_.push_back(lattice_->neighbour(NodeId{v}, hop));
        first_link_.push_back(static_cast<std::uint32_t>(target_.size()));
    }
    endpoints_ = nodes;
}

Network::Network(std::string name, std::vector<std::pair<NodeId, NodeId>> links) : name_(std::move(name)) {
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    std::uint32_t nodes = 0;
    for (const auto& [from, to] : links) nodes = std::max({nodes, from + 1, to + 1});
    first_link_.assign(nodes + 1, 0);
    for (const auto& [from, to] : links) {
        ++first_link_[from + 1];
        target_.push_back(to);
    }
    for (std::uint32_t v = 0; v < nodes; ++v) first_link_[v + 1] += first_link_[v];
    endpoints_ = nodes;
}

Network::Network(std::string name, std::vector<ClusterLink> links, std::uint32_t machines,
                 std::uint32_t nodes)
    : name_(std::move(name)), endpoints_(machines) {
    std::sort(links.begin(), links.end(), [](const ClusterLink& a, const ClusterLink& b) {
        return std::pair(+a.from, +a.to) < std::pair(+b.from, +b.to);
    });
    first_link_.assign(nodes + 1, 0);
    for (const ClusterLink& link : links) {
        ++first_link_[link.from + 1];
        target_.push_back(link.to);
        speed_.push_back(link.speed);
    }
    for (std::uint32_t v = 0; v < nodes; ++v) first_link_[v + 1] += first_link_[v];
}

std::uint32_t Network::max_degree() const {
    std::uint32_t most = 0;
    for (std::uint32_t v = 0; v < node_count(); ++v) most = std::max(most, degree(NodeId{v}));
    return most;
}

NodeId Network::origin(LinkId link) const {
    const auto after =
        std::upper_bound(first_link_.begin(), first_link_.end(), static_cast<std::uint32_t>(link));
    return NodeId{static_cast<std::uint32_t>(after - first_link_.begin() - 1)};
}

std::optional<LinkId> Network::link(NodeId from, NodeId to) const {
    const auto ports = neighbours(from);
    const auto found = std::find(ports.begin(), ports.end(), to);
    if (found == ports.end()) return std::nullopt;
    return LinkId{first_link_[from] + static_cast<std::uint32_t>(found - ports.begin())};
}

LinkId Network::link_between(NodeId from, NodeId to) const {
    const std::uint32_t nodes = node_count();
    if (from < nodes && to < nodes)
        if (const auto found = link(from, to)) return *found;
    throw InputError(fmt::format("there is no link from node {} to node {}", +from, +to),
                     "neighbours on " + name_);
}

const Lattice& Network::lattice_for(const std::string& purpose) const {
    if (!lattice_)
        throw InputError(purpose + " needs coordinates, which " + name_ + " does not have",
                         "a torus, mesh or ibt");
    return *lattice_;
}

IncomingLinks::IncomingLinks(const Network& network)
    : first(network.node_count() + 1, 0), link(network.link_count()), sender(network.link_count()) {
    for (std::uint32_t e = 0; e < network.link_count(); ++e) ++first[network.target(LinkId{e}) + 1];
    for (std::uint32_t v = 0; v < network.node_count(); ++v) first[v + 1] += first[v];
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        std::uint32_t e = network.first_link(NodeId{v});
        for (const NodeId to : network.neighbours(NodeId{v})) {
            link[next[to]] = LinkId{e++};
            sender[next[to]++] = NodeId{v};
        }
    }
}

NodeId parse_node(const Network& network, const std::string& text) {
    if (text.find(',') == std::string::npos)
        return NodeId{static_cast<std::uint32_t>(parse_integer(text, "node", 0, network.node_count() - 1))};
    const Lattice& lattice = network.lattice_for("the coordinate '" + text + "'");
    const auto pieces = split(text, ',');
    if (pieces.size() != lattice.dimensions())
        throw InputError("cannot use node '" + text + "'",
                         std::to_string(lattice.dimensions()) + " coordinates, x first");
    std::vector<std::uint32_t> coordinates;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        coordinates.push_back(
            static_cast<std::uint32_t>(parse_integer(pieces[i], "coordinate", 0, lattice.sizes()[i] - 1)));
    return lattice.node(coordinates);
}

}  // namespace interlace
