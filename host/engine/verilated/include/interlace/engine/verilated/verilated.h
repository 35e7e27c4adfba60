// Interlace: nodes of Verilated SystemVerilog
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/link/link_ends.h"
#include "interlace/engine/pins/pin_device.h"
#include "interlace/engine/region/region.h"

namespace interlace {

/// A region of RTL nodes: rtl/node/il_node.sv, one Verilated model for each built port count, instantiated
/// for every node of `nodes`. `tables` as in native_region. Throws InputError where the parameters exceed
/// what was built (512 flits a queue, 1024 slots).
std::unique_ptr<Region> verilated_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                         const PortTables* tables = nullptr);

/// RTL links (rtl/link/il_link.sv), as native_links(). Throws InputError for more than 1024 flits in a
/// sender.
std::unique_ptr<LinkEnds> verilated_links(std::size_t count, const LinkSettings& settings,
                                          std::uint32_t depth);

/// `count` such nodes as a device: of `ports` ports (a built port count) and `pipeline` (1 or 7).
std::unique_ptr<PinDevice> verilated_device(std::uint32_t ports, std::uint32_t pipeline, std::size_t count);

}  // namespace interlace
