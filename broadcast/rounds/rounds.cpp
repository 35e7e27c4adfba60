// Interlace: collectives as rounds of messages between nodes that need not be neighbours
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/rounds/rounds.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <utility>

#include "gathering.h"
#include "interlace/broadcast/rounds/algorithms.h"

namespace interlace {

std::uint64_t Rounds::packets_of_a_node() const {
    std::map<NodeId, std::uint64_t> of;
    std::uint64_t most = 0;
    for (const auto& round : rounds)
        for (const RoundMessage& message : round)
            most = std::max(most, of[message.from] += message.packets.size());
    return most;
}

Rounds reversed_copies(Rounds rounds) {
    std::reverse(rounds.rounds.begin(), rounds.rounds.end());
    for (auto& round : rounds.rounds)
        for (RoundMessage& message : round) std::swap(message.from, message.to);
    return rounds;
}

Rounds reversed(Rounds allgather) {
    Rounds back = reversed_copies(std::move(allgather));
    for (auto& round : back.rounds)
        for (RoundMessage& message : round) message.reduces = true;
    return back;
}

Rounds joined(Rounds first, Rounds second) {
    std::move(second.rounds.begin(), second.rounds.end(), std::back_inserter(first.rounds));
    return first;
}

Gathering::Gathering(std::uint32_t nodes, std::uint32_t parts, std::uint32_t chunks)
    : nodes_(nodes), chunks_(chunks), words_((nodes + 63) / 64), rounds_{parts, false, {}} {
    std::vector<std::uint64_t> own(std::size_t{nodes} * words_, 0);
    for (std::uint32_t v = 0; v < nodes; ++v)
        own[std::size_t{v} * words_ + v / 64] = std::uint64_t{1} << v % 64;
    has_.assign(parts, own);
}

void Gathering::send(std::size_t round, std::uint32_t part, NodeId from, NodeId to,
                     const std::vector<std::uint64_t>& before, const std::function<bool(NodeId)>& goes) {
    if (part >= chunks_) return;
    RoundMessage message{from, to, {}, false, part};
    for (std::uint32_t w = 0; w < words_; ++w) {
        std::uint64_t& there = has_[part][std::size_t{to} * words_ + w];
        for (std::uint64_t may = before[std::size_t{from} * words_ + w] & ~there; may != 0; may &= may - 1) {
            const NodeId origin{w * 64 + static_cast<std::uint32_t>(std::countr_zero(may))};
            if (!goes(origin)) continue;
            there |= may & -may;
            add_packets(message.packets, origin, part, rounds_.parts, chunks_);
        }
    }
    add_message(rounds_, round, std::move(message));
}

void add_message(Rounds& rounds, std::size_t round, RoundMessage message) {
    if (rounds.rounds.size() <= round) rounds.rounds.resize(round + 1);
    if (!message.packets.empty()) rounds.rounds[round].push_back(std::move(message));
}

}  // namespace interlace
