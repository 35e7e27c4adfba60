// Interlace: flits that a host has offered, as it would write them (docs/hil-protocol.md, section 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "interlace/engine/pins/pin_device.h"

namespace interlace {

class Offers {
  public:
    /// `depth`: credits that each injection queue begins with.
    Offers(std::size_t nodes, std::uint32_t injections, std::uint32_t depth);

    void add(const Offer& offer);
    /// Shows on the nodes' input pins what can be written in this cycle; in `taken`, [node], the queues
    /// (bits).
    void write(std::vector<PinImage>& pins, std::vector<std::uint32_t>& taken);
    /// After the cycle: the nodes of `awake` may have freed what can be used in the cycle after the next.
    void take_credits(const std::vector<std::uint32_t>& awake, const std::vector<PinImage>& pins);

    /// Throws FellShort for a state that cannot be.
    template <class State>
    void state(State& state) {
        state.fixed(queues_);
        state(freed_);
        if constexpr (State::loads) find_waiting();
    }

  private:
    struct Queue {
        std::deque<RawFlit> flits;
        std::uint32_t credits;
        template <class State>
        void state(State& state) {
            state(flits);
            state(credits);
        }
    };
    void find_waiting();
    std::uint32_t injections_;
    std::vector<Queue> queues_;           // [node * injections + queue]
    std::vector<std::uint32_t> waiting_;  // queues with flits
    struct Freed {
        std::uint32_t queue, amount;
    };
    std::vector<Freed> freed_;  // on the pins now
};

}  // namespace interlace
