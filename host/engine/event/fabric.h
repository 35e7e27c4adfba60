// Interlace: frames on links and in switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "interlace/engine/event_parameters.h"
#include "interlace/engine/routes.h"
#include "timeline.h"

namespace interlace {

/// A piece of a message on its way.
struct Frame {
    std::uint32_t message;
    std::uint32_t bytes;  ///< on the wire
    NodeId from, to;
    std::uint32_t number;  ///< among those from `from` to `to`
    bool last;             ///< of its message
};

/// Links and switches. A link carries one frame at a time; a switch takes a frame when the whole of it
/// (cut-through: its header, or as much as a faster output must not overtake) is there, or drops it.
class FrameFabric {
  public:
    FrameFabric(const Network& cluster, const Routes& routes, const EventParameters& parameters,
                Timeline& timeline);

    /// A machine's frame goes onto its link, which is free. Returns when the link will be free again.
    std::uint64_t send(NodeId machine, const Frame& frame);
    /// The frame that came over `link` is at its switch.
    void at_switch(std::uint32_t frame, LinkId link);
    void link_free(LinkId link);
    /// The first frame that came over `link` has left its input.
    void input_free(LinkId link);
    /// A frame that reached its machine leaves the fabric.
    Frame take(std::uint32_t frame);

    std::uint32_t longest_queue() const { return longest_queue_; }
    std::uint64_t dropped() const { return dropped_; }

  private:
    struct Link {
        NodeId from, to;
        LinkSpeed speed;
        std::deque<std::uint32_t> queue;   // frames at this output, the next one first
        std::deque<std::uint32_t> asking;  // first frames of inputs that are for this output
        std::deque<std::uint32_t> input;   // frames that came over this link and wait at its far end
        std::uint32_t held = 0;            // frames at this output, with the one that the link carries
        bool busy = false;
    };

    std::uint64_t time_on(const Link& link, std::uint32_t bytes) const;
    void start(std::uint32_t link, std::uint32_t frame);
    std::uint64_t ready_at_switch(const Link& link, std::uint32_t frame, std::uint64_t head,
                                  std::uint64_t tail) const;
    const SwitchParameters& switch_of(NodeId node) const {
        return switches_[node - cluster_.endpoint_count()];
    }
    bool is_switch(NodeId node) const { return node >= cluster_.endpoint_count(); }
    bool make_room(NodeId node, LinkId in, LinkId out);
    void ask_for(LinkId out, std::uint32_t frame);
    void hand_over(LinkId out);
    void to_output(LinkId out, std::uint32_t frame);
    std::uint32_t keep(const Frame& frame);

    const Network& cluster_;
    const Routes& routes_;
    Timeline& timeline_;
    std::vector<SwitchParameters> switches_;
    std::vector<std::uint32_t> pooled_;  // frames in each switch
    std::vector<Link> links_;
    std::vector<Frame> frames_;
    std::vector<std::uint32_t> came_over_;  // of each frame, its last link
    std::vector<std::uint32_t> free_;
    std::uint32_t longest_queue_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace interlace
