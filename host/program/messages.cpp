// Interlace: what the machines of a cluster send one another, and in which order
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/messages.h"

#include <map>

namespace interlace {
namespace {

OperationId add(MessageProgram& program, MessageProgram::Operation operation) {
    program.operations.push_back(operation);
    return OperationId{static_cast<std::uint32_t>(program.operations.size() - 1)};
}

}  // namespace

OperationId MessageProgram::send(Message message) {
    const NodeId from = message.from;
    messages.push_back(std::move(message));
    return add(*this, {Kind::send, from, static_cast<std::uint32_t>(messages.size() - 1)});
}

OperationId MessageProgram::receive(MessageId message) {
    return add(*this, {Kind::receive, messages[message].to, message});
}

OperationId MessageProgram::barrier(NodeId machine, std::uint32_t number) {
    return add(*this, {Kind::barrier, machine, number});
}

OperationId MessageProgram::compute(NodeId machine, std::uint64_t picoseconds) {
    computations.push_back(picoseconds);
    return add(*this, {Kind::compute, machine, static_cast<std::uint32_t>(computations.size() - 1)});
}

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

}  // namespace interlace
