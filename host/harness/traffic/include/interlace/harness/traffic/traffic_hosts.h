// Interlace: hosts that send and take unicast packets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "interlace/harness/hosts/hosts.h"
#include "interlace/harness/traffic/traffic_packets.h"

namespace interlace {

/// Infinite queues of packets before their nodes' injection queues, which packets take in turn.
class TrafficHosts {
  public:
    /// Keeps references.
    TrafficHosts(const Fabric& fabric, const Machine& machine, const TrafficHostOptions& options,
                 std::uint32_t packet_flits, const PacketMix& mix = {});

    void make(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint64_t cycle);
    void drive(std::uint64_t cycle, RegionInputs& inputs) { hosts_->drive(cycle, inputs); }
    std::uint64_t busy_from(std::uint64_t cycle) const { return hosts_->busy_from(cycle); }
    /// Throws FellShort for a packet that has reached the wrong node.
    void receive(const RegionOutputs& outputs, std::uint64_t cycle);

    const TrafficPackets& packets() const { return packets_; }
    const std::vector<std::uint64_t>& injection_stalls() const { return hosts_->injection_stalls(); }
    /// Cycles in which no host writes or takes a flit and no packet crosses a link, after which a run is
    /// given up.
    std::uint64_t patience() const { return patience_; }

  private:
    Lanes lanes_;
    TrafficPackets packets_;
    std::unique_ptr<Hosts> hosts_;
    std::uint64_t patience_;
};

}  // namespace interlace
