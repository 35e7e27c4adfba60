// Interlace: the hosts of a ring of four nodes, at the nodes' pins
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "interlace/core/random.h"
#include "interlace/node/packet.h"
#include "interlace/node/parameters.h"

namespace interlace {

/// The torus:4 as a ring: port 0 of node n leads to port 1 of node n + 1, which leads back.
struct RingPlace {
    static constexpr std::uint32_t nodes = 4, ports = 2;
    std::uint32_t node, port;

    /// The port at the other end of the link.
    RingPlace far() const { return {(node + (port == 0 ? 1 : nodes - 1)) % nodes, 1 - port}; }
};

/// A flit as it is on a pin: two words of data, head (1) and tail (2).
struct PinFlit {
    std::uint64_t word[2] = {0, 0};
    std::uint32_t ends = 0;
};

/// Random packets of every kind that the nodes can take, in random cycles, and hosts that read at random: the
/// same for the same parameters and the same answers of the nodes. Explicit packets go on from host to host.
/// Checks every word that arrives; what is wrong is in errors().
class RingHosts {
  public:
    /// `vcs`, `injections`, `receptions`: as the nodes are built. With one channel only explicit packets.
    struct Parameters {
        std::uint32_t vcs, injections, receptions;
        Switching switching;
        std::uint32_t cycles_per_flit;
        static constexpr std::uint32_t depth = 16;  ///< of every queue
    };
    static constexpr std::uint32_t max_injections = 4, max_receptions = 6;

    struct Shown {  ///< by a node
        std::array<std::uint32_t, max_injections> inj_credit{};
        std::uint32_t rx_valid = 0;
        std::array<PinFlit, max_receptions> rx_flit{};
    };
    struct Driven {  ///< by its host
        std::uint32_t inj_valid = 0;
        std::array<PinFlit, max_injections> inj_flit{};
        std::uint32_t rx_ready = 0;
    };

    explicit RingHosts(const Parameters& parameters) : p_(parameters) {
        for (auto& host : host_) {
            host.queue.resize(p_.injections);
            host.arriving.resize(p_.receptions);
        }
    }

    /// What the host writes into node n's registers, `enable` last: address and data.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> registers(std::uint32_t n) const {
        const std::uint32_t high = (p_.vcs + 1) / 2;
        const std::uint32_t all = (1U << p_.vcs) - 1, low_mask = (1U << high) - 1;
        const std::uint32_t high_mask = p_.vcs == 1 ? 1 : all & ~low_mask;
        constexpr std::uint32_t plus = 1, local = 4;
        return {{1, static_cast<std::uint32_t>(p_.switching)},
                {2, all},
                {3, p_.depth},
                {4, p_.depth},
                {5, 3},
                {6, p_.receptions == 1 ? 0 : 7},
                {7, p_.depth},
                {8, 3},
                {9, low_mask | high_mask << 4},
                {10, p_.cycles_per_flit},
                {0x10, n | RingPlace::nodes << 16},
                {0x20, 1},
                {0x21, 1 | 1U << 19},
                {0x1000 + line_slot, n == 0                      ? plus
                                     : n + 1 == RingPlace::nodes ? local
                                                                 : plus | local},
                {0, 1}};
    }

    /// What host n drives in a cycle in which its node shows this. `sending`: whether new packets start.
    Driven cycle(std::uint32_t n, const Shown& shown, bool sending) {
        Host& host = host_[n];
        Driven driven;
        for (std::uint32_t i = 0; i < p_.injections; ++i) {
            Queue& queue = host.queue[i];
            queue.used -= shown.inj_credit[i];
            if (queue.index == queue.packet.length()) start(n, queue, sending);
            if (queue.index == queue.packet.length()) continue;
            driven.inj_valid |= 1U << i;
            driven.inj_flit[i] = on_pins({queue.packet, queue.index++});
        }
        driven.rx_ready = static_cast<std::uint32_t>(draw() & draw_mask());
        for (std::uint32_t r = 0; r < p_.receptions; ++r)
            if ((driven.rx_ready & shown.rx_valid) >> r & 1U) receive(n, host.arriving[r], shown.rx_flit[r]);
        return driven;
    }

    /// Whether a host starts no packet.
    void rest(std::uint32_t n, bool rests) { host_[n].rests = rests; }

    std::uint64_t sent() const { return sent_; }  ///< packets
    /// Packets that have arrived and those that have to, one for each host that gets it.
    std::uint64_t arrived() const { return arrived_; }
    std::uint64_t due() const { return due_; }
    const std::vector<std::string>& errors() const { return errors_; }

  private:
    static constexpr std::uint32_t line_slot = 3;  ///< of the table: from node 0 to all others

    struct Queue {
        Packet packet = make_packet({});
        std::uint8_t index = 1;  ///< of the flit that comes next; the length: none
        std::uint32_t used = 0;  ///< flits
    };
    struct Host {
        std::vector<Queue> queue;
        std::vector<Flit> arriving;     ///< what comes next on each reception queue
        std::deque<Packet> forwarding;  ///< packets that go on
        bool rests = false;
    };

    std::uint64_t draw() { return random_bits(11, 0, draws_++); }
    /// Times in which hosts read almost always, and times in which they seldom do.
    std::uint64_t draw_mask() const { return draws_ / 8192 % 2 != 0 ? random_bits(12, draws_, 0) : ~0ULL; }

    static PinFlit on_pins(const Flit& flit) {
        return {{flit.packet.word(2U * flit.index), flit.packet.word(2U * flit.index + 1)},
                (flit.head() ? 1U : 0U) | (flit.tail() ? 2U : 0U)};
    }

    void start(std::uint32_t n, Queue& queue, bool sending) {
        Host& host = host_[n];
        if (host.rests) return;
        Packet packet;
        if (!host.forwarding.empty())
            packet = host.forwarding.front();
        else if (sending && draw() % 12 == 0)
            packet = random_packet(n);
        else
            return;
        if (queue.used + packet.length() > p_.depth) return;
        if (!host.forwarding.empty()) host.forwarding.pop_front();
        queue = {packet, 0, queue.used + packet.length()};
        ++sent_;
        due_ += copies(n, packet);
    }

    static std::uint32_t copies(std::uint32_t n, const Packet& packet) {
        switch (packet.kind()) {
            case PacketKind::explicit_mask:
                return static_cast<std::uint32_t>(std::popcount(packet.slot()));
            case PacketKind::table:
                return RingPlace::nodes - 1;
            case PacketKind::deposit:
                return packet.destination() - n;
            case PacketKind::unicast:
                return 1;
        }
        return 0;
    }

    /// The lowest byte of an explicit packet's sequence number: how many hosts send it on.
    Packet random_packet(std::uint32_t n) {
        const bool branches = p_.switching != Switching::wormhole;
        PacketFields f;
        f.length = static_cast<std::uint32_t>(1 + draw() % 8);
        f.high = draw() % 4 == 0;
        f.group = draw() % 2;
        f.source = n;
        f.sequence = static_cast<std::uint32_t>(++packets_ << 8 | draw() % 6);
        f.slot = static_cast<std::uint32_t>(branches ? 1 + draw() % 3 : 1 + draw() % 2);
        const std::uint64_t kind = p_.vcs == 1 ? 0 : draw() % 4;
        if (kind == 1) {
            f.kind = PacketKind::unicast;
            f.destination = static_cast<std::uint32_t>((n + 1 + draw() % 3) % RingPlace::nodes);
        } else if (kind >= 2 && n == 0 && branches) {
            // From node 0 upwards only: no ring of packets that wait for one another.
            f.kind = kind == 2 ? PacketKind::deposit : PacketKind::table;
            f.slot = kind == 2 ? 1 : line_slot;
            f.destination = kind == 2 ? static_cast<std::uint32_t>(1 + draw() % 3) : 0;
        }
        return make_packet(f);
    }

    void receive(std::uint32_t n, Flit& next, const PinFlit& flit) {
        if ((flit.ends & 1U) != 0) next = {{flit.word[0], flit.word[1]}, 0};
        const PinFlit expected = on_pins(next);
        const Packet& packet = next.packet;
        if (flit.word[0] != expected.word[0] || flit.word[1] != expected.word[1] ||
            flit.ends != expected.ends)
            errors_.push_back("host " + std::to_string(n) + ": a flit of a packet that was not sent");
        if (packet.kind() == PacketKind::unicast && packet.destination() != n)
            errors_.push_back("host " + std::to_string(n) + ": a packet for another host");
        if (++next.index != packet.length()) return;
        ++arrived_;
        if (packet.kind() != PacketKind::explicit_mask || packet.sequence() % 256 == 0) return;
        PacketFields on;
        on.length = packet.length();
        on.source = n;
        on.sequence = packet.sequence() - 1;
        on.slot = std::has_single_bit(packet.slot()) ? packet.slot() : 2;
        host_[n].forwarding.push_back(make_packet(on));
    }

    Parameters p_;
    std::array<Host, RingPlace::nodes> host_;
    std::uint64_t draws_ = 0, packets_ = 0, sent_ = 0, arrived_ = 0, due_ = 0;
    std::vector<std::string> errors_;
};

}  // namespace interlace
