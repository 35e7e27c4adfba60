// Interlace: the node of docs/node.md in plain C++
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/region/region.h"

namespace interlace {

/// A region of native nodes. `nodes`: which of the fabric's nodes it holds. `tables`, if given, are the
/// forwarding tables: [node][slot], entries as PortTables has them; kept by reference.
std::unique_ptr<Region> native_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                      const PortTables* tables = nullptr);

}  // namespace interlace
