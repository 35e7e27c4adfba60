// Interlace: a schedule with its steps, and its file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>
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

/// A row of a schedule with reductions: the receiver takes what comes, or adds it to what it has.
struct ReducingSend {
    TimedSend send;
    bool reduces = false;
};

/// A row of a schedule with reductions whose messages go over several links. A message takes what its sender
/// has from the rounds before, whatever comes in its own, and only the last node of its path takes it or adds
/// it to what it has.
struct MessageSend : ReducingSend {
    std::uint32_t round = 0;    ///< from 0
    std::uint32_t message = 0;  ///< rows of one message and packet are its path
};

/// Reads and writes a schedule as CSV: header step,from,to,packet; steps from 1, packets from 0, node numbers
/// with x fastest. Reading throws InputError with file and lines. `lines`: filled with the line of each send.
std::vector<TimedSend> read_schedule(const std::string& path, std::vector<std::uint32_t>* lines = nullptr);
void write_schedule(std::ostream& out, const std::vector<TimedSend>& schedule);

/// The same with a last column op: send, or reduce; and where messages go over several links, after that
/// round,message.
std::variant<std::vector<ReducingSend>, std::vector<MessageSend>> read_reducing_schedule(
    const std::string& path, std::vector<std::uint32_t>* lines);
void write_reducing_schedule(std::ostream& out, const std::vector<ReducingSend>& schedule);
void write_message_schedule(std::ostream& out, const std::vector<MessageSend>& schedule);

}  // namespace interlace
