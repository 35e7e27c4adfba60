// Interlace: a device in another process, as a host sees it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/device/remote_device.h"

#include <fmt/format.h>

#include <optional>
#include <type_traits>
#include <utility>

#include "interlace/core/archive.h"
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
        : channel_(std::move(channel)),
          name_(name),
          request_(request),
          patience_(patience),
          secret_(secret),
          reader_(channel_->lossless()) {
        const Welcome welcome = greet();
        built_ = welcome.sizes;
        traits_ = {.silent_cycles = welcome.silent_cycles,
                   .registers = (welcome.features & no_registers) == 0,
                   .cycles_at_once = cycles_at_once(welcome),
                   .snapshots = (welcome.features & snapshots) != 0};
        snapshots_ = traits_.snapshots;
        rx_ready_.resize(request_.nodes.size());
        shown_in_.resize(rx_ready_.size(), 0);
        if (const std::string wrong = wrong_size(built_, traits_.registers); !wrong.empty())
            throw FellShort(name_ + " reports that its nodes have " + wrong);
    }
    ~RemoteDevice() override {
        // Nobody can be told of what goes wrong here.
        try {
            if (begun_) answer();
            patience_.end = patience_.again;
            ask(FrameType::goodbye, {});
        } catch (const std::exception&) {
        }
    }

    NodeSizes sizes() const override { return built_; }
    DeviceTraits traits() const override { return traits_; }

    void begin(const std::vector<std::uint32_t>& awake, const std::vector<PinImage>& pins) override {
        if (awake.empty()) return;
        payload_.clear();
        Writer out(payload_);
        out.u16(1);
        out.u32(awake.size());
        for (const std::uint32_t n : awake) {
            put_inputs(out, n, pins[n]);
            rx_ready_[n] = pins[n].rx_ready_i;
        }
        put_cycles();
    }

    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        if (awake.empty()) return;
        if (!begun_) begin(awake, pins);
        begun_ = false;
        const Frame answer = answer_in_the_end();
        understand([&] {
            expect(answer, FrameType::cycles);
            Reader in(answer.payload);
            if (in.u16() != 1 || in.u32() != awake.size()) throw WireError("other nodes than requested");
            for (const std::uint32_t n : awake)
                if (get_outputs(in, built_, pins) != n) throw WireError("other nodes than requested");
            in.finish();
        });
    }

    void begin_cycles(const std::vector<Arrivals>& cycles) override {
        payload_.clear();
        Writer out(payload_);
        out.u16(cycles.size());
        for (const Arrivals& arrivals : cycles) writer_.put(out, arrivals, rx_ready_);
        asked_for_ = cycles.size();
        put_cycles();
    }

    void await() override {
        came_ = early_ ? *std::exchange(early_, std::nullopt) : answer_in_the_end();
        begun_ = false;
        understand([&] {
            expect(came_, FrameType::cycles);
            cycles_ = Reader(came_.payload);
            left_ = cycles_.u16();
            if (left_ != asked_for_) throw WireError("other cycles than requested");
        });
    }

    void next(std::vector<PinImage>& pins, std::vector<std::uint32_t>& taken) override {
        shown_.swap(shown_before_);
        shown_.clear();
        for (const std::uint32_t n : shown_before_) taken[n] = 0;
        understand([&] {
            const std::uint32_t records = cycles_.u32();
            if ((records & all_nodes) == 0) throw WireError("some nodes, although all were requested");
            ++answer_;
            for (std::uint32_t left = records & ~all_nodes; left > 0; --left) {
                shown_.push_back(get_outputs(cycles_, built_, pins, &taken));
                shown_in_[shown_.back()] = answer_;
            }
            for (const std::uint32_t n : shown_before_)
                if (shown_in_[n] != answer_) clear_outputs(pins[n]);
            if (--left_ == 0) cycles_.finish();
        });
    }

    /// Together with cycles that it has answered and that nobody has taken.
    std::vector<std::uint8_t> snapshot() override {
        if (begun_) early_ = answer_in_the_end();
        begun_ = false;
        if (in_the_end([&](bool /*again*/) { return ask_for_snapshot(); }).payload.empty()) return {};
        return saved_by([this](Archive& archive) { state(archive); });
    }
    void restore(std::span<const std::uint8_t> snapshot) override {
        load_by([this](Archive& archive) { state(archive); }, snapshot);
        asked_.clear();  // that is undone
        said_ = 0;
        in_the_end([&](bool again) {
            if (!again) restore_nodes();  // one that comes back has been restored
        });
    }

  private:
    void state(Archive& archive) {
        Bytes left(cycles_.left().begin(), cycles_.left().end());
        Bytes early = early_ ? early_->payload : Bytes();
        archive(snapshot_, shown_, asked_for_, left_, left, early);
        if (!archive.loads()) return;
        came_.payload = std::move(left);
        cycles_ = Reader(came_.payload);
        if (!early.empty()) early_ = {FrameType::cycles, 0, std::move(early)};
    }

    std::uint32_t cycles_at_once(const Welcome& welcome) const {
        constexpr std::uint32_t most = 64;
        constexpr std::uint32_t max_of_lossy = 4;  // a frame that is lost is said again as a whole
        if ((welcome.features & many_cycles) == 0 || welcome.max_payload != 0) return 0;
        return channel_->lossless() ? most : max_of_lossy;
    }

    void put_cycles() {
        begun_ = true;
        try {
            put(FrameType::cycles, payload_);
        } catch (const DeviceGone&) {
            if (!patience_.reconnect) throw;  // else whoever waits for the answer finds it gone
        }
    }

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
            if (secret_.empty()) throw NoDevice(name_ + " requires a secret: set INTERLACE_SECRET");
            if (answer.payload.size() != challenge_bytes)
                throw FellShort(fmt::format("{} breaks the protocol: a challenge of {} bytes, expected {}",
                                            name_, answer.payload.size(), challenge_bytes));
            answer = prove(proof_of(secret_, answer.payload, hello));
        } else if (!secret_.empty()) {
            throw NoDevice(
                name_ +
                " does not ask for a secret, but INTERLACE_SECRET is set: another process listens there");
        }
        return understand([&] {
            expect(answer, FrameType::welcome);
            longest_answer_ = max_payload;
            return decode_welcome(answer.payload);
        });
    }

    Frame prove(const Bytes& proof) {
        try {
            return ask(FrameType::proof, proof);
        } catch (const DeviceRefusal& refusal) {
            throw NoDevice(refusal.what());
        }
    }

    /// The answer to the question of cycles in payload_, also of a device that is gone and comes back.
    Frame answer_in_the_end() {
        if (!patience_.reconnect) return answer();
        Frame came = in_the_end([&](bool again) {
            if (again) put(FrameType::cycles, payload_);
            return answer();
        });
        asked_.push_back({payload_, crc(came.payload)});
        said_ += payload_.size() + came.payload.size();
        if (snapshots_ && said_ > std::max(patience_.keep, snapshot_.size())) try {
                snapshots_ = !ask_for_snapshot().payload.empty();
            } catch (const DeviceGone&) {  // whoever asks next finds it gone
            }
        return came;
    }

    /// ask(again) of a device that may be gone and come back: `again` where it has.
    template <class Ask>
    std::invoke_result_t<const Ask&, bool> in_the_end(const Ask& ask) {
        for (bool gone = false;;) try {
                if (gone) resume();
                return ask(gone);
            } catch (const DeviceGone&) {
                if (!patience_.reconnect) throw;
                gone = true;
            }
    }

    /// So that what was asked before need not be asked again, unless it is empty: larger than a frame.
    Frame ask_for_snapshot() {
        Frame state = ask(FrameType::snapshot, {});
        understand([&] { expect(state, FrameType::snapshot); });
        if (state.payload.empty()) return state;
        snapshot_ = state.payload;
        asked_.clear();
        said_ = 0;
        return state;
    }

    void restore_nodes() {
        understand([&] { expect(ask(FrameType::restore, snapshot_), FrameType::restore); });
    }

    /// Joins the device that has come back, and asks it all that was asked since its last snapshot: what it
    /// does depends on nothing else.
    void resume() {
        channel_ = patience_.reconnect();
        reader_ = FrameReader(channel_->lossless());
        longest_answer_ = max_greeting;
        sequence_ = 0;
        const Welcome welcome = greet();
        if (!(welcome.sizes == built_)) throw FellShort(name_ + " has returned as a different device");
        if (!snapshot_.empty()) restore_nodes();
        for (std::size_t i = 0; i < asked_.size(); ++i)
            if (crc(ask(FrameType::cycles, asked_[i].question).payload) != asked_[i].answer_crc)
                throw FellShort(fmt::format(
                    "{} has returned, and shows other pins after question {} than before", name_, i + 1));
    }

    /// The answer to a frame of this type. Throws DeviceGone where the other side has closed the stream.
    Frame ask(FrameType type, const Bytes& payload) {
        put(type, payload);
        return answer();
    }

    template <class Action>
    std::invoke_result_t<const Action&> unless_gone(const Action& action) {
        try {
            return action();
        } catch (const ChannelClosed& closed) {
            throw DeviceGone(fmt::format("{} is gone: {}", name_, closed.what()));
        }
    }

    void put(FrameType type, const Bytes& payload) {
        if (payload.size() > max_payload)
            throw FellShort(fmt::format("a question of {} bytes for {}, expected at most {}", payload.size(),
                                        name_, max_payload));
        question_ = encode({type, ++sequence_, payload});
        unless_gone([&] { channel_->send(question_); });
    }

    /// The answer to what was put last, which is put again where it may be lost.
    Frame answer() {
        const auto end = Clock::now() + patience_.end;
        auto wait = channel_->lossless() ? patience_.end : patience_.again;
        while (true) {
            const auto came = unless_gone([&] { return answer_until(std::min(Clock::now() + wait, end)); });
            if (came && came->type == FrameType::refusal) refused(came->payload);
            if (came) return *came;
            if (Clock::now() >= end) no_answer();
            unless_gone([&] { channel_->send(question_); });
            wait *= 2;
        }
    }

    [[noreturn]] void no_answer() {
        begun_ = false;
        const std::string why =
            reader_.other_version() == 0
                ? ""
                : fmt::format(": it speaks version {} of the protocol, and this host version {}",
                              reader_.other_version(), protocol_version);
        const std::string silent =
            fmt::format("{} has not answered for {} s{}", name_, patience_.end.count() / 1000.0, why);
        if (longest_answer_ == max_greeting) throw NoDevice(silent);
        throw FellShort(silent);
    }

    /// The answer to the last question, if it comes in time. Others are late answers to ones before.
    std::optional<Frame> answer_until(Clock::time_point until) {
        while (true) {
            while (std::optional<Frame> frame = understand([&] { return reader_.next(longest_answer_); }))
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
    std::uint32_t longest_answer_ = max_greeting;  // bytes of a payload
    std::uint32_t sequence_ = 0, hello_crc_ = 0;
    Bytes question_;  // the last one, a frame
    Bytes payload_;   // of the last one about cycles
    bool begun_ = false;
    std::vector<std::uint32_t> rx_ready_;  // [node]: as the last question of one cycle said

    // Of questions of many cycles.
    CycleWriter writer_;
    std::size_t asked_for_ = 0;                        // cycles of the last one
    Frame came_;                                       // the last answer
    Reader cycles_{{}};                                // what is left of it
    std::size_t left_ = 0;                             // cycles of that
    std::optional<Frame> early_;                       // an answer that nobody has awaited yet
    std::uint64_t answer_ = 0;                         // cycles that were answered
    std::vector<std::uint32_t> shown_, shown_before_;  // nodes with a record in the last of them
    std::vector<std::uint64_t> shown_in_;              // [node]: the last with a record of it
    struct Asked {
        Bytes question;
        std::uint32_t answer_crc;
    };
    // Of a device that may come back: its last snapshot, and what was asked since.
    bool snapshots_ = false;  // it has some
    Bytes snapshot_;
    std::vector<Asked> asked_;
    std::size_t said_ = 0;  // bytes of these and of answers
};

}  // namespace

std::unique_ptr<PinDevice> remote_device(std::unique_ptr<Channel> channel, const std::string& name,
                                         const DeviceRequest& request, const Patience& patience,
                                         const std::string& secret) {
    return std::make_unique<RemoteDevice>(std::move(channel), name, request, patience, secret);
}

}  // namespace interlace
