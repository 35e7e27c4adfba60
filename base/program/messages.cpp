// Interlace: what the machines of a cluster send one another, and in which order
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>

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

std::string MessageProgram::place_of(OperationId operation) const {
    return operation < lines.size() ? fmt::format("{}:{}", text_name, lines[operation]) : std::string();
}

std::vector<std::uint32_t> tags_in_pairs(const MessageProgram& program) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> of_pair;
    std::map<std::uint32_t, std::uint32_t> of_envelope;
    std::vector<std::uint32_t> tags;
    tags.reserve(program.messages.size());
    for (std::uint32_t i = 0; i < program.messages.size(); ++i) {
        const Message& m = program.messages[i];
        const auto envelope = program.envelope_of(MessageId{i});
        const auto known = envelope ? of_envelope.find(*envelope) : of_envelope.end();
        tags.push_back(known != of_envelope.end() ? known->second : of_pair[{m.from, m.to}]++);
        if (envelope) of_envelope.emplace(*envelope, tags.back());
    }
    return tags;
}

std::vector<std::uint32_t> start_ranks(const MessageProgram& program) {
    const auto forwards = [](const auto& edge) { return edge.first < edge.second; };
    if (program.matching.envelopes.empty() ||
        (std::all_of(program.order.begin(), program.order.end(), forwards) &&
         std::all_of(program.start_order.begin(), program.start_order.end(), forwards)))
        return {};
    const std::size_t count = program.operations.size();
    std::vector<std::vector<std::uint32_t>> after(count);
    std::vector<std::uint32_t> waits(count), ranks(count, UINT32_MAX);
    for (const auto* order : {&program.order, &program.start_order})
        for (const auto& [before, next] : *order) {
            after[before].push_back(next);
            ++waits[next];
        }
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t o = 0; o < count; ++o)
        if (waits[o] == 0) ready.push(o);
    for (std::uint32_t rank = 0; !ready.empty(); ++rank) {
        const std::uint32_t first = ready.top();
        ready.pop();
        ranks[first] = rank;
        for (const std::uint32_t next : after[first])
            if (--waits[next] == 0) ready.push(next);
    }
    return ranks;
}

}  // namespace interlace
