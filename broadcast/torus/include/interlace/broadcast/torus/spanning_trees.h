// Interlace: link-disjoint spanning trees of a torus
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/program/program.h"

namespace interlace {

/// The multi-colour broadcast that torus machines use (2d link-disjoint spanning trees: Zhang and Deng 2012,
/// eqs. 5 and 6, after Faraj et al. 2009 and the torus schedules of IBM's PAMI).
///
/// Colour (c, direction) goes from the source all along axis c, from the nodes so reached along axis c + 1,
/// and so on cyclically, always in its one direction; the nodes that share the source's coordinate c are
/// served last, by their neighbour one hop ahead. Packets are dealt to the colours in turn. Takes sum(n_i -
/// 1) + ceil(k / 2d) - 1 steps over the d axes named. Uses torus links only. Throws InputError where the
/// network has no coordinates that wrap.
std::vector<Send> spanning_tree_broadcast(const Network& network, NodeId source,
                                          const std::vector<std::uint32_t>& axes, std::uint32_t packets);

}  // namespace interlace
