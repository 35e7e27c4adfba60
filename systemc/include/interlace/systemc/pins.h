// Interlace: pins of a given width, in the types that Verilator gives a SystemC module
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <type_traits>

namespace interlace::systemc {

/// bool for one bit, uint32_t to 32 bits, uint64_t to 64, sc_bv beyond: so that a Verilated module and ours
/// have pins of the same types.
template <int Width>
using PinType = std::conditional_t<
    Width == 1, bool,
    std::conditional_t<Width <= 32, std::uint32_t,
                       std::conditional_t<Width <= 64, std::uint64_t, sc_dt::sc_bv<Width>>>>;

constexpr std::uint64_t ones(int width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// `width` <= 64 bits of a pin's value from bit `low` on.
template <class Value>
std::uint64_t get_bits(const Value& value, int low, int width) {
    if constexpr (std::is_integral_v<Value>) {
        return static_cast<std::uint64_t>(value) >> low & ones(width);
    } else {
        std::uint64_t bits = 0;
        for (int got = 0; got < width;) {
            const int bit = low + got;
            bits |=
                static_cast<std::uint64_t>(static_cast<std::uint32_t>(value.get_word(bit / 32)) >> bit % 32)
                << got;
            got += 32 - bit % 32;
        }
        return bits & ones(width);
    }
}

template <class Value>
void set_bits(Value& value, int low, int width, std::uint64_t bits) {
    if constexpr (std::is_same_v<Value, bool>) {
        value = (bits & 1U) != 0;
    } else if constexpr (std::is_integral_v<Value>) {
        const std::uint64_t kept = static_cast<std::uint64_t>(value) & ~(ones(width) << low);
        value = static_cast<Value>(kept | (bits & ones(width)) << low);
    } else {
        for (int done = 0; done < width;) {
            const int bit = low + done;
            const int count = std::min(32 - bit % 32, width - done);
            const auto mask = static_cast<std::uint32_t>(ones(count) << bit % 32);
            const auto piece = static_cast<std::uint32_t>(bits >> done << bit % 32);
            const auto old = static_cast<std::uint32_t>(value.get_word(bit / 32));
            value.set_word(bit / 32, (old & ~mask) | (piece & mask));
            done += count;
        }
    }
}

}  // namespace interlace::systemc
