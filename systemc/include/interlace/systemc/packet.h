// Interlace: flits on pins and the packet header (docs/node.md, section 2)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/systemc/pins.h"

namespace interlace::systemc {

inline constexpr std::uint32_t flit_width = 130;  ///< on a pin: two words of data, head, tail

struct Flit {
    std::uint64_t word[2] = {0, 0};
    std::uint8_t ends = 0;  ///< bit 0 head, bit 1 tail: as on the pin
    bool head() const { return (ends & 1U) != 0; }
    bool tail() const { return (ends & 2U) != 0; }
};

/// Flit i of a pin. A flit lies in five words of the pin, and starts and ends within one of them.
template <class Wide>
Flit get_flit(const Wide& pin, std::uint32_t i) {
    const std::uint32_t first = i * flit_width / 32;
    const std::uint32_t shift = i * flit_width % 32;
    const auto two_words = [&](std::uint32_t w) {
        return word_of(pin, first + w) | word_of(pin, first + w + 1) << 32;
    };
    // 64 bits from a place in a word on: the upper ones come from behind, one place further for a shift of 0.
    const auto joined = [shift](std::uint64_t low, std::uint64_t high) {
        return low >> shift | high << 1 << (63 - shift);
    };
    const std::uint64_t low = two_words(0);
    const std::uint64_t middle = two_words(2);
    const std::uint64_t high = word_of(pin, first + 4);
    return {{joined(low, middle), joined(middle, high)}, static_cast<std::uint8_t>(high >> shift & 3U)};
}

template <class Wide>
void set_flit(Wide& pin, std::uint32_t i, const Flit& flit) {
    const std::uint32_t first = i * flit_width / 32;
    const std::uint32_t shift = i * flit_width % 32;
    const auto set = [&](std::uint32_t w, std::uint64_t bits) {
        pin.set_word(static_cast<int>(first + w), static_cast<sc_dt::sc_digit>(bits));
    };
    const auto carried = [shift](std::uint64_t bits) { return bits >> 1 >> (63 - shift); };
    const std::uint64_t low = flit.word[0] << shift;
    const std::uint64_t middle = flit.word[1] << shift | carried(flit.word[0]);
    const std::uint64_t high = std::uint64_t{flit.ends} << shift | carried(flit.word[1]);
    set(0, (word_of(pin, first) & ones(shift)) | low);
    set(1, low >> 32);
    set(2, middle);
    set(3, middle >> 32);
    set(4, (word_of(pin, first + 4) & ~ones(shift + 2)) | high);
}

/// The fields of word 0 of a packet.
struct Header {
    enum Kind : std::uint32_t { explicit_mask = 0, table = 1, deposit = 2, unicast = 3 };

    std::uint64_t bits;

    std::uint32_t kind() const { return field(0, 2); }
    bool high() const { return field(2, 1) != 0; }
    bool group() const { return field(3, 1) != 0; }
    std::uint32_t length() const { return field(4, 6) + 1; }  ///< flits
    std::uint32_t slot() const { return field(10, 12); }
    bool dynamic() const { return field(21, 1) != 0; }  ///< of a packet that chooses by coordinates
    std::uint32_t destination() const { return field(22, 32); }
    std::uint32_t hops() const { return field(62, 2); }

    /// Its checksum is right.
    bool well_formed() const { return checksum() == field(54, 8); }
    /// With one more in `hops`, up to 3, and a checksum that is as right or as wrong.
    Header after_a_link() const {
        if (hops() == 3) return *this;
        const std::uint64_t changed = hops() ^ (hops() + 1);
        return {bits ^ changed << 62U ^ changed << 60U};
    }

  private:
    /// The exclusive or of all bytes but the field for it, and of 0xa5.
    std::uint32_t checksum() const {
        std::uint64_t folded = bits & ~(ones(8) << 54U);
        folded ^= folded >> 32U;
        folded ^= folded >> 16U;
        folded ^= folded >> 8U;
        return static_cast<std::uint32_t>((folded & 0xffU) ^ 0xa5U);
    }

    std::uint32_t field(std::uint32_t low, std::uint32_t width) const {
        return static_cast<std::uint32_t>(bits >> low & ones(width));
    }
};

}  // namespace interlace::systemc
