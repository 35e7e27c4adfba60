// Interlace: paths of packets such that no link carries more than others must
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/core/random.h"
#include "interlace/program/symmetric_schedule.h"
#include "path_trees.h"

namespace interlace {

/// What the links carry together: those of a use have the same load, as packets that are images of one
/// another take them.
struct LinkUses {
    std::vector<std::uint32_t> of;  ///< [link]: its use
    std::vector<std::uint32_t>
        weight;  ///< [use]: where all paths are tight by such lengths, loads can be even
};

/// Throws InputError where so many origins have more than 2^22 packets together.
void check_routable(std::uint32_t origins, std::uint32_t nodes, std::uint32_t chunks);

/// Packets from each origin to each other node, `chunks` a pair. Each takes a path of one of its origin's
/// trees, at first any.
class PathChoice {
  public:
    struct Packet {
        std::uint32_t origin;
        NodeId to;
        std::uint32_t chunk, tree;
    };

    /// Keeps references. Throws InputError where the packets make more than 2^27 hops.
    PathChoice(const PathTrees& trees, const LinkUses& uses, std::uint32_t chunks, Draws& draws);

    /// Lowers the loads until none is above the target, or for so long.
    void even(std::uint64_t target);

    std::uint32_t load() const;                   ///< of the fullest use
    std::uint64_t hops() const;                   ///< of all packets
    std::uint64_t work() const { return work_; }  ///< so far, in links looked at

    /// [origin]: its packets' sends along the chosen paths, by step, `chunk` being to * chunks + chunk. Each
    /// use carries, in each step, of the packets that wait for it one with most hops to go. Of several any,
    /// or, staggered, the one whose destination follows its origin soonest in the order of the nodes, so that
    /// in a step those of different origins have different destinations.
    std::vector<std::vector<RelativeSend>> schedule(bool staggered);

  private:
    void count(const Packet& packet, std::int32_t by);
    /// Lets each packet once, in any order, take a path that costs least, by what one packet more costs on a
    /// use with so many: price(use, load).
    template <class Price>
    void improve(const Price& price);
    template <class Price>
    std::uint32_t cheapest(Packet packet, const Price& price);

    const PathTrees& trees_;
    const LinkUses& uses_;
    const std::uint32_t chunks_;
    Draws& draws_;
    std::vector<Packet> packets_;
    std::vector<std::uint32_t> load_;   // [use]
    std::vector<std::uint32_t> order_;  // of packets
    std::uint64_t work_ = 0;
};

}  // namespace interlace
