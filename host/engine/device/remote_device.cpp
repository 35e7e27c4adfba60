// Interlace: a device in another process, as a host sees it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/device/remote_device.h"

#include <fmt/format.h>

#include <type_traits>

#include "secret.h"
#include "wire.h"

namespace interlace {
namespace {

using Clock = std::chrono::steady_clock;

class DeviceGone : public FellShort {
  public:
    using FellShort::FellShort;
};

class RemoteDevice final : public PinDevice {
  public:
    RemoteDevice(std::unique_ptr<Channel> channel, const std::string& name, const DeviceRequest& request,
                 const Patience& patience, const std::string& secret)
        : channel_(std::move(channel)), name_(name), request_(request), patience_(patience), secret_(secret) {
        const Welcome welcome = greet();
        built_ = welcome.sizes;
        traits_ = {.silent_cycles = welcome.silent_cycles,
                   .registers = (welcome.features & no_registers) == 0};
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
    DeviceTraits traits() const override { return traits_; }

    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        if (awake.empty()) return;
        Bytes payload;
        Writer out(payload);
        out.u16(1);
        out.u32(awake.size());
        for (const std::uint32_t n : awake) put_inputs(out, n, pins[n]);
        const Frame answer = ask_again_and_again(payload);
        understand([&] {
            expect(answer, FrameType::cycles);
            Reader in(answer.payload);
            if (in.u16() != 1 || in.u32() != awake.size()) throw WireError("other nodes than were asked for");
            for (const std::uint32_t n : awake)
                if (get_outputs(in, built_, pins) != n) throw WireError("other nodes than were asked for");
            in.finish();
        });
    }

  private:
    static std::uint64_t a_session() {
        const Bytes drawn = random_bytes(8);
        return Reader(drawn).u64();
    }

    static void expect(const Frame& frame, FrameType type) {
        if (frame.type != type)
            throw WireError(fmt::format("an answer of type {}, expected {}", static_cast<int>(frame.type),
                                        static_cast<int>(type)));
    }

    /// Says hello; what the device is.
    Welcome greet() {
        const Bytes hello = encode(Hello{.session = a_session(), .request = request_});
        hello_crc_ = crc(hello);
        Frame answer = ask(FrameType::hello, hello);
        if (answer.type == FrameType::challenge) {
            if (secret_.empty()) throw FellShort(name_ + " has a secret, which INTERLACE_SECRET has to say");
            if (answer.payload.size() != challenge_bytes)
                throw FellShort(fmt::format("{} breaks the protocol: a challenge of {} bytes, expected {}",
                                            name_, answer.payload.size(), challenge_bytes));
            answer = ask(FrameType::proof, proof_of(secret_, answer.payload, hello));
        } else if (!secret_.empty()) {
            throw FellShort(
                name_ + " does not ask for the secret that INTERLACE_SECRET says: another one listens there");
        }
        return understand([&] {
            expect(answer, FrameType::welcome);
            return decode_welcome(answer.payload);
        });
    }

    /// The answer to a question of cycles, also of a device that is gone and comes back.
    Frame ask_again_and_again(const Bytes& payload) {
        if (!patience_.reconnect) return ask(FrameType::cycles, payload);
        std::optional<Frame> answer;
        for (bool gone = false; !answer;) try {
                if (gone) resume();
                answer = ask(FrameType::cycles, payload);
            } catch (const DeviceGone&) {
                gone = true;
            }
        asked_.push_back({payload, crc(answer->payload)});
        return *answer;
    }

    /// Joins the device that has come back, and asks it all that was asked before: what it does depends on
    /// nothing else.
    void resume() {
        channel_ = patience_.reconnect();
        reader_ = {};
        sequence_ = 0;
        const Welcome welcome = greet();
        if (!(welcome.sizes == built_)) throw FellShort(name_ + " has come back as another");
        for (std::size_t i = 0; i < asked_.size(); ++i)
            if (crc(ask(FrameType::cycles, asked_[i].question).payload) != asked_[i].answer_crc)
                throw FellShort(fmt::format(
                    "{} has come back, and shows other pins after question {} than before", name_, i + 1));
    }

    /// The answer to a frame of this type. Throws DeviceGone where the other side has closed the stream.
    Frame ask(FrameType type, const Bytes& payload) {
        ++sequence_;
        const Bytes question = encode({type, sequence_, payload});
        const auto end = Clock::now() + patience_.end;
        auto wait = channel_->lossless() ? patience_.end : patience_.again;
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
            throw DeviceGone(fmt::format("{} is gone: {}", name_, closed.what()));
        }
        const std::string why =
            reader_.other_version() == 0
                ? ""
                : fmt::format(": it speaks version {} of the protocol, and this host version {}",
                              reader_.other_version(), protocol_version);
        throw FellShort(
            fmt::format("{} has not answered for {} s{}", name_, patience_.end.count() / 1000.0, why));
    }

    /// The answer to the last question, if it comes in time. Others are late answers to ones before.
    std::optional<Frame> answer_until(Clock::time_point until) {
        while (true) {
            while (std::optional<Frame> frame = reader_.next())
                if (frame->sequence == sequence_ && !is_of_before(*frame)) return frame;
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
            if (left.count() <= 0) return std::nullopt;
            reader_.push(channel_->receive(left));
        }
    }

    /// A welcome to a host that came before, on a line that nobody closes.
    bool is_of_before(const Frame& frame) const {
        if (frame.type != FrameType::welcome) return false;
        try {
            return decode_welcome(frame.payload).hello_crc != hello_crc_;
        } catch (const WireError&) {
            return false;
        }
    }

    [[noreturn]] void refused(const Bytes& payload) {
        std::string sentence;
        understand([&] { sentence = Reader(payload).text(); });
        throw DeviceRefusal(name_ + ": " + sentence);
    }

    template <class Action>
    std::invoke_result_t<const Action&> understand(const Action& action) {
        try {
            return action();
        } catch (const WireError& error) {
            throw FellShort(fmt::format("{} breaks the protocol: {}", name_, error.what()));
        }
    }

    std::unique_ptr<Channel> channel_;
    std::string name_;
    DeviceRequest request_;
    Patience patience_;
    std::string secret_;
    NodeSizes built_;
    DeviceTraits traits_;
    FrameReader reader_;
    std::uint32_t sequence_ = 0, hello_crc_ = 0;
    struct Asked {
        Bytes question;
        std::uint32_t answer_crc;
    };
    std::vector<Asked> asked_;  // of a device that may come back
};

}  // namespace

std::unique_ptr<PinDevice> remote_device(std::unique_ptr<Channel> channel, const std::string& name,
                                         const DeviceRequest& request, const Patience& patience,
                                         const std::string& secret) {
    return std::make_unique<RemoteDevice>(std::move(channel), name, request, patience, secret);
}

}  // namespace interlace
