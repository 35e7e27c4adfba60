// Interlace: whether a state of nodes that are run packet by packet is one of a run
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "packet_region_state.h"

namespace interlace::native {
namespace {

bool are_the_same(const Packet& a, const Packet& b) {
    return a.header == b.header && a.identity == b.identity;
}

}  // namespace

bool PacketRegionState::is_whole(std::uint32_t node) const {
    for (std::uint32_t s = 0; s < f_.sources(); ++s)
        if (!is_whole_source(node, s)) return false;
    for (std::uint32_t k = 0; k < f_.sinks(); ++k)
        if (!is_whole_sink({node, k})) return false;
    return std::uint64_t{stalled_[node]} >> f_.sinks() == 0 && asks_rightly(node);
}

/// Of a link that is there; packets come one behind the other, and only the first leaves.
bool PacketRegionState::is_whole_source(std::uint32_t node, std::uint32_t source) const {
    const std::uint32_t index = n_.source_index(node, source), first = n_.heads[index];
    if (first == none) return has_shown(index);
    if (!is_led_to(node, source) || n_.packets[first].arrivals.at(0) >= cycle_) return false;
    const Held* before = nullptr;
    for (std::uint32_t i = first; i != none; i = n_.packets[i].next) {
        const Held& held = n_.packets[i];
        if (before != nullptr && (!comes_behind(*before, held) || held.started != 0)) return false;
        if (!has_whole_path(held) || (n_.in_escape(held) && held.length > f_.parameters.packet_flits))
            return false;
        before = &held;
    }
    return leaves_rightly(first) && has_shown(index);
}

bool PacketRegionState::is_led_to(std::uint32_t node, std::uint32_t source) const {
    const Entrance& entrance = n_.entrances[source];
    return !entrance.link || f_.from(global_[node], entrance.port).linked();
}

bool PacketRegionState::comes_behind(const Held& before, const Held& held) {
    return before.arrived() && before.arrivals.last() < held.arrivals.at(0);
}

/// Sinks and channels that there are.
bool PacketRegionState::has_whole_path(const Held& held) const {
    const std::uint32_t links = f_.port_mask(global_[held.node]);
    const std::uint32_t sinks = links | f_.reception_sinks();
    if ((held.route & ~sinks) != 0 || (held.started & ~held.route) != 0 || (held.timed & ~held.started) != 0)
        return false;
    if (held.handed_over && n_.entrances[held.local].link) return false;
    if (!held.adaptive) return true;
    return f_.adaptive() && (held.choices & ~links) == 0 && held.escape < f_.ports &&
           (links >> held.escape & 1U) != 0 && held.escape_channels >> f_.vcs == 0;
}

/// What moves of a packet does so by its sink, after it has come.
bool PacketRegionState::leaves_rightly(std::uint32_t packet) const {
    const Held& held = n_.packets[packet];
    bool rightly = true;
    each_bit(held.started, [&](std::uint32_t k) {
        const PacketSink& sink = n_.sink({held.node, k});
        const bool timed = (held.timed >> k & 1U) != 0;
        if (sink.packet() == packet)
            rightly = rightly && timed == held.arrived() && moves_behind(sink.moves, held.arrivals);
        else
            rightly = rightly && timed && !held.single();
    });
    if (held.started == 0 || held.timed != held.route) return rightly;
    return rightly && held.end() + 1 >= cycle_ && held.end() >= held.arrivals.last();
}

bool PacketRegionState::moves_behind(const FlitTimes& moves, const FlitTimes& arrivals) const {
    if (moves.count() != arrivals.count() || moves.at(0) >= cycle_) return false;
    for (std::uint32_t i = 0; i < moves.count(); ++i)
        if (moves.at(i) <= arrivals.at(i)) return false;
    return true;
}

/// As many as have been counted.
bool PacketRegionState::has_shown(std::uint32_t source) const {
    return !occupancy_ || occupancy_->of_source(source) == n_.shown(source, cycle_ - 1);
}

bool PacketRegionState::is_whole_sink(SinkId id) const {
    const PacketSink& sink = n_.sink(id);
    bool whole = sink.want >> f_.sources() == 0;
    each_bit(whole ? sink.want : 0, [&](std::uint32_t s) {
        const std::uint32_t head = n_.heads[n_.source_index(id.node(), s)];
        whole = whole && head != none && !n_.packets[head].adaptive &&
                ((n_.packets[head].route & ~n_.packets[head].started) >> id.k() & 1U) != 0;
    });
    if (!whole) return false;
    if (id.k() >= f_.ports && !receives_rightly(id)) return false;
    if (sink.packet() == none) return true;
    const Held& held = n_.packets[sink.packet()];
    return (held.started >> id.k() & 1U) != 0 && sink.vc() < (id.k() < f_.ports ? f_.vcs : 1) &&
           sink.ends() == ((held.timed >> id.k() & 1U) != 0);
}

/// A queue that is followed has of what moves there what has moved.
bool PacketRegionState::receives_rightly(SinkId id) const {
    const PacketSink& sink = n_.sink(id);
    const std::uint32_t queue = n_.queue_of(id);
    const std::uint32_t flits = slow_[queue] ? receptions_->flits(queue) : sink.moves.passes(cycle_ - 1);
    if (occupancy_ && occupancy_->of_reception(queue) != flits) return false;
    if (!slow_[queue]) return true;
    if (sink.packet() == none) return receptions_->come(queue) == 0;
    const Held& held = n_.packets[sink.packet()];
    const std::uint32_t moved = sink.moves.until(cycle_ - 1), come = receptions_->come(queue);
    if (moved == held.length || come == 0) return moved % held.length == come;
    return moved == come && are_the_same(receptions_->coming(queue), held.packet);
}

bool PacketRegionState::asks_rightly(std::uint32_t node) const {
    if (!f_.adaptive()) return true;
    if (turn_[node] >= f_.ports || asking_[node] >> f_.sources() != 0) return false;
    bool rightly = true;
    each_bit(asking_[node], [&](std::uint32_t s) {
        const std::uint32_t head = n_.heads[n_.source_index(node, s)];
        rightly = rightly && head != none && n_.packets[head].adaptive && n_.packets[head].started == 0;
    });
    return rightly;
}

/// A packet on its way there has done nothing yet.
bool PacketRegionState::comes_rightly(std::uint32_t packet) const {
    const Held& held = n_.packets[packet];
    if (held.local >= f_.link_sources() || !is_led_to(held.node, held.local)) return false;
    const std::uint32_t tail = n_.tail_of(n_.source_of(held));
    return (held.started | held.timed | held.stays) == 0 && !held.handed_over &&
           held.arrivals.at(0) >= cycle_ && (tail == none || comes_behind(n_.packets[tail], held));
}

bool PacketRegionState::tells_rightly(std::uint32_t node, const LinkPacket& told) const {
    return leads_to(&Fabric::to, node, told) && told.when.step < 1U << 16U &&
           told.from + told.when.count <= told.packet.length() && told.when.first >= cycle_ &&
           told.when.first < most_cycles - (std::uint64_t{told.when.count} << 16U);
}

bool PacketRegionState::tells_rightly(std::uint32_t node, const LinkReturn& told) const {
    return leads_to(&Fabric::from, node, told) && told.what.first >= cycle_ &&
           told.what.first < most_cycles &&
           std::uint64_t{told.what.count} + told.what.more <= f_.parameters.vc_depth;
}

/// What `node` tells somebody of is of the far end of one of its links.
template <class Told>
bool PacketRegionState::leads_to(FarEnd far_end, std::uint32_t node, const Told& told) const {
    bool leads = false;
    for (std::uint32_t p = 0; p < f_.ports; ++p) {
        const FarPort& far = (f_.*far_end)(global_[node], p);
        leads = leads || (far.linked() && far.node == told.node && far.port == told.port);
    }
    return leads && told.vc < f_.vcs;
}

}  // namespace interlace::native
