// Interlace: what a node costs as hardware, as Yosys synthesises rtl/
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "interlace/area/netlist.h"
#include "interlace/engine/rtl/rtl.h"
#include "interlace/measure/json_result.h"

namespace interlace {

struct AreaOptions {
    FpgaTarget target = FpgaTarget::xilinx7;
    /// The node's registers stay registers; otherwise what all nodes of a fabric have alike is constant, as
    /// in a product (il_node's FixedConfig).
    bool registers = false;
    std::uint32_t slots = 64;  ///< of the forwarding table: a power of two, 2 to 4096
    std::string cache;         ///< a folder; empty: nothing is kept
    /// Where the netlist goes (Yosys' JSON, module il_node, for whoever places it), if not empty.
    std::string netlist;
};

struct Area : NetlistArea {
    FpgaTarget target = FpgaTarget::xilinx7;
    std::uint64_t buffer_bits = 0;  ///< of all queues: flits, without the bits that mark head and tail
    /// Of il_node.
    RtlParameters parameters;
    bool cached = false;
};

/// Runs `yosys` on the node of `fabric`, unless the cache knows its result, of the same parameters, rtl/,
/// scripts (rtl/synth) and Yosys, and no netlist is asked for. `progress` is told now and then what Yosys
/// does. A large node takes half an hour and several gigabytes. Throws InputError where rtl/ cannot be built
/// so (an infinite queue, flits of no 64 bits, ...) and where there is no Yosys; FellShort where Yosys fails.
Area node_area(const Fabric& fabric, const AreaOptions& options,
               const std::function<void(const std::string&)>& progress = {});

Json to_json(const Area& area);

}  // namespace interlace
