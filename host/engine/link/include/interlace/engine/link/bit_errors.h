// Interlace: bits that wires damage
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace interlace {

/// At each bit of a frame an error begins with the probability `rate`, whatever happened before, and inverts
/// `burst` bits from there on, as far as the frame goes. The same frame of the same seed has the same errors.
class BitErrors {
  public:
    /// `data_bytes`: of a flit, wherever the emulator carries 16 of them (docs/links.md, section 6). `rate`:
    /// 0 to 1.
    BitErrors(double rate, std::uint32_t burst, std::uint32_t data_bytes);

    /// Damages a frame; its bits are numbered as in docs/links.md, section 2. `which` names the frame, and no
    /// other. True: something was inverted.
    bool damage_forward(std::span<std::uint8_t> frame, std::uint64_t seed, std::uint64_t which) const;
    bool damage_back(std::span<std::uint8_t> frame, std::uint64_t seed, std::uint64_t which) const;

    /// The share of the forward frames that is damaged: 1 - (1 - rate)^bits.
    double damaged_share() const;

  private:
    template <class Invert>
    bool damage(std::uint32_t bits, std::uint64_t seed, std::uint64_t which, const Invert& invert) const;

    double rate_;
    std::uint32_t burst_, data_bits_;
    /// [i]: the chance, of 2^64, that the next error begins at bit i or before.
    std::vector<std::uint64_t> by_;
};

}  // namespace interlace
