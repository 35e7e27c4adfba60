// Interlace: frames on links and in switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "fabric.h"

#include <algorithm>
#include <cassert>

#include "interlace/core/random.h"

namespace interlace {
namespace {

constexpr std::uint32_t infinite_credits = UINT32_MAX;
constexpr std::uint32_t max_ports = 1U << 31U;
constexpr std::uint64_t draws_of_ties = std::uint64_t{3} << 32U;  // workstations draw from lower streams

}  // namespace

FrameFabric::FrameFabric(const Network& cluster, const Routes& routes, const EventParameters& parameters,
                         EventQueue& events, std::uint64_t seed)
    : cluster_(cluster),
      routes_(routes),
      events_(events),
      seed_(seed),
      flow_(parameters.flow),
      smallest_(parameters.frame.minimum),
      pooled_(cluster.node_count() - cluster.endpoint_count()),
      links_(cluster.link_count()) {
    for (std::uint32_t s = 0; s < pooled_.size(); ++s) switches_.push_back(parameters.of_switch(s));
    for (std::uint32_t e = 0; e < links_.size(); ++e) {
        links_[e].from = cluster.origin(LinkId{e});
        links_[e].to = cluster.target(LinkId{e});
        links_[e].speed = cluster.speed(LinkId{e});
        if (is_switch(links_[e].to))
            if (const auto back = cluster.link(links_[e].to, links_[e].from))
                links_[e].port = *back - cluster.first_link(links_[e].to);
        // A machine has as much room as its switch.
        const std::uint32_t room =
            switch_of(is_switch(links_[e].to) ? links_[e].to : links_[e].from).capacity;
        if (flow_ == Flow::credit && room > 0) links_[e].credits = room;
    }
}

/// Picoseconds that `bytes` need, a started one counting whole. 64 KiB at 1 kbit/s are 5 * 10^17.
std::uint64_t FrameFabric::time_on(const Link& link, std::uint32_t bytes) const {
    const std::uint64_t rate = link.speed.bits_per_second;
    return (std::uint64_t{bytes} * 8'000'000'000'000U + rate - 1) / rate;
}

void FrameFabric::happen(const EventQueue::Event& event) {
    using Kind = EventQueue::Kind;
    const LinkId link{event.subject};
    switch (event.kind) {
        case Kind::frame_at_switch:
            arrives(event.subject, LinkId{event.other});
            break;
        case Kind::link_free:
            link_free(link);
            break;
        case Kind::input_free:
            input_free(link);
            break;
        case Kind::credit:
            credit(link);
            break;
        case Kind::paused:
            paused(link, event.other != 0);
            break;
        case Kind::arbitrate:
            arbitrate(link);
            break;
        default:
            assert(false);
    }
}

bool FrameFabric::send(NodeId machine, const MessageFrame& frame) {
    const LinkId link = cluster_.first_link(machine);
    links_[link].queue.push_back(frames_.keep(frame));
    came_over_.resize(frames_.size());
    asked_since_.resize(frames_.size());
    if (!links_[link].may_begin()) return false;
    begin_next(link);
    return true;
}

/// The link, which may begin, takes its next frame.
void FrameFabric::begin_next(LinkId e) {
    Link& link = links_[e];
    const std::uint32_t frame = link.queue.front();
    link.queue.pop_front();
    start(e, frame);
}

void FrameFabric::start(std::uint32_t e, std::uint32_t frame) {
    using Kind = EventQueue::Kind;
    Link& link = links_[e];
    const std::uint64_t time = time_on(link, frames_[frame].bytes);
    const std::uint64_t head = events_.now() + link.speed.latency_ps;
    const std::uint64_t tail = head + time;
    link.busy = true;
    link.carries_from = came_over_[frame];
    if (link.credits != infinite_credits) --link.credits;
    events_.at(events_.now() + time, Kind::link_free, e);
    if (is_switch(link.to)) {
        events_.at(ready_at_switch(link, frame, head, tail), Kind::frame_at_switch, frame, e);
        return;
    }
    events_.at(tail, Kind::frame_at_machine, frame);
    // A machine takes a frame as it comes, a header behind it.
    const std::uint32_t header = std::min(switch_of(link.from).header, frames_[frame].bytes);
    if (link.credits != infinite_credits)
        events_.at(tail + time_on(link, header) + link.speed.latency_ps, Kind::credit, e);
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
    if (flow_ != Flow::credit && at.capacity > 0 && used >= at.capacity) return false;
    if (at.buffering == Buffering::shared) ++pooled;
    ++links_[in].inside;
    pause_or_resume(in);
    return true;
}

/// A frame that came over `in` has left its switch.
void FrameFabric::leave_room(LinkId in) {
    Link& link = links_[in];
    --link.inside;
    if (link.credits != infinite_credits)
        events_.at(events_.now() + link.speed.latency_ps, EventQueue::Kind::credit, in);
    pause_or_resume(in);
}

void FrameFabric::pause_or_resume(LinkId in) {
    Link& link = links_[in];
    const SwitchParameters& at = switch_of(link.to);
    if (flow_ != Flow::pause) return;
    const bool pause = link.told_to_pause ? link.inside > at.resume_at : link.inside >= at.pause_at;
    if (pause == link.told_to_pause) return;
    link.told_to_pause = pause;
    events_.at(events_.now() + time_on(link, smallest_) + link.speed.latency_ps, EventQueue::Kind::paused, in,
               pause ? 1 : 0);
}

/// A frame's room at the far end is free again; its sender hears now.
void FrameFabric::credit(LinkId link) {
    ++links_[link].credits;
    go_on(link);
}

void FrameFabric::paused(LinkId link, bool paused) {
    links_[link].paused = paused;
    go_on(link);
}

/// Something that `link` may have waited for has come.
void FrameFabric::go_on(LinkId e) {
    Link& link = links_[e];
    if (!link.may_begin()) return;
    if (!link.queue.empty()) {
        begin_next(e);
        if (!is_switch(link.from)) events_.at(events_.now(), EventQueue::Kind::frame_left, link.from);
    }
    ask_to_arbitrate(e);
}

std::uint64_t FrameFabric::draw(std::uint32_t link, std::uint64_t time) const {
    return random_bits(seed_, draws_of_ties | link, time);
}

/// When all frames of this time are there, they are taken in the order of their draws.
void FrameFabric::arrives(std::uint32_t frame, LinkId in) {
    const bool last = !events_.has_now(EventQueue::Kind::frame_at_switch);
    if (last && arrivals_.empty()) {
        at_switch(frame, in);
        return;
    }
    arrivals_.push_back({draw(in, events_.now()), frame, in});
    if (!last) return;
    std::sort(arrivals_.begin(), arrivals_.end(),
              [](const Arrival& a, const Arrival& b) { return a.draw < b.draw; });
    for (const Arrival& arrival : arrivals_) at_switch(arrival.frame, arrival.link);
    arrivals_.clear();
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
    asked_since_[frame] = events_.now();
    links_[out].asking.push_back(frame);
    count_waiting(out);
    ask_to_arbitrate(out);
}

void FrameFabric::ask_to_arbitrate(LinkId out) {
    Link& link = links_[out];
    if (link.arbitrates || link.asking.empty()) return;
    link.arbitrates = true;
    events_.at(events_.now(), EventQueue::Kind::arbitrate, out);
}

/// Of the frames that ask for `link`, the one whose turn it is.
std::deque<std::uint32_t>::const_iterator FrameFabric::next_asking(const Link& link) const {
    const auto first = [&](const auto& turn) {
        return std::min_element(link.asking.begin(), link.asking.end(),
                                [&](std::uint32_t a, std::uint32_t b) { return turn(a) < turn(b); });
    };
    if (switch_of(link.from).arbitration == Arbitration::first_come)
        return first([&](std::uint32_t frame) {
            const std::uint64_t since = asked_since_[frame];
            return std::pair(since,
                             since == asked_since_[link.asking.front()] ? draw(came_over_[frame], since) : 0);
        });
    // Ports after the last winner come before those up to it.
    return first([&](std::uint32_t frame) {
        const std::uint32_t port = links_[came_over_[frame]].port;
        return port > link.last_winner ? port - link.last_winner : port + max_ports - link.last_winner;
    });
}

std::uint32_t FrameFabric::take_asking(Link& link) {
    const auto next = next_asking(link);
    const std::uint32_t frame = *next;
    link.last_winner = links_[came_over_[frame]].port;
    link.asking.erase(next);
    return frame;
}

/// Inputs hand over as fast as frames come in, and an output begins with a frame at once.
void FrameFabric::arbitrate(LinkId out) {
    Link& link = links_[out];
    link.arbitrates = false;
    while (!link.asking.empty() && (link.queue.size() < switch_of(link.from).output_room ||
                                    (link.queue.empty() && link.may_begin()))) {
        const std::uint32_t frame = take_asking(link);
        const std::uint32_t in = came_over_[frame];
        events_.at(events_.now() + time_on(links_[in], frames_[frame].bytes), EventQueue::Kind::input_free,
                   in);
        to_output(out, frame);
    }
}

void FrameFabric::to_output(LinkId out, std::uint32_t frame) {
    Link& link = links_[out];
    ++link.held;
    link.queue.push_back(frame);
    if (link.may_begin())
        begin_next(out);
    else
        count_waiting(out);
}

void FrameFabric::count_waiting(LinkId out) {
    const Link& link = links_[out];
    longest_queue_ =
        std::max(longest_queue_, static_cast<std::uint32_t>(link.asking.size() + link.queue.size()));
}

/// The first frame of an input has left it.
void FrameFabric::input_free(LinkId in) {
    Link& link = links_[in];
    link.input.pop_front();
    leave_room(in);
    if (!link.input.empty())
        ask_for(routes_.next(link.to, frames_[link.input.front()].to), link.input.front());
}

void FrameFabric::link_free(LinkId e) {
    Link& link = links_[e];
    link.busy = false;
    if (!is_switch(link.from)) return;
    --link.held;
    const SwitchParameters& at = switch_of(link.from);
    if (at.buffering == Buffering::shared) --pooled_[link.from - cluster_.endpoint_count()];
    if (at.buffering != Buffering::input) leave_room(LinkId{link.carries_from});
    go_on(e);
}

}  // namespace interlace
