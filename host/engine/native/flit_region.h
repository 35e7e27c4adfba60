// Interlace: native nodes flit by flit
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/region/region.h"

namespace interlace::native {

/// As native_region(), of any nodes.
std::unique_ptr<Region> flit_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                    const PortTables* tables);

}  // namespace interlace::native
