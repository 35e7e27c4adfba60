// Interlace: the independent checker of phases of messages on a tree
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "interlace/network/switch_tree.h"
#include "interlace/program/messages.h"

namespace interlace {

/// Empty if no directed link, a machine's own included, is on the paths of two messages of one phase; else
/// the first such phase, link and messages. Finds paths by itself.
std::string contention_of(const SwitchTree& tree, const std::vector<Phase>& phases);

/// Empty if each ordered pair of different machines occurs exactly once in `phases`; else the first that does
/// not.
std::string fault_of_exchange(std::uint32_t machines, const std::vector<Phase>& phases);

}  // namespace interlace
