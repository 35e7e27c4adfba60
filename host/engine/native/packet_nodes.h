// Interlace: the state of native nodes that are run packet by packet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of docs/node.md and of the field:
//   node                router with its network interface
//   channel of a port   input VC and its flit buffer; at the sender, the VC whose credits it counts
//   injection queue     source queue of the network interface
//   reception queue     ejection queue of the network interface
//   source              input buffer of the router: an input VC or an injection queue
//   sink                output port: allocation state and credit counters of its VCs; or an ejection port
//   head packet         packet at the front of an input buffer
//   route               set of output ports from route computation
//   branch, replication one copy of a multicast packet; asynchronous multicast inside the router
//   choices, escape     candidate output ports of adaptive routing; path on the escape VC
//   turn                rotating priority among the candidates
//   held, busy          output port or VC allocated to a packet; link that still serializes a flit
//   slot                index into the forwarding table; also the unit of bubble flow control, in flits
//   level               buffer occupancy or credits in quarters
//   deposit             multicast along a line, with a copy for each node on it
//   quiesce             drain an output port: start no new packet on it
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "arbitration.h"
#include "flit_times.h"
#include "interlace/core/archive.h"
#include "interlace/core/pool.h"
#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/routing/route.h"

namespace interlace::native {

inline constexpr std::uint32_t none = UINT32_MAX;
inline constexpr std::uint64_t never = UINT64_MAX;

/// A packet in a source, or on its way there. A cache line: large networks wait for memory.
struct alignas(64) Held {
    Packet packet;
    FlitTimes arrivals;         // on the source's pins
    std::uint32_t next = none;  // behind it in its source
    // Where it is the first of its source: the last, and the flits of all packets in it, whether all theirs
    // have come or not.
    std::uint32_t tail = none, source_flits = 0;
    std::uint32_t node = 0;
    std::uint32_t route = 0, started = 0,
                  timed = 0;  // masks of sinks; timed: whose last flit's cycle is known
    std::uint32_t stays = 0;  // from its head's arrival to the last of those
    std::uint8_t local = 0;   // the source's number in its node
    std::uint8_t length = 0;
    std::uint8_t channels = 0;  // that it may use
    // Adaptive: the ports it may choose from, the one to escape by, whether it enters that one's ring, and
    // whether it asks for that one.
    std::uint8_t escape = 0, escape_channels = 0;
    bool adaptive : 1 = false, enters : 1 = false, escapes : 1 = false;
    bool handed_over : 1 = false;  // by its host, as a whole
    std::uint16_t choices = 0;

    bool arrived() const { return arrivals.count() == length; }
    bool single() const { return is_single(route); }
    std::uint64_t end() const { return arrivals.at(0) + stays; }
};
static_assert(sizeof(Held) == 64);

/// A sink of a node: 27 bits and 5.
struct SinkId {
    static constexpr unsigned shift = 5;
    std::uint32_t value = 0;

    SinkId() = default;
    SinkId(std::uint32_t node, std::uint32_t k) : value(node << shift | k) {}
    explicit SinkId(std::uint32_t v) : value(v) {}
    std::uint32_t node() const { return value >> shift; }
    std::uint32_t k() const { return value & ((1U << shift) - 1); }  // its number in its node
};

/// A sink, with the branch that holds it, or held it last. Half a cache line.
class alignas(32) PacketSink {
  public:
    std::uint64_t want = 0;  // sources whose head packet may start here
    FlitTimes moves;

    /// The packet that moves, of Held.
    std::uint32_t packet() const { return packet_ == no_packet ? none : packet_; }
    std::uint32_t vc() const { return vc_; }
    /// Nothing is known of its end; what it is at the far end of the link, `none`: nothing here.
    void hold(std::uint32_t packet, std::uint32_t vc, std::uint32_t onward) {
        packet_ = packet & no_packet;
        vc_ = vc & 3U;
        free_from_ = unknown;
        wake_or_onward_ = onward;
    }
    std::uint32_t onward() const { return ends() ? none : wake_or_onward_; }
    void release() { packet_ = no_packet; }

    /// The first cycle in which no packet moves; `never` while that is not known. Where something stalls,
    /// the cycle since when.
    std::uint64_t free_from() const { return ends() ? free_from_ : never; }
    bool ends() const { return free_from_ != unknown; }
    void set_free_from(std::uint64_t cycle) {
        if (!ends()) wake_or_onward_ = none;
        free_from_ = cycle & unknown;
    }

    /// When it is to be looked at, in `now` or later; of one that ends.
    bool wakes_by(std::uint64_t cycle, std::uint64_t now) const {
        return wake_or_onward_ != none && cycle - now >= low_bits(wake_or_onward_ - now);
    }
    bool wakes_at(std::uint64_t now) const { return ends() && wake_or_onward_ == low_bits(now); }
    void wake_at(std::uint64_t cycle) { wake_or_onward_ = low_bits(cycle); }
    void awake() { wake_or_onward_ = none; }

    void state(Archive& archive) {
        std::uint64_t from = free_from_;
        std::uint8_t channel = vc_;
        archive(want, from, channel, arbiter);
        moves.state(archive);
        free_from_ = from & unknown;
        vc_ = channel & 3U;
    }
    void load_packet(std::uint32_t packet) { packet_ = packet & no_packet; }

    static constexpr std::uint32_t no_packet = (1U << 30) - 1;  ///< packets have lower numbers

  private:
    static constexpr std::uint64_t unknown = most_cycles - 1;
    /// Of a cycle, or of a difference: cycles to come are told apart by these, and none of them is `none`.
    static std::uint32_t low_bits(std::uint64_t cycle) { return cycle & (none >> 1U); }

    std::uint32_t packet_ : 30 = no_packet, vc_ : 2 = 0;
    std::uint32_t wake_or_onward_ = none;
    std::uint64_t free_from_ : 40 = 0;

  public:
    Arbiter arbiter;
};
static_assert(sizeof(PacketSink) == 32);

/// The nodes of a region, by their places in it, and what is in their queues in which cycle.
struct PacketNodes {
    PacketNodes(const Fabric& fabric, std::size_t nodes)
        : f(fabric),
          count(static_cast<std::uint32_t>(nodes)),
          heads(nodes * fabric.sources(), none),
          sinks(nodes * fabric.sinks()),
          sources_(fabric.sources()),
          sinks_(fabric.sinks()),
          channels_(fabric.link_sources() + fabric.receptions),
          before_receptions_(fabric.ports * (fabric.vcs - 1)) {
        for (std::uint32_t local = 0; local < f.sources(); ++local)
            entrances.push_back({local < f.link_sources(), local / f.vcs, local % f.vcs});
    }

    std::uint32_t node_of(std::uint32_t source) const { return source / sources_; }
    std::uint32_t local_of(std::uint32_t source) const { return source % sources_; }
    std::uint32_t source_index(std::uint32_t node, std::uint32_t source) const {
        return node * sources_ + source;
    }
    std::uint32_t source_of(const Held& held) const { return source_index(held.node, held.local); }
    /// The first packet of a source that has one.
    Held& head_of(std::uint32_t source) { return packets[heads[source]]; }
    const Held& head_of(std::uint32_t source) const { return packets[heads[source]]; }
    const Held& head(std::uint32_t node, std::uint32_t source) const {
        return head_of(source_index(node, source));
    }
    std::uint32_t tail_of(std::uint32_t source) const {
        return heads[source] == none ? none : head_of(source).tail;
    }
    std::uint32_t flits_of(std::uint32_t source) const {
        return heads[source] == none ? 0 : head_of(source).source_flits;
    }
    /// Its last packet from now on.
    void append(std::uint32_t source, std::uint32_t packet) {
        if (heads[source] == none)
            heads[source] = packet;
        else
            packets[head_of(source).tail].next = packet;
        head_of(source).tail = packet;
        head_of(source).source_flits += packets[packet].length;
    }
    /// The first packet leaves the source, and is as before.
    std::uint32_t take_head(std::uint32_t source) {
        const std::uint32_t left = std::exchange(heads[source], head_of(source).next);
        if (heads[source] == none) return left;
        head_of(source).tail = packets[left].tail;
        head_of(source).source_flits = packets[left].source_flits - packets[left].length;
        return left;
    }

    std::size_t sink_index(SinkId id) const { return std::size_t{id.node()} * sinks_ + id.k(); }
    PacketSink& sink(SinkId id) { return sinks[sink_index(id)]; }
    const PacketSink& sink(SinkId id) const { return sinks[sink_index(id)]; }
    /// Of a sink that leads to one.
    std::uint32_t queue_of(SinkId id) const { return id.node() * f.receptions + id.k() - f.ports; }
    SinkId sink_of(std::size_t queue) const {
        return {static_cast<std::uint32_t>(queue / f.receptions),
                f.ports + static_cast<std::uint32_t>(queue % f.receptions)};
    }
    /// Of a node: those of its links, then one of each reception queue.
    std::uint32_t channels() const { return channels_; }
    std::size_t channel(std::uint32_t node, std::uint32_t k, std::uint32_t vc) const {
        return std::size_t{node} * channels_ + (k < f.ports ? k * f.vcs + vc : before_receptions_ + k);
    }
    std::size_t channel(SinkId id, std::uint32_t vc) const { return channel(id.node(), id.k(), vc); }
    static std::uint32_t first_of(std::uint32_t mask) {
        return static_cast<std::uint32_t>(std::countr_zero(mask));
    }
    std::uint32_t step_of(std::uint32_t k) const { return k < f.ports ? f.links.cycles_per_flit : 1; }
    QueueClass class_of(std::uint32_t source) const {
        return local_of(source) < f.link_sources() ? QueueClass::channel : QueueClass::injection;
    }
    QueueClass class_of(const Held& held) const {
        return entrances[held.local].link ? QueueClass::channel : QueueClass::injection;
    }
    QueueClass class_behind(SinkId id) const {
        return id.k() < f.ports ? QueueClass::channel : QueueClass::reception;
    }
    /// A channel in which every packet counts as one of full size.
    bool in_escape(std::uint32_t source) const {
        return local_of(source) < f.link_sources() && f.in_slots(local_of(source) % f.vcs);
    }

    bool in_escape(const Held& held) const {
        const Entrance& entrance = entrances[held.local];
        return entrance.link && f.in_slots(entrance.vc);
    }

    /// The flit that moves through a sink in `cycle`.
    std::optional<Flit> flit_at(const PacketSink& sink, std::uint64_t cycle) const {
        if (sink.packet() == none || !sink.moves.passes(cycle)) return std::nullopt;
        return Flit{packets[sink.packet()].packet, static_cast<std::uint8_t>(sink.moves.until(cycle) - 1)};
    }

    /// Flits that a source frees in `cycle`, in which its head packet is still in it.
    std::uint32_t freed(std::uint32_t source, std::uint64_t cycle) const {
        if (heads[source] == none) return 0;
        const Held& held = head_of(source);
        if (!held.single()) return held.timed == held.route && held.end() == cycle ? held.length : 0;
        if (held.started == 0) return 0;
        const PacketSink& sink = this->sink({held.node, first_of(held.route)});
        if (!sink.moves.passes(cycle)) return 0;
        return in_escape(held) && sink.moves.until(cycle) == held.length
                   ? f.parameters.packet_flits - held.length + 1U
                   : 1;
    }

    /// Flits in a source after the tick of `cycle`, as its pins have shown them come and go.
    std::uint32_t shown(std::uint32_t source, std::uint64_t cycle) const {
        std::uint32_t flits = 0;
        for (std::uint32_t i = heads[source]; i != none; i = packets[i].next) {
            const Held& held = packets[i];
            const std::uint32_t come = held.arrivals.until(cycle);
            if (come == 0) break;
            if (!in_escape(source))
                flits += come;
            else
                flits += f.parameters.packet_flits;
        }
        return flits - gone(source, cycle, in_escape(source));
    }

    /// Flits of its head packet that a source has freed by the end of `cycle`.
    std::uint32_t gone(std::uint32_t source, std::uint64_t cycle, bool in_slots) const {
        if (heads[source] == none) return 0;
        const Held& held = head_of(source);
        if (held.started == 0) return 0;
        if (!held.single()) return held.timed == held.route && held.end() <= cycle ? held.length : 0;
        const PacketSink& sink = this->sink({held.node, first_of(held.route)});
        const std::uint32_t moved = sink.moves.until(cycle);
        return in_slots && moved == held.length ? f.parameters.packet_flits : moved;
    }

    /// `node` and its place in its source are no part of it.
    static void packet_state(Held& held, Archive& archive);
    /// With the packets in it.
    void source_state(std::uint32_t node, std::uint32_t source, Archive& archive);
    /// But for when it wakes and what is onward.
    void sink_state(SinkId id, Archive& archive);

    const Fabric& f;
    std::uint32_t count;               // nodes
    std::vector<Entrance> entrances;   // [source of a node]
    std::vector<std::uint32_t> heads;  // [node * sources + source]: its first packet; `none`: it has none
    std::vector<PacketSink> sinks;     // [node * sinks + sink]
    Pool<Held> packets;

  private:
    std::uint32_t sources_, sinks_, channels_;  // of each node, counted once
    std::uint32_t before_receptions_;  // channel() of a reception queue's sink, less the sink's number
};

}  // namespace interlace::native
