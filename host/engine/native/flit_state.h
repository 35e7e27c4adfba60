// Interlace: what a native node that is run flit by flit remembers from one cycle to the next
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "arbitration.h"
#include "interlace/node/packet.h"

namespace interlace::native {

inline constexpr std::uint32_t none = UINT32_MAX;

inline constexpr std::uint8_t no_choice = 255;

/// A packet in a source, or the part of it that has arrived.
struct Entry {
    Packet packet;
    std::uint32_t next = none;                           // behind it in its source
    std::uint32_t last = none;                           // of a head packet: the last one there
    std::uint32_t route = 0, started = 0, finished = 0;  // masks of sinks
    std::uint8_t length = 0;
    std::uint8_t arrived = 0;   // flits, once another packet is behind it; before, its source counts them
    std::uint8_t channels = 0;  // that it may use
    std::uint8_t room = 0, cost = 0;  // credits that it asks of a channel, and takes
    // Adaptive: the ports it may choose from, the one to escape by, and whether it enters that one's ring.
    std::uint16_t choices = 0;
    std::uint8_t escape = 0, escape_channels = 0;
    bool adaptive = false, enters = false;
    // Of a pipelined node. Branches whose tail is next and moves in any case; what an adaptive packet took in
    // the last cycle (`no_choice`: nothing), and in which of the last three it chose, the last one in bit 0.
    std::uint32_t closing = 0;
    std::uint8_t taken = no_choice, chosen = 0;
};

/// Has what the cycles of most flits need, so that those do not look into entries.
struct Source {
    std::uint32_t head = none;                        // entry
    std::uint32_t flits = 0;                          // in an escape channel, as its packets count
    std::uint8_t head_arrived = 0, tail_arrived = 0;  // flits of the first and last packet that have come
    bool single = true;                               // there is no other packet
};

/// A branch that holds a channel of a sink, of the head packet of a source; `length` of that packet, `single`
/// if it has no other.
struct Branch {
    std::uint8_t source = 0, sent = 0, length = 0;
    bool single = true;
};

/// A mask of sources that needs to be aligned to 4 bytes only.
class SourceMask {
  public:
    operator std::uint64_t() const { return halves_[0] | std::uint64_t{halves_[1]} << 32U; }
    SourceMask& operator=(std::uint64_t mask) {
        halves_ = {static_cast<std::uint32_t>(mask), static_cast<std::uint32_t>(mask >> 32U)};
        return *this;
    }
    SourceMask& operator|=(std::uint64_t mask) { return *this = *this | mask; }
    SourceMask& operator&=(std::uint64_t mask) { return *this = *this & mask; }

  private:
    std::array<std::uint32_t, 2> halves_{};
};

struct FlitSink {
    SourceMask want;  // sources whose head packet may start here
    Arbiter arbiter;
    std::uint8_t held = 0;  // mask of channels
};

/// Of a pipelined node's sink: what was asked of it in a cycle.
struct Request {
    std::uint64_t cycle = UINT64_MAX;
    std::uint64_t sources = 0, high = 0;  // that found room; those of high priority
    bool asked = false;                   // by any, with room or without
};

/// Of a pipelined node's sink: the requests of even and odd cycles; the cycle after one in which a packet
/// started.
struct Requests {
    std::array<Request, 2> of{};
    std::uint64_t rests_in = UINT64_MAX;
};

/// Of a pipelined node: sources of which an adaptive packet started in a cycle.
struct Gone {
    std::uint64_t cycle = UINT64_MAX, sources = 0;
};

/// Of a pipelined node's sink: what a packet that starts takes when all have asked.
struct Payment {
    std::size_t channel;
    std::uint32_t credits;
};

/// Of a pipelined node: what adaptive packets may choose in this cycle.
struct Open {
    std::uint32_t ports = 0;
    std::array<std::uint8_t, most_ports> levels{};
};

/// Of a pipelined node: a flit that its pins have shown, on its way to source `source`; one from hardware has
/// words.
struct Entering {
    std::uint32_t node;
    std::uint8_t source;
    std::variant<Flit, RawFlit> flit;
};

/// Of a pipelined node: a flit that has moved to sink `sink`.
struct Leaving {
    std::uint32_t node;
    std::uint8_t sink, vc;
    Flit flit;
};

/// Of a pipelined node: credits for sink `sink`.
struct Returned {
    std::uint32_t node;
    std::uint8_t sink, vc, amount;
};

/// The sinks of a node that something waits at.
struct Stalled {
    std::uint32_t node, sinks;
};

/// Flits that a source freed in this cycle.
struct Freed {
    std::uint32_t node;
    std::uint8_t source, amount;
};

}  // namespace interlace::native
