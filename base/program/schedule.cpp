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
constexpr const char* message_header = "step,from,to,packet,op,round,message";
constexpr const char* reading_header = "step,from,to,packet,op[,round,message]";
const std::vector<std::string>& operations() {
    static const std::vector<std::string> names = {"send", "reduce"};
    return names;
}

std::string text_of(const TimedSend& send) {
    return fmt::format("{},{},{},{}", send.step, +send.from, +send.to, +send.packet);
}

std::string text_of(const ReducingSend& row) {
    return fmt::format("{},{}", text_of(row.send), operations()[row.reduces ? 1 : 0]);
}

}  // namespace

std::vector<TimedSend> read_schedule(const std::string& path, std::vector<std::uint32_t>* lines) {
    return read_rows(path, header, send_of, lines);
}

std::variant<std::vector<ReducingSend>, std::vector<MessageSend>> read_reducing_schedule(
    const std::string& path, std::vector<std::uint32_t>* lines) {
    bool of_messages = false;
    const auto message_send = [&](const CsvRow& row) {
        MessageSend message{{send_of(row), row.word(4, operations()) == 1}};
        of_messages = row.columns() > 5;
        if (of_messages) {
            message.round = static_cast<std::uint32_t>(row.number(5, 0, UINT32_MAX - 1));
            message.message = static_cast<std::uint32_t>(row.number(6, 0, UINT32_MAX - 1));
        }
        return message;
    };
    std::vector<MessageSend> rows = read_rows(path, reading_header, message_send, lines);
    if (of_messages) return rows;
    return std::vector<ReducingSend>(rows.begin(), rows.end());
}

void write_schedule(std::ostream& out, const std::vector<TimedSend>& schedule) {
    out << header << '\n';
    for (const TimedSend& send : schedule) out << text_of(send) << '\n';
}

void write_reducing_schedule(std::ostream& out, const std::vector<ReducingSend>& schedule) {
    out << reducing_header << '\n';
    for (const ReducingSend& row : schedule) out << text_of(row) << '\n';
}

void write_message_schedule(std::ostream& out, const std::vector<MessageSend>& schedule) {
    out << message_header << '\n';
    for (const MessageSend& row : schedule)
        out << text_of(row) << ',' << row.round << ',' << row.message << '\n';
}

}  // namespace interlace
