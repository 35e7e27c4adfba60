// Interlace: hosts that write what a platform sends
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/region/tokens.h"

namespace interlace {

/// The hosts of all nodes, at their injection queues. They act on credits in the cycle after the one in which
/// these are shown (docs/node.md, section 11).
class PlatformHosts {
  public:
    using Done = std::function<void(std::uint64_t cycle)>;
    /// A packet on its way into a queue.
    struct Posted {
        Packet packet;
        std::uint64_t from;  ///< the cycle in which it may begin
        std::uint8_t next_flit = 0;
        Done written = {};  ///< its tail was, in this cycle
    };
    /// Who hears of every packet: its head was written in this cycle; a packet of the queue has been written.
    struct Listeners {
        std::function<void(const Packet& packet, std::uint64_t cycle)> begun;
        std::function<void(std::uint32_t queue, std::uint64_t cycle)> written;
    };

    PlatformHosts(const Fabric& fabric, Listeners listeners);

    /// Queues are numbered through: node * injections + queue. `from` is none of the cycles that were driven.
    /// Returns the packet, last in its queue.
    Posted& post(std::uint32_t queue, const Packet& packet, std::uint64_t from);
    std::size_t posted(std::uint32_t queue) const { return writers_[queue].posted.size(); }
    /// Where the queue has credits for everything that is posted there: the cycle after the one with the last
    /// tail, `next` being the first that has not been driven.
    std::optional<std::uint64_t> end(std::uint32_t queue, std::uint64_t next) const;

    /// What the pins of injection queues show in a cycle. Adds to `inputs`.
    void drive(std::uint64_t cycle, RegionInputs& inputs);
    /// What came of that cycle.
    void receive(const RegionOutputs& outputs) { shown_ = outputs.injection_credits; }
    /// The first cycle from `cycle` on in which they do something of their own accord; UINT64_MAX: never.
    std::uint64_t busy_from(std::uint64_t cycle) const;

  private:
    struct Writer {
        std::deque<Posted> posted;
        std::uint32_t credits = 0;
        bool active = false;
    };
    void write(std::uint32_t queue, std::uint64_t cycle, RegionInputs& inputs);

    const Fabric& f_;
    Listeners listeners_;
    std::vector<Writer> writers_;
    std::vector<std::uint32_t> active_;  // queues with packets
    std::vector<Credit> shown_;          // on the pins in the coming cycle
};

}  // namespace interlace
