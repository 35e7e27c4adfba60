// Interlace: when the packets of an all-reduce go over the links of their trees
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/core/random.h"
#include "interlace/program/schedule.h"
#include "sum_trees.h"

namespace interlace {

/// Each packet goes over every link of its tree once in both directions. A node sends to a neighbour in the
/// tree once it has what comes from all its others.
class SumTiming {
  public:
    /// Keeps references.
    SumTiming(const SumTrees& links, const std::vector<SumTree>& trees);

    /// Gives each send its step. Of the packets that a link can send, one goes first that has the longest way
    /// before it. Packets stand in a row, drawn at random, and one place behind counts as `pace` links less:
    /// they start one after another. False past `limit` steps.
    bool run(double pace, std::uint32_t limit, Draws& draws);

    std::uint32_t steps() const { return steps_; }
    std::uint64_t in_last_step() const { return in_last_step_; }
    /// By step.
    std::vector<ReducingSend> sends() const;

  private:
    /// A send of a packet between a node and its parent in the tree: (packet * nodes + node) * 2, and one
    /// more from the parent down.
    using Place = std::uint32_t;
    static Place back(Place place) { return place ^ 1U; }
    Place up(std::uint32_t packet, NodeId node) const { return (packet * nodes_ + node) * 2; }
    std::uint32_t packet(Place place) const { return place / 2 / nodes_; }
    LinkId link(Place place) const;
    /// Calls visit(place) for what a node sends in a packet's tree.
    template <class Visit>
    void each_sent(std::uint32_t packet, NodeId node, const Visit& visit) const;

    void measure(std::uint32_t packet);
    void arrive(Place place);

    const SumTrees& links_;
    const std::vector<SumTree>& trees_;
    const std::uint32_t nodes_;
    std::vector<std::uint32_t> way_;      // [place]: links of the longest way that starts with it
    std::vector<std::uint32_t> to_come_;  // [packet * nodes + node]: packets that have not arrived there
    std::vector<std::uint32_t> step_;     // [place]: from 1
    std::vector<bool> arrived_;           // [place]
    std::vector<Place> ready_;            // for the next step
    std::uint32_t steps_ = 0;
    std::uint64_t in_last_step_ = 0;
};

}  // namespace interlace
