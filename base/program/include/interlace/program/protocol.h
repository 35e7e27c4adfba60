// Interlace: how a message-passing library carries out a program: as other messages and computations
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/program/messages.h"

namespace interlace {

/// The program with messages without data in place of barriers: in round r of a barrier of n machines
/// the i-th tells the (i + 2^r)-th, as long as 2^r < n (dissemination: Hensgen, Finkel, Manber: Two
/// algorithms for barrier synchronization, 1988). Operations keep their numbers but for barriers, which
/// become computations of no time.
MessageProgram with_barriers_as_messages(const MessageProgram& program);

/// The program with messages of more than `eager_limit` bytes sent by rendezvous: the sender asks in a
/// message without data, the receiver answers in another when it has begun to receive, and then the data go.
/// Operations keep their numbers: a send's and a receive's are those of the data. A message's place in its
/// envelope is that of the question, which starts when the send would.
MessageProgram with_rendezvous(const MessageProgram& program, std::uint64_t eager_limit);

/// The program with a computation after each receive of 1 to `eager_limit` bytes: to copy a message from
/// where it came, without having been asked for, to where it belongs; `picoseconds` for each byte of the
/// message that it got. What waited for the receive waits for the copy. Throws InputError for a copy that
/// takes longer than longest_time.
MessageProgram with_copies(const MessageProgram& program, std::uint64_t eager_limit,
                           std::uint64_t picoseconds);

/// The program in which machine m does nothing before `picoseconds[m]`: a computation before all that waits
/// for nothing. Operations keep their numbers.
MessageProgram with_late_starts(const MessageProgram& program, const std::vector<std::uint64_t>& picoseconds);

}  // namespace interlace
