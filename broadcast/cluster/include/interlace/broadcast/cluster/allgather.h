// Interlace: all-to-all broadcast (all-gather) as programs of messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/broadcast/cluster/rings.h"
#include "interlace/program/messages.h"

namespace interlace {

/// Block i is machine i's message, of `bytes` bytes; every machine ends with all blocks.

/// P - 1 times every machine sends the block that it got last (first its own) to the next of the ring. It
/// sends on when it has sent and received; with `barriers`, when all have.
MessageProgram ring_allgather(const Ring& ring, std::uint64_t bytes, bool barriers = false);

/// In step i machines whose numbers differ in bit i exchange all that they hold (MPICH's algorithm for short
/// messages: Thakur, Rabenseifner, Gropp 2004). Where the machines are no power of two, those beyond the
/// greatest one hand their block to a partner before, and get everything from it after.
MessageProgram recursive_doubling_allgather(std::uint32_t machines, std::uint64_t bytes);

/// Machine 0 receives every block, machine by machine, and broadcasts them all along a binomial tree (LAM's
/// algorithm).
MessageProgram gather_broadcast_allgather(std::uint32_t machines, std::uint64_t bytes);

}  // namespace interlace
