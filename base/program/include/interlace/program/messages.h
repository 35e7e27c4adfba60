// Interlace: what the machines of a cluster send one another, and in which order
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interlace/core/ids.h"

namespace interlace {

using MessageId = Id<struct MessageTag>;      ///< 0 .. messages - 1
using OperationId = Id<struct OperationTag>;  ///< 0 .. operations - 1, over all machines

/// The longest that a program may take, in picoseconds: 26 days. Nothing that is added to such a time wraps
/// in 64 bits, as no single duration is longer.
constexpr std::uint64_t longest_time = std::uint64_t{1} << 61U;

/// Messages that are in flight at the same time, sender and receiver each.
using Phase = std::vector<std::pair<NodeId, NodeId>>;

/// One message. What it carries is named by blocks: the data that machine i contributes (all-gather), that
/// the source has (broadcast: block 0), or that machine i has for machine j (complete exchange: block i *
/// machines + j). A message that only synchronises carries none.
struct Message {
    NodeId from, to;
    std::uint64_t bytes = 0;
    std::vector<std::uint32_t> blocks = {};
};

/// How receives find their messages where they do not name them, as in MPI: the n-th send of an envelope that
/// starts and the n-th receive of it that starts belong together (MPI 4.1, 3.5: messages do not overtake;
/// Hoefler, Siebert, Lumsdaine 2009). What begins at the same time starts in the order of the program
/// (start_ranks()).
struct Matching {
    /// [message]: its envelope (sender, receiver and tag), numbered from 0, each with as many receives as
    /// messages. Beyond the end: none; the message has the receive that names it.
    std::vector<std::optional<std::uint32_t>> envelopes;
    /// [operation]: of a receive, the bytes that it has room for. Beyond the end: any message's.
    std::vector<std::uint64_t> room;
    /// A message without data, and the one that it announces: that one's place among those of its envelope is
    /// settled by when this one starts (with_rendezvous).
    std::map<MessageId, MessageId> announces;
    /// The operation may start when a receive has begun to which the message belongs.
    std::vector<std::pair<MessageId, OperationId>> order;
    /// Computations that copy the message that a receive got (with_copies).
    struct Copy {
        OperationId receive;
        std::uint64_t most_bytes;   ///< of a message that is copied
        std::uint64_t picoseconds;  ///< a byte
    };
    std::map<OperationId, Copy> copies;
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
    /// Where receives do not name their messages. Then the number of a receive is that of the message that it
    /// would get if sends and receives started in the order of their numbers.
    Matching matching;
    std::string text_name;             ///< of the text that it was read from, if any
    std::vector<std::uint32_t> lines;  ///< [operation]: where it stands in that text

    /// Adds a message and its sender's operation.
    OperationId send(Message message);
    /// Adds the receiver's operation of a message; every message has exactly one.
    OperationId receive(MessageId message);
    OperationId barrier(NodeId machine, std::uint32_t number);
    OperationId compute(NodeId machine, std::uint64_t picoseconds);
    /// `after` may start when `before` is complete.
    void require(OperationId after, OperationId before) { order.emplace_back(before, after); }
    MessageId message_of(OperationId operation) const { return MessageId{operations[operation].number}; }
    /// None: the message has the receive that names it.
    std::optional<std::uint32_t> envelope_of(MessageId message) const {
        return message < matching.envelopes.size() ? matching.envelopes[message] : std::nullopt;
    }
    /// The bytes that a receive has room for.
    std::uint64_t room_of(OperationId receive) const {
        return receive < matching.room.size() ? matching.room[receive] : UINT64_MAX;
    }
    /// Where an operation stands, as in "x.goal:7"; empty where it was not read from a text.
    std::string place_of(OperationId operation) const;
};

/// [message]: a tag, counted from 0 among the messages of its sender and receiver; one for each envelope, and
/// one for each message that has none.
std::vector<std::uint32_t> tags_in_pairs(const MessageProgram& program);

/// [operation]: in which order operations start that begin at the same time: by number, but each after all
/// that it waits for. Empty where that is their numbers' order, or where no envelope depends on it.
std::vector<std::uint32_t> start_ranks(const MessageProgram& program);

}  // namespace interlace
