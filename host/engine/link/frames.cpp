// Interlace: what the wires of a link carry (docs/links.md, section 2)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/link/frames.h"

#include <zlib.h>

#include <bit>
#include <cstring>

namespace interlace {
namespace {

static_assert(std::endian::native == std::endian::little,
              "numbers are copied into frames, the low byte first");

template <class Bits>
std::uint32_t crc(const Bits& bits) {
    return static_cast<std::uint32_t>(crc32_z(0, bits.data(), bits.size() - 4));
}

template <class Bits>
void seal(Bits& bits) {
    const std::uint32_t check = crc(bits);
    std::memcpy(bits.data() + bits.size() - 4, &check, 4);
}

template <class Bits>
bool is_whole(const Bits& bits) {
    std::uint32_t check = 0;
    std::memcpy(&check, bits.data() + bits.size() - 4, 4);
    return check == crc(bits);
}

}  // namespace

ForwardBits encode(const ForwardFrame& frame) {
    ForwardBits bits;
    std::memcpy(bits.data(), &frame.sequence, 2);
    bits[2] = frame.epoch;
    bits[3] = static_cast<std::uint8_t>(frame.vc | frame.flit.ends << 2U);
    std::memcpy(bits.data() + 4, frame.flit.word, 16);
    seal(bits);
    return bits;
}

BackBits encode(const BackFrame& frame) {
    BackBits bits{};
    std::memcpy(bits.data(), &frame.expected, 2);
    bits[2] = frame.epoch;
    std::memcpy(bits.data() + 4, frame.freed.data(), 8);
    seal(bits);
    return bits;
}

bool decode(const ForwardBits& bits, ForwardFrame& frame) {
    if (!is_whole(bits)) return false;
    std::memcpy(&frame.sequence, bits.data(), 2);
    frame.epoch = bits[2];
    frame.vc = bits[3] & 3U;
    frame.flit.ends = bits[3] >> 2U & 3U;
    std::memcpy(frame.flit.word, bits.data() + 4, 16);
    return true;
}

bool decode(const BackBits& bits, BackFrame& frame) {
    if (!is_whole(bits)) return false;
    std::memcpy(&frame.expected, bits.data(), 2);
    frame.epoch = bits[2];
    std::memcpy(frame.freed.data(), bits.data() + 4, 8);
    return true;
}

}  // namespace interlace
