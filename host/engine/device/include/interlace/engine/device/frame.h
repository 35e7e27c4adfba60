// Interlace: frames: what a host and a device send one another (docs/hil-protocol.md, section 2)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interlace/core/bytes.h"

namespace interlace {

enum class FrameType : std::uint8_t {
    hello = 1,      ///< host: what it needs
    welcome = 2,    ///< device: what its nodes are built with
    refusal = 3,    ///< device: a sentence, instead of any answer
    cycles = 4,     ///< host: input pins; device: output pins
    goodbye = 5,    ///< host: there will be no more; device: understood
    snapshot = 6,   ///< host: what state are you in? device: in this
    restore = 7,    ///< host: be in this state; device: I am
    challenge = 8,  ///< device: prove that you know the secret
    proof = 9       ///< host: here it is
};

struct Frame {
    FrameType type = FrameType::hello;
    std::uint32_t sequence = 0;
    Bytes payload;
    bool operator==(const Frame&) const = default;
};

inline constexpr std::uint32_t max_payload = 1U << 28U;  ///< bytes
/// Bytes of a payload before welcome: what nobody has proven anything with is small.
inline constexpr std::uint32_t max_greeting = 1U << 19U;

inline constexpr std::uint8_t protocol_version = 2;

/// CRC-32.
std::uint32_t crc(std::span<const std::uint8_t> bytes);

/// The frame as bytes.
Bytes encode(const Frame& frame);

/// Finds frames in a stream of bytes.
class FrameReader {
  public:
    /// In a `lossless` stream there is nothing but frames. In another, bytes may be damaged, lost or doubled.
    explicit FrameReader(bool lossless = false) : lossless_(lossless) {}
    void push(std::span<const std::uint8_t> bytes);
    /// The next frame that came whole, whose payload is at most `longest` bytes. What comes before it and is
    /// none is dropped; in a lossless stream it throws WireError.
    std::optional<Frame> next(std::uint32_t longest = max_payload);
    /// The version of the protocol in a header that was whole and was of another; 0: there was none.
    std::uint8_t other_version() const { return other_version_; }

  private:
    void drop(std::size_t count) { begin_ += count; }
    std::span<const std::uint8_t> rest() const { return std::span(bytes_).subspan(begin_); }

    /// Drops what is no beginning of a frame. False: no whole magic number is there.
    bool find_magic();
    /// At the beginning of rest() there is no frame, and why.
    void skip(const std::string& why);

    bool lossless_;
    Bytes bytes_;
    std::size_t begin_ = 0;  // of what is still to be looked at
    std::uint8_t other_version_ = 0;
};

}  // namespace interlace
