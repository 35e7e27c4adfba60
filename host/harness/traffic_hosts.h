// Interlace: hosts that send and take unicast packets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "traffic_packets.h"

namespace interlace {

/// Ideal hosts: endless queues of packets before their nodes' injection queues, which packets take in turn, a
/// flit a cycle each; what arrives is taken at once.
class TrafficHosts {
  public:
    /// `made` hears of every packet, where it is set.
    TrafficHosts(const Fabric& fabric, const RoutingTables& tables, MadePacket made = {});

    void make(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint64_t cycle);
    /// Writes what injection queues have room for.
    void drive(RegionInputs& inputs);
    /// Throws FellShort for a packet that has reached the wrong node.
    void receive(const RegionOutputs& outputs, std::uint64_t cycle);

    const TrafficPackets& packets() const { return packets_; }

  private:
    /// An injection queue as its host sees it.
    struct Writer {
        std::deque<Packet> packets;  // made and not yet written
        std::uint32_t credits = 0;
        std::uint8_t next_flit = 0;
        bool listed = false;
    };
    void write(Writer& writer, std::uint32_t w, RegionInputs& inputs);

    const Fabric& f_;
    TrafficPackets packets_;
    std::vector<Writer> writers_;        // [node * injections + queue]
    std::vector<std::uint32_t> active_;  // writers with packets
    std::vector<Credit> shown_;          // on the pins in this cycle
};

}  // namespace interlace
