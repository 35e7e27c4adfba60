// Interlace: hosts that send and take unicast packets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic/traffic_hosts.h"

#include "interlace/harness/traffic/traffic_generator.h"

namespace interlace {

TrafficHosts::TrafficHosts(const Fabric& fabric, const Machine& machine, const TrafficHostOptions& options,
                           std::uint32_t packet_flits, const PacketMix& mix)
    : lanes_(fabric),
      packets_(fabric, mix, options.seed, options.made),
      hosts_(make_hosts(fabric, machine, lanes_, options.host, packet_flits, options.seed)),
      patience_(traffic_watchdog + fabric.longest_delay + fabric.longest_repetition() +
                options.host.start_skew_cycles + longest_task(fabric, options.host, packet_flits)) {
    hosts_->begin(0);
}

void TrafficHosts::make(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint64_t cycle) {
    const TrafficPackets::Made made = packets_.make(from, to, flits, cycle);
    lanes_.enqueue_other(made.queue, made.packet);
}

void TrafficHosts::receive(const RegionOutputs& outputs, std::uint64_t cycle) {
    for (const Reception& reception : outputs.receptions) packets_.take(reception, cycle);
    hosts_->receive(outputs, cycle);
}

}  // namespace interlace
