// Interlace: pins of a given width, in the types that Verilator gives a SystemC module
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <type_traits>

namespace interlace::systemc {

/// bool for one bit, uint32_t to 32 bits, uint64_t to 64, sc_bv beyond: so that a Verilated module and ours
/// have pins of the same types.
template <std::uint32_t Width>
using PinType = std::conditional_t<
    Width == 1, bool,
    std::conditional_t<Width <= 32, std::uint32_t,
                       std::conditional_t<Width <= 64, std::uint64_t, sc_dt::sc_bv<Width>>>>;

/// `width` <= 64 ones.
constexpr std::uint64_t ones(std::uint32_t width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// Calls visit(i) for every bit i of a mask that is set, lowest first.
template <class Visit>
void each_bit(std::uint64_t mask, const Visit& visit) {
    for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(__builtin_ctzll(mask)));
}

/// Word i, of 32 bits, of a pin wider than 64.
template <class Wide>
std::uint64_t word_of(const Wide& value, std::uint32_t i) {
    return static_cast<std::uint32_t>(value.get_word(static_cast<int>(i)));
}

/// `width` <= 64 bits of a pin's value from bit `low` on.
template <class Value>
std::uint64_t get_bits(const Value& value, std::uint32_t low, std::uint32_t width) {
    if constexpr (std::is_integral_v<Value>) {
        return static_cast<std::uint64_t>(value) >> low & ones(width);
    } else {
        const std::uint32_t word = low / 32;
        const std::uint32_t shift = low % 32;
        std::uint64_t bits = word_of(value, word) >> shift;
        if (shift + width > 32) bits |= word_of(value, word + 1) << (32 - shift);
        if (shift + width > 64) bits |= word_of(value, word + 2) << (64 - shift);
        return bits & ones(width);
    }
}

/// Replaces `width` <= 64 bits of a pin's value from bit `low` on.
template <class Value>
void set_bits(Value& value, std::uint32_t low, std::uint32_t width, std::uint64_t bits) {
    bits &= ones(width);
    if constexpr (std::is_same_v<Value, bool>) {
        value = bits != 0;
    } else if constexpr (std::is_integral_v<Value>) {
        value = static_cast<Value>((value & ~(ones(width) << low)) | bits << low);
    } else {
        const std::uint32_t word = low / 32;
        const std::uint32_t shift = low % 32;
        const auto replace = [&value](std::uint32_t i, std::uint64_t mask, std::uint64_t piece) {
            value.set_word(static_cast<int>(i),
                           static_cast<sc_dt::sc_digit>((word_of(value, i) & ~mask) | piece));
        };
        replace(word, ones(width) << shift, bits << shift);
        if (shift + width > 32) replace(word + 1, ones(width) >> (32 - shift), bits >> (32 - shift));
        if (shift + width > 64) replace(word + 2, ones(width) >> (64 - shift), bits >> (64 - shift));
    }
}

/// `to` = `from`, word by word; the assignment of sc_bv also asks every word for unknown bits, which it
/// cannot have.
template <class Value>
void copy_bits(Value& to, const Value& from) {
    if constexpr (std::is_integral_v<Value>)
        to = from;
    else
        for (int word = 0; word < from.size(); ++word) to.set_word(word, from.get_word(word));
}

template <class Value>
void clear_bits(Value& value) {
    if constexpr (std::is_integral_v<Value>)
        value = 0;
    else
        for (int word = 0; word < value.size(); ++word) value.set_word(word, 0);
}

/// A pin's value as a part of a state: state(words) saves them, or loads them.
template <class State, class Value>
void bits_state(State& state, Value& value) {
    if constexpr (std::is_integral_v<Value>) {
        state(value);
    } else {
        for (int i = 0; i < value.size(); ++i) {
            sc_dt::sc_digit word = value.get_word(i);
            state(word);
            value.set_word(i, word);
        }
    }
}

template <class Value>
bool any_bits(const Value& value) {
    if constexpr (std::is_integral_v<Value>) {
        return value != 0;
    } else {
        sc_dt::sc_digit any = 0;
        for (int word = 0; word < value.size(); ++word) any |= value.get_word(word);
        return any != 0;
    }
}

/// Calls visit(i, field) for every field that is not 0 of a pin that is `count` fields of `width` bits.
template <class Value, class Visit>
void each_field(const Value& value, std::uint32_t count, std::uint32_t width, const Visit& visit) {
    const std::uint32_t at_once = 64 / width;
    for (std::uint32_t first = 0; first < count; first += at_once) {
        const std::uint32_t fields = std::min(at_once, count - first);
        for (std::uint64_t rest = get_bits(value, first * width, fields * width); rest != 0;) {
            const std::uint32_t i = static_cast<std::uint32_t>(__builtin_ctzll(rest)) / width;
            visit(first + i, static_cast<std::uint32_t>(rest >> i * width & ones(width)));
            rest &= ~(ones(width) << i * width);
        }
    }
}

}  // namespace interlace::systemc
