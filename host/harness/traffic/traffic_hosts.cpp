// Interlace: hosts that send and take unicast packets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic/traffic_hosts.h"

#include <algorithm>

namespace interlace {

TrafficHosts::TrafficHosts(const Fabric& fabric, const Machine& machine, NodeRange nodes,
                           const TrafficHostOptions& options, std::uint32_t packet_flits,
                           UnicastTraffic::Share& traffic, std::uint64_t expected)
    : lists_(fabric, nodes),
      traffic_(traffic),
      hosts_(make_hosts(fabric, machine, lists_, options.host, packet_flits, options.seed)),
      expected_(expected) {
    if (traffic.of_trace())
        lists_.set_others(
            {[this](const Packet& packet, std::uint64_t from) { traffic_.go_on_after(packet, from, lists_); },
             [this](const Packet& packet) { return traffic_.combines(packet); },
             [this](const Packet& packet) { return traffic_.is_copy(packet); }});
    hosts_->begin(0);
}

void TrafficHosts::drive(std::uint64_t cycle, RegionInputs& inputs) {
    traffic_.make(cycle, lists_);
    hosts_->drive(cycle, inputs);
    if (inputs.writes()) moved_until_ = cycle + 1;
}

void TrafficHosts::receive(const RegionOutputs& outputs, std::uint64_t cycle) {
    for (const Reception& reception : outputs.receptions) traffic_.take(reception, cycle);
    if (!outputs.receptions.empty()) moved_until_ = cycle + 1;
    hosts_->receive(outputs, cycle);
}

void TrafficHosts::state(HostsState& state) {
    lists_.state(state.nodes);
    hosts_->state(state);
    state.last(moved_until_, state.moved_until);
}

std::uint64_t TrafficHosts::busy_from(std::uint64_t cycle) const {
    const std::uint64_t next = traffic_.next_cycle();
    return next <= cycle ? cycle : std::min(next, hosts_->busy_from(cycle));
}

}  // namespace interlace
