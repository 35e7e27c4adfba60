// Interlace: how a message-passing library carries out a program: as other messages and computations
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/protocol.h"

#include <fmt/format.h>

#include <map>

#include "interlace/core/error.h"

namespace interlace {
namespace {

/// The messages of one barrier, between its machines' operations `entered` and `left`.
void add_dissemination(MessageProgram& program, const std::vector<NodeId>& machines,
                       const std::vector<OperationId>& entered, const std::vector<OperationId>& left) {
    const std::size_t n = machines.size();
    std::vector<std::vector<OperationId>> before(n);
    for (std::size_t i = 0; i < n; ++i) before[i] = {entered[i]};
    for (std::size_t distance = 1; distance < n; distance *= 2) {
        std::vector<OperationId> sends, receives(n);
        for (std::size_t i = 0; i < n; ++i)
            sends.push_back(program.send({machines[i], machines[(i + distance) % n]}));
        for (std::size_t i = 0; i < n; ++i)
            receives[(i + distance) % n] = program.receive(program.message_of(sends[i]));
        for (std::size_t i = 0; i < n; ++i) {
            for (const OperationId earlier : before[i]) {
                program.require(sends[i], earlier);
                program.require(receives[i], earlier);
            }
            before[i] = {sends[i], receives[i]};
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        for (const OperationId last : before[i]) program.require(left[i], last);
}

}  // namespace

MessageProgram with_barriers_as_messages(const MessageProgram& original) {
    using Kind = MessageProgram::Kind;
    MessageProgram program = original;
    std::map<std::uint32_t, std::vector<OperationId>> barriers;
    for (std::uint32_t o = 0; o < original.operations.size(); ++o)
        if (original.operations[o].kind == Kind::barrier)
            barriers[original.operations[o].number].push_back(OperationId{o});
    if (barriers.empty()) return program;
    // What waited for a barrier waits for the operation that leaves it; that one is begun when it is entered.
    std::vector<OperationId> leaves;
    for (std::uint32_t o = 0; o < original.operations.size(); ++o) leaves.emplace_back(o);
    for (auto& [number, operations] : barriers) {
        std::vector<NodeId> machines;
        std::vector<OperationId> left;
        for (const OperationId entered : operations) {
            machines.push_back(original.operations[entered].machine);
            program.computations.push_back(0);
            program.operations[entered] = {Kind::compute, machines.back(),
                                           static_cast<std::uint32_t>(program.computations.size() - 1)};
            left.push_back(program.compute(machines.back(), 0));
            leaves[entered] = left.back();
        }
        add_dissemination(program, machines, operations, left);
    }
    for (std::size_t i = 0; i < original.order.size(); ++i)
        program.order[i].first = leaves[original.order[i].first];
    return program;
}

MessageProgram with_rendezvous(const MessageProgram& original, std::uint64_t eager_limit) {
    using Kind = MessageProgram::Kind;
    MessageProgram program = original;
    std::vector<OperationId> send(original.messages.size()), receive(original.messages.size()), asks;
    for (std::uint32_t o = 0; o < original.operations.size(); ++o) {
        asks.emplace_back(o);
        const auto& operation = original.operations[o];
        if (operation.kind == Kind::send) send[operation.number] = OperationId{o};
        if (operation.kind == Kind::receive) receive[operation.number] = OperationId{o};
    }
    for (std::uint32_t m = 0; m < original.messages.size(); ++m) {
        const Message& message = original.messages[m];
        if (message.bytes <= eager_limit) continue;
        const OperationId ask = program.send({message.from, message.to});
        const OperationId asked = program.receive(program.message_of(ask));
        const OperationId answer = program.send({message.to, message.from});
        const OperationId answered = program.receive(program.message_of(answer));
        program.require(answer, asked);
        if (original.envelope_of(MessageId{m})) {
            program.matching.announces.emplace(program.message_of(ask), m);
            program.matching.order.emplace_back(m, answer);
        } else {
            program.start_order.emplace_back(receive[m], answer);
        }
        program.require(send[m], answered);
        asks[send[m]] = ask;
    }
    // What came before a send comes before its question, with which it begins.
    for (std::size_t i = 0; i < original.order.size(); ++i)
        program.order[i].second = asks[original.order[i].second];
    for (std::size_t i = 0; i < original.start_order.size(); ++i) {
        const auto& [before, after] = original.start_order[i];
        program.start_order[i] = {asks[before], asks[after]};
    }
    return program;
}

MessageProgram with_copies(const MessageProgram& original, std::uint64_t eager_limit,
                           std::uint64_t picoseconds) {
    MessageProgram program = original;
    const auto time_of = [&](std::uint64_t bytes) {
        if (bytes > eager_limit) return std::uint64_t{0};
        if (picoseconds > 0 && bytes > longest_time / picoseconds)
            throw InputError(fmt::format("cannot copy {} bytes at {} ps per byte", bytes, picoseconds),
                             "2^61 ps, 26 days, at most");
        return bytes * picoseconds;
    };
    std::vector<OperationId> ends;
    for (std::uint32_t o = 0; o < original.operations.size(); ++o) {
        ends.emplace_back(o);
        const auto& operation = original.operations[o];
        if (operation.kind != MessageProgram::Kind::receive) continue;
        const MessageId message{operation.number};
        const std::uint64_t time = time_of(original.messages[message].bytes);
        const bool chooses = original.envelope_of(message).has_value();
        if (time == 0 && !chooses) continue;
        ends[o] = program.compute(operation.machine, chooses ? 0 : time);
        if (chooses)
            program.matching.copies.emplace(ends[o],
                                            Matching::Copy{OperationId{o}, eager_limit, picoseconds});
        program.require(ends[o], OperationId{o});
    }
    for (std::size_t i = 0; i < original.order.size(); ++i)
        program.order[i].first = ends[original.order[i].first];
    return program;
}

MessageProgram with_late_starts(const MessageProgram& original,
                                const std::vector<std::uint64_t>& picoseconds) {
    MessageProgram program = original;
    std::vector<bool> waits(original.operations.size(), false);
    for (const auto* order : {&original.order, &original.start_order})
        for (const auto& [before, after] : *order) waits[after] = true;
    std::map<NodeId, OperationId> starts;
    for (std::uint32_t o = 0; o < original.operations.size(); ++o) {
        const NodeId machine = original.operations[o].machine;
        if (waits[o] || picoseconds[machine] == 0) continue;
        const auto found = starts.find(machine);
        const OperationId start =
            found != starts.end() ? found->second : program.compute(machine, picoseconds[machine]);
        starts.emplace(machine, start);
        program.require(OperationId{o}, start);
    }
    return program;
}

}  // namespace interlace
