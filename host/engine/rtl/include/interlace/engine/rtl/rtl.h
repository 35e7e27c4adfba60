// Interlace: rtl/ as text, and what its node is built with for a fabric
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interlace/engine/fabric/fabric.h"

namespace interlace {

/// Parameters of il_node (rtl/include/il_parameters.svh) and their values: numbers, or constants of
/// SystemVerilog.
using RtlParameters = std::vector<std::pair<std::string, std::string>>;

/// The sizes of a fabric's nodes, queues as deep as the next power of two, and, unless all `registers` stay
/// registers, FixedConfig: those that the fabric's own nodes have alike as constants (of the ports, those
/// that any has). `slots` of the forwarding table: a power of two, 2 to 4096. Throws InputError where rtl/
/// cannot be built so (an infinite queue, flits of no 64 bits, ...).
RtlParameters rtl_parameters(const Fabric& fabric, std::uint32_t flit_bits, std::uint32_t slots,
                             bool registers);

/// The files of il_node by name, as in il_node.sv, which all stand in one folder: modules, the package first,
/// and headers.
struct RtlFile {
    std::string name, text;
    bool header;
};
std::vector<RtlFile> rtl_files();

}  // namespace interlace
