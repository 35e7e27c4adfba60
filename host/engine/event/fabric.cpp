// Interlace: frames on links and in switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "fabric.h"

#include <algorithm>

namespace interlace {

FrameFabric::FrameFabric(const Network& cluster, const Routes& routes, const EventParameters& parameters,
                         Timeline& timeline)
    : cluster_(cluster), routes_(routes), switches_(parameters.switches), timeline_(timeline) {
    links_.resize(cluster.link_count());
    for (std::uint32_t e = 0; e < links_.size(); ++e) {
        links_[e].to = cluster.target(LinkId{e});
        links_[e].speed = cluster.speed(LinkId{e});
    }
}

/// Picoseconds that `bytes` need, a started one counting whole. 64 KiB at 1 kbit/s are 5 * 10^17.
std::uint64_t FrameFabric::time_on(const Link& link, std::uint32_t bytes) const {
    const std::uint64_t rate = link.speed.bits_per_second;
    return (std::uint64_t{bytes} * 8'000'000'000'000U + rate - 1) / rate;
}

std::uint32_t FrameFabric::keep(const Frame& frame) {
    if (free_.empty()) {
        frames_.push_back(frame);
        return static_cast<std::uint32_t>(frames_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    frames_[index] = frame;
    return index;
}

Frame FrameFabric::take(std::uint32_t frame) {
    free_.push_back(frame);
    return frames_[frame];
}

std::uint64_t FrameFabric::send(NodeId machine, const Frame& frame) {
    const LinkId link = cluster_.first_link(machine);
    start(link, keep(frame));
    return timeline_.now() + time_on(links_[link], frame.bytes);
}

void FrameFabric::start(std::uint32_t e, std::uint32_t frame) {
    using Kind = Timeline::Kind;
    Link& link = links_[e];
    const std::uint32_t bytes = frames_[frame].bytes;
    const std::uint64_t head = timeline_.now() + link.speed.latency_ps;
    const std::uint64_t tail = head + time_on(link, bytes);
    const NodeId machine_side = cluster_.origin(LinkId{e});
    link.busy = true;
    timeline_.at(timeline_.now() + time_on(link, bytes), Kind::link_free, e);
    if (link.to < cluster_.endpoint_count()) {
        timeline_.at(tail, Kind::frame_at_machine, frame, link.to);
        return;
    }
    const bool from_machine = machine_side < cluster_.endpoint_count();
    std::uint64_t ready = tail;
    if (switches_.forwarding == FrameSwitching::cut_through ||
        (from_machine && switches_.stored_from == StoredFrom::trunks)) {
        const std::uint32_t header =
            switches_.forwarding == FrameSwitching::cut_through ? std::min(switches_.header, bytes) : 0;
        const Link& out = links_[routes_.next(link.to, frames_[frame].to)];
        // A faster output would run out of bytes.
        const std::uint64_t time_out = time_on(out, bytes);
        ready = std::max(head + time_on(link, header), tail > time_out ? tail - time_out : 0);
    }
    timeline_.at(ready + switches_.delay_ps, Kind::frame_at_switch, frame, link.to);
}

void FrameFabric::at_switch(std::uint32_t frame, NodeId node) {
    const LinkId e = routes_.next(node, frames_[frame].to);
    Link& link = links_[e];
    if (!link.busy) {
        start(e, frame);
        return;
    }
    link.queue.push_back(frame);
    longest_queue_ = std::max(longest_queue_, static_cast<std::uint32_t>(link.queue.size()));
}

void FrameFabric::link_free(LinkId e) {
    Link& link = links_[e];
    link.busy = false;
    if (link.queue.empty()) return;
    const std::uint32_t frame = link.queue.front();
    link.queue.pop_front();
    start(e, frame);
}

}  // namespace interlace
