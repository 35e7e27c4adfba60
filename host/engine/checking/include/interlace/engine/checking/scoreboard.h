// Interlace: whether nodes of hardware do what docs/node.md says, from their pins alone
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/region/node_fault.h"
#include "interlace/engine/routing/route.h"

namespace interlace {

/// Follows every packet through nodes of hardware and throws NodeFault where one is lost, doubled, altered,
/// sent elsewhere or out of order, and where credits do not add up. Of a node's timing it asks only that what
/// can move, moves within `patience` cycles, and that nothing leaves before it has come; so any
/// microarchitecture passes. Two packets of one node with the same words 0 and 1 are not told apart.
class Scoreboard {
  public:
    /// Cycles after which what could have moved is held to be lost.
    static constexpr std::uint64_t patience = 1000;

    /// `nodes` of the fabric, which go by their places in it; `tables` as the nodes have them, or nullptr.
    /// `service`: none may be starved, see longest_wait().
    Scoreboard(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables,
               bool service = false);

    /// What the output pins of node n show in `cycle`, told before what its input pins show then.
    void sent(std::uint32_t n, std::uint32_t port, std::uint32_t vc, const RawFlit& flit,
              std::uint64_t cycle);
    void freed_link(std::uint32_t n, std::uint32_t port, std::uint32_t vc, std::uint32_t amount,
                    std::uint64_t cycle);
    void freed_injection(std::uint32_t n, std::uint32_t queue, std::uint32_t amount, std::uint64_t cycle);
    /// rx_valid_o and rx_count_o, of queues where either was or is not 0.
    void holds(std::uint32_t n, std::uint32_t queue, bool valid, std::uint32_t flits, std::uint64_t cycle);
    /// A host took the flit that rx_flit_o showed.
    void taken(std::uint32_t n, std::uint32_t queue, const RawFlit& flit, std::uint64_t cycle);

    /// stall_o: a sink that something waits at, by the packets that are in the node.
    void stalls(std::uint32_t n, std::uint64_t shown, std::uint64_t cycle);

    /// What the input pins of node n show.
    void enters(std::uint32_t n, std::uint32_t source, const RawFlit& flit);
    void credited(std::uint32_t n, std::uint32_t port, std::uint32_t vc, std::uint32_t amount);
    void ready(std::uint32_t n, std::uint32_t queue, bool ready) { sink(n, f_.ports + queue).ready = ready; }

    /// `cycle` has ended. Throws NodeFault for what could have moved for too long.
    void end(std::uint64_t cycle) {
        if (cycle >= next_look_) look(cycle);
    }
    /// Of node n. Where nodes of several boards are loaded, time is counted from the last look of any.
    void state(std::uint32_t n, Archive& archive);
    /// Packets are in nodes, or credits to be given back: time may show that they are lost.
    bool waits() const { return packets_ + owing_ > 0; }

    /// With `service`: most cycles for which a packet at the head of its source, whole there, saw packets of
    /// other sources, no shorter and of no higher priority, begin at a sink that it could have had. Of these
    /// it throws NodeFault for more than most_passing(). (Adaptive packets, which have other sinks, and nodes
    /// that serve by levels are left out.)
    std::uint64_t longest_wait() const { return longest_wait_; }
    /// By round robin it is one less than there are sources, whatever their lengths. What is in a reception
    /// queue has been served before it is seen.
    std::uint32_t most_passing(std::uint32_t k) const {
        return 16 * f_.sources() + (k < f_.ports ? 0 : f_.parameters.reception_depth);
    }

  private:
    /// A packet in a source, oldest first, until all its branches have been seen to end.
    struct TrackedPacket {
        Packet packet;
        Route route;
        std::uint32_t sinks = 0;             // its branches; of an adaptive packet, once it has begun
        std::uint32_t begun = 0, ended = 0;  // of them; those to reception queues as their hosts see them
        std::uint8_t counts = 0;             // flits that it counts for in its queue
    };
    // What each flit asks for is in these, small and without a look at the packet, for the caches' sake.
    struct Source {
        std::vector<TrackedPacket> held;
        std::uint32_t first = 0;  // number of the first, modulo 2^32, and of the one to come
        std::uint32_t next = 0;
        std::int32_t flits = 0;      // that have come and not been given back
        std::int32_t must_free = 0;  // of packets that have gone and not been given back; below 0: in advance
        std::int32_t least = 0;      // of must_free since the last look
        // Flits of the youngest packet that have come, and that are to come. Those before it are whole: who
        // sends them is checked, too.
        std::uint8_t arrived = 0, missing = 0;

        bool has(std::uint32_t number) const { return number - first < held.size(); }
    };
    /// A packet, by its place, that is on its way out; not `runs`: none.
    struct Branch {
        std::uint64_t payload_key = 0;  // of the packet
        std::uint32_t number = 0;
        std::uint8_t source = 0, sent = 0, length = 0;
        bool runs = false;
    };
    struct Channel {
        Branch branch;
        std::uint32_t credits = 0;
    };
    struct Sink {
        Branch reception;         // of a reception queue: what its host is taking
        std::uint64_t last = 0;   // cycle of the last flit, and one more
        std::uint32_t moved = 0;  // flits, modulo 2^32
        std::uint16_t flits = 0;  // rx_count_o
        bool ready = true;
    };
    /// What could have moved by a sink at the last look, and how many flits had.
    struct Look {
        Branch waiting;
        std::uint32_t moved = 0;
    };

    /// Packets of others that have begun at a sink while packet `number` of a source could have.
    struct Passed {
        std::uint32_t number = 0, packets = 0;
        std::uint64_t since = 0;  // cycle of the first of them
    };

    Source& source(std::uint32_t n, std::uint32_t s) { return sources_[std::size_t{n} * f_.sources() + s]; }
    Sink& sink(std::uint32_t n, std::uint32_t k) { return sinks_[std::size_t{n} * f_.sinks() + k]; }
    Channel& channel(std::uint32_t n, std::uint32_t port, std::uint32_t vc) {
        return channels_[(std::size_t{n} * f_.ports + port) * f_.vcs + vc];
    }
    TrackedPacket& held(std::uint32_t n, const Branch& branch) {
        Source& from = source(n, branch.source);
        return from.held[branch.number - from.first];
    }

    /// Packet i of those in source s.
    Branch place(std::uint32_t n, std::uint32_t s, std::size_t i);
    /// A node may store a packet before it lets it go, but under wormhole, where it may never be whole there.
    bool may_be_whole(const Source& from) const {
        return f_.parameters.switching == Switching::wormhole || from.held.size() > 1 || from.missing == 0;
    }
    /// Its flits that have come.
    std::uint32_t arrived(std::uint32_t n, const Branch& branch) {
        const Source& from = source(n, branch.source);
        return branch.number + 1 == from.next ? from.arrived : branch.length;
    }

    /// Whether the packet may still leave by sink k.
    bool is_for(const TrackedPacket& held, std::uint32_t k) const;
    /// The packet of `begun` has begun at sink k, of a link on channel vc: others are passed.
    void pass(std::uint32_t n, std::uint32_t k, std::uint32_t vc, const Branch& begun, std::uint64_t cycle);

    bool from_link(std::uint32_t s) const { return s < f_.link_sources(); }
    std::uint32_t links_of(const TrackedPacket& held) const { return held.sinks & f_.link_sinks(); }
    bool links_ended(const TrackedPacket& held) const;
    bool wants(const TrackedPacket& held, std::uint32_t port, std::uint32_t vc) const;
    std::uint32_t cost(const TrackedPacket& held, std::uint32_t vc) const;
    std::uint32_t room(const TrackedPacket& held, std::uint32_t vc) const;

    /// The first packet that may be at the head of its source s for which test(s, packet) is true, or none.
    template <class Test>
    Branch first_open(std::uint32_t n, const Test& test);
    /// Of those that are there for certain.
    template <class Test>
    Branch first_head(std::uint32_t n, const Test& test);

    void begin_link(std::uint32_t n, std::uint32_t port, std::uint32_t vc, const Packet& packet,
                    std::uint64_t cycle);
    void begin_reception(std::uint32_t n, std::uint32_t queue, const Packet& packet, std::uint64_t cycle);
    /// The next flit of a branch on sink k, whose channel is `vc`; the branch goes on.
    void follow(std::uint32_t n, std::uint32_t k, std::uint32_t vc, Branch& branch, const RawFlit& flit,
                std::uint64_t cycle);
    /// Throws for a flit that is not flit `index` of the packet.
    [[noreturn]] void wrong_flit(std::uint32_t n, std::uint32_t k, std::uint32_t vc, const Branch& branch,
                                 const RawFlit& flit, std::uint64_t cycle);
    std::string why_not(std::uint32_t n, std::uint32_t k, std::uint32_t vc, const Packet& packet);

    void free(std::uint32_t n, std::uint32_t s, std::uint32_t amount, std::uint64_t cycle);
    void owe(Source& from, std::int32_t amount);
    void drop_gone(std::uint32_t n, std::uint32_t s);

    void look(std::uint64_t cycle);
    /// `moved`: the sinks by which something has left since the last look.
    void look_at_sink(std::uint32_t n, std::uint32_t k, std::uint32_t moved, std::uint64_t cycle);
    Branch could_leave(std::uint32_t n, std::uint32_t port, std::uint32_t moved);
    Branch could_be_taken(std::uint32_t n, std::uint32_t queue);

    std::string sink_pin(std::uint32_t k, std::uint32_t vc) const;
    std::string source_pin(std::uint32_t s) const;
    std::string queue_name(std::uint32_t s) const;
    /// What it is that a pin shows, for a fault.
    std::string shows(std::uint32_t k, std::uint32_t vc) const { return sink_pin(k, vc) + " shows "; }
    [[noreturn]] void fault(std::uint32_t n, std::uint64_t cycle, const std::string& what) const {
        throw NodeFault(nodes_[n], cycle, what);
    }
    const Fabric& f_;
    std::vector<NodeId> nodes_;
    const PortTables* tables_;
    std::vector<Source> sources_;             // [node][source]
    std::vector<Channel> channels_;           // [node][port][channel]
    std::vector<Sink> sinks_;                 // [node][sink]
    std::vector<Look> looks_;                 // [node][sink]
    std::vector<std::uint32_t> stalls_seen_;  // [node]: of stall_o, sinks that a packet is still for
    std::vector<Passed> passed_;              // with `service`: [node][sink][source]
    std::uint64_t longest_wait_ = 0;
    std::uint64_t packets_ = 0, owing_ = 0;  // in sources; sources that have credits to give back
    std::uint64_t next_look_ = patience;
};

}  // namespace interlace
