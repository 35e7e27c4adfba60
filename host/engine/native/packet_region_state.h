// Interlace: what a region of nodes that are run packet by packet remembers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/engine/region/calendar.h"
#include "interlace/engine/region/counted_region.h"
#include "interlace/engine/region/credits.h"
#include "packet_counts.h"
#include "packet_nodes.h"
#include "receptions.h"

namespace interlace::native {

/// What nodes remember from one cycle to the next, and what follows from it alone: pins, counts, and the
/// state that a checkpoint has. What happens in a cycle is PacketRegion's.
class PacketRegionState : public CountedRegion {
  public:
    PacketRegionState(const Fabric& fabric, const std::vector<NodeId>& nodes);

    void watch(Watch watch) override;
    std::uint32_t reception_flits(NodeId node, std::uint32_t queue) const override;
    std::uint64_t stalled(NodeId node) const override;
    Pins pins(NodeId node) const override;
    std::vector<std::uint64_t> stall_cycles(NodeId node) const override;

  protected:
    void count() const override;
    void complete(Usage& use) const override;

    /// Saves or loads all that is below, between two ticks, when no node rests. Returns, where it loads, what
    /// was on its way between regions and is inside of this one now.
    LinkTokens nodes_state(RegionState& state);
    /// More of a packet on a link may be told of.
    void note_coming(std::uint32_t packet);

    template <class Visit>
    void each_sink(const Visit& visit) const {
        for (std::uint32_t node = 0; node < n_.count; ++node)
            for (std::uint32_t k = 0; k < f_.sinks(); ++k) visit(SinkId{node, k});
    }
    std::size_t queue_index(NodeId node, std::uint32_t queue) const {
        return std::size_t{local_[node]} * f_.receptions + queue;
    }
    /// It is free, something waits, and nothing has room: since sink.free_from().
    bool stalls(SinkId id) const { return (stalled_[id.node()] >> id.k() & 1U) != 0; }
    FarPort to(SinkId id) const { return f_.to(global_[id.node()], id.k()); }
    FarPort from(const Held& held) const {
        return f_.from(global_[held.node], n_.entrances[held.local].port);
    }
    /// To another region.
    bool leads_out(SinkId id) const { return !whole_ && id.k() < f_.ports && is_outside(to(id).node); }

    PacketNodes n_;
    const bool whole_ = n_.count == f_.nodes;  // all of the network
    Credits credits_;                          // [PacketNodes::channel]
    std::vector<std::uint64_t> asking_;        // [node]: sources with adaptive packets that have not started
    std::vector<std::uint32_t> asking_nodes_;  // that do not rest
    std::vector<SinkId> in_vain_;              // sinks that only adaptive packets waited for in this cycle
    std::vector<std::uint8_t> turn_;           // [node]: the port from which adaptive packets choose
    std::vector<std::uint8_t> status_;
    std::vector<std::uint32_t> stalled_;  // [node]: sinks that are free, and something waits for room there
    Calendar arrivals_;                   // packets, by their heads

    bool exchanges_ = false;                                   // packets, with neighbours outside
    LinkTokens told_;                                          // to these in this cycle
    std::unordered_map<std::uint32_t, std::uint32_t> coming_;  // [channel]: what they have told of in part

    std::vector<bool> slow_;                      // [node * receptions + queue]: followed flit by flit
    std::optional<Receptions> receptions_;        // of those, once there are any
    mutable std::optional<PacketCounts> counts_;  // of occupancy_

  private:
    /// Of a node: what is to come of the last tick, or of what others have told since.
    struct Pending {
        std::vector<std::uint32_t> coming;  // packets whose heads are not there yet, the first one first
        LinkTokens told;                    // of it
        std::uint64_t in_vain = 0;          // sinks
    };
    /// By ports of nodes of other regions: the node that tells of what goes there.
    using Tellers = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;
    using FarEnd = const FarPort& (Fabric::*)(std::uint32_t, std::uint32_t) const;
    Tellers tellers(FarEnd far_end) const;
    std::vector<Pending> pending_by_node() const;
    void node_state(std::uint32_t node, Archive& archive);
    /// What it has told goes to those outside in the next tick; to nodes that have been outside, and are not
    /// any more, as `inside`.
    void pending_state(std::uint32_t node, Pending& pending, LinkTokens& inside, Archive& archive);
    void reception_state(std::uint32_t queue, Archive& archive);

    // Whether what has been loaded holds together, so that a run can go on from it (packet_region_check.cpp).
    bool is_whole(std::uint32_t node) const;
    bool is_whole_source(std::uint32_t node, std::uint32_t source) const;
    bool is_led_to(std::uint32_t node, std::uint32_t source) const;
    static bool comes_behind(const Held& before, const Held& held);
    bool has_whole_path(const Held& held) const;
    bool leaves_rightly(std::uint32_t packet) const;
    bool moves_behind(const FlitTimes& moves, const FlitTimes& arrivals) const;
    bool has_shown(std::uint32_t source) const;
    bool is_whole_sink(SinkId id) const;
    bool receives_rightly(SinkId id) const;
    bool asks_rightly(std::uint32_t node) const;
    bool comes_rightly(std::uint32_t packet) const;
    bool tells_rightly(std::uint32_t node, const LinkPacket& told) const;
    bool tells_rightly(std::uint32_t node, const LinkReturn& told) const;
    template <class Told>
    bool leads_to(FarEnd far_end, std::uint32_t node, const Told& told) const;
};

}  // namespace interlace::native
