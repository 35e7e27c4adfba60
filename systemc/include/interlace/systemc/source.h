// Interlace: a queue that packets leave (docs/node.md, sections 4 and 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "interlace/systemc/packet.h"
#include "interlace/systemc/queue.h"
#include "interlace/systemc/registers.h"

namespace interlace::systemc {

/// A packet at or behind the head of a source.
struct Packet {
    std::uint32_t sinks = 0;           ///< its route
    std::uint32_t channels = 0;        ///< of a link that it may use
    std::uint32_t length = 0;          ///< flits
    std::uint32_t room = 0, cost = 0;  ///< credits that it asks of a channel, and takes
    std::uint32_t hops = 0;
    bool high = false;
    bool adaptive = false, enters = false;  ///< as in Route
    bool chosen = false;                    ///< it asks for one of its choices, not for its escape
    std::uint32_t choices = 0, escape = 0;
};

/// What an adaptive packet takes in a cycle: one of its choices, or its escape, as a mask; 0: nothing.
struct Choice {
    std::uint32_t sinks = 0;
    bool chosen = false;
};

struct Source {
    Packet head;                              ///< the head packet, if the source has one
    std::uint32_t granted = 0, finished = 0;  ///< sinks, of the head packet
    std::uint32_t arriving = 0;               ///< flits of the last packet still to come ...
    bool refusing = false;                    ///< ... which is refused
    std::uint32_t refused = 0;                ///< flits refused in this cycle
    // Pipelined: branches whose tail is next and moves in any case; in the last cycles, the last one first,
    // the level of its flits, or of the packet that asked, and what its head packet took.
    std::uint32_t closing = 0;
    std::array<std::uint32_t, 2> levels{};
    std::array<Choice, 3> choices{};
    Queue<Flit> flits;
    Queue<Packet> behind;  ///< the packets behind the head packet

    /// All flits of the head packet are here.
    bool complete() const { return flits.size() >= head.length; }
    /// All branches of the head packet have moved its tail.
    bool left() const { return finished == head.sinks; }

    /// Pipelined: in the next cycle they will have.
    bool closes() const {
        return granted != 0 && granted == head.sinks && (finished | closing) == head.sinks;
    }

    /// What the head packet was no longer counts.
    void forget() {
        granted = finished = closing = 0;
        choices = {};
    }

    bool one_branch() const { return (head.sinks & (head.sinks - 1)) == 0; }

    /// Flits that have become free in a cycle in which the head packet has moved (section 5, step 5).
    std::uint32_t freed() const { return one_branch() ? 1 : left() ? head.length : 0; }

    /// A flit begins a packet if it is a head between packets.
    bool begins(const Flit& flit) const { return flit.head() && arriving == 0; }

    /// A flit from a pin, which is kept, refused (`refuse`: the packet that it begins) or, without room,
    /// lost. `depth`: what the queue can be given. Returns errors; `kept` says whether it is in the queue.
    std::uint32_t take(const Flit& flit, std::uint32_t depth, bool refuse, bool& kept) {
        const bool first = begins(flit);
        const bool refuse_it = arriving == 0 ? !first || refuse : refusing;
        kept = !refuse_it && flits.size() < depth;
        if (!kept && !refuse_it) return Status::overflow;
        const std::uint32_t due = first ? Header{flit.word[0]}.length() : arriving;
        const bool framed = flit.head() == (arriving == 0) && flit.tail() == (due == 1);
        if (first) refusing = refuse;
        if (due != 0) arriving = due - 1;
        if (kept)
            flits.push(flit);
        else
            ++refused;
        return framed ? 0 : Status::malformed;
    }

    /// As Queue's.
    template <class State>
    void state(State& state) {
        state(head, granted, finished, arriving, refusing, refused, closing, levels, choices);
        flits.state(state);
        behind.state(state);
    }

    void clear() {
        flits.clear();
        behind.clear();
        forget();
        arriving = refused = 0;
        refusing = false;
    }
};

}  // namespace interlace::systemc
