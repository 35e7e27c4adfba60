// Interlace: what the wires of a link carry (docs/links.md, section 2)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "interlace/node/packet.h"

namespace interlace {

/// The bits of a frame on its wire, bit 0 first.
using ForwardBits = std::array<std::uint8_t, 24>;
using BackBits = std::array<std::uint8_t, 16>;

struct ForwardFrame {
    std::uint16_t sequence = 0;
    std::uint8_t epoch = 0, vc = 0;
    RawFlit flit{};
    bool operator==(const ForwardFrame&) const = default;
};

struct BackFrame {
    std::uint16_t expected = 0;
    std::uint8_t epoch = 0;
    std::array<std::uint16_t, 4> freed{};
    bool operator==(const BackFrame&) const = default;
};

ForwardBits encode(const ForwardFrame& frame);
BackBits encode(const BackFrame& frame);
/// False, and `frame` as it was, where the CRC is wrong.
bool decode(const ForwardBits& bits, ForwardFrame& frame);
bool decode(const BackBits& bits, BackFrame& frame);

}  // namespace interlace
