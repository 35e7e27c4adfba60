// Interlace: the pins that Verilator makes, as numbers and flits
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace interlace::detail {

// What the nodes are built with.
inline constexpr std::uint32_t flit_bits = 130;  // tail, head, two words
inline constexpr std::uint32_t amount_bits = 7;
inline constexpr std::uint32_t vc_bits = 2;
inline constexpr std::uint32_t count_bits = 16;
inline constexpr std::uint32_t slots = 1024;

static_assert(std::endian::native == std::endian::little, "wide pins are read as bytes, the lowest first");

constexpr std::uint64_t ones(std::uint32_t width) {
    return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// Of a pin that are read or set at once.
inline constexpr std::uint32_t most_bits = 57;

/// Eight bytes of a pin of many words: those that bit `low` and the 56 above it are in.
template <class Pin>
struct Window {
    std::uint32_t byte, shift;
    explicit Window(std::uint32_t low)
        : byte(std::min(low / 8, static_cast<std::uint32_t>(sizeof(Pin)) - 8)), shift(low - byte * 8) {
        static_assert(sizeof(Pin) > 8);
    }
    std::uint64_t load(const Pin& pin) const {
        std::uint64_t bits;
        std::memcpy(&bits, reinterpret_cast<const unsigned char*>(&pin) + byte, 8);
        return bits;
    }
    void store(Pin& pin, std::uint64_t bits) const {
        std::memcpy(reinterpret_cast<unsigned char*>(&pin) + byte, &bits, 8);
    }
};

/// `width` <= most_bits bits of a pin from bit `low` on, whatever type Verilator gave the pin. SystemC pins
/// have their own get, set, clear, get_flit and set_flit.
template <class Pin>
std::uint64_t get(const Pin& pin, std::uint32_t low, std::uint32_t width) {
    if constexpr (std::is_integral_v<Pin>) {
        return static_cast<std::uint64_t>(pin) >> low & ones(width);
    } else {
        assert(width <= most_bits);
        const Window<Pin> window(low);
        return window.load(pin) >> window.shift & ones(width);
    }
}

template <class Pin>
void set(Pin& pin, std::uint32_t low, std::uint32_t width, std::uint64_t value) {
    const std::uint64_t mask = ones(width);
    if constexpr (std::is_integral_v<Pin>) {
        const std::uint64_t kept = static_cast<std::uint64_t>(pin) & ~(mask << low);
        pin = static_cast<Pin>(kept | (value & mask) << low);
    } else {
        assert(width <= most_bits);
        const Window<Pin> window(low);
        window.store(pin, (window.load(pin) & ~(mask << window.shift)) | (value & mask) << window.shift);
    }
}

template <class Pin>
void clear(Pin& pin) {
    if constexpr (std::is_integral_v<Pin>)
        pin = 0;
    else
        std::memset(&pin, 0, sizeof(pin));
}

/// A flit as it is on a pin.
struct RawFlit {
    std::uint64_t word[2];
    std::uint64_t ends;  // bit 0 head, bit 1 tail
};

/// The five 32-bit words of a pin of 130-bit flits that have flit i: two, two and one, as numbers, and how
/// far up the flit begins, an even number below 32.
struct FlitWords {
    std::uint32_t offset, shift;  // in bytes, in bits
    std::uint64_t low, middle;
    std::uint32_t high;
    template <class Pin>
    FlitWords(const Pin& pin, std::uint32_t i) : offset(i * flit_bits / 32 * 4), shift(i * flit_bits % 32) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(&pin) + offset;
        std::memcpy(&low, bytes, 8);
        std::memcpy(&middle, bytes + 8, 8);
        std::memcpy(&high, bytes + 16, 4);
    }
    /// What a word leaves to the next one above.
    std::uint64_t carry(std::uint64_t word) const { return word >> 1 >> (63 - shift); }
};

template <class Pin>
RawFlit get_flit(const Pin& pin, std::uint32_t i) {
    const FlitWords from(pin, i);
    const auto down = [&](std::uint64_t word, std::uint64_t above) {
        return word >> from.shift | above << 1 << (63 - from.shift);
    };
    return {{down(from.low, from.middle), down(from.middle, from.high)}, from.high >> from.shift & 3U};
}

template <class Pin>
void set_flit(Pin& pin, std::uint32_t i, const RawFlit& flit) {
    FlitWords into(pin, i);
    into.low = (into.low & ones(into.shift)) | flit.word[0] << into.shift;
    into.middle = into.carry(flit.word[0]) | flit.word[1] << into.shift;
    into.high = (into.high & ~static_cast<std::uint32_t>(ones(into.shift + 2))) |
                static_cast<std::uint32_t>(into.carry(flit.word[1]) | flit.ends << into.shift);
    auto* bytes = reinterpret_cast<unsigned char*>(&pin) + into.offset;
    std::memcpy(bytes, &into.low, 8);
    std::memcpy(bytes + 8, &into.middle, 8);
    std::memcpy(bytes + 16, &into.high, 4);
}

/// Calls visit(i, amount) for every amount that is not 0 of a pin that has `count` of them.
template <class Pin, class Visit>
void each_amount(const Pin& pin, std::uint32_t count, const Visit& visit) {
    constexpr std::uint32_t at_once = most_bits / amount_bits;
    for (std::uint32_t first = 0; first < count; first += at_once)
        for (std::uint64_t rest =
                 get(pin, first * amount_bits, std::min(count - first, at_once) * amount_bits);
             rest != 0;) {
            const auto i = static_cast<std::uint32_t>(__builtin_ctzll(rest)) / amount_bits;
            const std::uint64_t amount = rest >> i * amount_bits & ones(amount_bits);
            visit(first + i, static_cast<std::uint8_t>(amount));
            rest ^= amount << i * amount_bits;
        }
}

}  // namespace interlace::detail
