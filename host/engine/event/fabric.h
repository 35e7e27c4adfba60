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
    NodeId to;
    bool last;  ///< of its message
};

/// Links and switches. A link carries one frame at a time; a switch puts it into the queue of the output that
/// its route names when the whole frame (cut-through: its header, or as much as a faster output must not
/// overtake) is there.
class FrameFabric {
  public:
    FrameFabric(const Network& cluster, const Routes& routes, const EventParameters& parameters,
                Timeline& timeline);

    /// A machine's frame goes onto its link, which is free. Returns when the link will be free again.
    std::uint64_t send(NodeId machine, const Frame& frame);
    void at_switch(std::uint32_t frame, NodeId node);
    void link_free(LinkId link);
    /// A frame that reached its machine leaves the fabric.
    Frame take(std::uint32_t frame);
    std::uint32_t longest_queue() const { return longest_queue_; }

  private:
    struct Link {
        std::deque<std::uint32_t> queue;
        NodeId to;
        LinkSpeed speed;
        bool busy = false;
    };

    std::uint64_t time_on(const Link& link, std::uint32_t bytes) const;
    void start(std::uint32_t link, std::uint32_t frame);
    std::uint32_t keep(const Frame& frame);

    const Network& cluster_;
    const Routes& routes_;
    const SwitchParameters& switches_;
    Timeline& timeline_;
    std::vector<Link> links_;
    std::vector<Frame> frames_;
    std::vector<std::uint32_t> free_;
    std::uint32_t longest_queue_ = 0;
};

}  // namespace interlace
