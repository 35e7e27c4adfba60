// Interlace: who waits for whom in a run that is stuck
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/engine/machine/machine.h"

namespace interlace {

/// "; ..." in one line: the links that wait for one another in a cycle (each for room in the channels that
/// it leads to, which have packets for the next), or, where there is none, the queues that something waits
/// for room in; nothing where nothing does. From what `stall_o` shows (docs/node.md, section 3).
std::string who_waits(const Fabric& fabric, const Machine& machine);

}  // namespace interlace
