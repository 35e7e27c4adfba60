// Interlace: the state of native nodes that are run flit by flit
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "active_nodes.h"
#include "flit_state.h"
#include "interlace/core/archive.h"
#include "interlace/core/pool.h"
#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/region/delay_line.h"
#include "receptions.h"

namespace interlace::native {

/// The nodes of a region, by their places in it: what they remember from one cycle to the next.
class FlitNodes {
  public:
    FlitNodes(const Fabric& fabric, std::size_t nodes);

    /// `archives`: [node], of the nodes of the fabric that these are. What its pins show is no part of it.
    void nodes_state(const std::vector<NodeId>& nodes, std::vector<Archive>& archives);

  protected:
    std::size_t sink_index(std::uint32_t node, std::uint32_t k) const {
        return std::size_t{node} * sinks_ + k;
    }
    std::size_t source_index(std::uint32_t node, std::uint32_t source) const {
        return std::size_t{node} * sources_ + source;
    }
    std::uint32_t head(std::uint32_t node, std::uint32_t source) const {
        return source_[source_index(node, source)].head;
    }
    std::uint64_t asking(std::uint32_t node) const { return asking_.empty() ? 0 : asking_[node]; }
    /// Of a source among all: its flits, and as its pins have shown them come and go.
    std::uint32_t stored(std::size_t index) const {
        return stored_.empty() ? source_[index].flits : stored_[index];
    }
    std::uint32_t shown(std::size_t index) const {
        return flits_shown_.empty() ? source_[index].flits : flits_shown_[index];
    }
    /// Whether sink k, whose link takes several cycles for a flit, has one in `cycle`.
    bool is_taken(std::size_t sink, std::uint64_t cycle) const {
        return !busy_until_.empty() && busy_until_[sink] > cycle;
    }
    /// Of a source that has packets: the last one.
    std::uint32_t tail(const Source& queue) const {
        return queue.single ? queue.head : entries_[queue.head].last;
    }
    /// Behind the others of a source.
    void append(Source& queue, std::uint32_t entry);
    /// Flits of the queue behind a channel of sink k.
    std::uint32_t depth_behind(std::size_t k) const {
        return k < fabric_.ports ? fabric_.parameters.vc_depth : fabric_.parameters.reception_depth;
    }

    /// Of the fabric, near at hand.
    const std::uint32_t ports_, vcs_, link_sources_, sources_, sinks_;

    // Per node and source, sink, channel of a sink, reception queue.
    std::vector<Source> source_;
    std::vector<std::uint32_t> stored_;       // where packets are adaptive: flits, as they are
    std::vector<std::uint32_t> flits_shown_;  // of pipelined nodes
    std::vector<std::uint64_t> busy_until_;   // of links that take several cycles for a flit
    std::vector<FlitSink> sink_;
    std::vector<Branch> branch_;
    std::vector<std::uint32_t> credits_;
    Receptions receptions_;
    std::vector<std::uint64_t> busy_;  // per node: sinks that are wanted or held
    // Where packets are adaptive, per node: sources with such packets that have not started; the port from
    // which they choose.
    std::vector<std::uint64_t> asking_;
    std::vector<std::uint8_t> turn_;
    std::vector<std::uint8_t> status_;
    Pool<Entry> entries_;
    ActiveNodes active_;  // with busy sinks or asking sources

    // Of pipelined nodes.
    static constexpr std::uint32_t longest_stage = 2;  // beyond the one cycle that any delay line takes
    bool pipelined_;
    DelayLine<Entering> entering_;
    DelayLine<Leaving> leaving_;
    DelayLine<Returned> returned_;
    DelayLine<Freed> freed_in_flight_;
    std::vector<Requests> requests_;                   // per node and sink
    std::vector<std::array<std::uint8_t, 2>> levels_;  // per node and source: how full when it requested
    std::vector<Gone> gone_;                           // per node

  private:
    void node_state(std::uint32_t node, Archive& archive);
    void source_state(std::uint32_t node, std::uint32_t source, Archive& archive);
    void sink_state(std::uint32_t node, std::uint32_t k, Archive& archive);
    void stages_state(std::vector<Archive>& archives);

    // Whether what has been loaded holds together, so that a run can go on from it (flit_nodes_check.cpp).
    class Check;

    const Fabric& fabric_;
};

}  // namespace interlace::native
