// Interlace: native nodes packet by packet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "interlace/engine/region/fabric.h"
#include "interlace/engine/region/region.h"

namespace interlace::native {

/// Whether a packet that has won a sink moves without further conditions: nodes are not pipelined, packets no
/// worms, and links do not fail.
bool packets_are_enough(const Fabric& fabric);

/// As native_region(), where packets are enough.
std::unique_ptr<Region> packet_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                      const PortTables* tables);

}  // namespace interlace::native
