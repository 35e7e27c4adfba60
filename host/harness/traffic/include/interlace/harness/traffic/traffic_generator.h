// Interlace: which hosts make a unicast packet in which cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/engine/region/pin_hosts.h"
#include "interlace/harness/traffic/traffic.h"

namespace interlace {

/// Cycles without an arrival after which a network under load is given up.
inline constexpr std::uint64_t traffic_watchdog = 100'000;

/// Throws InputError where the fabric's nodes cannot carry unicast packets of so many flits.
void check_traffic_fabric(const Fabric& fabric, std::uint32_t packet_flits);
/// The same, and for loads and bursts that cannot be, and a pattern in which nobody sends.
void check_traffic(const Fabric& fabric, const TrafficOptions& options);

/// Which hosts make a packet in which cycle, and for whom.
class TrafficGenerator {
  public:
    /// Those of `share`, of `hosts` in all, which are nodes 0, 1, ... Keeps a reference to the options.
    TrafficGenerator(std::uint32_t hosts, NodeRange share, const TrafficOptions& options);

    using MakePacket = std::function<void(std::uint32_t from, std::uint32_t to, std::uint32_t flits)>;
    /// To be called for every cycle in turn.
    void make(std::uint64_t cycle, const MakePacket& make_packet);

    /// Of the node at a place in the share.
    void state(std::uint32_t place, Archive& archive) {
        const bool bursts = place < on_.size();
        bool on = bursts && on_[place];
        archive(on);
        if (bursts) on_[place] = on;
    }

  private:
    std::uint64_t stream(std::uint64_t number, std::uint32_t node) const { return number * hosts_ + node; }
    std::uint32_t keep_those_on(std::uint32_t drawn, std::uint64_t cycle);
    bool is_on(std::uint32_t place, std::uint64_t cycle);
    std::uint32_t flits_of(std::uint32_t node, std::uint64_t cycle) const;

    std::uint32_t hosts_;
    NodeRange share_;
    const TrafficOptions& o_;
    std::uint64_t makes_ = 0, off_ = 0, on_again_ = 0;
    std::vector<std::uint64_t> keys_;   // [node of the share]
    std::vector<std::uint32_t> drawn_;  // places of those that may make a packet in this cycle
    std::vector<bool> on_;              // likewise: in a burst; empty: no bursts
};

/// How many packets are in flight, and whether that has settled.
class WarmUp {
  public:
    /// `cycles`: as TrafficOptions::warmup.
    explicit WarmUp(std::uint64_t cycles) : wanted_(cycles) {}

    /// Called at the start of cycle 0, and then of next(cycle); true in the one in which the measurement
    /// begins. `sum`: of the packets in flight at the start of each cycle before.
    bool over(std::uint64_t cycle, std::uint64_t sum, std::uint64_t made, std::uint64_t arrived);
    std::uint64_t next(std::uint64_t cycle) const {
        return wanted_ == detect_warmup ? cycle + first / 2 : wanted_;
    }
    bool settled() const { return settled_; }

  private:
    static constexpr std::uint64_t first = 500, longest = longest_warmup / 2;
    /// At which a packet has been in flight in the mean for at most a tenth of the time.
    static constexpr std::uint64_t stays = 10;
    struct Mark {
        std::uint64_t sum, made, arrived;
    };
    bool has_settled() const;

    std::uint64_t wanted_, tried_ = first;
    std::vector<Mark> marks_;  // every first / 2 cycles
    bool settled_ = true;
};

}  // namespace interlace
