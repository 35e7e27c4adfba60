// Interlace: unicast traffic of hosts that are divided into shares
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "interlace/engine/machine/machine.h"
#include "interlace/engine/region/node_states.h"
#include "interlace/harness/hosts/send_lists.h"
#include "interlace/harness/traffic/traffic.h"
#include "interlace/harness/traffic/traffic_generator.h"
#include "interlace/harness/traffic/traffic_packets.h"
#include "interlace/ranks/sorted_values.h"

namespace interlace {

/// What has been made and taken up to a cycle.
struct TrafficCounts {
    std::uint64_t made = 0, taken = 0, flits_made = 0, flits_taken = 0;
    std::uint64_t waiting = 0;  ///< packets in flight as a cycle began, summed over the cycles before
    std::uint64_t in_flight() const { return made - taken; }
    void add(const TrafficCounts& other);
};

/// Packets are drawn ahead of the cycles in which they are made, each share's by itself, and numbered from
/// cycle to cycle and in the order of the nodes: so numbers depend neither on the shares nor on the ranks.
/// Whose host has made a packet keeps account of it; other ranks tell of its arrival. All ranks call what
/// speaks of all packets.
class UnicastTraffic {
    /// What hosts make where it is not drawn at random.
    struct Trace {
        const std::vector<TracePacket>* packets = nullptr;
        const TraceDependences* dependences = nullptr;
        std::uint32_t first = 0;             // the number of its first packet
        std::vector<std::uint32_t> awaited;  // [packet]: how many it still waits for; empty: none of all

        bool waits(std::size_t packet) const { return !awaited.empty() && awaited[packet] > 0; }
        bool waited(std::size_t packet) const {
            return !awaited.empty() && dependences->awaited()[packet] > 0;
        }
    };

  public:
    /// What the hosts of a share make and take.
    class alignas(64) Share {
      public:
        Share(const Fabric& fabric, NodeRange nodes, const PacketMix& mix, std::uint64_t seed,
              const MadePacket& made, const Machine& machine, TrafficPackets& packets, Trace& trace);
        /// Packets of `cycle` come to the send lists' queues.
        void make(std::uint64_t cycle, SendLists& lists);
        void take(const Reception& reception, std::uint64_t cycle);
        /// A host has `packet` from cycle `from` on: packets that have waited for it alone, and whose time
        /// has come, come to the send lists' queues.
        void go_on_after(const Packet& packet, std::uint64_t from, SendLists& lists);
        /// Whether the host that takes it adds it to what it has.
        bool combines(const Packet& packet) const {
            const std::uint32_t place = packet.sequence() - trace_.first;
            return place < trace_.packets->size() && (*trace_.packets)[place].combines;
        }
        /// Whether its source sends what came to it, and no sum.
        bool is_copy(const Packet& packet) const {
            const std::uint32_t place = packet.sequence() - trace_.first;
            return place < trace_.packets->size() && trace_.waited(place) && !combines(packet);
        }
        /// Whether packets are those of a trace.
        bool of_trace() const { return trace_.packets != nullptr; }
        /// Whether packets wait for others.
        bool waits() const { return waiting_ > 0; }
        /// Of the next packet that is drawn and not made; UINT64_MAX: none.
        std::uint64_t next_cycle() const { return made_ == drawn_.size() ? UINT64_MAX : drawn_[made_].cycle; }
        /// Up to `cycle`.
        TrafficCounts counts(std::uint64_t cycle) const;
        std::uint64_t taken() const { return counts_.taken; }

      private:
        friend class UnicastTraffic;
        struct Drawn {
            std::uint64_t cycle;
            std::uint32_t from, to, flits, number;
            bool operator==(const Drawn&) const = default;
        };
        /// A packet of another rank that has arrived here.
        struct Stranger {
            Packet packet;
            std::uint32_t node;
            std::uint64_t cycle;
        };
        void draw(std::uint64_t from, std::uint64_t until);
        void make(const Drawn& drawn, std::uint64_t cycle, SendLists& lists);
        void waiting_state(NodeRange range, NodeStates& nodes);
        bool is_of_trace(const Drawn& drawn) const;
        void state(NodeRange range, NodeStates& nodes);
        /// Of packets that are drawn and not made; `accounts`: of all, by number from `first` on.
        bool is_whole(std::uint64_t cycle, std::uint32_t first,
                      const std::vector<TrafficPackets::Account>& accounts) const;

        UnicastPackets maker_;
        const MadePacket& heard_;
        const Machine& machine_;
        TrafficPackets& packets_;
        Trace& trace_;
        std::optional<TrafficGenerator> generator_;
        std::vector<Drawn> drawn_;  // in the order of cycles
        std::size_t numbered_ = 0, made_ = 0;
        std::uint64_t waiting_ = 0;        // packets that wait for others
        std::vector<Stranger> strangers_;  // since ranks told one another last
        TrafficCounts counts_;
        std::uint64_t counted_ = 0;  // cycle up to which counts_.waiting is
    };

    /// The hosts of machine.shares(). `made` hears of every packet, where it is set; packets are numbered
    /// from `first` on. Keeps references.
    UnicastTraffic(const Fabric& fabric, Machine& machine, const PacketMix& mix, std::uint64_t seed,
                   const MadePacket& made, std::uint32_t first = 0);

    /// Packets are made at random from cycle `from` on, as the options, which have to stay, say, ...
    void generate(const Fabric& fabric, const TrafficOptions& options, std::uint64_t from = 0);
    /// ... those of the cycles before `until` being drawn now, where they are not yet: best some `block` of
    /// cycles at a time; ...
    void draw(std::uint64_t until);
    static constexpr std::uint64_t block = 256;
    /// ... or these, in the order of cycles. Keeps references.
    void draw(const Fabric& fabric, const std::vector<TracePacket>& trace,
              const TraceDependences& dependences);

    Share& share(std::size_t i) { return shares_[i]; }
    TrafficCounts counts(std::uint64_t cycle) const;
    /// Packets of all shares that wait for others.
    std::uint64_t waiting() const;
    /// Of the next packet of all shares that is drawn and not made; UINT64_MAX: none.
    std::uint64_t next_cycle() const;

    /// Before `cycle`, where packets are made as they were when it was saved. `whole`: what nodes have in
    /// common.
    void state(NodeStates& nodes, std::uint64_t cycle, Archive& whole);

    /// Of the packets of all hosts but the first `first`, before the `last`-th: how many have not arrived.
    std::uint64_t missing(std::uint64_t first, std::uint64_t last);
    /// Of those that have, in ascending order.
    SortedValues latencies(std::uint64_t first, std::uint64_t last);
    /// Of the same, the mean number of links that they crossed by their paths; 0 of none.
    double mean_links(std::uint64_t first, std::uint64_t last, const PathLengths& paths);
    /// Of those that arrived from cycle `from` on, before `to`, likewise.
    SortedValues latencies_of_arrivals(std::uint64_t from, std::uint64_t to);

  private:
    bool is_whole(std::uint64_t made, std::uint64_t cycle,
                  const std::vector<TrafficPackets::Account>& accounts) const;
    void set_counts(const TrafficCounts& sums, std::uint64_t cycle,
                    std::vector<TrafficPackets::Account> accounts);
    void number_packets(std::uint64_t until);
    void tell_ranks();

    Machine& machine_;
    const MadePacket& made_;
    std::vector<NodeRange> nodes_;
    std::uint32_t endpoints_;  // of the fabric
    std::uint32_t first_;      // packet
    TrafficPackets packets_;
    Trace trace_;
    std::vector<Share> shares_;
    std::uint64_t drawn_ = 0;        // cycles whose packets have been drawn
    std::uint32_t next_number_ = 0;  // of all ranks
};

}  // namespace interlace
