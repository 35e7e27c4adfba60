// Interlace: native nodes packet by packet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/region/region.h"

namespace interlace::native {

/// Whether a packet that has won a sink moves without further conditions: nodes are not pipelined, packets no
/// worms, and links do not fail.
bool packets_are_enough(const Fabric& fabric);

/// The ticks of such a region at most, whose cycles have 40 bits, and of its longest link: what is known of
/// cycles to come is before the last one that there is.
inline constexpr std::uint64_t most_ticks = (std::uint64_t{1} << 40) - (std::uint64_t{1} << 28);
inline constexpr std::uint32_t longest_link = 1U << 26;

/// As native_region(), where packets are enough. Throws InputError where a link is longer than that, and in a
/// tick beyond those.
std::unique_ptr<Region> packet_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                      const PortTables* tables);

}  // namespace interlace::native
