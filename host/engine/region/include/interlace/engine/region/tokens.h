// Interlace: tokens: what regions, links and hosts tell one another in a cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "interlace/engine/region/credits.h"
#include "interlace/node/packet.h"

namespace interlace {

/// A flit on a link's pins in one cycle. As an input, `node` and `port` are the receiver's; as an output, the
/// sender's. On the host's side `port` is the injection queue.
struct LinkFlit {
    std::uint32_t node;
    std::uint8_t port, vc;
    Flit flit;
};

/// As LinkFlit, from a node whose pins have words.
struct RawLinkFlit {
    std::uint32_t node;
    std::uint8_t port, vc;
    RawFlit flit;
};

/// Freed flits on the credit pins in one cycle. As an output, `port` is the input port of `node` whose
/// channel has them free; as an input, the output port of `node` that may use them. On the host's side, the
/// injection queue.
struct Credit {
    std::uint32_t node;
    std::uint8_t port, vc, amount;
};

/// Room in an injection queue that the host may count on: what Credits would say of a packet that it handed
/// over, all at once.
struct HostReturn {
    std::uint32_t node;
    std::uint8_t queue;
    Return what;
};

/// A host takes, or no longer takes, what a reception queue has, from this cycle on. At first every host
/// does.
struct Ready {
    std::uint32_t node;
    std::uint8_t queue;
    bool ready;
};

/// The tail of a packet that a host took in this cycle.
struct Reception {
    std::uint32_t node;
    std::uint8_t queue;
    Packet packet;
};

/// A packet that a host writes into an injection queue, which has room for all of it: a flit a cycle from
/// this one on.
struct Writing {
    std::uint32_t node;
    std::uint8_t queue;
    Packet packet;
};

/// A packet that comes to a node of another region by a link, and the cycles in which its flits are on that
/// node's pins, from the `from`-th flit on (`more` is 0). What is known of it first begins with its head.
struct LinkPacket {
    std::uint32_t node;
    std::uint8_t port, vc, from;
    Packet packet;
    Return when;
};

/// Room behind an output port of a node of another region that it may count on.
struct LinkReturn {
    std::uint32_t node;
    std::uint8_t port, vc;
    Return what;
};

/// What a region knows of its neighbours' link pins in cycles to come, instead of their flits and credits
/// one by one. A packet's head is told of flit_delay() + 1 cycles before it is there, its other flits at
/// least one more, and room credit_delay() + 2 cycles before it counts (fabric.h).
struct LinkTokens {
    std::vector<LinkPacket> packets;
    std::vector<LinkReturn> returns;
    bool empty() const { return packets.empty() && returns.empty(); }
    void clear() {
        packets.clear();
        returns.clear();
    }
    void append(const LinkTokens& more) {
        packets.insert(packets.end(), more.packets.begin(), more.packets.end());
        returns.insert(returns.end(), more.returns.begin(), more.returns.end());
    }
};

/// What the input pins of a region show in a cycle; of links, those from nodes of other regions.
struct RegionInputs {
    std::vector<LinkFlit> flits, injections;
    std::vector<Writing> packets;        ///< instead of their injections, where the region takes packets
    std::vector<RawLinkFlit> raw_flits;  ///< from hardware in other regions
    std::vector<Credit> credits;
    std::vector<Ready> ready;
    bool writes() const { return !injections.empty() || !packets.empty(); }  ///< a host writes
    void clear() {
        flits.clear();
        injections.clear();
        packets.clear();
        raw_flits.clear();
        credits.clear();
        ready.clear();
    }
};

/// What came of a cycle: what the hosts took in it, and what the output pins show in the next.
struct RegionOutputs {
    std::vector<LinkFlit> flits;
    std::vector<RawLinkFlit> raw_flits;  ///< of hardware, word by word
    std::vector<LinkFlit> sent;  ///< every flit on a link's pins, inside the region too, where watched
    std::vector<Credit> credits, injection_credits;
    std::vector<HostReturn> returns;  ///< instead of injection_credits for RegionInputs::packets
    std::vector<Reception> receptions;
    LinkTokens ahead;  ///< instead of flits and credits, where regions exchange packets
    /// In the order of nodes and their queues.
    void sort_receptions() {
        std::sort(receptions.begin(), receptions.end(), [](const Reception& a, const Reception& b) {
            return std::pair(a.node, a.queue) < std::pair(b.node, b.queue);
        });
    }
    void clear() {
        ahead.clear();
        flits.clear();
        raw_flits.clear();
        sent.clear();
        credits.clear();
        injection_credits.clear();
        returns.clear();
        receptions.clear();
    }
};

/// Every output pin of a node, word by word, in the order of pin_names(): docs/node.md, section 3.
using Pins = std::vector<std::uint64_t>;

}  // namespace interlace
