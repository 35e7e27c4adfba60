// Interlace: a schedule with its steps, and its file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/schedule.h"

#include <fmt/format.h>

#include <fstream>
#include <ostream>

#include "interlace/core/error.h"
#include "interlace/core/text.h"

namespace interlace {
namespace {

TimedSend parse_row(const std::string& line) {
    const auto cells = split(line, ',');
    if (cells.size() != 4) throw InputError("row '" + line + "'", "four numbers, step,from,to,packet");
    const auto number = [&](std::size_t i, const char* what, std::uint64_t low) {
        return static_cast<std::uint32_t>(parse_integer(cells[i], what, low, UINT32_MAX - 1));
    };
    return {number(0, "step", 1), NodeId{number(1, "from", 0)}, NodeId{number(2, "to", 0)},
            PacketId{number(3, "packet", 0)}};
}

}  // namespace

std::vector<TimedSend> read_schedule(const std::string& path) {
    std::ifstream file(path);
    if (!file)
        throw InputError("cannot read '" + path + "'", "a CSV file with the header step,from,to,packet");
    std::vector<TimedSend> schedule;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line) || number == 1; ++number) {
        if (line.ends_with('\r')) line.pop_back();
        try {
            if (number == 1) {
                if (line != "step,from,to,packet")
                    throw InputError("header '" + line + "'", "step,from,to,packet");
            } else if (!line.empty()) {
                schedule.push_back(parse_row(line));
            }
        } catch (const InputError& error) {
            throw error.at(fmt::format("{}:{}", path, number));
        }
    }
    return schedule;
}

void write_schedule(std::ostream& out, const std::vector<TimedSend>& schedule) {
    out << "step,from,to,packet\n";
    for (const TimedSend& send : schedule)
        out << fmt::format("{},{},{},{}\n", send.step, +send.from, +send.to, +send.packet);
}

}  // namespace interlace
