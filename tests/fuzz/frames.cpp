// Interlace: what hosts and devices send one another (docs/hil-protocol.md), under libFuzzer
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fuzz.h"
#include "interlace/engine/device/remote_device.h"

namespace {

using namespace interlace;

constexpr NodeSizes sizes{
    .ports = 4, .vcs = 4, .injections = 6, .receptions = 10, .flit_bits = 128, .pipeline = 1};

/// Nodes that show what is put in.
class Mirror final : public PinDevice {
  public:
    NodeSizes sizes() const override { return ::sizes; }
    DeviceTraits traits() const override { return {.snapshots = true}; }
    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        for (const std::uint32_t n : awake) {
            pins[n].link_valid_o = pins[n].link_valid_i;
            pins[n].link_vc_o = pins[n].link_vc_i;
            pins[n].link_flit_o = pins[n].link_flit_i;
            pins[n].credit_o = pins[n].credit_i;
        }
    }
};

/// The frames that the data make: a type, two bytes of length and the payload, as often as there are.
class Made {
  public:
    explicit Made(std::span<const std::uint8_t> data) : data_(data) {}
    bool empty() const { return data_.size() < 3; }
    Frame next(std::uint32_t sequence) {
        const std::size_t length = std::min<std::size_t>(data_[1] | data_[2] << 8, data_.size() - 3);
        const auto payload = data_.subspan(3, length);
        Frame frame{static_cast<FrameType>(data_[0]), sequence, Bytes(payload.begin(), payload.end())};
        data_ = data_.subspan(3 + length);
        return frame;
    }

  private:
    std::span<const std::uint8_t> data_;
};

/// A host that asks what the data make.
class Host final : public Channel {
  public:
    explicit Host(std::span<const std::uint8_t> data) : made_(data) {}
    void send(std::span<const std::uint8_t> /*bytes*/) override {}
    Bytes receive(std::chrono::milliseconds /*patience*/) override {
        if (made_.empty()) throw ChannelClosed("no more");
        return encode(made_.next(++sequence_));
    }

  private:
    Made made_;
    std::uint32_t sequence_ = 0;
};

/// A device that answers what the data make.
class Device final : public Channel {
  public:
    explicit Device(std::span<const std::uint8_t> data) : made_(data) {}
    void send(std::span<const std::uint8_t> bytes) override {
        FrameReader reader;
        reader.push(bytes);
        const std::optional<Frame> asked = reader.next();
        if (!asked || made_.empty()) return;
        Frame answer = made_.next(asked->sequence);
        // A host takes a welcome to its own hello alone, in which is a number that it draws.
        if (answer.type == FrameType::welcome && answer.payload.size() >= 4)
            for (std::size_t i = 0; i < 4; ++i)
                answer.payload[i] = static_cast<std::uint8_t>(crc(asked->payload) >> 8 * i);
        answer_ = encode(answer);
    }
    Bytes receive(std::chrono::milliseconds /*patience*/) override {
        if (answer_.empty()) throw ChannelClosed("no more");
        return std::exchange(answer_, {});
    }

  private:
    Made made_;
    Bytes answer_;
};

/// A run ends with a sentence, too.
template <class Run>
void run_or_fall_short(const Run& run) {
    try {
        run();
    } catch (const FellShort&) {
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::uint8_t> bytes(data, size);
    FrameReader reader;
    for (std::size_t at = 0; at < size; at += 7) {
        reader.push(bytes.subspan(at, std::min<std::size_t>(7, size - at)));
        while (reader.next()) {
        }
    }
    run_or_fall_short([&] {
        Host host(bytes);
        serve(host, [](const DeviceRequest&) { return std::make_unique<Mirror>(); });
    });
    run_or_fall_short([&] {
        const auto device =
            remote_device(std::make_unique<Device>(bytes), "it", {.needed = sizes, .nodes = {1, 2}});
        std::vector<PinImage> pins(2);
        for (int cycle = 0; cycle < 3; ++cycle) device->clock({0, 1}, pins);
        std::vector<std::uint32_t> taken(2);
        for (int question = 0; question < 2; ++question) {
            device->begin_cycles(std::vector<Arrivals>(2));
            device->await();
            for (int cycle = 0; cycle < 2; ++cycle) device->next(pins, taken);
        }
    });
    return 0;
}
