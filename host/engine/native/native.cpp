// Interlace: the engine of native nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/native/native.h"

#include "flit_region.h"
#include "packet_region.h"

namespace interlace {

std::unique_ptr<Region> native_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                      const PortTables* tables) {
    return native::packets_are_enough(fabric) ? native::packet_region(fabric, nodes, tables)
                                              : native::flit_region(fabric, nodes, tables);
}

}  // namespace interlace
