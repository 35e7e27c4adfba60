// Interlace: the state of native nodes that are run packet by packet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "arbitration.h"
#include "flit_times.h"
#include "interlace/core/archive.h"
#include "interlace/core/pool.h"
#include "interlace/engine/region/fabric.h"
#include "interlace/engine/region/route.h"

namespace interlace::native {

inline constexpr std::uint32_t none = UINT32_MAX;
inline constexpr std::uint64_t never = UINT64_MAX;

/// A packet in a source, or on its way there. As Sink a cache line: large networks wait for memory.
struct alignas(64) Held {
    Packet packet;
    FlitTimes arrivals;         // on the source's pins
    std::uint32_t next = none;  // behind it in its source
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

struct Source {
    std::uint32_t head = none, tail = none;  // of Held
    std::uint32_t flits = 0;                 // of all packets in it, whether all theirs have come or not
};

/// A sink, with the branch that holds it, or held it last.
struct alignas(64) Sink {
    std::uint64_t want = 0;              // sources whose head packet may start here
    std::uint64_t free_from = 0;         // the cycle; `never` while that is not known
    std::uint64_t wake = never;          // when it is to be looked at
    std::uint64_t stalls_since = never;  // it is free, something waits, and nothing has room
    FlitTimes moves;
    std::uint32_t packet = none;  // that moves, of Held; what it is at the far end of the link
    std::uint32_t onward = none;
    std::uint32_t node : 27 = 0, k : 5 = 0;  // k: the sink's number in its node
    std::uint8_t vc = 0;                     // of the branch
    Arbiter arbiter;
};
static_assert(sizeof(Sink) == 64);

/// The nodes of a region, by their places in it, and what is in their queues in which cycle.
struct PacketNodes {
    PacketNodes(const Fabric& fabric, std::size_t nodes)
        : f(fabric),
          count(static_cast<std::uint32_t>(nodes)),
          sources(nodes * fabric.sources()),
          sinks(nodes * fabric.sinks()) {
        for (std::uint32_t local = 0; local < f.sources(); ++local)
            entrances.push_back({local < f.ports * f.vcs, local / f.vcs, local % f.vcs});
        for (std::size_t s = 0; s < sinks.size(); ++s) {
            sinks[s].node = static_cast<std::uint32_t>(s / f.sinks()) & 0x7ffffffU;
            sinks[s].k = static_cast<std::uint32_t>(s % f.sinks()) & 31U;
        }
    }

    std::uint32_t node_of(std::uint32_t source) const { return source / f.sources(); }
    std::uint32_t local_of(std::uint32_t source) const { return source % f.sources(); }
    std::uint32_t source_index(std::uint32_t node, std::uint32_t source) const {
        return node * f.sources() + source;
    }
    std::uint32_t source_of(const Held& held) const { return source_index(held.node, held.local); }
    std::size_t sink_index(std::uint32_t node, std::uint32_t k) const {
        return std::size_t{node} * f.sinks() + k;
    }
    /// Of a sink that leads to one.
    std::uint32_t queue_of(std::uint32_t sink) const {
        return sink / f.sinks() * f.receptions + sink % f.sinks() - f.ports;
    }
    Sink& sink_of(std::size_t queue) {
        return sinks[sink_index(static_cast<std::uint32_t>(queue / f.receptions),
                                f.ports + static_cast<std::uint32_t>(queue % f.receptions))];
    }
    const Sink& sink_of(std::size_t queue) const {
        return sinks[sink_index(static_cast<std::uint32_t>(queue / f.receptions),
                                f.ports + static_cast<std::uint32_t>(queue % f.receptions))];
    }
    /// Of a node: those of its links, then one of each reception queue.
    std::uint32_t channels() const { return f.ports * f.vcs + f.receptions; }
    std::size_t channel(std::uint32_t node, std::uint32_t k, std::uint32_t vc) const {
        return std::size_t{node} * channels() + (k < f.ports ? k * f.vcs + vc : f.ports * (f.vcs - 1) + k);
    }
    std::size_t channel(const Sink& sink, std::uint32_t vc) const { return channel(sink.node, sink.k, vc); }
    const Held& head(std::uint32_t node, std::uint32_t source) const {
        return packets[sources[source_index(node, source)].head];
    }
    static std::uint32_t first_of(std::uint32_t mask) {
        return static_cast<std::uint32_t>(std::countr_zero(mask));
    }
    std::uint32_t link_mask() const { return (1U << f.ports) - 1; }
    std::uint32_t step_of(std::uint32_t k) const { return k < f.ports ? f.links.cycles_per_flit : 1; }
    QueueClass class_of(std::uint32_t source) const {
        return local_of(source) < f.ports * f.vcs ? QueueClass::channel : QueueClass::injection;
    }
    QueueClass class_of(const Held& held) const {
        return entrances[held.local].link ? QueueClass::channel : QueueClass::injection;
    }
    QueueClass class_behind(const Sink& sink) const {
        return sink.k < f.ports ? QueueClass::channel : QueueClass::reception;
    }
    /// A channel in which every packet counts as one of full size.
    bool in_escape(std::uint32_t source) const {
        return local_of(source) < f.ports * f.vcs && f.in_slots(local_of(source) % f.vcs);
    }

    bool in_escape(const Held& held) const {
        const Entrance& entrance = entrances[held.local];
        return entrance.link && f.in_slots(entrance.vc);
    }

    /// The flit that moves through a sink in `cycle`.
    std::optional<Flit> flit_at(const Sink& sink, std::uint64_t cycle) const {
        if (sink.packet == none || !sink.moves.passes(cycle)) return std::nullopt;
        return Flit{packets[sink.packet].packet, static_cast<std::uint8_t>(sink.moves.until(cycle) - 1)};
    }

    /// Flits that a source frees in `cycle`, in which its head packet is still in it.
    std::uint32_t freed(std::uint32_t source, std::uint64_t cycle) const {
        if (sources[source].head == none) return 0;
        const Held& held = packets[sources[source].head];
        if (!held.single()) return held.timed == held.route && held.end() == cycle ? held.length : 0;
        if (held.started == 0) return 0;
        const Sink& sink = sinks[sink_index(held.node, first_of(held.route))];
        if (!sink.moves.passes(cycle)) return 0;
        return in_escape(held) && sink.moves.until(cycle) == held.length
                   ? f.parameters.packet_flits - held.length + 1U
                   : 1;
    }

    /// Flits in a source after the tick of `cycle`, as its pins have shown them come and go.
    std::uint32_t shown(std::uint32_t source, std::uint64_t cycle) const {
        std::uint32_t flits = 0;
        for (std::uint32_t i = sources[source].head; i != none; i = packets[i].next) {
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
        if (sources[source].head == none) return 0;
        const Held& held = packets[sources[source].head];
        if (held.started == 0) return 0;
        if (!held.single()) return held.timed == held.route && held.end() <= cycle ? held.length : 0;
        const Sink& sink = sinks[sink_index(held.node, first_of(held.route))];
        const std::uint32_t moved = sink.moves.until(cycle);
        return in_slots && moved == held.length ? f.parameters.packet_flits : moved;
    }

    /// `node` and `next` are no part of it.
    static void packet_state(Held& held, Archive& archive);
    /// With the packets in it.
    void source_state(std::uint32_t node, std::uint32_t source, Archive& archive);
    /// But for `wake` and `onward`.
    void sink_state(std::uint32_t node, std::uint32_t k, Archive& archive);

    const Fabric& f;
    std::uint32_t count;              // nodes
    std::vector<Entrance> entrances;  // [source of a node]
    std::vector<Source> sources;      // [node * sources + source]
    std::vector<Sink> sinks;          // [node * sinks + sink]
    Pool<Held> packets;
};

}  // namespace interlace::native
