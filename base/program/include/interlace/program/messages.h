// Interlace: what the machines of a cluster send one another, and in which order
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "interlace/core/ids.h"

namespace interlace {

using MessageId = Id<struct MessageTag>;      ///< 0 .. messages - 1
using OperationId = Id<struct OperationTag>;  ///< 0 .. operations - 1, over all machines

/// The longest that a program may take, in picoseconds: 26 days. Nothing that is added to such a time wraps
/// in 64 bits, as no single duration is longer.
constexpr std::uint64_t longest_time = std::uint64_t{1} << 61U;

/// Messages that are under way at the same time, sender and receiver each.
using Phase = std::vector<std::pair<NodeId, NodeId>>;

/// One message. What it carries is named by blocks: the data that machine i contributes (all-gather), that
/// the source has (broadcast: block 0), or that machine i has for machine j (complete exchange: block i *
/// machines + j). A message that only synchronises carries none.
struct Message {
    NodeId from, to;
    std::uint64_t bytes = 0;
    std::vector<std::uint32_t> blocks = {};
};

/// A collective operation as the machines run it: sends, receives, barriers and computations, each with the
/// operations of the same machine that must be complete, or begun, before it may start (GOAL's model:
/// Hoefler, Siebert, Lumsdaine 2009). Operations without such an order go on at the same time, but a
/// machine's computations one after another. A send is complete when its last frame is on its way; a receive
/// when it was begun and all of the message is here; a barrier when every machine has begun its barrier of
/// that number.
struct MessageProgram {
    enum class Kind : std::uint8_t { send, receive, barrier, compute };
    struct Operation {
        Kind kind;
        NodeId machine;
        std::uint32_t number;  ///< of the message, of the barrier or of the computation
    };

    std::uint32_t machines = 0;
    std::vector<Message> messages;
    std::vector<Operation> operations;
    std::vector<std::uint64_t> computations;                       ///< how long they take, picoseconds
    std::vector<std::pair<OperationId, OperationId>> order;        ///< complete before the other starts
    std::vector<std::pair<OperationId, OperationId>> start_order;  ///< begun before the other starts

    /// Adds a message and its sender's operation.
    OperationId send(Message message);
    /// Adds the receiver's operation of a message; every message has exactly one.
    OperationId receive(MessageId message);
    OperationId barrier(NodeId machine, std::uint32_t number);
    OperationId compute(NodeId machine, std::uint64_t picoseconds);
    /// `after` may start when `before` is complete.
    void require(OperationId after, OperationId before) { order.emplace_back(before, after); }
    MessageId message_of(OperationId operation) const { return MessageId{operations[operation].number}; }
};

/// [message]: its number among those of its sender and receiver.
std::vector<std::uint32_t> numbers_in_pairs(const MessageProgram& program);

}  // namespace interlace
