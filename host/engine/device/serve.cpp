// Interlace: a device in another process, as it answers its host
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "interlace/engine/device/remote_device.h"
#include "secret.h"
#include "wire.h"

namespace interlace {
namespace {

class Server {
  public:
    Server(Channel& channel, const MakeDevice& make, const std::string& secret)
        : channel_(channel), make_(make), secret_(secret) {}

    std::uint64_t run() {
        try {
            for (Frame frame = next(); frame.type != FrameType::goodbye; frame = next()) carry_out(frame);
            answer(FrameType::goodbye, {});
        } catch (const ChannelClosed& closed) {
            if (cycles_ == 0) return 0;  // somebody looked whether there is a device, or waited too long
            throw FellShort(fmt::format("the host is gone after {} cycles: {}", cycles_, closed.what()));
        } catch (const InputError& error) {
            refuse(error.what());  // the host has asked for what there is not; another one may not
        } catch (const WireError& error) {
            refuse(error.what());
            if (state_ != State::runs) return 0;  // a stranger
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
        constexpr std::chrono::milliseconds for_long(60'000), until_welcome(10'000);
        while (true) {
            while (std::optional<Frame> frame = reader_.next()) {
                if (opens_session(*frame)) begin_anew();
                if (frame->sequence == sequence_ + 1) {
                    ++sequence_;
                    return *frame;
                }
                if (frame->sequence == sequence_) channel_.send(answer_);
            }
            const Bytes came = channel_.receive(state_ == State::runs ? for_long : until_welcome);
            if (came.empty() && state_ != State::runs && channel_.lossless())
                throw ChannelClosed("it says nothing");
            reader_.push(came);
        }
    }

    /// Another host has come, on a line that nobody closes.
    bool opens_session(const Frame& frame) const {
        if (frame.type != FrameType::hello || frame.sequence != 1 || sequence_ == 0) return false;
        try {
            return decode_hello(frame.payload).session != hello_.session;
        } catch (const WireError&) {
            return false;
        }
    }

    void begin_anew() {
        device_.reset();
        sequence_ = 0;
        answer_.clear();
        cycles_ = 0;
        state_ = State::begins;
    }

    void carry_out(const Frame& frame) {
        if (frame.type == FrameType::hello && state_ == State::begins)
            greet(frame.payload);
        else if (frame.type == FrameType::proof && state_ == State::challenged)
            check_proof(frame.payload);
        else if (frame.type == FrameType::cycles && state_ == State::runs)
            cycles(frame.payload);
        else
            throw WireError(fmt::format("a frame of type {}, expected {}", static_cast<int>(frame.type),
                                        state_ == State::begins       ? "hello"
                                        : state_ == State::challenged ? "proof"
                                                                      : "cycles"));
    }

    void greet(const Bytes& payload) {
        hello_ = decode_hello(payload);
        said_ = payload;
        if (secret_.empty()) return welcome();
        challenge_ = random_bytes(challenge_bytes);
        state_ = State::challenged;
        answer(FrameType::challenge, challenge_);
    }

    void check_proof(const Bytes& proof) {
        if (!same_proof(proof, proof_of(secret_, challenge_, said_)))
            throw InputError("a host with another secret", "that of this device, in INTERLACE_SECRET");
        welcome();
    }

    void welcome() {
        device_ = make_(hello_.request);
        pins_.assign(hello_.request.nodes.size(), {});
        named_in_.assign(hello_.request.nodes.size(), 0);
        state_ = State::runs;
        answer(FrameType::welcome,
               encode(Welcome{.hello_crc = crc(said_),
                              .sizes = device_->sizes(),
                              .silent_cycles = device_->traits().silent_cycles,
                              .features = device_->traits().registers ? 0U : +no_registers}));
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

    void cycles(const Bytes& question) {
        Reader in(question);
        Bytes payload;
        Writer out(payload);
        const std::uint32_t count = in.u16();
        if (count != 1) throw WireError(fmt::format("a question of {} cycles, expected 1", count));
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
    const std::string& secret_;
    enum class State { begins, challenged, runs };
    State state_ = State::begins;
    Hello hello_;
    Bytes said_, challenge_;  // the payload of the hello
    std::unique_ptr<PinDevice> device_;
    std::vector<PinImage> pins_;
    std::vector<std::uint64_t> named_in_;  // [node]: the last cycle with a record of it, from 1 on
    FrameReader reader_;
    std::uint32_t sequence_ = 0;
    Bytes answer_;  // to the question of this number
    std::uint64_t cycles_ = 0;
};

}  // namespace

std::uint64_t serve(Channel& channel, const MakeDevice& make, const std::string& secret) {
    return Server(channel, make, secret).run();
}

}  // namespace interlace
