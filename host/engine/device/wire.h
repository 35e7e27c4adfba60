// Interlace: numbers, sizes and pins as bytes (docs/hil-protocol.md, sections 3 and 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/engine/device/frame.h"
#include "interlace/engine/device/remote_device.h"
#include "interlace/engine/pins/pin_device.h"

namespace interlace {

/// A payload is not what its frame's type says: what() says where.
class WireError : public FellShort {
  public:
    using FellShort::FellShort;
};

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

/// Appends numbers, the low byte first.
class Writer {
  public:
    explicit Writer(Bytes& bytes) : bytes_(bytes) {}
    void u8(std::uint64_t value) { number<1>(value); }
    void u16(std::uint64_t value) { number<2>(value); }
    void u32(std::uint64_t value) { number<4>(value); }
    void u64(std::uint64_t value) { number<8>(value); }
    /// Its length in two bytes, and its bytes; the rest beyond 65535 is left out.
    void text(const std::string& text);

  private:
    template <std::size_t count>
    void number(std::uint64_t value) {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + count);
        std::memcpy(bytes_.data() + at, &value, count);
    }
    Bytes& bytes_;
};

/// Takes numbers from the front. Throws WireError where there are no more.
class Reader {
  public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    std::uint8_t u8() { return static_cast<std::uint8_t>(number<1>()); }
    std::uint16_t u16() { return static_cast<std::uint16_t>(number<2>()); }
    std::uint32_t u32() { return static_cast<std::uint32_t>(number<4>()); }
    std::uint64_t u64() { return number<8>(); }
    std::string text();
    /// A number below `limit`, in one byte (in four); `what` names it in the error.
    std::uint32_t below(std::uint32_t limit, const char* what) { return check(u8(), 1, limit, what); }
    std::uint32_t below32(std::uint32_t limit, const char* what) { return check(u32(), 4, limit, what); }
    /// Throws unless everything was taken.
    void finish() const;
    std::span<const std::uint8_t> left() const { return bytes_.subspan(at_); }

  private:
    template <std::size_t count>
    std::uint64_t number() {
        if (bytes_.size() - at_ < count) ends_too_soon();
        std::uint64_t value = 0;
        std::memcpy(&value, bytes_.data() + at_, count);
        at_ += count;
        return value;
    }
    [[noreturn]] void ends_too_soon() const;
    std::uint32_t check(std::uint32_t value, std::size_t bytes, std::uint32_t limit, const char* what) const {
        if (value >= limit) is_not_below(value, bytes, limit, what);
        return value;
    }
    [[noreturn]] void is_not_below(std::uint32_t value, std::size_t bytes, std::uint32_t limit,
                                   const char* what) const;
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

struct Hello {
    std::uint64_t session = 0;
    DeviceRequest request;
};
Bytes encode(const Hello& hello);
/// Throws WireError.
Hello decode_hello(const Bytes& payload);

/// What a device can beside answering question by question.
enum Feature : std::uint32_t { no_registers = 1, many_cycles = 2, snapshots = 4 };

struct Welcome {
    std::uint32_t hello_crc = 0;  ///< of the payload that it answers
    NodeSizes sizes;
    std::uint32_t silent_cycles = 0;
    std::uint32_t features = 0;     ///< of Feature
    std::uint32_t max_payload = 0;  ///< bytes; 0: as many as a frame can have
};
Bytes encode(const Welcome& welcome);
/// Throws WireError.
Welcome decode_welcome(const Bytes& payload);

/// A record of the input pins of node `node` of a device.
void put_inputs(Writer& out, std::uint32_t node, const PinImage& pins);
/// The number of a record's node, whose input pins in `pins`, [node], become what the record says. Throws
/// WireError for what nodes of `built` have not. `offers`, where there may be such: those of the record.
std::uint32_t get_inputs(Reader& in, const NodeSizes& built, std::vector<PinImage>& pins,
                         std::vector<Offer>* offers = nullptr);
/// As these, of output pins. `taken`: injection queues (bits) that an offered flit was written into.
void put_outputs(Writer& out, std::uint32_t node, const PinImage& pins, std::uint32_t taken = 0);
std::uint32_t get_outputs(Reader& in, const NodeSizes& built, std::vector<PinImage>& pins,
                          std::vector<std::uint32_t>* taken = nullptr);
void clear_outputs(PinImage& pins);
bool show_anything(const PinImage& pins);  // of output pins
void silence_inputs(PinImage& pins);

/// Bit of a number of records: all nodes have a rising edge in that cycle.
inline constexpr std::uint32_t all_nodes = 1U << 31U;

/// Writes cycles of all nodes: the number of records, and these.
class CycleWriter {
  public:
    /// `rx_ready`: [node]. Items stand in the order of their ports, as in cycles of some nodes.
    void put(Writer& out, const Arrivals& arrivals, const std::vector<std::uint32_t>& rx_ready);

  private:
    static constexpr std::uint32_t none = UINT32_MAX;
    struct Item {
        std::uint8_t kind, port, vc;
        std::uint32_t place, next;  // among those of its kind; of its node
    };
    static Item item_of(const RawLinkFlit& flit);
    static Item item_of(const Credit& freed);
    static Item item_of(const Offer& offer);
    template <class Arrived>
    void list(const std::vector<Arrived>& arrived);
    static void put_item(Writer& out, const Arrivals& arrivals, const Item& item);

    std::vector<Item> items_, of_node_;
    std::vector<std::uint32_t> first_, last_;  // [node]: items
    std::vector<std::uint32_t> named_;         // nodes that something comes to
};

}  // namespace interlace
