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

Network::Network(std::string name, Lattice lattice)
    : name_(std::move(name)), nodes_(lattice.node_count()), endpoints_(nodes_), lattice_(std::move(lattice)) {
    const std::uint64_t links =
        std::uint64_t{nodes_} * (2 * lattice_->dimensions() + (lattice_->bypass().empty() ? 0 : 2));
    if (links > max_links)
        throw InputError("there are " + std::to_string(links) + " links",
                         "at most 2^30, of fewer nodes or dimensions");
    if (lattice_->wraps()) {
        // There are equally many nodes of each species, one of each among the first along x.
        const std::uint32_t species = lattice_->species_count();
        for (std::uint32_t s = 0; s < species; ++s) {
            const auto degree = static_cast<std::uint32_t>(lattice_->hops(NodeId{s}).size());
            link_count_ += nodes_ / species * degree;
            max_degree_ = std::max(max_degree_, degree);
        }
    } else {
        for (const std::uint32_t size : lattice_->sizes()) {
            max_degree_ += std::min(size - 1, 2U);
            link_count_ += nodes_ / size * (size - 1) * 2;
        }
    }
}

/// Of a lattice.
void Network::make_links() const {
    std::call_once(links_->once, [this] {
        links_->first.reserve(nodes_ + 1);
        links_->target.reserve(link_count_);
        links_->first.push_back(0);
        LatticeHops hops(*lattice_);
        for (std::uint32_t v = 0; v < nodes_; ++v) {
            for (const Hop& hop : hops.of(NodeId{v}))
                links_->target.push_back(lattice_->neighbour(NodeId{v}, hop));
            links_->first.push_back(static_cast<std::uint32_t>(links_->target.size()));
        }
        links_->made.store(true, std::memory_order_release);
    });
}

Network::Network(std::string name, std::vector<std::pair<NodeId, NodeId>> links) : name_(std::move(name)) {
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    for (const auto& [from, to] : links) nodes_ = std::max({nodes_, from + 1, to + 1});
    endpoints_ = nodes_;
    std::vector<std::uint32_t> degrees(nodes_);
    std::vector<NodeId> targets;
    for (const auto& [from, to] : links) {
        ++degrees[from];
        targets.push_back(to);
    }
    set_links(degrees, std::move(targets));
}

Network::Network(std::string name, std::vector<ClusterLink> links, std::uint32_t machines,
                 std::uint32_t nodes)
    : name_(std::move(name)), nodes_(nodes), endpoints_(machines) {
    std::sort(links.begin(), links.end(), [](const ClusterLink& a, const ClusterLink& b) {
        return std::pair(+a.from, +a.to) < std::pair(+b.from, +b.to);
    });
    std::vector<std::uint32_t> degrees(nodes_);
    std::vector<NodeId> targets;
    for (const ClusterLink& link : links) {
        ++degrees[link.from];
        targets.push_back(link.to);
        speed_.push_back(link.speed);
        latency_.push_back(link.latency);
    }
    if (std::all_of(speed_.begin(), speed_.end(), [](LinkSpeed speed) { return speed == LinkSpeed{}; }))
        speed_.clear();
    if (std::all_of(latency_.begin(), latency_.end(), [](std::uint32_t cycles) { return cycles == 0; }))
        latency_.clear();
    set_links(degrees, std::move(targets));
}

/// Of a network that was given them. `degrees`: [node].
void Network::set_links(const std::vector<std::uint32_t>& degrees, std::vector<NodeId> targets) {
    links_->first.push_back(0);
    for (const std::uint32_t degree : degrees) {
        links_->first.push_back(links_->first.back() + degree);
        max_degree_ = std::max(max_degree_, degree);
    }
    links_->target = std::move(targets);
    link_count_ = static_cast<std::uint32_t>(links_->target.size());
    links_->made.store(true, std::memory_order_release);
}

std::uint32_t Network::max_endpoint_degree() const {
    if (!has_switches()) return max_degree_;
    std::uint32_t most = 0;
    for (std::uint32_t v = 0; v < endpoints_; ++v) most = std::max(most, degree(NodeId{v}));
    return most;
}

NodeId Network::origin(LinkId link) const {
    const auto& first = links().first;
    const auto after = std::upper_bound(first.begin(), first.end(), static_cast<std::uint32_t>(link));
    return NodeId{static_cast<std::uint32_t>(after - first.begin() - 1)};
}

std::optional<LinkId> Network::link(NodeId from, NodeId to) const {
    const auto ports = neighbours(from);
    const auto found = std::find(ports.begin(), ports.end(), to);
    if (found == ports.end()) return std::nullopt;
    return LinkId{first_link(from) + static_cast<std::uint32_t>(found - ports.begin())};
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
