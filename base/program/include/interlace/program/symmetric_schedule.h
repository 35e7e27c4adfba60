// Interlace: schedules of collectives in which every node does what its class does
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interlace/network/network.h"
#include "interlace/program/schedule.h"

namespace interlace {

/// The translations of a network that map each node's outputs onto those of its image, port by port: of a
/// torus all, of an iBT those that keep the species of nodes. Other networks have none but the identity. A
/// class is nodes that are images of one another; its first node stands for it.
class Translations {
  public:
    /// Keeps a reference.
    explicit Translations(const Network& network);

    const std::vector<NodeId>& firsts() const { return firsts_; }  ///< [class]
    std::uint32_t classes() const { return static_cast<std::uint32_t>(firsts_.size()); }
    std::uint32_t class_of(NodeId node) const {
        return lattice_ == nullptr ? +node : lattice_->species(node);
    }
    /// Where `node` comes when the first node of the class of `origin` comes to `origin`.
    NodeId moved(NodeId node, NodeId origin) const {
        return lattice_ == nullptr ? node : lattice_->translate(node, firsts_[class_of(origin)], origin);
    }

  private:
    const Lattice* lattice_ = nullptr;  // of rings
    std::vector<NodeId> firsts_;
};

/// A send of the packets of a class of origins, as it is for the first of them: `from` sends `chunk` through
/// its output `port`.
struct RelativeSend {
    std::uint32_t step = 0;  ///< from 1
    NodeId from;
    std::uint32_t port = 0;
    std::uint32_t chunk = 0;
};

/// A collective whose packets start at all nodes: the sends for the first origin of each class, which
/// Translations moves to the others. For all nodes each origin has `chunks` packets, origin * chunks + chunk.
/// In an exchange it has as many for each other node, (origin * N + destination) * chunks + chunk, and the
/// `chunk` of a RelativeSend is destination * chunks + chunk, the destination moved as nodes are.
struct SymmetricSchedule {
    std::uint32_t chunks = 1;
    bool exchange = false;
    std::vector<std::vector<RelativeSend>> sends;  ///< [class]: by step

    std::uint32_t steps() const;
    /// Of the packets of all origins.
    std::uint64_t send_count(const Network& network) const;
};

/// All sends of all origins, by step, then origin: as many as send_count() says.
std::vector<TimedSend> all_sends(const Network& network, const SymmetricSchedule& schedule);

}  // namespace interlace
