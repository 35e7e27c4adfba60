// Interlace: hosts that cost nothing
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/engine/region/calendar.h"
#include "interlace/engine/region/credits.h"
#include "interlace/harness/hosts/hosts.h"
#include "interlace/harness/hosts/send_lists.h"

namespace interlace {

/// Every queue is served in every cycle; a received packet can be sent on in the cycle after its tail was
/// taken.
class IdealHosts final : public Hosts {
  public:
    /// Keeps references.
    IdealHosts(const Fabric& fabric, const Machine& machine, SendLists& lists);

    void drive(std::uint64_t cycle, RegionInputs& inputs) override;
    void receive(const RegionOutputs& outputs, std::uint64_t cycle) override;
    std::uint64_t busy_from(std::uint64_t cycle) const override;
    std::uint64_t complete() const override { return complete_; }
    const std::vector<std::uint64_t>& injection_stalls() const override { return stalls_; }

    void state(HostsState& state) override;

  private:
    /// An injection queue's host, with the packet being written flit by flit.
    struct Writer {
        Packet packet;
        std::uint8_t next_flit = 0;
        bool active = false;  // send lists wait for it, or it writes
    };
    /// A flit, or a packet where it may be handed over. False: there is nothing to be done for now.
    bool write(std::uint32_t queue, std::uint64_t cycle, RegionInputs& inputs);
    /// What will be written soon comes from memory meanwhile.
    [[gnu::always_inline]] void fetch_ahead(std::size_t place) const {
        constexpr std::size_t ahead = 4;
        const auto active = [&](std::size_t stage, const auto& fetch) {
            if (place + stage * ahead < active_.size()) fetch(active_[place + stage * ahead]);
        };
        active(4, [&](std::uint32_t queue) {
            lists_.fetch_queue(queue);
            __builtin_prefetch(&writers_[queue - first_], 1);
            credits_.fetch(queue - first_);
        });
        active(3, [&](std::uint32_t queue) {
            lists_.fetch_waiter(queue);
            credits_.fetch_returns(queue - first_);
        });
        active(2, [&](std::uint32_t queue) { lists_.fetch_list(queue); });
        active(1, [&](std::uint32_t queue) { lists_.fetch_planned(queue); });
    }

    const Fabric& f_;
    SendLists& lists_;
    std::uint32_t first_;                // queue, of all: of the first node
    std::vector<bool> takes_packets_;    // [node - the first]: handed over whole
    std::vector<Writer> writers_;        // [queue - first]
    Credits credits_;                    // likewise
    std::vector<std::uint32_t> active_;  // queues that send lists wait at, or flits
    Calendar written_;                   // queues whose packet, handed over, has been written
    std::vector<Credit> shown_;          // on the pins in this cycle
    std::uint64_t complete_ = 0;
    std::vector<std::uint64_t> stalls_;  // [queue - first]
};

}  // namespace interlace
