// Interlace: links that symmetries of a network map onto one another
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/capacity/demands.h"
#include "interlace/network/network.h"

namespace interlace {

/// Classes of the directed links of a network, and nodes that stand for all others, under symmetries of the
/// network and of its traffic. A best use of the links loads those of a class equally: the mean of its images
/// under the symmetries is no worse.
///
/// On rings (torus, iBT) under uniform traffic the symmetries are the translations that keep the species, and
/// those reflections and exchanges of dimensions that map the hops of every species onto those of its image.
/// On other lattices, and under other traffic, they are composed of a few reflections, exchanges and
/// translations, each compared with every link and every host's packets. On a graph each link is a class.
class LinkClasses {
  public:
    /// A node, and how many nodes it stands for, itself included.
    struct Origin {
        NodeId node;
        std::uint64_t nodes = 1;
    };

    LinkClasses(const Network& network, const Demands& demands);

    std::uint32_t count() const { return static_cast<std::uint32_t>(links_.size()); }
    const std::vector<std::uint64_t>& links() const { return links_; }  ///< of each class
    /// Each node once, by the one that stands for it, ascending.
    const std::vector<Origin>& origins() const { return origins_; }
    /// Index in origins() of the one that stands for a host.
    std::uint32_t origin_of(NodeId host) const {
        return origin_of_[kind_.empty() ? +host : std::uint32_t{kind_[host]}];
    }
    /// The class of a node's output.
    std::uint32_t of(NodeId node, std::uint32_t port) const {
        return kind_.empty() ? class_[first_[node] + port] : class_[kind_[node] * ports_ + port];
    }
    /// [link]: of its class.
    std::vector<std::uint32_t> by_link(const Network& network,
                                       const std::vector<std::uint32_t>& by_class) const {
        std::vector<std::uint32_t> result;
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            for (std::uint32_t port = 0; port < network.degree(NodeId{v}); ++port)
                result.push_back(by_class[of(NodeId{v}, port)]);
        return result;
    }
    /// On rings, where all nodes of a species have the same classes.
    bool by_species() const { return !kind_.empty(); }

  private:
    void join_on_rings(const Lattice& lattice);
    void join_by_maps(const Network& network, const Demands& demands);

    std::vector<std::uint64_t> links_;
    std::vector<Origin> origins_;
    std::vector<std::uint32_t> origin_of_;  // on rings [species], elsewhere [host]
    std::vector<std::uint32_t> class_;      // on rings [species][port], elsewhere [link]
    std::vector<std::uint16_t> kind_;       // on rings [node]: species
    std::uint32_t ports_ = 0;               // on rings: of a species in class_
    std::vector<std::uint32_t> first_;      // elsewhere [node]: its first link
};

}  // namespace interlace
