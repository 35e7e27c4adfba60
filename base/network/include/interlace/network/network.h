// Interlace: a network: nodes, numbered ports, directed links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interlace/core/ids.h"
#include "interlace/core/names.h"
#include "interlace/network/lattice.h"

namespace interlace {

/// What a link of a cluster carries and how long a bit takes to its far end.
struct LinkSpeed {
    std::uint64_t bits_per_second = 1'000'000'000;
    std::uint64_t latency_ps = 0;
    bool operator==(const LinkSpeed&) const = default;
};

/// A directed link with its speed on switches of frames, and with its latency on routers, in cycles (0: that
/// of all links, LinkParameters::latency).
struct ClusterLink {
    NodeId from, to;
    LinkSpeed speed;
    std::uint32_t latency = 0;
};

/// A directed graph without loops or parallel links, immutable. Node v's output port p is the link
/// first_link(v) + p. Everything downstream asks a network for its neighbours and links; only an algorithm
/// made for coordinates (a line broadcast, say) asks for its lattice. Nodes below endpoint_count() have a
/// host; those from there on are switches. A lattice's links take no memory before somebody asks for one of
/// them by its number, or for a node's neighbours: who needs those of some nodes only asks the lattice.
class Network {
  public:
    explicit Network(std::string name, Lattice lattice);
    /// A user's own network from its directed links (sender, receiver); repeated ones count once. Nodes are 0
    /// to the largest number that occurs.
    Network(std::string name, std::vector<std::pair<NodeId, NodeId>> links);
    /// A graph or cluster of `nodes` nodes: those with hosts are 0 to `machines` - 1, switches the others. No
    /// link twice.
    Network(std::string name, std::vector<ClusterLink> links, std::uint32_t machines, std::uint32_t nodes);

    const std::string& name() const { return name_; }
    std::uint32_t node_count() const { return nodes_; }
    std::uint32_t link_count() const { return link_count_; }
    std::uint32_t degree(NodeId node) const {
        const auto& first = links().first;
        return first[node + 1] - first[node];
    }
    std::uint32_t max_degree() const { return max_degree_; }  ///< of all nodes

    std::uint32_t endpoint_count() const { return endpoints_; }
    std::uint32_t max_endpoint_degree() const;  ///< of all nodes that have a host
    bool has_switches() const { return endpoints_ < node_count(); }
    /// Of a cluster's link; a network that was not given speeds has LinkSpeed{} everywhere.
    LinkSpeed speed(LinkId link) const { return speed_.empty() ? LinkSpeed{} : speed_[link]; }

    /// Of a link on routers, in cycles; 0: as LinkParameters have it.
    std::uint32_t latency(LinkId link) const { return latency_.empty() ? 0 : latency_[link]; }
    bool has_latencies() const { return !latency_.empty(); }

    LinkId first_link(NodeId node) const { return LinkId{links().first[node]}; }
    NodeId target(LinkId link) const { return links().target[link]; }
    NodeId origin(LinkId link) const;  ///< in O(log nodes)
    std::span<const NodeId> neighbours(NodeId node) const {
        const Links& all = links();
        return {all.target.data() + all.first[node], all.first[node + 1] - all.first[node]};
    }
    /// The link from `from` to `to`, if there is one.
    std::optional<LinkId> link(NodeId from, NodeId to) const;
    /// That link, or an InputError that says that there is none.
    LinkId link_between(NodeId from, NodeId to) const;

    const std::optional<Lattice>& lattice() const { return lattice_; }
    /// The lattice, or an InputError that says `purpose` needs coordinates.
    const Lattice& lattice_for(const std::string& purpose) const;

  private:
    struct Links {
        std::vector<std::uint32_t> first;  ///< nodes + 1 entries
        std::vector<NodeId> target;        ///< one a link
        std::atomic<bool> made = false;
        std::once_flag once;  ///< of a lattice's, which are made when they are asked for
    };
    const Links& links() const {
        if (!links_->made.load(std::memory_order_acquire)) make_links();
        return *links_;
    }
    void make_links() const;
    void set_links(const std::vector<std::uint32_t>& degrees, std::vector<NodeId> targets);

    std::string name_;
    std::shared_ptr<Links> links_ = std::make_shared<Links>();  ///< of all copies
    std::vector<LinkSpeed> speed_;                              ///< one a link, or none
    std::vector<std::uint32_t> latency_;                        ///< likewise
    std::uint32_t nodes_ = 0, endpoints_ = 0, link_count_ = 0, max_degree_ = 0;
    std::optional<Lattice> lattice_;
};

/// The links that enter each node: those into v are links[first[v]] .. links[first[v + 1] - 1], their senders
/// beside.
struct IncomingLinks {
    explicit IncomingLinks(const Network& network);
    std::span<const LinkId> links_into(NodeId node) const {
        return {link.data() + first[node], first[node + 1] - first[node]};
    }
    std::span<const NodeId> senders_to(NodeId node) const {
        return {sender.data() + first[node], first[node + 1] - first[node]};
    }
    std::vector<std::uint32_t> first;
    std::vector<LinkId> link;
    std::vector<NodeId> sender;
};

/// The network that a specification names: "torus:64x64", "mesh:8x8", "ibt:64x64:b=4,16", "graph:FILE.csv"
/// (header from,to[,latency]; one directed link a row), "graph:FILE.csv:hosts=16" (the nodes from 16 on are
/// switches), "graph:FILE.graphml" (graphml.h), "graph:FILE.gml" (gml.h), "anynet:FILE" (anynet.h),
/// "cluster:FILE.yaml" (cluster.h), and those of switched.h. Throws InputError with what is wrong and what
/// would be right.
Network make_network(const std::string& specification);
/// Whether that network has switches. False for what names none.
bool has_switches(const std::string& specification);
/// The families, each by an example of its specifications.
Choices network_families();

/// The node that `text` names: its number, or its coordinates "3,0" (x first). Throws InputError.
NodeId parse_node(const Network& network, const std::string& text);

}  // namespace interlace
