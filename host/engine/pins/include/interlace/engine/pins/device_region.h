// Interlace: a region whose nodes are a device's
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/pins/pin_device.h"
#include "interlace/engine/region/region.h"

namespace interlace {

/// What the nodes of a fabric have to be built with: `ports`, `flit_bits` and `pipeline` exactly, the others
/// at least; an infinite depth, which no device has, is 0.
NodeSizes needed_sizes(const Fabric& fabric, const PortTables* tables);

/// Throws InputError where nodes of `built` cannot be what is needed; `whose` names them in it.
void check_sizes(const NodeSizes& built, const NodeSizes& needed, const std::string& whose);

/// Node i of `device` is nodes[i]. Throws InputError where the device cannot be them (`name` says which it
/// is), and what the device throws.
std::unique_ptr<Region> device_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                      const PortTables* tables, std::unique_ptr<PinDevice> device,
                                      const std::string& name);

}  // namespace interlace
