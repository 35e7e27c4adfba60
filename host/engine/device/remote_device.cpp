// Interlace: a device in another process, as a host sees it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/device/remote_device.h"

#include <fmt/format.h>

#include "wire.h"

namespace interlace {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t most_silent_cycles = 1'000'000;

class RemoteDevice final : public PinDevice {
  public:
    RemoteDevice(std::unique_ptr<Channel> channel, const std::string& name, const NodeSizes& needed,
                 const std::vector<NodeId>& nodes, Patience patience)
        : channel_(std::move(channel)), name_(name), patience_(patience) {
        Bytes payload;
        Writer out(payload);
        put(out, needed);
        out.u32(nodes.size());
        for (const NodeId node : nodes) out.u32(+node);
        const Frame welcome = ask(FrameType::hello, payload);
        understand([&] {
            Reader in(welcome.payload);
            built_ = get_sizes(in);
            silent_cycles_ = in.below(most_silent_cycles + 1, 4, "silent cycles");
            in.finish();
        });
        const auto check = [&](const char* what, std::uint32_t has, std::uint32_t most) {
            if (has > most)
                throw FellShort(fmt::format("{} says that its nodes have {} {}, expected at most {}", name_,
                                            has, what, most));
        };
        check("ports", built_.ports, PinImage::ports);
        check("channels", built_.vcs, PinImage::vcs);
        check("injection queues", built_.injections, PinImage::injections);
        check("reception queues", built_.receptions, PinImage::receptions);
    }
    ~RemoteDevice() override {
        // Nobody can be told of what goes wrong here.
        try {
            patience_.end = patience_.again;
            ask(FrameType::goodbye, {});
        } catch (const std::exception&) {
        }
    }

    NodeSizes sizes() const override { return built_; }
    std::uint32_t silent_cycles() const override { return silent_cycles_; }

    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        if (awake.empty()) return;
        Bytes payload;
        Writer out(payload);
        out.u16(1);
        out.u32(awake.size());
        for (const std::uint32_t n : awake) put_inputs(out, n, pins[n]);
        const Frame answer = ask(FrameType::cycles, payload);
        understand([&] {
            Reader in(answer.payload);
            if (in.u16() != 1 || in.u32() != awake.size()) throw WireError("other nodes than were asked for");
            for (const std::uint32_t n : awake)
                if (get_outputs(in, built_, pins) != n) throw WireError("other nodes than were asked for");
            in.finish();
        });
    }

  private:
    /// The answer to a frame of this type.
    Frame ask(FrameType type, const Bytes& payload) {
        ++sequence_;
        const Bytes question = encode({type, sequence_, payload});
        const auto end = Clock::now() + patience_.end;
        auto wait = patience_.again;
        try {
            while (Clock::now() < end) {
                channel_->send(question);
                if (std::optional<Frame> answer = answer_until(std::min(Clock::now() + wait, end))) {
                    if (answer->type == FrameType::refusal) refused(answer->payload);
                    return *answer;
                }
                wait *= 2;
            }
        } catch (const ChannelClosed& closed) {
            throw FellShort(fmt::format("{} is gone: {}", name_, closed.what()));
        }
        throw FellShort(fmt::format("{} has not answered for {} s", name_, patience_.end.count() / 1000.0));
    }

    /// The answer to the last question, if it comes in time. Others are late answers to ones before.
    std::optional<Frame> answer_until(Clock::time_point until) {
        while (true) {
            while (std::optional<Frame> frame = reader_.next())
                if (frame->sequence == sequence_) return frame;
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
            if (left.count() <= 0) return std::nullopt;
            reader_.push(channel_->receive(left));
        }
    }

    [[noreturn]] void refused(const Bytes& payload) {
        std::string sentence;
        understand([&] { sentence = Reader(payload).text(); });
        throw FellShort(name_ + ": " + sentence);
    }

    template <class Action>
    void understand(const Action& action) {
        try {
            action();
        } catch (const WireError& error) {
            throw FellShort(fmt::format("{} breaks the protocol: {}", name_, error.what()));
        }
    }

    std::unique_ptr<Channel> channel_;
    std::string name_;
    Patience patience_;
    NodeSizes built_;
    std::uint32_t silent_cycles_ = 0;
    FrameReader reader_;
    std::uint32_t sequence_ = 0;
};

}  // namespace

std::unique_ptr<PinDevice> remote_device(std::unique_ptr<Channel> channel, const std::string& name,
                                         const NodeSizes& needed, const std::vector<NodeId>& nodes,
                                         Patience patience) {
    return std::make_unique<RemoteDevice>(std::move(channel), name, needed, nodes, patience);
}

}  // namespace interlace
