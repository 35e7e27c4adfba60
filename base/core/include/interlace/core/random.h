// Interlace: random numbers that do not depend on order or threads
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace interlace {

/// A step of splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
constexpr std::uint64_t mixed_bits(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

/// What all numbers of a stream under a seed have in common, for who asks for many; and one of those.
constexpr std::uint64_t stream_key(std::uint64_t seed, std::uint64_t stream) {
    return mixed_bits(mixed_bits(seed) ^ stream);
}
constexpr std::uint64_t random_bits(std::uint64_t key, std::uint64_t index) {
    return mixed_bits(key ^ index);
}

/// The `index`-th random number of `stream` under `seed`: a hash, so that any thread can ask for any number
/// in any order and a run repeats byte for byte.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
    return random_bits(stream_key(seed, stream), index);
}

/// A whole number from 0 to `most` from the upper half of random bits: each as likely below 2^32, and in
/// steps of most / 2^32 above.
constexpr std::uint64_t random_up_to(std::uint64_t most, std::uint64_t bits) {
    const std::uint64_t draw = bits >> 32U;
    const std::uint64_t values = most + 1;
    return draw * (values >> 32U) + (draw * (values & UINT32_MAX) >> 32U);
}

/// Numbers in a row from one stream.
class Draws {
  public:
    explicit Draws(std::uint64_t seed, std::uint64_t stream = 0) : key_(stream_key(seed, stream)) {}
    std::uint64_t bits() { return random_bits(key_, next_++); }
    /// 0 .. count - 1, each as likely (to one part in 2^32).
    std::uint32_t below(std::uint32_t count) {
        return static_cast<std::uint32_t>(random_up_to(count - 1, bits()));
    }

  private:
    std::uint64_t key_, next_ = 0;
};

}  // namespace interlace
