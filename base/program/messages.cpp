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

std::vector<std::uint32_t> numbers_in_pairs(const MessageProgram& program) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> of_pair;
    std::vector<std::uint32_t> numbers;
    numbers.reserve(program.messages.size());
    for (const Message& m : program.messages) numbers.push_back(of_pair[{m.from, m.to}]++);
    return numbers;
}

}  // namespace interlace
