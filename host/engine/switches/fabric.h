// Interlace: frames on links and in switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "frame_pool.h"
#include "interlace/engine/routes/routes.h"
#include "interlace/engine/workstations/event_parameters.h"
#include "interlace/engine/workstations/event_queue.h"
#include "interlace/engine/workstations/workstations.h"

namespace interlace {

/// Links and switches. A link carries one frame at a time; a switch takes a frame when the whole of it
/// (cut-through: its header, or as much as a faster output must not overtake) is there, or drops it. Under
/// pause and credit a link waits until its far end lets it begin. Frames that reach switches at the same
/// time, or ask for an output at the same time, are taken in an order that is drawn: by seed, time and link,
/// so that no link comes first more often than another.
class FrameFabric : public FrameCarrier {
  public:
    FrameFabric(const Network& cluster, const Routes& routes, const EventParameters& parameters,
                EventQueue& events, std::uint64_t seed);

    bool send(NodeId machine, const MessageFrame& frame) override;
    std::uint64_t time_on_link(NodeId machine, std::uint32_t bytes) const override {
        return time_on(links_[cluster_.first_link(machine)], bytes);
    }
    /// Lets an event of links and switches happen.
    void happen(const EventQueue::Event& event);
    /// A frame that reached its machine leaves the fabric.
    MessageFrame take(std::uint32_t frame) { return frames_.take(frame); }

    std::uint32_t longest_queue() const { return longest_queue_; }
    std::uint64_t dropped() const { return dropped_; }

  private:
    struct Link {
        NodeId from, to;
        LinkSpeed speed;
        std::deque<std::uint32_t> queue;         // frames at this output, the next one first
        std::deque<std::uint32_t> asking;        // first frames of inputs that are for this output
        std::deque<std::uint32_t> input;         // frames that came over this link and wait at its far end
        std::uint32_t held = 0;                  // frames at this output, with the one that the link carries
        std::uint32_t inside = 0;                // frames that came over this link and are in its switch
        std::uint32_t carries_from = 0;          // link by which the frame that this one carries came
        std::uint32_t port = 0;                  // by which it enters its switch
        std::uint32_t last_winner = UINT32_MAX;  // of arbitration: the ports after it come first
        std::uint32_t credits = UINT32_MAX;      // frames that the far end has room for; UINT32_MAX: infinite
        bool paused = false, told_to_pause = false;
        bool busy = false, arbitrates = false;
        bool may_begin() const { return !busy && !paused && credits > 0; }
    };

    /// Of frames that come, or ask, at one time the one with the least draw is the first.
    std::uint64_t draw(std::uint32_t link, std::uint64_t time) const;
    void arrives(std::uint32_t frame, LinkId link);
    void at_switch(std::uint32_t frame, LinkId link);
    void link_free(LinkId link);
    void input_free(LinkId link);
    void credit(LinkId link);
    void paused(LinkId link, bool paused);
    void arbitrate(LinkId out);
    std::uint64_t time_on(const Link& link, std::uint32_t bytes) const;
    void start(std::uint32_t link, std::uint32_t frame);
    std::uint64_t ready_at_switch(const Link& link, std::uint32_t frame, std::uint64_t head,
                                  std::uint64_t tail) const;
    const SwitchParameters& switch_of(NodeId node) const {
        return switches_[node - cluster_.endpoint_count()];
    }
    bool is_switch(NodeId node) const { return node >= cluster_.endpoint_count(); }
    bool make_room(NodeId node, LinkId in, LinkId out);
    void leave_room(LinkId in);
    void pause_or_resume(LinkId in);
    void ask_for(LinkId out, std::uint32_t frame);
    void ask_to_arbitrate(LinkId out);
    std::deque<std::uint32_t>::const_iterator next_asking(const Link& link) const;
    std::uint32_t take_asking(Link& link);
    void to_output(LinkId out, std::uint32_t frame);
    void begin_next(LinkId out);
    void go_on(LinkId link);
    void count_waiting(LinkId out);

    const Network& cluster_;
    const Routes& routes_;
    EventQueue& events_;
    std::uint64_t seed_;
    Flow flow_;
    std::uint32_t smallest_;  // frame, in bytes
    std::vector<SwitchParameters> switches_;
    std::vector<std::uint32_t> pooled_;  // frames in each switch
    std::vector<Link> links_;
    FramePool frames_;
    std::vector<std::uint32_t> came_over_;    // of each frame, its last link
    std::vector<std::uint64_t> asked_since_;  // of each frame that asks for an output
    struct Arrival {
        std::uint64_t draw;
        std::uint32_t frame;
        LinkId link;
    };
    std::vector<Arrival> arrivals_;  // of this time
    std::uint32_t longest_queue_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace interlace
