// Interlace: programs of machines that do one thing after the other
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "in_turn.h"

#include <algorithm>

namespace interlace {

std::vector<std::pair<OperationId, OperationId>> InTurn::step(const std::vector<Transfer>& transfers,
                                                              std::uint64_t bytes) {
    std::vector<std::pair<OperationId, OperationId>> pairs;
    std::vector<std::pair<std::uint32_t, OperationId>> begun;
    for (const Transfer& t : transfers) {
        const std::uint64_t size = bytes * std::max<std::size_t>(t.blocks.size(), 1);
        const OperationId send = program_.send({NodeId{t.from}, NodeId{t.to}, size, t.blocks});
        const OperationId receive = program_.receive(program_.message_of(send));
        for (const OperationId before : t.after) program_.require(send, before);
        begun.emplace_back(t.from, send);
        begun.emplace_back(t.to, receive);
        pairs.emplace_back(send, receive);
    }
    put_in_turn(begun);
    return pairs;
}

void InTurn::barrier() {
    std::vector<std::pair<std::uint32_t, OperationId>> begun;
    for (std::uint32_t i = 0; i < last_.size(); ++i)
        begun.emplace_back(i, program_.barrier(NodeId{i}, barriers_));
    ++barriers_;
    put_in_turn(begun);
}

OperationId InTurn::note(NodeId from, NodeId to, OperationId after) {
    const OperationId send = program_.send({from, to, 0, {}});
    program_.require(send, after);
    return program_.receive(program_.message_of(send));
}

void InTurn::put_in_turn(const std::vector<std::pair<std::uint32_t, OperationId>>& begun) {
    for (const auto& [machine, operation] : begun)
        for (const OperationId before : last_[machine]) program_.require(operation, before);
    for (const auto& [machine, operation] : begun) last_[machine].clear();
    for (const auto& [machine, operation] : begun) last_[machine].push_back(operation);
}

}  // namespace interlace
