// Interlace: barriers over all links in as few steps as any can take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/network/network.h"
#include "interlace/program/schedule.h"

namespace interlace {

/// In each step a node tells each neighbour to which it brings news of some node for the first time of all
/// that it has heard of. So every node hears of every other in as many steps as links are between them, and
/// the barrier takes the diameter, which none can do without. By step; the packet is 0. Throws InputError
/// where a node does not reach another.
std::vector<TimedSend> optimal_barrier(const Network& network);

}  // namespace interlace
