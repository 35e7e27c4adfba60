// Interlace: the pins that Verilator makes, as numbers and flits
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <type_traits>

#include "interlace/node/packet.h"

namespace interlace::detail {

// What the nodes are built with.
inline constexpr std::uint32_t flit_bits = 130;  // tail, head, two words
inline constexpr std::uint32_t amount_bits = 7;
inline constexpr std::uint32_t vc_bits = 2;
inline constexpr std::uint32_t count_bits = 16;
inline constexpr std::uint32_t status_bits = 6;

static_assert(std::endian::native == std::endian::little, "wide pins are read as bytes, the lowest first");

constexpr std::uint64_t ones(std::uint32_t width) {
    return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// The bytes of a pin, as words of a number's size.
template <class Word>
Word load(const unsigned char* from) {
    Word word;
    std::copy_n(from, sizeof(Word), reinterpret_cast<unsigned char*>(&word));
    return word;
}

template <class Word>
void store(unsigned char* to, Word word) {
    std::copy_n(reinterpret_cast<const unsigned char*>(&word), sizeof(Word), to);
}

template <class Pin>
const unsigned char* bytes(const Pin& pin) {
    return reinterpret_cast<const unsigned char*>(&pin);
}

template <class Pin>
unsigned char* bytes(Pin& pin) {
    return reinterpret_cast<unsigned char*>(&pin);
}

/// Of a pin that are read or set at once.
inline constexpr std::uint32_t max_bits = 57;

/// Eight bytes of a pin of many words: those that bit `low` and the 56 above it are in.
template <class Pin>
struct Window {
    std::uint32_t byte, shift;
    explicit Window(std::uint32_t low)
        : byte(std::min(low / 8, static_cast<std::uint32_t>(sizeof(Pin)) - 8)), shift(low - byte * 8) {
        static_assert(sizeof(Pin) > 8);
    }
};

/// `width` <= max_bits bits of a pin from bit `low` on, whatever type Verilator gave the pin. SystemC pins
/// have their own get, set, clear, get_flit and set_flit.
template <class Pin>
std::uint64_t get(const Pin& pin, std::uint32_t low, std::uint32_t width) {
    if constexpr (std::is_integral_v<Pin>) {
        return static_cast<std::uint64_t>(pin) >> low & ones(width);
    } else {
        assert(width <= max_bits);
        const Window<Pin> window(low);
        return load<std::uint64_t>(bytes(pin) + window.byte) >> window.shift & ones(width);
    }
}

template <class Pin>
void set(Pin& pin, std::uint32_t low, std::uint32_t width, std::uint64_t value) {
    const std::uint64_t mask = ones(width);
    if constexpr (std::is_integral_v<Pin>) {
        const std::uint64_t kept = static_cast<std::uint64_t>(pin) & ~(mask << low);
        pin = static_cast<Pin>(kept | (value & mask) << low);
    } else {
        assert(width <= max_bits);
        const Window<Pin> window(low);
        unsigned char* at = bytes(pin) + window.byte;
        store(at, (load<std::uint64_t>(at) & ~(mask << window.shift)) | (value & mask) << window.shift);
    }
}

template <class Pin>
void clear(Pin& pin) {
    if constexpr (std::is_integral_v<Pin>)
        pin = 0;
    else
        std::fill_n(bytes(pin), sizeof(pin), std::uint8_t{0});
}

/// The five 32-bit words of a pin of 130-bit flits that have flit i: two, two and one, as numbers, and how
/// far up the flit begins, an even number below 32.
struct FlitWords {
    std::uint32_t offset, shift;  // in bytes, in bits
    std::uint64_t low, middle;
    std::uint32_t high;
    template <class Pin>
    FlitWords(const Pin& pin, std::uint32_t i) : offset(i * flit_bits / 32 * 4), shift(i * flit_bits % 32) {
        low = load<std::uint64_t>(bytes(pin) + offset);
        middle = load<std::uint64_t>(bytes(pin) + offset + 8);
        high = load<std::uint32_t>(bytes(pin) + offset + 16);
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
    unsigned char* at = bytes(pin) + into.offset;
    store(at, into.low);
    store(at + 8, into.middle);
    store(at + 16, into.high);
}

/// Calls visit(i, amount) for every amount that is not 0 of a pin that has `count` of them.
template <class Pin, class Visit>
void each_amount(const Pin& pin, std::uint32_t count, const Visit& visit) {
    constexpr std::uint32_t at_once = max_bits / amount_bits;
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
