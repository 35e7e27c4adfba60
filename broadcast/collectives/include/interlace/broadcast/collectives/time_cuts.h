// Interlace: finds cuts over time that prove that collectives take so many steps
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "interlace/network/network.h"
#include "interlace/program/check_time_cut.h"

namespace interlace {

/// A cut by which `packets` packets from a node to each other one, or to it from each, take more than so many
/// steps: by the links of the node, for the others at each distance from it or farther; or else a least cut
/// of the flow over time, where the network is small enough (scatter.h). None if all of these leave room.
std::optional<TimeCut> cut_of_all(const Network& network, PacketsGo go, NodeId node, std::uint32_t packets,
                                  std::uint32_t steps);

/// The same of packets from the node to one other, or to it from that: by the links of the other.
std::optional<TimeCut> cut_of_one(const Network& network, PacketsGo go, NodeId node, NodeId other,
                                  std::uint32_t packets, std::uint32_t steps);

}  // namespace interlace
