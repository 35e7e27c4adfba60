// Interlace: hosts at the pins of a machine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/engine/region.h"

namespace interlace {

/// What the hosts of all nodes do in a cycle.
class Hosts {
  public:
    virtual ~Hosts() = default;
    /// What the hosts' pins show in cycle `cycle`; `inputs` is empty.
    virtual void drive(std::uint64_t cycle, RegionInputs& inputs) = 0;
    /// What came of that cycle.
    virtual void receive(const RegionOutputs& outputs, std::uint64_t cycle) = 0;
    /// The first cycle from `cycle` on in which they do something of their own accord; UINT64_MAX: never.
    virtual std::uint64_t busy_from(std::uint64_t cycle) const { return cycle; }
    /// The cycle from which on the packet that they received last can be sent on.
    virtual std::uint64_t complete() const = 0;
    /// Cycles, summed over queues, in which a packet waited at an injection queue for room alone.
    virtual std::uint64_t injection_stalls() const = 0;
};

}  // namespace interlace
