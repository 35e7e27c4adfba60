// Interlace: bits that wires damage
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/link/bit_errors.h"

#include <algorithm>
#include <cmath>

#include "interlace/core/random.h"

namespace interlace {
namespace {

constexpr std::uint32_t back_bits = 128;
constexpr std::uint32_t head_bits = 32, crc_bits = 32;  // of a forward frame, around its data

void invert_bit(std::span<std::uint8_t> bits, std::uint32_t bit) {
    bits[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
}

}  // namespace

BitErrors::BitErrors(double rate, std::uint32_t burst, std::uint32_t data_bytes)
    : rate_(rate), burst_(burst), data_bits_(8 * data_bytes) {
    const std::uint32_t bits = std::max(back_bits, head_bits + data_bits_ + crc_bits);
    constexpr double all = 18446744073709551616.0;  // 2^64
    for (std::uint32_t i = 0; i < bits; ++i) {
        const double chance = -std::expm1((i + 1) * std::log1p(-rate)) * all;
        by_.push_back(chance < all ? static_cast<std::uint64_t>(chance) : UINT64_MAX);
    }
}

double BitErrors::damaged_share() const {
    return -std::expm1((head_bits + data_bits_ + crc_bits) * std::log1p(-rate_));
}

template <class Invert>
bool BitErrors::damage(std::uint32_t bits, std::uint64_t seed, std::uint64_t which,
                       const Invert& invert) const {
    if (rate_ <= 0) return false;
    std::uint32_t from = 0;
    for (std::uint64_t draw = 0; from < bits; ++draw) {
        const std::uint64_t drawn = random_bits(seed, which, draw);
        if (drawn >= by_[bits - from - 1]) return from > 0;  // mostly so
        const auto gap = std::upper_bound(by_.begin(), by_.end(), drawn) - by_.begin();
        const std::uint32_t begin = from + static_cast<std::uint32_t>(gap);
        for (std::uint32_t bit = begin; bit < std::min(begin + burst_, bits); ++bit) invert(bit);
        from = begin + 1;
    }
    return true;
}

bool BitErrors::damage_forward(std::span<std::uint8_t> frame, std::uint64_t seed, std::uint64_t which) const {
    const auto carried = static_cast<std::uint32_t>(8 * frame.size());
    const std::uint32_t crc_begin = head_bits + data_bits_;
    bool beyond = false;  // data were hit that are not carried
    const bool hit = damage(crc_begin + crc_bits, seed, which, [&](std::uint32_t bit) {
        if (bit >= crc_begin)
            invert_bit(frame, carried - crc_bits + bit - crc_begin);
        else if (bit < carried - crc_bits)
            invert_bit(frame, bit);
        else
            beyond = true;
    });
    // So the CRC is not theirs.
    for (std::uint32_t bit = carried - crc_bits; beyond && bit < carried; ++bit) invert_bit(frame, bit);
    return hit;
}

bool BitErrors::damage_back(std::span<std::uint8_t> frame, std::uint64_t seed, std::uint64_t which) const {
    return damage(back_bits, seed, which, [&](std::uint32_t bit) { invert_bit(frame, bit); });
}

}  // namespace interlace
