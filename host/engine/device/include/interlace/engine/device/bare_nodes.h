// Interlace: nodes without registers, which are built for one configuration
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/engine/device/remote_device.h"

namespace interlace {

/// What they are built for. Depths are those of every queue; `sizes.slots` does not count.
struct BareNodes {
    NodeSizes sizes;
    std::uint32_t cycles_per_flit = 1;
    std::uint8_t kinds = 1;  ///< of packets that they route: bit k of kind k (docs/node.md, section 2)
};

/// Throws InputError where a host wants nodes of another configuration, with both values.
void check_bare(const BareNodes& nodes, const DeviceRequest& request);

}  // namespace interlace
