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

/// Flit i of a pin.
template <class Value>
Flit get_flit(const Value& pin, std::uint32_t i) {
    const std::uint32_t low = i * flit_width;
    return {{get_bits(pin, low, 64), get_bits(pin, low + 64, 64)},
            static_cast<std::uint8_t>(get_bits(pin, low + 128, 2))};
}

template <class Value>
void set_flit(Value& pin, std::uint32_t i, const Flit& flit) {
    const std::uint32_t low = i * flit_width;
    set_bits(pin, low, 64, flit.word[0]);
    set_bits(pin, low + 64, 64, flit.word[1]);
    set_bits(pin, low + 128, 2, flit.ends);
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
    std::uint32_t destination() const { return field(22, 32); }

    /// Its checksum is right, its upper bits are 0 and its kind is built.
    bool well_formed() const { return checksum() == field(54, 8) && field(62, 2) == 0 && kind() != deposit; }

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
