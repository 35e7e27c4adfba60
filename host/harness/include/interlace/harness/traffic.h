// Interlace: hosts that send unicast packets at random
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "interlace/engine/machine.h"
#include "interlace/engine/routing_tables.h"

namespace interlace {

struct TrafficOptions {
    double load = 0.1;  ///< offered, flits a node and cycle, above 0 to 1 times the packet's flits
    std::uint32_t packet_flits = 16;
    std::uint64_t warmup = 2'000;   ///< cycles before the measurement
    std::uint64_t cycles = 10'000;  ///< of the measurement
    std::uint64_t seed = 1;
};

/// Times in cycles. A packet's latency runs from the cycle in which its host made it, the wait in the host's
/// endless queue included, to the cycle in which the other host took its tail.
struct TrafficResult {
    double accepted_load = 0;  ///< flits taken a node and cycle during the measurement
    double mean_hops = 0;      ///< links crossed a packet taken during the measurement
    double latency_mean = 0;   ///< of the packets made during the measurement that arrived
    std::uint64_t latency_p99 = 0, latency_max = 0;
    std::uint64_t packets = 0;  ///< made during the measurement
    /// Of these, what had not arrived when four times the warm-up and measurement had passed: beyond
    /// saturation the hosts' queues grow without end, and latencies mean little.
    std::uint64_t packets_missing = 0;
    std::uint64_t cycles = 0;  ///< that ran in all, until the measured packets had arrived or the time was up
};

/// Uniform traffic: in each cycle every host makes a packet with probability load / packet_flits, for any
/// other node alike; packets take the injection queues in turn. Hosts are
/// ideal. Throws InputError where the network has no coordinates or rings but one channel and the node's
/// routing needs more; FellShort when a packet reaches the wrong node or nothing arrives for 100,000 cycles.
/// `tables`: those that the machine's nodes have.
TrafficResult run_uniform_traffic(const Fabric& fabric, Machine& machine, const RoutingTables& tables,
                                  const TrafficOptions& options);

}  // namespace interlace
