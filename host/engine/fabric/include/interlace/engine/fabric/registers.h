// Interlace: the registers of a node (docs/node.md, section 1), and what a fabric's nodes have in them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "interlace/engine/fabric/fabric.h"

namespace interlace {

/// Addresses.
namespace Register {
enum : std::uint32_t {
    enable = 0,
    switching = 1,
    vcs = 2,
    vc_depth = 3,
    reception_depth = 4,
    ports = 5,
    receptions = 6,
    injection_depth = 7,
    routing = 8,
    classes = 9,
    cycles_per_flit = 10,
    adaptive = 11,
    status = 12,
    quiesce = 13,
    idle = 14,
    dimension = 0x10,  // + dimension
    port = 0x20,       // + port
    identification = 0x30,
    sizes = 0x31,
    depths = 0x32,
    counters = 0x40,  // + 4 * port: flits; + 1: heads
    table = 0x1000    // + slot
};
}  // namespace Register

/// Table entries that RTL and SystemC nodes are built with.
inline constexpr std::uint32_t built_slots = 1024;

/// (address, value) of the registers that all nodes have alike, in the order in which they are written:
/// those that a build can have as constants (il_node's FixedConfig), but for `ports`.
std::vector<std::pair<std::uint32_t, std::uint32_t>> common_registers(const Fabric& fabric);

}  // namespace interlace
