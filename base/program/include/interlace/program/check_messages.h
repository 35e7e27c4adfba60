// Interlace: the independent checker of message programs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interlace/program/messages.h"

namespace interlace {

/// Runs `program` without time, on data: machine i starts with the blocks `has[i]` and must end with (at
/// least) `needs[i]`. Empty if it does, or the first fault: a message with no receive or two, an order that
/// never lets an operation start, a block sent by a machine that does not hold it yet, a block that arrives
/// twice, a block that is missing at the end; and of an envelope (Matching) sends or receives that their
/// machine's own order lets start in either order, so that what a receive gets depends on time, and a receive
/// without room for the message that it gets. Shares no code with what makes or runs programs.
std::string fault_of(const MessageProgram& program, const std::vector<std::vector<std::uint32_t>>& has,
                     const std::vector<std::vector<std::uint32_t>>& needs);

}  // namespace interlace
