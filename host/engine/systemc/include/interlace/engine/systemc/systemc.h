// Interlace: nodes of SystemC
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/pins/pin_device.h"
#include "interlace/engine/region/region.h"

namespace interlace {

/// A process has one SystemC kernel, and that elaborates once: all nodes there will ever be are made before
/// the first cycle. Makes nodes of `ports` ports (a built port count) and `pipeline` (1 or 7) until there
/// are `nodes`. A program that has one SystemC region in its life need not call it. Throws std::logic_error
/// after the first cycle.
void systemc_reserve(std::uint32_t ports, std::size_t nodes, std::uint32_t pipeline = 1);

/// A region of SystemC nodes (systemc/), set by the same registers as the RTL; `tables` as in native_region.
/// One may live at a time, on one thread. Throws std::logic_error where the nodes that were made are too few,
/// InputError where the parameters exceed what was built.
std::unique_ptr<Region> systemc_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                       const PortTables* tables = nullptr);

/// `count` such nodes as a device, likewise: of `ports` ports (a built port count) and `pipeline` (1 or 7).
std::unique_ptr<PinDevice> systemc_device(std::uint32_t ports, std::uint32_t pipeline, std::size_t count);

}  // namespace interlace
