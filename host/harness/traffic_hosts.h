// Interlace: hosts that send and take unicast packets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "interlace/engine/machine.h"
#include "interlace/engine/routing_tables.h"
#include "interlace/harness/traffic.h"

namespace interlace {

/// Ideal hosts: endless queues of packets before their nodes' injection queues, which packets take in turn, a
/// flit a cycle each; what arrives is taken at once. Packets are numbered as they are made.
class TrafficHosts {
  public:
    /// `made` hears of every packet, where it is set.
    TrafficHosts(const Fabric& fabric, const RoutingTables& tables, MadePacket made = {});

    void make(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint64_t cycle);
    /// Writes what injection queues have room for.
    void drive(RegionInputs& inputs);
    /// Throws FellShort for a packet that has reached the wrong node.
    void receive(const RegionOutputs& outputs, std::uint64_t cycle);

    std::uint64_t made() const { return made_.size(); }
    std::uint64_t arrivals() const { return arrivals_; }
    std::uint64_t flits_made() const { return flits_made_; }
    std::uint64_t flits_taken() const { return flits_taken_; }

    /// Of packets made from number `first` on, before `last`: how many have not arrived.
    std::uint64_t missing(std::uint64_t first, std::uint64_t last) const;
    /// Of those that have, in ascending order.
    std::vector<std::uint64_t> latencies(std::uint64_t first, std::uint64_t last) const;

  private:
    /// An injection queue as its host sees it.
    struct Writer {
        std::deque<Packet> packets;  // made and not yet written
        std::uint32_t credits = 0;
        std::uint8_t next_flit = 0;
        bool listed = false;
    };
    Packet packet(std::uint32_t from, std::uint32_t to, std::uint32_t flits);
    void write(Writer& writer, std::uint32_t w, RegionInputs& inputs);

    const Fabric& f_;
    const RoutingTables& tables_;
    MadePacket heard_;
    std::vector<Writer> writers_;                // [node * injections + queue]
    std::vector<std::uint8_t> turn_;             // [node]: the next packet's queue
    std::vector<std::uint32_t> to_;              // [sequence]
    std::vector<std::uint32_t> active_;          // writers with packets
    std::vector<std::uint64_t> made_, arrived_;  // [sequence]: cycle
    std::vector<Credit> shown_;                  // on the pins in this cycle
    std::uint64_t arrivals_ = 0, flits_made_ = 0, flits_taken_ = 0;
};

}  // namespace interlace
