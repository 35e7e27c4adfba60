// Interlace: a schedule with its steps, and its file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/schedule.h"

#include <fmt/format.h>

#include <ostream>

#include "interlace/core/csv.h"

namespace interlace {

std::vector<TimedSend> read_schedule(const std::string& path, std::vector<std::uint32_t>* lines) {
    std::vector<TimedSend> schedule;
    Problems problems;
    const auto add = [&](const CsvRow& row) {
        const auto number = [&](std::size_t column, std::uint64_t low) {
            return static_cast<std::uint32_t>(row.number(column, low, UINT32_MAX - 1));
        };
        schedule.push_back(
            {number(0, 1), NodeId{number(1, 0)}, NodeId{number(2, 0)}, PacketId{number(3, 0)}});
        if (lines != nullptr) lines->push_back(static_cast<std::uint32_t>(row.line()));
    };
    read_csv(path, "step,from,to,packet", add, &problems);
    problems.refuse(path, "rows of step,from,to,packet");
    return schedule;
}

void write_schedule(std::ostream& out, const std::vector<TimedSend>& schedule) {
    out << "step,from,to,packet\n";
    for (const TimedSend& send : schedule)
        out << fmt::format("{},{},{},{}\n", send.step, +send.from, +send.to, +send.packet);
}

}  // namespace interlace
