// Interlace: a device in another process, as it answers its host
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "interlace/engine/device/detail/state.h"
#include "interlace/engine/device/remote_device.h"
#include "interlace/engine/fabric/registers.h"
#include "interlace/engine/region/detail/rest.h"
#include "offers.h"
#include "secret.h"
#include "session.h"
#include "wire.h"

namespace interlace {
namespace {

using Clock = std::chrono::steady_clock;

class Server final : public Session {
  public:
    Server(Channel& channel, const MakeDevice& make, const std::string& secret)
        : channel_(channel), make_(make), secret_(secret), reader_(channel.lossless()) {}
    Server(std::unique_ptr<Channel> channel, const MakeDevice& make, const std::string& secret)
        : Server(*channel, make, secret) {
        own_channel_ = std::move(channel);
    }

    bool is_let_in(std::chrono::milliseconds patience) override {
        if (!channel_.lossless()) return true;  // nobody else waits, and run() knows how long to try
        return telling_why([&] {
            read(std::min(patience, left_to_greet()));
            while (state_ < State::let_in) {
                const std::optional<Frame> frame = next_in_hand();
                if (!frame) break;
                carry_out(*frame);
            }
            if (state_ < State::let_in && left_to_greet().count() <= 0)
                throw WireError("no welcome within the time for hello and proof");
            return state_ >= State::let_in;
        });
    }
    void postpone(Clock::duration time) override { greet_until_ += time; }

    std::uint64_t run() override {
        try {
            return telling_why([&] { return answer_all(); });
        } catch (const ChannelClosed& closed) {
            if (cycles_ == 0) return 0;  // somebody looked whether there is a device, or waited too long
            throw FellShort(fmt::format("the host disconnected after {} cycles: {}", cycles_, closed.what()));
        } catch (const InputError&) {
            return cycles_;  // the host has asked for what there is not; another one may not
        } catch (const WireError& error) {
            if (state_ != State::runs) return 0;  // a stranger
            throw FellShort(fmt::format("the host breaks the protocol: {}", error.what()));
        }
    }

  private:
    std::uint64_t answer_all() {
        while (true) {
            if (state_ == State::let_in) {
                if (channel_.lossless()) read(std::chrono::milliseconds(0));  // is it still there?
                welcome();
            }
            const Frame frame = next();
            if (frame.type == FrameType::goodbye) break;
            carry_out(frame);
        }
        answer(FrameType::goodbye, {});
        repeat_last_answer();
        return cycles_;
    }

    /// action(), whose errors the host is told, too.
    template <class Action>
    std::invoke_result_t<const Action&> telling_why(const Action& action) {
        try {
            return action();
        } catch (const ChannelClosed&) {
            throw;
        } catch (const std::exception& error) {
            refuse(error.what());
            throw;
        }
    }

    /// The next question that was not asked before; the last one is answered again.
    Frame next() {
        constexpr std::chrono::milliseconds for_long(60'000);
        while (true) {
            if (std::optional<Frame> frame = next_in_hand()) return *frame;
            const bool greets = state_ != State::runs && channel_.lossless();
            if (greets && left_to_greet().count() <= 0) throw ChannelClosed("it does not answer");
            read(greets ? left_to_greet() : for_long);
        }
    }

    void read(std::chrono::milliseconds patience) { reader_.push(channel_.receive(patience)); }

    /// Of the questions that have come whole.
    std::optional<Frame> next_in_hand() {
        while (std::optional<Frame> frame =
                   reader_.next(state_ == State::runs ? max_payload : max_greeting)) {
            if (opens_session(*frame)) begin_anew();
            if (frame->sequence == sequence_ + 1) {
                ++sequence_;
                return frame;
            }
            // Before welcome only where the answer may be lost: a stranger who takes none cannot keep others.
            if (frame->sequence == sequence_ && (state_ == State::runs || !channel_.lossless()))
                channel_.send(answer_);
        }
        return std::nullopt;
    }

    std::chrono::milliseconds left_to_greet() const {
        return std::max(std::chrono::ceil<std::chrono::milliseconds>(greet_until_ - Clock::now()),
                        std::chrono::milliseconds(0));
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
        else if (frame.type == FrameType::snapshot && state_ == State::runs && has_snapshots())
            snapshot();
        else if (frame.type == FrameType::restore && state_ == State::runs && has_snapshots())
            restore(frame.payload);
        else
            throw WireError(fmt::format("a frame of type {}, expected {}", static_cast<int>(frame.type),
                                        state_ == State::begins       ? "hello"
                                        : state_ == State::challenged ? "proof"
                                                                      : "cycles"));
    }

    bool has_snapshots() const { return device_->traits().snapshots; }

    /// What this side of the device keeps of its nodes.
    template <class State>
    void state(State& state) {
        state.fixed(pins_);
        state(all_);
        state(*rest_);
        state(*offers_);
        state.fixed(shows_);
    }

    void snapshot() {
        detail::SaveState own;
        state(own);
        const Bytes nodes = device_->snapshot();
        own.bytes.insert(own.bytes.end(), nodes.begin(), nodes.end());
        if (own.bytes.size() > max_payload) own.bytes.clear();
        answer(FrameType::snapshot, own.bytes);
    }

    void restore(const Bytes& snapshot) {
        detail::LoadState own(snapshot);
        state(own);
        for (PinImage& pins : pins_) {
            silence_inputs(pins);
            pins.link_valid_o &= (1U << PinImage::ports) - 1;
            pins.rx_valid_o &= (1U << PinImage::receptions) - 1;
        }
        device_->restore(own.left());
        answer(FrameType::restore, {});
    }

    void greet(const Bytes& payload) {
        hello_ = decode_hello(payload);
        said_ = payload;
        if (secret_.empty()) {
            state_ = State::let_in;
            return;
        }
        challenge_ = random_bytes(challenge_bytes);
        state_ = State::challenged;
        answer(FrameType::challenge, challenge_);
    }

    void check_proof(const Bytes& proof) {
        if (!same_proof(proof, proof_of(secret_, challenge_, said_)))
            throw InputError("a host has another secret", "that of this device, in INTERLACE_SECRET");
        state_ = State::let_in;
    }

    void welcome() {
        device_ = make_(hello_.request);
        const std::size_t nodes = hello_.request.nodes.size();
        pins_.assign(nodes, {});
        named_in_.assign(nodes, 0);
        all_ = 0;
        taken_.assign(nodes, 0);
        shows_.assign(nodes, 0);
        offers_.emplace(nodes, device_->sizes().injections, hello_.request.needed.injection_depth);
        rest_.emplace(nodes, hello_.request.setting(Register::cycles_per_flit, 1),
                      hello_.request.needed.pipeline > 1, device_->traits().silent_cycles);
        state_ = State::runs;
        answer(FrameType::welcome,
               encode(Welcome{.hello_crc = crc(said_),
                              .sizes = device_->sizes(),
                              .silent_cycles = device_->traits().silent_cycles,
                              .features = many_cycles | (has_snapshots() ? snapshots : 0U) |
                                          (device_->traits().registers ? 0U : +no_registers)}));
    }

    void answer(FrameType type, const Bytes& payload) {
        answer_ = encode({type, sequence_, payload});
        channel_.send(answer_);
    }

    void refuse(const std::string& sentence) {
        Bytes payload;
        Writer(payload).text(sentence);
        answer(FrameType::refusal, payload);
        repeat_last_answer();
    }

    /// After the last answer, which may be lost: for as long as its host asks again.
    void repeat_last_answer() {
        constexpr std::chrono::milliseconds twice_its_patience(1'000);
        if (channel_.lossless()) return;
        const auto end = Clock::now() + twice_its_patience;
        try {
            while (Clock::now() < end) {
                reader_.push(channel_.receive(std::chrono::milliseconds(100)));
                while (const std::optional<Frame> frame = reader_.next())
                    if (frame->sequence == sequence_) channel_.send(answer_);
            }
        } catch (const ChannelClosed&) {  // it has it
        }
    }

    void cycles(const Bytes& question) {
        Reader in(question);
        Bytes payload;
        Writer out(payload);
        const std::uint32_t count = in.u16();
        if (count == 0) throw WireError("a question of 0 cycles, expected 1 or more");
        out.u16(count);
        for (std::uint32_t cycle = 0; cycle < count; ++cycle) {
            const std::uint32_t records = in.u32();
            ++cycles_;
            if ((records & all_nodes) != 0)
                clock_all(in, records & ~all_nodes, out);
            else if (count > 1 || all_ != 0)
                throw WireError("a cycle of some nodes in a question of many, or after one of all nodes");
            else
                clock_some(in, records, out);
        }
        in.finish();
        answer(FrameType::cycles, payload);
    }

    /// The nodes that `records` name; their input pins show what these say.
    std::vector<std::uint32_t> named(Reader& in, std::uint32_t records, std::vector<Offer>* offers) {
        std::vector<std::uint32_t> nodes;
        for (std::uint32_t i = 0; i < records; ++i) {
            nodes.push_back(get_inputs(in, device_->sizes(), pins_, offers));
            if (std::exchange(named_in_[nodes.back()], cycles_) == cycles_)
                throw WireError(fmt::format("two records of node {} in a cycle", nodes.back()));
        }
        return nodes;
    }

    void clock_some(Reader& in, std::uint32_t records, Writer& out) {
        const std::vector<std::uint32_t> awake = named(in, records, nullptr);
        clock(awake);
        out.u32(static_cast<std::uint32_t>(awake.size()));
        for (const std::uint32_t n : awake) put_outputs(out, n, pins_[n]);
    }

    /// Nodes at rest need no clock: what they show does not change.
    void clock_all(Reader& in, std::uint32_t records, Writer& out) {
        if (!std::exchange(all_, std::uint8_t{1}))
            for (PinImage& pins : pins_) pins.rst_ni = pins.clk_en_i = 1;
        std::vector<Offer> offered;
        for (const std::uint32_t n : named(in, records, &offered)) {
            const PinImage& pins = pins_[n];
            if (pins.rst_ni == 0 || pins.clk_en_i == 0 || (pins.cfg_valid_i | pins.cfg_read_i) != 0 ||
                pins.inj_valid_i != 0)
                throw WireError(
                    fmt::format("node {} is reset, stopped, configured, or given a flit that was "
                                "not offered, in a cycle of all nodes",
                                n));
            if (pins.link_valid_i != 0 || pins.credit_i != PinImage::Credits{}) rest_->stir(n);
        }
        for (const Offer& offer : offered) offers_->add(offer);
        offers_->write(pins_, taken_);
        std::vector<std::uint32_t> awake;
        for (std::uint32_t n = 0; n < pins_.size(); ++n) {
            if (taken_[n] != 0) rest_->stir(n);
            if (!rest_->is_at_rest(n)) awake.push_back(n);
        }
        for (const std::uint32_t n : awake) rest_->clock(n, pins_[n].rx_valid_o != 0);
        clock(awake);
        offers_->take_credits(awake, pins_);
        for (const std::uint32_t n : awake) {
            if (pins_[n].link_valid_o != 0 || pins_[n].rx_valid_o != 0) rest_->show(n);
            shows_[n] = show_anything(pins_[n]) ? 1 : 0;
        }
        std::uint32_t count = 0;
        for (std::uint32_t n = 0; n < pins_.size(); ++n) count += shows_[n] != 0 || taken_[n] != 0 ? 1 : 0;
        out.u32(count | all_nodes);
        for (std::uint32_t n = 0; n < pins_.size(); ++n)
            if (shows_[n] != 0 || taken_[n] != 0) put_outputs(out, n, pins_[n], std::exchange(taken_[n], 0));
    }

    void clock(const std::vector<std::uint32_t>& awake) {
        device_->clock(awake, pins_);
        for (const std::uint32_t n : awake) silence_inputs(pins_[n]);
    }

    Channel& channel_;
    std::unique_ptr<Channel> own_channel_ = nullptr;
    const MakeDevice& make_;
    const std::string& secret_;
    Clock::time_point greet_until_ = Clock::now() + max_greeting_time;
    enum class State { begins, challenged, let_in, runs };
    State state_ = State::begins;
    Hello hello_;
    Bytes said_, challenge_;  // the payload of the hello
    std::unique_ptr<PinDevice> device_;
    std::vector<PinImage> pins_;
    // Of cycles of all nodes.
    std::uint8_t all_ = 0;  // there was one
    std::optional<detail::Rest> rest_;
    std::optional<Offers> offers_;
    std::vector<std::uint32_t> taken_;  // [node]: queues that an offered flit is written into
    std::vector<std::uint8_t> shows_;   // [node]: anything on its output pins

    std::vector<std::uint64_t> named_in_;  // [node]: the last cycle with a record of it, from 1 on
    FrameReader reader_;
    std::uint32_t sequence_ = 0;
    Bytes answer_;  // to the question of this number
    std::uint64_t cycles_ = 0;
};

}  // namespace

std::unique_ptr<Session> open_session(std::unique_ptr<Channel> channel, const MakeDevice& make,
                                      const std::string& secret) {
    return std::make_unique<Server>(std::move(channel), make, secret);
}

std::uint64_t serve(Channel& channel, const MakeDevice& make, const std::string& secret) {
    return Server(channel, make, secret).run();
}

}  // namespace interlace
