// Interlace: a schedule with its steps, and its file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/schedule.h"

#include <fmt/format.h>

#include <ostream>
#include <type_traits>

#include "interlace/core/csv.h"

namespace interlace {

namespace {

TimedSend send_of(const CsvRow& row) {
    const auto number = [&](std::size_t column, std::uint64_t low) {
        return static_cast<std::uint32_t>(row.number(column, low, UINT32_MAX - 1));
    };
    return {number(0, 1), NodeId{number(1, 0)}, NodeId{number(2, 0)}, PacketId{number(3, 0)}};
}

/// `make(row)` of each; `lines`: of each, where it is wanted.
template <class Make>
auto read_rows(const std::string& path, const std::string& header, const Make& make,
               std::vector<std::uint32_t>* lines) {
    std::vector<std::invoke_result_t<Make, const CsvRow&>> rows;
    Problems problems;
    const auto add = [&](const CsvRow& row) {
        rows.push_back(make(row));
        if (lines != nullptr) lines->push_back(static_cast<std::uint32_t>(row.line()));
    };
    read_csv(path, header, add, &problems);
    problems.refuse(path, "rows of " + header);
    return rows;
}

constexpr const char* header = "step,from,to,packet";
constexpr const char* reducing_header = "step,from,to,packet,op";
const std::vector<std::string>& operations() {
    static const std::vector<std::string> names = {"send", "reduce"};
    return names;
}

std::string text_of(const TimedSend& send) {
    return fmt::format("{},{},{},{}", send.step, +send.from, +send.to, +send.packet);
}

}  // namespace

std::vector<TimedSend> read_schedule(const std::string& path, std::vector<std::uint32_t>* lines) {
    return read_rows(path, header, send_of, lines);
}

std::vector<ReducingSend> read_reducing_schedule(const std::string& path, std::vector<std::uint32_t>* lines) {
    const auto reducing_send = [](const CsvRow& row) {
        return ReducingSend{send_of(row), row.word(4, operations()) == 1};
    };
    return read_rows(path, reducing_header, reducing_send, lines);
}

void write_schedule(std::ostream& out, const std::vector<TimedSend>& schedule) {
    out << header << '\n';
    for (const TimedSend& send : schedule) out << text_of(send) << '\n';
}

void write_reducing_schedule(std::ostream& out, const std::vector<ReducingSend>& schedule) {
    out << reducing_header << '\n';
    for (const ReducingSend& row : schedule)
        out << text_of(row.send) << ',' << operations()[row.reduces ? 1 : 0] << '\n';
}

}  // namespace interlace
