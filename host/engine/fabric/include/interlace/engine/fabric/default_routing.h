// Interlace: the routing of a network for which none is chosen
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/network/network.h"
#include "interlace/node/parameters.h"

namespace interlace {

/// Slots that a header can name.
inline constexpr std::uint32_t max_slots = 4096;

/// Whether a header has room for the coordinates of all dimensions, of a network that has rows.
bool fits_coordinates(const Network& network);

/// Whether packets can go to the right coordinate in one dimension after another: on tori without a twist,
/// meshes and ibts.
bool has_dimension_order(const Network& network);

/// The routing that Routing::automatic stands for, always one that is free from deadlock: by dimension order
/// where its paths are minimal and the channels allow it, on a mesh and on a torus with two channels or more,
/// and on more nodes than headers have slots; otherwise by table: on an iBT, where dimension order passes by
/// most bypass links, on a network without coordinates, and on rings with one channel.
Routing default_routing(const Network& network, const NodeParameters& node);

}  // namespace interlace
