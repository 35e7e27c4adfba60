// Interlace: hosts that send and take unicast packets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "interlace/harness/hosts/hosts.h"
#include "interlace/harness/traffic/unicast_traffic.h"

namespace interlace {

/// The hosts of a share: infinite queues of packets before their nodes' injection queues, which packets take
/// in turn.
class alignas(64) TrafficHosts final : public PinHosts {
  public:
    /// `expected`: packets after which they are done; UINT64_MAX: they never are. Keeps references.
    TrafficHosts(const Fabric& fabric, const Machine& machine, NodeRange nodes,
                 const TrafficHostOptions& options, std::uint32_t packet_flits,
                 UnicastTraffic::Share& traffic, std::uint64_t expected);
    TrafficHosts(const TrafficHosts&) = delete;
    TrafficHosts& operator=(const TrafficHosts&) = delete;

    void drive(std::uint64_t cycle, RegionInputs& inputs) override;
    /// Throws FellShort for a packet that has reached the wrong node.
    void receive(const RegionOutputs& outputs, std::uint64_t cycle) override;
    std::uint64_t busy_from(std::uint64_t cycle) const override;
    bool done() const override {
        return traffic_.taken() == expected_ && !traffic_.waits() && traffic_.next_cycle() == UINT64_MAX;
    }
    /// Of send lists and hosts; what they make and take, UnicastTraffic has.
    void state(HostsState& state);

    const std::vector<std::uint64_t>& injection_stalls() const { return hosts_->injection_stalls(); }
    /// Cycles up to the last in which a host wrote or took something.
    std::uint64_t moved_until() const { return moved_until_; }

  private:
    SendLists lists_;
    UnicastTraffic::Share& traffic_;
    std::unique_ptr<Hosts> hosts_;
    std::uint64_t expected_, moved_until_ = 0;
};

}  // namespace interlace
