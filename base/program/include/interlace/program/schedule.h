// Interlace: a schedule with its steps, and its file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "interlace/core/ids.h"

namespace interlace {

/// One line of a schedule: in `step` (from 1) `from` sends `packet` to its neighbour `to`, which holds it
/// after that.
struct TimedSend {
    std::uint32_t step = 0;
    NodeId from, to;
    PacketId packet;
};

/// Reads and writes a schedule as CSV: header step,from,to,packet; steps from 1, packets from 0, node numbers
/// with x fastest. Reading throws InputError with file and lines. `lines`: filled with the line of each send.
std::vector<TimedSend> read_schedule(const std::string& path, std::vector<std::uint32_t>* lines = nullptr);
void write_schedule(std::ostream& out, const std::vector<TimedSend>& schedule);

}  // namespace interlace
