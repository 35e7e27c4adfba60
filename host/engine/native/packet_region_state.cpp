// Interlace: what a region of nodes that are run packet by packet remembers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "packet_region_state.h"

#include <algorithm>

#include "flit_pins.h"

namespace interlace::native {

PacketRegionState::PacketRegionState(const Fabric& fabric, const std::vector<NodeId>& nodes)
    : CountedRegion(fabric, nodes),
      n_(fabric, nodes.size()),
      asking_(fabric.adaptive() ? nodes.size() : 0, 0),
      turn_(asking_.size(), 0),
      status_(nodes.size(), 0),
      stalled_(nodes.size(), 0),
      slow_(nodes.size() * fabric.receptions, false) {
    credits_.reserve(nodes.size() * n_.channels());
    for (std::size_t c = 0; c < nodes.size() * n_.channels(); ++c)
        credits_.add_channel(c % n_.channels() < std::size_t{f_.ports} * f_.vcs
                                 ? f_.parameters.vc_depth
                                 : f_.parameters.reception_depth);
}

void PacketRegionState::watch(Watch watch) {
    CountedRegion::watch(watch);
    if (watch.occupancy) counts_.emplace(n_);
}

// Pins.

std::uint32_t PacketRegionState::reception_flits(NodeId node, std::uint32_t queue) const {
    const std::size_t index = queue_index(node, queue);
    if (slow_[index]) return receptions_->flits(index);
    return cycle_ != 0 && n_.sink(n_.sink_of(index)).moves.passes(cycle_ - 1) ? 1 : 0;
}

std::uint64_t PacketRegionState::stalled(NodeId node) const {
    std::uint64_t mask = stalled_[local_[node]];
    for (const SinkId id : in_vain_)
        if (id.node() == local_[node]) mask |= std::uint64_t{1} << id.k();
    return mask;
}

Pins PacketRegionState::pins(NodeId node) const {
    Pins pins;
    const std::uint32_t n = local_[node];
    const std::uint64_t shown = cycle_ - 1;  // the tick whose outcome pins show
    const auto moved = [&](const PacketSink& sink) {
        return cycle_ != 0 ? n_.flit_at(sink, shown) : std::nullopt;
    };
    const auto credit = [&](std::uint32_t source) {
        pins.push_back(cycle_ != 0 ? n_.freed(n_.source_index(n, source), shown) : 0);
    };
    for (std::uint32_t p = 0; p < f_.ports; ++p) {
        const PacketSink& sink = n_.sink({n, p});
        put_link(pins, f_.words, moved(sink), sink.vc());
        for (std::uint32_t v = 0; v < f_.vcs; ++v) credit(p * f_.vcs + v);
    }
    for (std::uint32_t i = 0; i < f_.injections; ++i) credit(f_.link_sources() + i);
    for (std::uint32_t r = 0; r < f_.receptions; ++r) {
        const std::size_t queue = queue_index(node, r);
        const std::uint32_t flits = reception_flits(node, r);
        std::optional<Flit> oldest;
        if (flits != 0)
            oldest = slow_[queue] ? receptions_->oldest(queue) : moved(n_.sink(n_.sink_of(queue)));
        put_reception(pins, f_.words, oldest, flits);
    }
    pins.push_back(0);
    pins.push_back(stalled(node));
    pins.push_back(status_[n]);
    return pins;
}

// Counts.

std::vector<std::uint64_t> PacketRegionState::stall_cycles(NodeId node) const {
    std::vector<std::uint64_t> cycles = CountedRegion::stall_cycles(node);
    each_bit(stalled_[local_[node]], [&](std::uint32_t k) {
        cycles[k] += cycle_ - n_.sink({local_[node], k}).free_from();
    });
    return cycles;
}

void PacketRegionState::count() const {
    if (cycle_ == 0) return;
    for (std::uint32_t s = 0; s < n_.heads.size(); ++s) counts_->source(s, cycle_ - 1, *occupancy_);
    for (std::uint32_t q = 0; q < slow_.size(); ++q)
        if (!slow_[q]) counts_->reception(q, cycle_ - 1, *occupancy_);
}

void PacketRegionState::complete(Usage& use) const {
    for (std::uint32_t s = 0; cycle_ != 0 && s < n_.heads.size(); ++s) {
        std::uint32_t& most = use.high_water[static_cast<std::size_t>(n_.class_of(s))];
        if (n_.flits_of(s) <= most || n_.in_escape(s)) continue;
        // What several branches have sent was there until the last cycle.
        const bool freed_now = n_.freed(s, cycle_ - 1) > 1;
        most = std::max(most, n_.shown(s, freed_now ? cycle_ - 2 : cycle_ - 1));
    }
    each_sink([&](SinkId id) {
        if (stalls(id))
            use.stall_cycles[static_cast<std::size_t>(n_.class_behind(id))] +=
                cycle_ - n_.sink(id).free_from();
    });
}

// The state. What is due in a calendar follows from it.

LinkTokens PacketRegionState::nodes_state(RegionState& state) {
    std::vector<Pending> pending = pending_by_node();
    told_.clear();
    in_vain_.clear();
    LinkTokens inside;
    for (std::uint32_t node = 0; node < n_.count; ++node) {
        Archive archive = state.nodes.of(global_[node]);
        node_state(node, archive);
        archive.expect(!archive.loads() || is_whole(node));
        pending_state(node, pending[node], inside, archive);
    }
    return inside;
}

PacketRegionState::Tellers PacketRegionState::tellers(FarEnd far_end) const {
    Tellers tellers;
    for (std::uint32_t n = 0; n < n_.count; ++n)
        for (std::uint32_t p = 0; p < f_.ports; ++p)
            if (const FarPort far = (f_.*far_end)(global_[n], p); far.linked() && is_outside(far.node))
                tellers[{far.node, far.port}] = n;
    return tellers;
}

std::vector<PacketRegionState::Pending> PacketRegionState::pending_by_node() const {
    std::vector<Pending> of(n_.count);
    arrivals_.each(cycle_, [&](std::uint64_t, std::uint32_t packet) {
        of[n_.packets[packet].node].coming.push_back(packet);
    });
    for (Pending& pending : of)
        std::sort(pending.coming.begin(), pending.coming.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(n_.packets[a].arrivals.at(0), n_.packets[a].local) <
                   std::pair(n_.packets[b].arrivals.at(0), n_.packets[b].local);
        });
    if (!told_.empty()) {
        const Tellers of_packets = tellers(&Fabric::to), of_returns = tellers(&Fabric::from);
        for (const LinkPacket& packet : told_.packets)
            of[of_packets.at({packet.node, packet.port})].told.packets.push_back(packet);
        for (const LinkReturn& freed : told_.returns)
            of[of_returns.at({freed.node, freed.port})].told.returns.push_back(freed);
    }
    for (const SinkId sink : in_vain_) of[sink.node()].in_vain |= 1U << sink.k();
    return of;
}

void PacketRegionState::node_state(std::uint32_t node, Archive& archive) {
    for (std::uint32_t s = 0; s < f_.sources(); ++s) n_.source_state(node, s, archive);
    for (std::uint32_t k = 0; k < f_.sinks(); ++k) n_.sink_state({node, k}, archive);
    // As the last tick ended: what is told afterwards is as of that.
    for (std::size_t c = 0; c < n_.channels(); ++c)
        credits_.state(std::size_t{node} * n_.channels() + c, cycle_ - 1, archive);
    for (std::uint32_t r = 0; r < f_.receptions; ++r) reception_state(node * f_.receptions + r, archive);
    archive(stalled_[node], status_[node]);
    if (f_.adaptive()) {
        archive(asking_[node], turn_[node]);
        if (archive.loads() && asking_[node] != 0) asking_nodes_.push_back(node);
    }
    if (occupancy_ && archive.loads()) counts_->go_on(node, cycle_);
}

void PacketRegionState::pending_state(std::uint32_t node, Pending& pending, LinkTokens& inside,
                                      Archive& archive) {
    archive.each(pending.coming, [&](Archive& a, std::uint32_t& packet) {
        if (a.loads()) packet = n_.packets.make();
        n_.packets[packet].node = node;
        PacketNodes::packet_state(n_.packets[packet], a);
        a.expect(!a.loads() || comes_rightly(packet));
        if (!a.loads()) return;
        arrivals_.add(cycle_, n_.packets[packet].arrivals.at(0), packet);
        note_coming(packet);
    });
    archive.each(pending.told.packets, [&](Archive& a, LinkPacket& packet) {
        a(packet.node, packet.port, packet.vc, packet.from, packet.packet);
        state_of(packet.when, a);
        a.expect(!a.loads() || tells_rightly(node, packet));
    });
    archive.each(pending.told.returns, [&](Archive& a, LinkReturn& freed) {
        a(freed.node, freed.port, freed.vc);
        state_of(freed.what, a);
        a.expect(!a.loads() || tells_rightly(node, freed));
    });
    archive.below(pending.in_vain, std::uint64_t{1} << f_.sinks());
    for (const LinkPacket& packet : pending.told.packets)
        (is_outside(packet.node) ? told_ : inside).packets.push_back(packet);
    for (const LinkReturn& freed : pending.told.returns)
        (is_outside(freed.node) ? told_ : inside).returns.push_back(freed);
    each_bit(pending.in_vain, [&](std::uint32_t k) { in_vain_.emplace_back(node, k); });
}

void PacketRegionState::reception_state(std::uint32_t queue, Archive& archive) {
    bool slow = slow_[queue];
    archive(slow);
    if (!slow) return;
    slow_[queue] = true;
    if (!receptions_) receptions_.emplace(slow_.size());
    receptions_->state(queue, archive);
}

void PacketRegionState::note_coming(std::uint32_t packet) {
    const Held& held = n_.packets[packet];
    if (n_.entrances[held.local].link && !held.arrived()) coming_[n_.source_of(held)] = packet;
}

}  // namespace interlace::native
