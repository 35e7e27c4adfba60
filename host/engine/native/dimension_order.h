// Interlace: where a unicast packet goes next
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/engine/fabric.h"

namespace interlace {

struct NextHop {
    std::uint32_t port_mask = 0;  ///< one port, or 0 on arrival
    std::uint8_t channels = 0;    ///< of its link that the packet may use
};

/// Dimension order, docs/node.md section 4. `destination`: the header's field.
NextHop dimension_order(const Fabric& fabric, NodeId node, std::uint32_t destination);

}  // namespace interlace
