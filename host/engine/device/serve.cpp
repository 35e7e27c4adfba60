// Interlace: a device in another process, as it answers its host
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "interlace/engine/device/remote_device.h"
#include "wire.h"

namespace interlace {
namespace {

constexpr std::uint32_t most_nodes = 65536;  // of a device

class Server {
  public:
    Server(Channel& channel, const MakeDevice& make) : channel_(channel), make_(make) {}

    std::uint64_t run() {
        try {
            for (Frame frame = next(); frame.type != FrameType::goodbye; frame = next()) {
                if (frame.type == FrameType::hello && !device_)
                    welcome(frame.payload);
                else if (frame.type == FrameType::cycles && device_)
                    cycles(frame.payload);
                else
                    throw WireError(fmt::format("a frame of type {}, expected {}",
                                                static_cast<int>(frame.type), device_ ? "cycles" : "hello"));
            }
            answer(FrameType::goodbye, {});
        } catch (const ChannelClosed& closed) {
            if (sequence_ == 0) return 0;  // somebody looked whether there is a device
            throw FellShort(fmt::format("the host is gone after {} cycles: {}", cycles_, closed.what()));
        } catch (const InputError& error) {
            refuse(error.what());  // the host has asked for what there is not; another one may not
        } catch (const WireError& error) {
            refuse(error.what());
            throw FellShort(fmt::format("the host breaks the protocol: {}", error.what()));
        } catch (const std::exception& error) {
            refuse(error.what());
            throw;
        }
        return cycles_;
    }

  private:
    /// The next question that was not asked before; the last one is answered again.
    Frame next() {
        constexpr std::chrono::milliseconds for_long(60'000);
        while (true) {
            while (std::optional<Frame> frame = reader_.next()) {
                if (frame->sequence == sequence_ + 1) {
                    ++sequence_;
                    return *frame;
                }
                if (frame->sequence == sequence_) channel_.send(answer_);
            }
            reader_.push(channel_.receive(for_long));
        }
    }

    void answer(FrameType type, const Bytes& payload) {
        answer_ = encode({type, sequence_, payload});
        channel_.send(answer_);
    }

    void refuse(const std::string& sentence) {
        Bytes payload;
        Writer(payload).text(sentence);
        answer(FrameType::refusal, payload);
    }

    void welcome(const Bytes& question) {
        Reader in(question);
        DeviceRequest request;
        request.needed = get_sizes(in);
        request.nodes.resize(in.below(most_nodes + 1, 4, "nodes"));
        for (std::uint32_t& node : request.nodes) node = in.u32();
        in.finish();
        device_ = make_(request);
        pins_.assign(request.nodes.size(), {});
        named_in_.assign(request.nodes.size(), 0);
        Bytes payload;
        Writer out(payload);
        put(out, device_->sizes());
        out.u32(device_->silent_cycles());
        answer(FrameType::welcome, payload);
    }

    void cycles(const Bytes& question) {
        Reader in(question);
        Bytes payload;
        Writer out(payload);
        const std::uint32_t count = in.u16();
        out.u16(count);
        for (std::uint32_t cycle = 0; cycle < count; ++cycle) {
            const std::uint32_t records = in.u32();
            std::vector<std::uint32_t> awake;
            ++cycles_;
            for (std::uint32_t i = 0; i < records; ++i) {
                awake.push_back(get_inputs(in, device_->sizes(), pins_));
                if (std::exchange(named_in_[awake.back()], cycles_) == cycles_)
                    throw WireError(fmt::format("two records of node {} in a cycle", awake.back()));
            }
            device_->clock(awake, pins_);
            out.u32(awake.size());
            for (const std::uint32_t n : awake) put_outputs(out, n, pins_[n]);
        }
        in.finish();
        answer(FrameType::cycles, payload);
    }

    Channel& channel_;
    const MakeDevice& make_;
    std::unique_ptr<PinDevice> device_;
    std::vector<PinImage> pins_;
    std::vector<std::uint64_t> named_in_;  // [node]: the last cycle with a record of it, from 1 on
    FrameReader reader_;
    std::uint32_t sequence_ = 0;
    Bytes answer_;  // to the question of this number
    std::uint64_t cycles_ = 0;
};

}  // namespace

std::uint64_t serve(Channel& channel, const MakeDevice& make) {
    return Server(channel, make).run();
}

}  // namespace interlace
