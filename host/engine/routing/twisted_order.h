// Interlace: dimension order on a twisted torus
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "balanced_paths.h"

namespace interlace {

/// Shortest paths that go along x, then y, and so on. Of the ways that are as short, a packet takes one that
/// its destination chooses, so its next nodes take the same. The low half of the channels is for destinations
/// of that dimension in the lower half of its ring, as on a torus. None on another network, with one channel,
/// and where packets would wait for one another in a cycle, as on some tori that are twisted further than
/// they are long in another dimension.
std::optional<Paths> twisted_dimension_order(const Network& network, std::uint32_t channels);

}  // namespace interlace
