// Interlace: what a platform reads and writes at a node's socket
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/node/packet.h"

namespace interlace {

/// The addresses of one node's socket (docs/systemc-platforms.md). A register is 32 bits and read alone; a
/// packet is written, or read, in one transaction at the address itself, however long it is. Words are in the
/// byte order of the machine that simulates, as TLM-2.0 has them.
struct MemoryMap {
    static constexpr std::uint64_t node = 0x00;             ///< this node's number
    static constexpr std::uint64_t nodes = 0x04;            ///< of the network
    static constexpr std::uint64_t injections = 0x08;       ///< injection queues of a node
    static constexpr std::uint64_t largest_payload = 0x0c;  ///< of a packet, in bytes
    static constexpr std::uint64_t waiting = 0x10;          ///< packets that have come and were not read
    static constexpr std::uint64_t receive = 0x1000;        ///< read: the oldest of them; waits for one
    static constexpr std::uint64_t poll = 0x2000;           ///< read: the same, or `valid` 0 at once
    /// Write: a packet into injection queue `queue`.
    static constexpr std::uint64_t inject(std::uint32_t queue) { return 0x10000 + 0x1000ULL * queue; }
};

/// What is written to an injection queue, the payload right behind it.
struct OutgoingHeader {
    std::uint32_t target = 0;  ///< unicast, deposit: a node; table: the slot; explicit: a mask of link ports
    PacketKind kind = PacketKind::unicast;  ///< unicast: by the network's routing, by its table, too
    std::uint8_t flags = 0;                 ///< of high_priority, second_group, deterministic
    std::uint16_t ports = 0;                ///< deposit: the mask of link ports it leaves by; else 0
    std::uint32_t tag = 0;                  ///< the platform's own
    std::uint32_t reserved = 0;             ///< 0

    static constexpr std::uint8_t high_priority = 1, second_group = 2;
    static constexpr std::uint8_t deterministic =
        4;  ///< unicast, adaptive by coordinates: it chooses nothing
};
static_assert(sizeof(OutgoingHeader) == 16);

/// What is read of a packet, the payload right behind it. Cycles are the network's, from 0.
struct IncomingHeader {
    std::uint8_t valid = 0;  ///< 0: nothing is there, and all else is 0
    std::uint8_t queue = 0;  ///< reception queue
    std::uint16_t reserved = 0;
    std::uint32_t source = 0;    ///< node
    std::uint32_t tag = 0;       ///< the sender's
    std::uint32_t bytes = 0;     ///< of payload
    std::uint64_t injected = 0;  ///< the cycle with its head on inj_flit_i
    std::uint64_t taken = 0;  ///< the cycle with its tail on rx_flit_o, taken: it can be read from the next
};
static_assert(sizeof(IncomingHeader) == 32);

}  // namespace interlace
