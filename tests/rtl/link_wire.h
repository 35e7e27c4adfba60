// Interlace: a wire between the ends of a Verilated link, which can delay, damage and lose frames
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <random>

namespace interlace {

using Random = std::mt19937_64;

/// 0 to most.
inline std::uint32_t up_to(Random& random, std::uint32_t most) {
    return std::uniform_int_distribution<std::uint32_t>(0, most)(random);
}
inline bool one_in(Random& random, std::uint32_t many) {
    return up_to(random, many - 1) == 0;
}

/// The words of a pin, the CRC last.
template <std::size_t words>
using Frame = std::array<std::uint32_t, words>;
using ForwardFrame = Frame<6>;
using BackFrame = Frame<4>;

/// What zlib says that the last word should be.
template <std::size_t words>
std::uint32_t crc_of(const Frame<words>& frame) {
    std::array<unsigned char, 4 * (words - 1)> bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<unsigned char>(frame[i / 4] >> (8 * (i % 4)));
    return static_cast<std::uint32_t>(crc32(0, bytes.data(), static_cast<unsigned>(bytes.size())));
}

template <std::size_t words, class Pin>
Frame<words> frame_on(const Pin& pin) {
    Frame<words> frame;
    for (std::size_t i = 0; i < words; ++i) frame[i] = pin[i];
    return frame;
}

template <std::size_t words, class Pin>
void put_on(Pin& pin, const Frame<words>& frame) {
    for (std::size_t i = 0; i < words; ++i) pin[i] = frame[i];
}

struct Failures {
    double of_bits = 0;      ///< flipped on their own
    double of_frames = 0;    ///< that several bits of are flipped
    double losses = 0;       ///< stretches in which nothing comes, that begin with a frame ...
    std::uint32_t lost = 0;  ///< ... of so many frames
};

/// Frames come after `delay` cycles; a frame is put in and one is taken out each cycle, in this order.
template <std::size_t words>
class Wire {
  public:
    Wire(std::uint32_t delay, const Failures& failures, std::uint64_t seed)
        : delay_(delay), failures_(failures), random_(seed) {}

    void put(bool valid, Frame<words> frame) {
        if (valid && fails(failures_.losses)) losing_ = failures_.lost;
        if (valid && losing_ != 0) {
            --losing_;
            valid = false;
        }
        if (valid) damage(frame);
        in_flight_.push_back({valid, frame});
    }
    /// Whether one comes, and which.
    bool take(Frame<words>& frame) {
        if (in_flight_.size() <= delay_) return false;
        const Item item = in_flight_.front();
        in_flight_.pop_front();
        frame = item.valid ? item.frame : Frame<words>{};
        return item.valid;
    }
    void cut() { failures_ = {0, 0, 1, UINT32_MAX}; }

  private:
    struct Item {
        bool valid;
        Frame<words> frame;
    };

    bool fails(double rate) { return rate > 0 && std::bernoulli_distribution(rate)(random_); }
    void flip(Frame<words>& frame, std::size_t bit) { frame[bit / 32] ^= 1U << (bit % 32); }
    void damage(Frame<words>& frame) {
        constexpr auto bits = static_cast<std::uint32_t>(32 * words);
        if (failures_.of_bits > 0) {
            std::geometric_distribution<std::uint32_t> spared(failures_.of_bits);
            for (std::uint64_t bit = spared(random_); bit < bits; bit += 1 + std::uint64_t{spared(random_)})
                flip(frame, bit);
        }
        if (fails(failures_.of_frames)) {
            const std::uint32_t first = up_to(random_, bits - 1);
            const std::uint32_t burst = std::min(bits - first, 2 + up_to(random_, 60));
            flip(frame, first);
            for (std::uint32_t i = 1; i < burst; ++i)
                if (one_in(random_, 2)) flip(frame, first + i);
        }
    }

    std::uint32_t delay_;
    Failures failures_;
    Random random_;
    std::uint32_t losing_ = 0;
    std::deque<Item> in_flight_;
};

}  // namespace interlace
