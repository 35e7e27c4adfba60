// Interlace: unicast packets under way
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/engine/region/machine.h"
#include "interlace/harness/traffic/traffic.h"

namespace interlace {

/// The packets that hosts make and take, numbered from `first` on as they are made.
class TrafficPackets {
  public:
    /// `made` hears of every packet, where it is set.
    TrafficPackets(const Fabric& fabric, const PacketMix& mix, std::uint64_t seed, MadePacket made = {},
                   std::uint32_t first = 0);

    /// A packet and its injection queue, node * injections + queue: a node's packets take them in turn.
    struct Made {
        Packet packet;
        std::uint32_t queue;
    };
    Made make(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint64_t cycle);
    /// A host has taken the packet's tail in `cycle`. Throws FellShort where it was not for that node.
    void take(const Reception& reception, std::uint64_t cycle);

    std::uint64_t made() const { return made_.size(); }
    std::uint64_t arrivals() const { return arrivals_; }
    std::uint64_t flits_made() const { return flits_made_; }
    std::uint64_t flits_taken() const { return flits_taken_; }

    /// Of the packets but the first `first`, before the `last`-th: how many have not arrived.
    std::uint64_t missing(std::uint64_t first, std::uint64_t last) const;
    /// Of those that have, in ascending order.
    std::vector<std::uint64_t> latencies(std::uint64_t first, std::uint64_t last) const;
    /// Of those that arrived from cycle `from` on, before `to`; in any order.
    std::vector<double> latencies_of_arrivals(std::uint64_t from, std::uint64_t to) const;

  private:
    Packet packet(std::uint32_t from, std::uint32_t to, std::uint32_t flits);

    /// Whether a packet is one of a share of them.
    bool drawn(double share, std::uint64_t which, const PacketFields& fields) const;

    const Fabric& f_;
    PacketMix mix_;
    std::uint64_t seed_;
    MadePacket heard_;
    std::uint32_t first_;
    std::vector<std::uint8_t> turn_;             // [node]: the next packet's queue
    std::vector<std::uint32_t> to_;              // [number]
    std::vector<std::uint64_t> made_, arrived_;  // [number]: cycle
    std::uint64_t arrivals_ = 0, flits_made_ = 0, flits_taken_ = 0;
};

}  // namespace interlace
