// Interlace: tori, twisted tori, meshes and interlaced bypass tori as coordinates
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "interlace/core/ids.h"

namespace interlace {

/// One output of a lattice node: `offset` hops along `dimension`, modulo the size where the lattice wraps.
struct Hop {
    std::uint32_t dimension = 0;  ///< from 0 (x)
    std::int32_t offset = 0;      ///< +1 / -1: torus link to the right / left; +b / -b: bypass link
    bool operator==(const Hop&) const = default;
};

/// The coordinate system of a torus, a mesh or an iBT (Zhang, Powell, Deng 2011; see docs/networks.md).
///
/// In a twisted torus (Camara, Moreto, Vallejo, Beivide and others, "Twisted torus topologies for enhanced
/// interconnection networks", 2010) who goes on from the last node of dimension i > 0 to the first moves
/// twist[i - 1] nodes up in x as well, and back likewise.
///
/// In iBT(n^d; <b_0 .. b_{k-1}>) a node has species s = (x_1 + ... + x_d) mod (d k), and its two bypass links
/// run in dimension s mod d with length b[floor(s / d)]. Nodes of one species are images of one another under
/// translations, so one of them stands for all. Torus and mesh have one species (a mesh's nodes are not
/// equivalent).
class Lattice {
  public:
    enum class Kind { torus, twisted_torus, mesh, ibt };

    /// `sizes`: nodes in each dimension, 1 or more dimensions; of an iBT or a twisted torus at least 3 nodes,
    /// of others 1 or more, 2 in all (where a ring has 2 nodes, the links both ways round are one); `bypass`:
    /// lengths b_i, empty unless kind is ibt. Throws InputError when a size or length does not close its
    /// rings, or there are too many nodes.
    Lattice(Kind kind, std::vector<std::uint32_t> sizes, std::vector<std::uint32_t> bypass = {});
    /// `twist`: a number below the size of x for each other dimension, not all 0. Throws like the other.
    static Lattice twisted(std::vector<std::uint32_t> sizes, std::vector<std::uint32_t> twist);

    Kind kind() const { return kind_; }
    std::uint32_t dimensions() const { return static_cast<std::uint32_t>(sizes_.size()); }
    const std::vector<std::uint32_t>& sizes() const { return sizes_; }
    const std::vector<std::uint32_t>& bypass() const { return bypass_; }
    /// [dimension - 1]; empty unless it is twisted.
    const std::vector<std::uint32_t>& twist() const { return twist_; }
    std::uint32_t node_count() const { return node_count_; }
    bool wraps() const { return kind_ != Kind::mesh; }
    /// Whether nodes that differ in one coordinate are on one ring, or line, of that dimension: not in a
    /// twisted torus.
    bool has_rows() const { return kind_ != Kind::twisted_torus; }
    /// Whether every node has two links in each dimension: of a torus with 3 nodes or more in each.
    bool has_rings() const {
        return wraps() &&
               std::all_of(sizes_.begin(), sizes_.end(), [](std::uint32_t size) { return size > 2; });
    }
    /// Whether distances are sums of those in the dimensions.
    bool is_product() const { return kind_ == Kind::torus || kind_ == Kind::mesh; }

    /// d k for an iBT, 1 otherwise.
    std::uint32_t species_count() const { return species_count_; }
    std::uint32_t species(NodeId node) const;

    std::uint32_t coordinate(NodeId node, std::uint32_t dimension) const {
        return node / strides_[dimension] % sizes_[dimension];
    }
    NodeId node(const std::vector<std::uint32_t>& coordinates) const;
    /// The node `hop` away; `hop` must be one that `hops(node)` lists.
    NodeId neighbour(NodeId node, Hop hop) const;

    /// A node's outputs in port order: each dimension's +1 and -1, then the bypass +b and -b. Links that
    /// coincide (b = n/2; b = 1) are one link, listed where it comes first; a mesh's border nodes lack what
    /// would leave it.
    std::vector<Hop> hops(NodeId node) const;

    /// Whether so many hops of 1 in each dimension lead from a node to itself, on rings.
    bool closes(const std::vector<std::int64_t>& hops) const;

    /// Translates `node` so that `from` goes to `to`; a symmetry of the network when both have one species.
    NodeId translate(NodeId node, NodeId from, NodeId to) const;

  private:
    void check_bypass() const;
    /// Of x, for who has gone round that dimension `turns` times.
    std::int64_t twisted_by(std::uint32_t dimension, std::int64_t turns) const {
        return dimension == 0 || twist_.empty() ? 0 : turns * std::int64_t{twist_[dimension - 1]};
    }

    Kind kind_;
    std::vector<std::uint32_t> sizes_, bypass_, twist_, strides_;
    std::uint32_t node_count_ = 1, species_count_ = 1;
};

/// The hops of a lattice's nodes, one node after another, without finding them again for each: on rings they
/// depend on the species alone, on a mesh on the borders that the node is at.
class LatticeHops {
  public:
    /// Keeps a reference.
    explicit LatticeHops(const Lattice& lattice);

    /// Lattice::hops(node), until the next call.
    const std::vector<Hop>& of(NodeId node);
    /// The output of the node that `hop` of another one leads to, `far`, that leads back there.
    std::uint32_t port_back(NodeId far, Hop hop);

  private:
    std::size_t kind(NodeId node) const;

    const Lattice& lattice_;
    std::vector<std::vector<Hop>> of_kind_;  // one for all: each node's are found again
};

/// The largest number of nodes a network may have (2^27): the limit of the 32-bit link numbers at degree 32.
inline constexpr std::uint64_t max_nodes = std::uint64_t{1} << 27U;

}  // namespace interlace
