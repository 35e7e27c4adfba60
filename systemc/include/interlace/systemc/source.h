// Interlace: a queue that packets leave (docs/node.md, sections 4 and 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    std::uint32_t last = 1;            ///< credits that go back with its tail, if it has one branch
    bool high = false;
    bool adaptive = false, enters = false;  ///< as in Route
    std::uint32_t choices = 0, escape = 0;
};

struct Source {
    Packet head;                              ///< the head packet, if the source has one
    std::uint32_t granted = 0, finished = 0;  ///< sinks, of the head packet
    std::uint32_t arriving = 0;               ///< flits of the last packet still to come
    Queue<Flit> flits;
    Queue<Packet> behind;  ///< the packets behind the head packet

    /// All flits of the head packet are here.
    bool complete() const { return flits.size() >= head.length; }
    /// All branches of the head packet have moved its tail.
    bool left() const { return finished == head.sinks; }

    bool one_branch() const { return (head.sinks & (head.sinks - 1)) == 0; }

    /// Flits that have become free in a cycle in which the head packet has moved (section 5, step 5).
    std::uint32_t freed() const { return one_branch() ? 1 : left() ? head.length : 0; }

    /// A flit from a pin. `depth`: what the queue can be given. Returns errors.
    std::uint32_t take(const Flit& flit, std::uint32_t depth) {
        std::uint32_t errors = flits.size() >= depth ? Status::overflow : 0;
        if (flit.head() != (arriving == 0)) errors |= Status::malformed;
        arriving = (flit.head() ? Header{flit.word[0]}.length() : arriving) - 1;
        if (flit.tail() != (arriving == 0)) errors |= Status::malformed;
        flits.push(flit);
        return errors;
    }

    void clear() {
        flits.clear();
        behind.clear();
        granted = finished = arriving = 0;
    }
};

}  // namespace interlace::systemc
