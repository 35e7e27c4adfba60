// Interlace: whether a state of nodes that are run flit by flit is one of a run
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "flit_nodes_check.h"

#include <bit>

#include "arbitration.h"

namespace interlace::native {
namespace {

bool are_the_same(const Packet& a, const Packet& b) {
    return a.header == b.header && a.identity == b.identity;
}

}  // namespace

FlitNodes::Check::Check(const FlitNodes& nodes, const std::vector<NodeId>& global)
    : n_(nodes),
      f_(nodes.fabric_),
      global_(global),
      in_flight_(nodes.source_.size()),
      in_flight_to_(global.size() * f_.receptions) {
    if (n_.pipelined_) look_at_stages();
}

bool FlitNodes::Check::is_led_to(std::uint32_t node, std::uint32_t source) const {
    return source < f_.sources() &&
           (source >= f_.link_sources() || f_.from(global_[node], source / f_.vcs).linked());
}

bool FlitNodes::Check::is_sink(std::uint32_t node, std::uint32_t k) const {
    return k < f_.ports ? f_.to(global_[node], k).linked() : k < f_.sinks();
}

void FlitNodes::Check::look_at_stages() {
    const auto expect = [&](bool holds) { return stages_are_whole_ = stages_are_whole_ && holds; };
    n_.entering_.each_coming([&](std::uint32_t, const Entering& e) {
        if (!expect(is_led_to(e.node, e.source))) return;
        const auto* flit = std::get_if<Flit>(&e.flit);
        const bool head = flit != nullptr ? flit->head() : (std::get<RawFlit>(e.flit).ends & 1U) != 0;
        if (head || !in_escape(e.source))
            in_flight_[n_.source_index(e.node, e.source)].entering += slot_or(e.source, 1);
    });
    n_.freed_in_flight_.each_coming([&](std::uint32_t, const Freed& e) {
        if (expect(is_led_to(e.node, e.source)))
            in_flight_[n_.source_index(e.node, e.source)].freed += e.amount;
    });
    n_.leaving_.each_coming([&](std::uint32_t, const Leaving& e) {
        if (!expect(is_sink(e.node, e.sink) && e.vc < f_.vcs && e.flit.index < e.flit.packet.length()))
            return;
        if (e.sink >= f_.ports) in_flight_to_[e.node * f_.receptions + e.sink - f_.ports].push_back(e.flit);
    });
    n_.returned_.each_coming([&](std::uint32_t, const Returned& e) {
        expect(is_sink(e.node, e.sink) && e.vc < (e.sink < f_.ports ? f_.vcs : 1));
    });
}

bool FlitNodes::Check::is_whole(std::uint32_t node) const {
    const auto are_sinks = [&](std::uint64_t mask) { return mask >> f_.sinks() == 0; };
    if (!stages_are_whole_ || !are_sinks(n_.busy_[node])) return false;
    if (f_.adaptive() && (n_.turn_[node] >= f_.ports || n_.asking_[node] >> f_.sources() != 0)) return false;
    for (std::uint32_t s = 0; s < f_.sources(); ++s)
        if (!is_whole_source(node, s)) return false;
    for (std::uint32_t k = 0; k < f_.sinks(); ++k)
        if (!is_whole_sink(node, k)) return false;
    for (std::uint32_t r = 0; r < f_.receptions; ++r)
        if (!receives_rightly(node, r)) return false;
    return true;
}

/// What it counts is what it has, less what has left of its head packet.
bool FlitNodes::Check::is_whole_source(std::uint32_t node, std::uint32_t source) const {
    const Source& queue = n_.source_[n_.source_index(node, source)];
    const bool asks = (n_.asking(node) >> source & 1U) != 0;
    if (queue.head == none ? asks : !is_led_to(node, source)) return false;
    std::uint32_t flits = 0, stored = 0;
    for (std::uint32_t i = queue.head; i != none; i = n_.entries_[i].next) {
        const Entry& entry = n_.entries_[i];
        if (!is_whole_entry(node, source, entry)) return false;
        if (i == queue.head ? asks && (!entry.adaptive || entry.started != 0) : entry.started != 0)
            return false;
        stored += entry.arrived;
        flits += slot_or(source, entry.arrived);
    }
    const InFlight& in_flight = in_flight_[n_.source_index(node, source)];
    const std::uint32_t gone = freed(node, source);
    const std::size_t index = n_.source_index(node, source);
    return queue.flits == flits - gone && n_.stored(index) == stored - gone &&
           n_.shown(index) == queue.flits + in_flight.entering + in_flight.freed;
}

/// With sinks and channels that there are.
bool FlitNodes::Check::is_whole_entry(std::uint32_t node, std::uint32_t source, const Entry& entry) const {
    const std::uint32_t links = f_.port_mask(global_[node]);
    const std::uint32_t sinks = links | f_.reception_sinks();
    if ((entry.route & ~sinks) != 0 || (entry.started & ~entry.route) != 0 ||
        (entry.finished & ~entry.started) != 0 || (entry.route != 0 && entry.finished == entry.route))
        return false;
    if (entry.length != entry.packet.length() || entry.arrived == 0 || entry.arrived > entry.length ||
        entry.cost > entry.room)
        return false;
    if (in_escape(source) && entry.length > f_.parameters.packet_flits) return false;
    if (entry.taken != no_choice && (entry.taken >= f_.ports || (links >> entry.taken & 1U) == 0))
        return false;
    if (!entry.adaptive) return entry.taken == no_choice;
    return f_.adaptive() && (entry.choices & ~links) == 0 && entry.escape < f_.ports &&
           (links >> entry.escape & 1U) != 0;
}

/// Flits of its head packet that the source has freed.
std::uint32_t FlitNodes::Check::freed(std::uint32_t node, std::uint32_t source) const {
    const std::uint32_t head = n_.head(node, source);
    if (head == none) return 0;
    const Entry& entry = n_.entries_[head];
    if (entry.started == 0 || !is_single(entry.route)) return 0;
    const auto k = static_cast<std::uint32_t>(std::countr_zero(entry.route));
    for (std::uint32_t vc = 0; vc < f_.vcs; ++vc) {
        const Branch& branch = n_.branch_[n_.sink_index(node, k) * f_.vcs + vc];
        if ((n_.sink_[n_.sink_index(node, k)].held >> vc & 1U) != 0 && branch.source == source)
            return branch.sent;
    }
    return 0;
}

bool FlitNodes::Check::is_whole_sink(std::uint32_t node, std::uint32_t k) const {
    const FlitSink& sink = n_.sink_[n_.sink_index(node, k)];
    if (sink.want >> f_.sources() != 0 || sink.held >> (k < f_.ports ? f_.vcs : 1) != 0) return false;
    std::uint64_t sources = 0;
    bool whole = true;
    each_bit(sink.held, [&](std::uint32_t vc) {
        const std::uint64_t source = std::uint64_t{1}
                                     << n_.branch_[n_.sink_index(node, k) * f_.vcs + vc].source;
        whole = whole && (sources & source) == 0 && is_whole_branch(node, k, vc);
        sources |= source;
    });
    each_bit(sink.want, [&](std::uint32_t s) { whole = whole && is_wanted_rightly(node, k, s); });
    return whole;
}

/// Of a head packet that has started there, and not ended.
bool FlitNodes::Check::is_whole_branch(std::uint32_t node, std::uint32_t k, std::uint32_t vc) const {
    const Branch& branch = n_.branch_[n_.sink_index(node, k) * f_.vcs + vc];
    if (n_.head(node, branch.source) == none) return false;
    const Entry& entry = n_.entries_[n_.head(node, branch.source)];
    return ((entry.started & ~entry.finished) >> k & 1U) != 0 && branch.sent > 0 &&
           branch.sent < entry.length &&
           branch.sent <= n_.source_[n_.source_index(node, branch.source)].head_arrived;
}

bool FlitNodes::Check::is_wanted_rightly(std::uint32_t node, std::uint32_t k, std::uint32_t source) const {
    const std::uint32_t head = n_.head(node, source);
    if (head == none || n_.entries_[head].adaptive) return false;
    return ((n_.entries_[head].route & ~n_.entries_[head].started) >> k & 1U) != 0;
}

/// What comes to the queue goes on where it has come to.
bool FlitNodes::Check::receives_rightly(std::uint32_t node, std::uint32_t queue) const {
    const std::size_t index = std::size_t{node} * f_.receptions + queue;
    std::uint32_t come = n_.receptions_.come(index);
    Packet packet = come != 0 ? n_.receptions_.coming(index) : Packet{};
    for (const Flit& flit : in_flight_to_[index]) {
        if (flit.index != come || (come != 0 && !are_the_same(flit.packet, packet))) return false;
        packet = flit.packet;
        come = flit.tail() ? 0 : come + 1;
    }
    const std::uint32_t k = f_.ports + queue;
    if (n_.sink_[n_.sink_index(node, k)].held == 0) return come == 0;
    const Branch& branch = n_.branch_[n_.sink_index(node, k) * f_.vcs];
    return branch.sent == come && are_the_same(n_.entries_[n_.head(node, branch.source)].packet, packet);
}

}  // namespace interlace::native
