// Interlace: unicast traffic under a program
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/harness/hosts/lanes.h"
#include "interlace/harness/traffic/traffic_generator.h"
#include "interlace/harness/traffic/traffic_packets.h"

namespace interlace {

/// Its packets come to the injection queues that the program's lanes come to, and take their turn there; they
/// are numbered behind the program's.
class Background {
  public:
    /// Keeps references. Throws InputError as run_synthetic_traffic does.
    Background(const Fabric& fabric, const TrafficOptions& options, Lanes& lanes, const MadePacket& made);

    /// Hosts make the packets of a cycle.
    void make(std::uint64_t cycle);
    /// Hosts have taken what is not the program's; how many packets that is.
    std::uint32_t take(const std::vector<Reception>& receptions, std::uint64_t cycle);

    const TrafficPackets& packets() const { return packets_; }

  private:
    Lanes& lanes_;
    const TrafficOptions& o_;
    TrafficPackets packets_;
    TrafficGenerator generator_;
};

}  // namespace interlace
