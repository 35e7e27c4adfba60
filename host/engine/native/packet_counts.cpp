// Interlace: how long the queues of nodes that are run packet by packet have held how many flits
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "packet_counts.h"

#include <algorithm>

namespace interlace::native {

void PacketCounts::source(std::uint32_t source, std::uint64_t cycle, Occupancy& to) {
    std::uint64_t& next_tick = sources_[source];
    std::uint32_t packet = n_.heads[source];
    if (packet != none && n_.in_escape(n_.packets[packet])) return slots(source, cycle, to);
    FlitTimes all;
    Flow out = leaving(source, all, next_tick), in = coming(packet, next_tick);
    for (;;) {
        while (in.next() == never && packet != none && (packet = n_.packets[packet].next) != none)
            in = coming(packet, next_tick);
        const std::uint64_t at = std::min(in.next(), out.next());
        if (at > cycle) break;
        const bool more = in.next() == at, less = out.next() == at;
        if (less && out.times == &all) {  // of several branches: all at once
            to.source(n_.class_of(source), source, to.of_source(source) - all.count() + (more ? 1 : 0), at);
            in.first += more ? 1 : 0;
            out.first = all.count();
            continue;
        }
        const auto flits =
            static_cast<std::uint32_t>(std::min({cycle - at + 1, in_turn(in, at), in_turn(out, at)}));
        if (more != less) to.source_ramp(n_.class_of(source), source, more, flits, at);
        if (more) in.first += flits;
        if (less) out.first += flits;
    }
    next_tick = cycle + 1;
}

/// For how long from `at` on a flow goes on as it does there: flit by flit, or without any.
std::uint64_t PacketCounts::in_turn(const Flow& flow, std::uint64_t at) {
    return flow.next() == at ? flow.in_turn() : flow.next() - at;
}

/// What the head packet frees from cycle `from` on; `all`: has to stay, if it is of several branches.
PacketCounts::Flow PacketCounts::leaving(std::uint32_t source, FlitTimes& all, std::uint64_t from) const {
    if (n_.heads[source] == none) return {};
    const Held& held = n_.head_of(source);
    if (held.started == 0) return {};
    const FlitTimes* times = &n_.sink({held.node, n_.first_of(held.route)}).moves;
    if (!held.single()) {
        if (held.timed != held.route) return {};
        all.set(held.end(), 0, held.length);
        times = &all;
    }
    return {times, times->before(from)};
}
PacketCounts::Flow PacketCounts::coming(std::uint32_t packet, std::uint64_t from) const {
    if (packet == none) return {};
    return {&n_.packets[packet].arrivals, n_.packets[packet].arrivals.before(from)};
}

/// An escape channel: a head counts for a slot, and with the tail goes what is left of it.
void PacketCounts::slots(std::uint32_t source, std::uint64_t cycle, Occupancy& to) {
    std::uint64_t& next_tick = sources_[source];
    FlitTimes all;
    Flow out = leaving(source, all, next_tick);
    std::uint32_t packet = n_.heads[source];
    const std::uint32_t length = n_.packets[packet].length;
    const auto head = [&] { return packet == none ? never : n_.packets[packet].arrivals.at(0); };
    while (head() < next_tick) packet = n_.packets[packet].next;
    const auto next = [&] { return std::min(head(), out.next()); };
    std::uint32_t flits = to.of_source(source);
    for (std::uint64_t at = next(); at <= cycle; at = next()) {
        if (out.next() == at) {
            const bool tail = ++out.first == length;
            flits -= tail ? n_.f.parameters.packet_flits - length + 1 : 1;
        }
        if (head() == at) {
            flits += n_.f.parameters.packet_flits;
            packet = n_.packets[packet].next;
        }
        to.source(n_.class_of(source), source, flits, at);
    }
    next_tick = cycle + 1;
}

/// The queue holds a flit in the cycle in which it comes.
void PacketCounts::reception(std::uint32_t queue, std::uint64_t cycle, Occupancy& to) {
    std::uint64_t& next_tick = receptions_[queue];
    const FlitTimes& moves = n_.sink(n_.sink_of(queue)).moves;
    Flow in{&moves, moves.before(next_tick)};
    const auto hold = [&](std::uint32_t flits, std::uint64_t at) {
        if (to.of_reception(queue) != flits) to.reception(queue, flits, at);
    };
    if (next_tick <= cycle && !moves.passes(next_tick)) hold(0, next_tick);
    while (in.next() <= cycle) {
        hold(1, in.next());
        in.first += in.in_turn();
        const std::uint64_t gone = moves.at(in.first - 1) + 1;
        if (gone <= cycle && in.next() != gone) hold(0, gone);
    }
    next_tick = cycle + 1;
}

}  // namespace interlace::native
