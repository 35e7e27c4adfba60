// Interlace: collectives over links as programs of messages between neighbours
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "collective_plan.h"
#include "interlace/core/error.h"

namespace interlace {
namespace {

using Held = std::pair<std::uint32_t, std::uint32_t>;  ///< node and packet

/// Rows by step, each a message of so many bytes.
class Messages {
  public:
    Messages(std::uint32_t nodes, std::uint64_t bytes) : bytes_(bytes) { program_.machines = nodes; }

    /// The receive of a row whose send starts when those have been completed.
    OperationId add(const TimedSend& row, const std::vector<OperationId>& after) {
        const OperationId send = program_.send({row.from, row.to, bytes_});
        for (const OperationId before : after) program_.require(send, before);
        return program_.receive(program_.message_of(send));
    }
    MessageProgram take() { return std::move(program_); }

  private:
    std::uint64_t bytes_;
    MessageProgram program_;
};

template <class Row>
void sort_by_step(std::vector<Row>& rows) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.send.step < b.send.step; });
}

/// A packet is sent on when it has come; a sum, or what replaces it, when all has come that came in steps
/// before. What comes in one step is no part of what is sent in it.
void add_rows(Messages& messages, std::vector<ReducingSend> rows, bool sums) {
    sort_by_step(rows);
    std::map<Held, std::vector<OperationId>> came;
    for (std::size_t first = 0, next = 0; first < rows.size(); first = next) {
        std::vector<std::pair<Held, OperationId>> received;
        for (; next < rows.size() && rows[next].send.step == rows[first].send.step; ++next) {
            const TimedSend& send = rows[next].send;
            received.emplace_back(Held{send.to, send.packet},
                                  messages.add(send, came[{send.from, send.packet}]));
        }
        for (const auto& [held, receive] : received)
            if (sums || came[held].empty()) came[held].push_back(receive);
    }
}

/// Along its path a message waits for itself alone; at the first node for all of rounds before.
void add_messages(Messages& messages, std::vector<MessageSend> rows) {
    sort_by_step(rows);
    const auto path = [](const MessageSend& row) { return Held{row.message, row.send.packet}; };
    std::map<Held, std::size_t> last;  // row of a path
    for (std::size_t i = 0; i < rows.size(); ++i) last[path(rows[i])] = i;
    std::map<Held, OperationId> on_the_way;
    std::map<Held, std::vector<std::pair<std::uint32_t, OperationId>>> came;  // with their rounds
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const MessageSend& row = rows[i];
        std::vector<OperationId> after;
        if (const auto relayed = on_the_way.find(path(row)); relayed != on_the_way.end())
            after = {relayed->second};
        else
            for (const auto& [round, receive] : came[{row.send.from, row.send.packet}])
                if (round < row.round) after.push_back(receive);
        const OperationId receive = messages.add(row.send, after);
        on_the_way.insert_or_assign(path(row), receive);
        if (last[path(row)] == i) came[{row.send.to, row.send.packet}].emplace_back(row.round, receive);
    }
}

}  // namespace

MessageProgram messages_of(const CollectiveRun& run) {
    constexpr std::uint64_t most = 4'000'000;
    if (run.report.sends > most)
        throw InputError(fmt::format("cannot write {} messages", run.report.sends),
                         fmt::format("{} at most", most));
    const CollectiveExperiment& e = run.experiment;
    const bool barrier = e.collective == DirectCollective::barrier;
    if (!e.message && !barrier) throw InputError("messages have no size", "--message BYTES");
    const double bytes = run.packet_bytes(static_cast<double>(e.message.value_or(0)));
    Messages messages(run.network.node_count(), static_cast<std::uint64_t>(std::ceil(bytes)));
    if (const auto* rows = std::get_if<std::vector<MessageSend>>(&run.schedule))
        add_messages(messages, *rows);
    else if (reduces(e.collective))
        add_rows(messages, rows_of_reduction(run), true);
    else
        add_rows(messages, with_operation(rows_of_copies(run), false), barrier);
    return messages.take();
}

}  // namespace interlace
