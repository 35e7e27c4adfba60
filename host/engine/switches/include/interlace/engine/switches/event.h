// Interlace: a program of messages on switches and workstations, frame by frame
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interlace/engine/routes/routes.h"
#include "interlace/engine/workstations/event_parameters.h"
#include "interlace/program/messages.h"

namespace interlace {

struct EventResult {
    std::uint64_t time_ps = 0;            ///< when the last operation was complete
    std::vector<std::uint64_t> complete;  ///< of each operation, picoseconds
    std::uint64_t frames = 0;             ///< that machines sent, again or not
    std::uint64_t retransmitted = 0;      ///< of these, those that were sent again
    std::uint64_t dropped = 0;            ///< for lack of room in a switch
    std::uint32_t longest_queue = 0;      ///< frames that waited for one output of a switch, at most
};

/// Runs `program` on `cluster` (which has switches), every frame over every link, in picoseconds; idle time
/// costs nothing. Where a switch can drop frames, machines send them until they arrive
/// (ReliabilityParameters). Machines send the frames of messages that go on at the same time in turn. Which
/// of several frames comes first that reach a switch, or ask for an output, at the same time is drawn under
/// `seed`, as is all that is random of machines. `progress` gets the share of operations that are complete,
/// now and then. Throws FellShort where operations wait for one another for ever, InputError where a message
/// belongs to a receive that has no room for it.
EventResult run_event(const Network& cluster, const Routes& routes, const MessageProgram& program,
                      const EventParameters& parameters, std::uint64_t seed = 1,
                      const std::function<void(double)>& progress = {});

}  // namespace interlace
