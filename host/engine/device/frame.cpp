// Interlace: frames: what a host and a device send one another (docs/hil-protocol.md, section 2)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/device/frame.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "wire.h"

namespace interlace {
namespace {

constexpr std::uint8_t magic[] = {'i', 'l', 'H', 'I'};
// Magic, version, type, two bytes of 0, sequence number, length; the CRC-32 of these, and of the payload.
constexpr std::size_t checked_bytes = 16, header_bytes = checked_bytes + 4, crc_bytes = 4;

}  // namespace

std::uint32_t crc(std::span<const std::uint8_t> bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

Bytes encode(const Frame& frame) {
    Bytes bytes;
    bytes.reserve(header_bytes + frame.payload.size() + crc_bytes);
    Writer out(bytes);
    for (const std::uint8_t byte : magic) out.u8(byte);
    out.u8(protocol_version);
    out.u8(static_cast<std::uint8_t>(frame.type));
    out.u16(0);
    out.u32(frame.sequence);
    out.u32(static_cast<std::uint32_t>(frame.payload.size()));
    out.u32(crc(bytes));
    bytes.insert(bytes.end(), frame.payload.begin(), frame.payload.end());
    out.u32(crc(frame.payload));
    return bytes;
}

void FrameReader::push(std::span<const std::uint8_t> bytes) {
    if (begin_ > 0) {
        bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_));
        begin_ = 0;
    }
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void FrameReader::skip(const std::string& why) {
    if (lossless_) throw WireError(why);
    drop(1);
}

bool FrameReader::find_magic() {
    const auto here = rest();
    const auto found = std::search(here.begin(), here.end(), std::begin(magic), std::end(magic));
    // What the stream ends with may be the beginning of a magic number.
    const bool whole = found != here.end();
    const std::size_t other = whole ? static_cast<std::size_t>(found - here.begin())
                                    : here.size() - std::min(here.size(), std::size(magic) - 1);
    const auto begin = here.first(std::min(here.size(), std::size(magic)));
    if (lossless_ && !std::equal(begin.begin(), begin.end(), std::begin(magic)))
        throw WireError("bytes that do not begin a frame");
    drop(other);
    return whole;
}

std::optional<Frame> FrameReader::next(std::uint32_t longest) {
    while (find_magic()) {
        const auto bytes = rest();
        if (bytes.size() < header_bytes) return std::nullopt;
        Reader in(bytes.subspan(std::size(magic)));
        const std::uint8_t of_version = in.u8();
        const std::uint8_t type = in.u8();
        in.u16();
        const std::uint32_t sequence = in.u32();
        const std::uint32_t length = in.u32();
        if (in.u32() != crc(bytes.first(checked_bytes))) {
            skip("a header that fails its check");
        } else if (of_version != protocol_version) {
            other_version_ = of_version;
            skip(fmt::format("version {} of the protocol, expected {}", of_version, protocol_version));
        } else if (length > longest) {
            skip(fmt::format("a frame of {} bytes, expected at most {}", length, longest));
        } else if (bytes.size() < header_bytes + length + crc_bytes) {
            return std::nullopt;
        } else if (const auto payload = bytes.subspan(header_bytes, length);
                   Reader(bytes.subspan(header_bytes + length)).u32() != crc(payload)) {
            skip("a payload that fails its check");
        } else {
            Frame frame{static_cast<FrameType>(type), sequence, Bytes(payload.begin(), payload.end())};
            drop(header_bytes + length + crc_bytes);
            return frame;
        }
    }
    return std::nullopt;
}

}  // namespace interlace
