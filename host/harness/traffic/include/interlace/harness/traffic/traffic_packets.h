// Interlace: unicast packets under way
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/engine/region/pin_hosts.h"
#include "interlace/harness/traffic/traffic.h"

namespace interlace {

/// The packets that hosts of some nodes make.
class UnicastPackets {
  public:
    UnicastPackets(const Fabric& fabric, NodeRange nodes, const PacketMix& mix, std::uint64_t seed);

    /// A packet and its injection queue, node * injections + queue: a node's packets take them in turn.
    struct Made {
        Packet packet;
        std::uint32_t queue;
    };
    Made make(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint32_t number);

  private:
    Packet packet(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint32_t number) const;
    /// Whether a packet is one of a share of them.
    bool drawn(double share, std::uint64_t which, const PacketFields& fields) const;

    const Fabric& f_;
    std::uint32_t first_node_;
    PacketMix mix_;
    std::uint64_t seed_;
    std::vector<std::uint8_t> turn_;  // [node - first]: the next packet's queue
};

/// When packets, numbered from `first` on, were made and taken. Any thread may say so of any packet that
/// there is, one of each packet.
class TrafficPackets {
  public:
    explicit TrafficPackets(std::uint32_t first = 0) : first_(first) {}

    /// There are so many more.
    void add(std::size_t packets) {
        to_.resize(to_.size() + packets);
        made_.resize(to_.size());
        arrived_.resize(to_.size(), UINT64_MAX);
    }
    std::uint32_t next_number() const { return first_ + static_cast<std::uint32_t>(to_.size()); }
    void make(std::uint32_t number, std::uint32_t to, std::uint64_t cycle) {
        to_[number - first_] = to;
        made_[number - first_] = cycle;
    }
    /// A host has taken the packet's tail in `cycle`. Throws FellShort where it was not for that node.
    void take(const Reception& reception, std::uint64_t cycle);

    /// Of the packets but the first `first`, before the `last`-th: how many have not arrived.
    std::uint64_t missing(std::uint64_t first, std::uint64_t last) const;
    /// Of those that have, in ascending order.
    std::vector<std::uint64_t> latencies(std::uint64_t first, std::uint64_t last) const;
    /// Of those that arrived from cycle `from` on, before `to`; in any order.
    std::vector<double> latencies_of_arrivals(std::uint64_t from, std::uint64_t to) const;

  private:
    std::uint32_t first_;
    std::vector<std::uint32_t> to_;              // [number - first]
    std::vector<std::uint64_t> made_, arrived_;  // likewise: cycle
};

}  // namespace interlace
