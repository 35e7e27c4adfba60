// Interlace: synchronous shuffle exchange: complete exchange packet by packet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/program/messages.h"

namespace interlace {

/// Source of all: Tam and Wang, "Contention-free Complete Exchange Algorithm on Clusters" (CLUSTER 2000).
enum class Permutation { shift, exclusive_or, edge_colour };

/// Steps of one round of a permutation: p - 1; for edge_colour with odd p, p, in each of which one machine
/// rests. Throws InputError for exclusive_or where p is no power of two.
std::uint32_t shuffle_steps(Permutation permutation, std::uint32_t machines);

/// To whom (and, of exclusive_or and edge_colour, from whom) machine `id` sends in step 1, 2, ...; itself
/// where it rests. Receivers of shift are (id - step) mod p.
std::uint32_t shuffle_to(Permutation permutation, std::uint32_t machines, std::uint32_t id,
                         std::uint32_t step);
std::uint32_t shuffle_from(Permutation permutation, std::uint32_t machines, std::uint32_t id,
                           std::uint32_t step);

/// Eq. 5: a machine's number in the permutation, for machines of which `per_switch` in a row share a switch,
/// the same on every switch: floor(id / d_1) + (id mod d_1) d_2. (Printed with the factor d_1, which is no
/// permutation unless d_1 = d_2.) Throws InputError where the machines do not fill all switches.
std::vector<std::uint32_t> reordered(std::uint32_t machines, std::uint32_t per_switch);

/// Eq. 2: the time of an exchange on one switch that does not block, of `packets` (k) from each machine to
/// each other one, a packet every `gap` (g), `latency` (L) under way, and `overheads` (O_s + O_r + U_r). Any
/// unit.
std::uint64_t shuffle_time(std::uint32_t machines, std::uint32_t packets, std::uint64_t gap,
                           std::uint64_t latency, std::uint64_t overheads);

/// Eq. 3: packets that one step sends to a switch's uplink, in the mean.
double uplink_packets(std::uint32_t machines, std::uint32_t per_switch);

/// Eq. 4: the window of a bottleneck with room for `room` packets, at least 1. Undefined where nothing
/// crosses an uplink
/// (`per_switch` = `machines`).
std::uint32_t global_window(std::uint32_t room, std::uint32_t machines, std::uint32_t per_switch);

struct Shuffle {
    Permutation permutation = Permutation::shift;
    std::uint64_t bytes = 1492;         ///< from each machine to each other one
    std::uint64_t packet_bytes = 1492;  ///< of all packets but the last, which has the rest
    std::uint32_t window =
        0;  ///< W_g: packets sent and not yet matched by one received, at most; 0: no limit
    std::vector<std::uint32_t> logical = {};  ///< numbers in the permutation; empty: the machines' own

    /// k: from each machine to each other one; of no bytes there is one packet.
    std::uint32_t packets() const {
        return static_cast<std::uint32_t>(bytes == 0 ? 1 : (bytes + packet_bytes - 1) / packet_bytes);
    }
};

/// Figures 2 and 5: k rounds of the permutation, one packet a step; a machine sends in order, receives in
/// order, and sends only while its sent less its received packets are below the window. Block (i * machines +
/// j) * k + round.
MessageProgram shuffle_exchange(std::uint32_t machines, const Shuffle& shuffle);

}  // namespace interlace
