// Interlace: native nodes packet by packet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "interlace/engine/region/fabric.h"
#include "interlace/engine/region/region.h"

namespace interlace::native {

/// Whether a packet that has won a sink moves without further conditions: nodes are not pipelined, packets no
/// worms, and links do not fail.
bool packets_are_enough(const Fabric& fabric);

/// The ticks of such a region at most: their cycles have 40 bits, of which the last are for what is known of
/// cycles to come, on links of any length.
inline constexpr std::uint64_t most_ticks = (std::uint64_t{1} << 40) - (std::uint64_t{1} << 27);

/// As native_region(), where packets are enough. Throws InputError in a tick beyond `most_ticks`.
std::unique_ptr<Region> packet_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                      const PortTables* tables);

}  // namespace interlace::native
