// Interlace: programs of messages as GOAL text
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/program/messages.h"

namespace interlace {

/// The program in GOAL, the schedule text of LogGOPSim (Hoefler, Siebert, Lumsdaine: Group operation assembly
/// language, 2009): a rank a machine, its operations and what they require. Barriers become messages
/// (with_barriers_as_messages), messages without data one byte, LogGOPSim's least; blocks are not said.
/// Computations are in nanoseconds. Messages of one pair have tags of their own, but for those of one
/// envelope.
std::string to_goal(const MessageProgram& program);

/// The program that a GOAL text describes; `name` is what errors call it. The sends and receives of one pair
/// and tag match in the order in which they start: those of which there are several are an envelope
/// (Matching). Throws InputError with file and line for what is not GOAL, for what no machine here has
/// (wildcards (-1), a second CPU or network interface), for sends and receives that differ in number, and for
/// receives that have no room however they match.
MessageProgram read_goal(const std::string& text, const std::string& name);

}  // namespace interlace
