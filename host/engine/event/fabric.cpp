// Interlace: frames on links and in switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "fabric.h"

#include <algorithm>

namespace interlace {

FrameFabric::FrameFabric(const Network& cluster, const Routes& routes, const EventParameters& parameters,
                         Timeline& timeline)
    : cluster_(cluster),
      routes_(routes),
      timeline_(timeline),
      pooled_(cluster.node_count() - cluster.endpoint_count()),
      links_(cluster.link_count()) {
    for (std::uint32_t s = 0; s < pooled_.size(); ++s) switches_.push_back(parameters.of_switch(s));
    for (std::uint32_t e = 0; e < links_.size(); ++e) {
        links_[e].from = cluster.origin(LinkId{e});
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
        came_over_.emplace_back();
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
    const std::uint64_t time = time_on(link, frames_[frame].bytes);
    const std::uint64_t head = timeline_.now() + link.speed.latency_ps;
    const std::uint64_t tail = head + time;
    link.busy = true;
    timeline_.at(timeline_.now() + time, Kind::link_free, e);
    if (is_switch(link.to))
        timeline_.at(ready_at_switch(link, frame, head, tail), Kind::frame_at_switch, frame, e);
    else
        timeline_.at(tail, Kind::frame_at_machine, frame);
}

std::uint64_t FrameFabric::ready_at_switch(const Link& link, std::uint32_t frame, std::uint64_t head,
                                           std::uint64_t tail) const {
    const SwitchParameters& at = switch_of(link.to);
    const bool cut_through = at.forwarding == FrameSwitching::cut_through;
    if (!cut_through && (is_switch(link.from) || at.stored_from == StoredFrom::everywhere))
        return tail + at.delay_ps;
    const std::uint32_t bytes = frames_[frame].bytes;
    const std::uint64_t header = time_on(link, cut_through ? std::min(at.header, bytes) : 0);
    // A faster output would run out of bytes.
    const std::uint64_t time_out = time_on(links_[routes_.next(link.to, frames_[frame].to)], bytes);
    return std::max(head + header, tail > time_out ? tail - time_out : 0) + at.delay_ps;
}

/// Takes room for a frame that came over `in` and goes to `out`, if there is any.
bool FrameFabric::make_room(NodeId node, LinkId in, LinkId out) {
    const SwitchParameters& at = switch_of(node);
    std::uint32_t& pooled = pooled_[node - cluster_.endpoint_count()];
    const std::uint32_t used = at.buffering == Buffering::output ? links_[out].held
                               : at.buffering == Buffering::shared
                                   ? pooled
                                   : static_cast<std::uint32_t>(links_[in].input.size());
    if (at.capacity > 0 && used >= at.capacity) return false;
    if (at.buffering == Buffering::shared) ++pooled;
    return true;
}

void FrameFabric::at_switch(std::uint32_t frame, LinkId in) {
    const NodeId node = links_[in].to;
    const LinkId out = routes_.next(node, frames_[frame].to);
    if (!make_room(node, in, out)) {
        ++dropped_;
        take(frame);
        return;
    }
    came_over_[frame] = in;
    if (switch_of(node).buffering != Buffering::input) {
        to_output(out, frame);
        return;
    }
    links_[in].input.push_back(frame);
    if (links_[in].input.size() == 1) ask_for(out, frame);  // else it waits behind the first
}

/// The first frame of an input asks to be handed over.
void FrameFabric::ask_for(LinkId out, std::uint32_t frame) {
    Link& link = links_[out];
    link.asking.push_back(frame);
    longest_queue_ =
        std::max(longest_queue_, static_cast<std::uint32_t>(link.asking.size() + link.queue.size()));
    hand_over(out);
}

/// Inputs hand over as fast as frames come in, and an output begins with a frame at once.
void FrameFabric::hand_over(LinkId out) {
    Link& link = links_[out];
    if (link.asking.empty() || link.held > switch_of(link.from).output_room) return;
    const std::uint32_t frame = link.asking.front();
    link.asking.pop_front();
    const std::uint32_t in = came_over_[frame];
    timeline_.at(timeline_.now() + time_on(links_[in], frames_[frame].bytes), Timeline::Kind::input_free, in);
    to_output(out, frame);
}

void FrameFabric::to_output(LinkId out, std::uint32_t frame) {
    Link& link = links_[out];
    ++link.held;
    if (!link.busy) {
        start(out, frame);
        return;
    }
    link.queue.push_back(frame);
    longest_queue_ =
        std::max(longest_queue_, static_cast<std::uint32_t>(link.asking.size() + link.queue.size()));
}

void FrameFabric::input_free(LinkId in) {
    Link& link = links_[in];
    link.input.pop_front();
    if (!link.input.empty())
        ask_for(routes_.next(link.to, frames_[link.input.front()].to), link.input.front());
}

void FrameFabric::link_free(LinkId e) {
    Link& link = links_[e];
    link.busy = false;
    if (!is_switch(link.from)) return;
    --link.held;
    if (switch_of(link.from).buffering == Buffering::shared) --pooled_[link.from - cluster_.endpoint_count()];
    if (!link.queue.empty()) {
        const std::uint32_t frame = link.queue.front();
        link.queue.pop_front();
        start(e, frame);
    }
    hand_over(e);
}

}  // namespace interlace
