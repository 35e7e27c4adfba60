// Interlace: unicast packets in flight
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "interlace/engine/region/pin_hosts.h"
#include "interlace/engine/routing/path_lengths.h"
#include "interlace/harness/traffic/traffic.h"

namespace interlace {

/// The packets that hosts of some nodes make.
class UnicastPackets {
  public:
    UnicastPackets(const Fabric& fabric, NodeRange nodes, const PacketMix& mix, std::uint64_t seed);

    /// Injection queues that a node's packets use: no more than it has links.
    static std::uint32_t used_queues(const Fabric& fabric) {
        return std::min(fabric.injections, fabric.ports);
    }

    /// From now on packets that wait for others have half of the queues to themselves, or one of several.
    void reserve_queues() { turn_of_late_.assign(turn_.size(), 0); }

    /// A packet and its injection queue, node * injections + queue: a node's packets take them in turn.
    /// `late`: it has waited for others.
    struct Made {
        Packet packet;
        std::uint32_t queue;
    };
    Made make(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint32_t number,
              bool late = false);
    void state(std::uint32_t node, Archive& archive) {
        archive.below(turn_[node - first_node_], queues(false).count);
        if (!turn_of_late_.empty()) archive.below(turn_of_late_[node - first_node_], queues(true).count);
    }

  private:
    /// Injection queues of a node that follow one another.
    struct Queues {
        std::uint32_t first, count;
    };
    Queues queues(bool late) const;
    Packet packet(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint32_t number) const;
    /// Whether a packet is one of a share of them.
    bool drawn(double share, std::uint64_t which, const PacketFields& fields) const;

    const Fabric& f_;
    std::uint32_t first_node_;
    PacketMix mix_;
    std::uint64_t seed_;
    std::vector<std::uint8_t> turn_;          // [node - first]: the next packet's queue
    std::vector<std::uint8_t> turn_of_late_;  // likewise, of late packets, where they have their own
};

/// A packet that a host makes.
struct NewPacket {
    std::uint32_t number, from, to;
};

/// When packets of some hosts, numbered from `first` on, were made and taken. Any thread may say so of any
/// packet that there is, one of each packet.
class TrafficPackets {
  public:
    /// `all`: the packets of all hosts, whose numbers follow one another.
    explicit TrafficPackets(std::uint32_t first, bool all) : first_(first), all_(all) {}

    /// There are these too, in ascending order.
    void add(const std::vector<NewPacket>& packets);
    void make(std::uint32_t number, std::uint64_t cycle) { made_[place(number)] = cycle; }
    /// The host of `node` has taken the packet's tail in `cycle`. Throws FellShort where it was not for that
    /// node.
    void take(const Packet& packet, std::uint32_t node, std::uint64_t cycle);

    /// Of the packets but the first `first` of all, before the `last`-th: how many have not arrived.
    std::uint64_t missing(std::uint64_t first, std::uint64_t last) const;
    /// Of those that have, in any order.
    std::vector<std::uint64_t> latencies(std::uint64_t first, std::uint64_t last) const;
    /// Of the same, by their paths: how many there are, and the links that they crossed together.
    struct Crossed {
        std::uint64_t packets = 0, links = 0;
    };
    Crossed crossed(std::uint64_t first, std::uint64_t last, const PathLengths& paths) const;
    /// Of those that arrived from cycle `from` on, before `to`; in any order.
    std::vector<std::uint64_t> latencies_of_arrivals(std::uint64_t from, std::uint64_t to) const;

    /// Of each packet, by its number.
    struct Account {
        std::uint32_t number = 0, from = 0, to = 0;
        std::uint64_t made = 0, arrived = UINT64_MAX;
    };
    std::vector<Account> accounts() const;
    /// Instead of those that there are.
    void set(const std::vector<Account>& accounts);

  private:
    /// Of a packet, or where it would be.
    std::size_t place(std::uint32_t number) const {
        if (all_) return std::min<std::size_t>(number - first_, to_.size());
        return static_cast<std::size_t>(std::lower_bound(numbers_.begin(), numbers_.end(), number) -
                                        numbers_.begin());
    }
    std::uint32_t number(std::uint64_t place) const { return first_ + static_cast<std::uint32_t>(place); }

    std::uint32_t first_;
    bool all_;
    std::vector<std::uint32_t> numbers_;         // [place], where not all packets are here
    std::vector<std::uint32_t> from_, to_;       // [place]
    std::vector<std::uint64_t> made_, arrived_;  // likewise: cycle
};

}  // namespace interlace
