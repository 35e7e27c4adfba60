// Interlace: a program of messages on switches and workstations, frame by frame
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/engine/event_parameters.h"
#include "interlace/engine/routes.h"
#include "interlace/program/messages.h"

namespace interlace {

struct EventResult {
    std::uint64_t time_ps = 0;            ///< when the last operation was complete
    std::vector<std::uint64_t> complete;  ///< of each operation, picoseconds
    std::uint64_t frames = 0;             ///< that machines sent
    std::uint32_t longest_queue = 0;      ///< frames that waited for one output of a switch, at most
};

/// Runs `program` on `cluster` (which has switches), every frame over every link, in picoseconds; idle time
/// costs nothing. Machines send the frames of messages that go on at the same time in turn. Throws FellShort
/// where operations wait for one another for ever.
EventResult run_event(const Network& cluster, const Routes& routes, const MessageProgram& program,
                      const EventParameters& parameters);

}  // namespace interlace
