// Interlace: whoever is at the hosts' pins of a machine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/engine/region/tokens.h"

namespace interlace {

/// The hosts of some nodes, cycle by cycle.
class PinHosts {
  public:
    virtual ~PinHosts() = default;
    PinHosts() = default;
    PinHosts(const PinHosts&) = delete;
    PinHosts& operator=(const PinHosts&) = delete;

    /// What their pins show in `cycle`; `inputs` is empty.
    virtual void drive(std::uint64_t cycle, RegionInputs& inputs) = 0;
    /// What came of that cycle.
    virtual void receive(const RegionOutputs& outputs, std::uint64_t cycle) = 0;
    /// The first cycle from `cycle` on in which they do something of their own accord; UINT64_MAX: never.
    virtual std::uint64_t busy_from(std::uint64_t cycle) const { return cycle; }
    /// A run may end here, as far as they are concerned. Once it is true it stays true.
    virtual bool done() const { return false; }
};

}  // namespace interlace
