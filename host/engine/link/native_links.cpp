// Interlace: the link layer in C++ (docs/links.md, sections 3 and 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "interlace/engine/link/link_ends.h"

namespace interlace {
namespace {

constexpr std::size_t channels = 4;
constexpr std::uint16_t half = 1U << 15U;    // of the sequence numbers
constexpr std::uint16_t most_credits = 127;  // on a pin in a cycle

/// a - b modulo 2^16.
std::uint16_t minus(std::uint16_t a, std::uint16_t b) {
    return static_cast<std::uint16_t>(a - b);
}
void add(std::uint16_t& number, std::uint32_t amount) {
    number = static_cast<std::uint16_t>(number + amount);
}

class Sender {
  public:
    explicit Sender(std::uint32_t depth) : buffer_(depth) {}

    bool full() const { return minus(head_, acked_) >= buffer_.size(); }
    /// With quiet inputs nothing would change, and nothing shows.
    bool rests() const {
        return head_ == acked_ && next_ == acked_ && busy_ == 0 && owed_ == Amounts{} && !dead_;
    }

    /// docs/links.md, section 3, step by step; what step 5 decides by is the state at the beginning.
    void clock(const LinkSettings& s, const LinkInputs& in, LinkOutputs& out) {
        const bool may_send = !dead_ && busy_ == 0 && next_ != head_ && minus(next_, acked_) < s.window;
        const std::uint8_t epoch = epoch_;
        for (std::uint16_t& owed : owed_) owed -= std::min(owed, most_credits);  // they are on the pins
        if (in.link_valid) store(in.vc, in.flit);
        bool rewinds = false;
        const bool progress = in.back_valid && heed(in.back, rewinds);
        rewinds |= times_out(s, progress || rewinds);
        if (progress) attempts_ = 0;
        if (rewinds && acked_ != sent_ && ++attempts_ == s.attempts) dead_ = true;
        if (may_send && !rewinds)
            send(s, epoch, out);
        else if (busy_ > 0)
            --busy_;
        const std::uint16_t ahead = minus(acked_, next_);
        if (rewinds || (ahead > 0 && ahead < half)) next_ = acked_;
        for (std::size_t v = 0; v < channels; ++v)
            out.credits[v] = static_cast<std::uint8_t>(std::min(owed_[v], most_credits));
        out.dead = dead_;
    }

    void state(Archive& archive) {
        archive(head_, acked_, sent_, next_, epoch_, dead_, busy_, timer_, attempts_, seen_, owed_);
        archive.expect(minus(head_, acked_) <= buffer_.size());
        for (std::uint16_t i = acked_; i != head_; add(i, 1)) {
            Stored& stored = buffer_[i % buffer_.size()];
            archive(stored.vc, stored.flit);
        }
    }

  private:
    using Amounts = std::array<std::uint16_t, channels>;
    struct Stored {
        std::uint8_t vc = 0;
        RawFlit flit{};
    };

    void store(std::uint8_t vc, const RawFlit& flit) {
        buffer_[head_ % buffer_.size()] = {vc, flit};
        add(head_, 1);
    }

    /// True: progress.
    bool heed(const BackBits& bits, bool& rewinds) {
        BackFrame back;
        if (!decode(bits, back) || minus(back.expected, acked_) > minus(sent_, acked_)) return false;
        const bool progress = back.expected != acked_;
        acked_ = back.expected;
        for (std::size_t v = 0; v < channels; ++v) add(owed_[v], minus(back.freed[v], seen_[v]));
        seen_ = back.freed;
        rewinds = back.epoch != epoch_;
        epoch_ = back.epoch;
        return progress;
    }

    bool times_out(const LinkSettings& s, bool moves) {
        const bool waits = !moves && acked_ != sent_;
        timer_ = waits ? timer_ + 1 : 0;
        if (timer_ != s.timeout) return false;
        timer_ = 0;
        return true;
    }

    void send(const LinkSettings& s, std::uint8_t epoch, LinkOutputs& out) {
        const Stored& stored = buffer_[next_ % buffer_.size()];
        out.frame_valid = true;
        out.frame = encode(ForwardFrame{next_, epoch, stored.vc, stored.flit});
        busy_ = s.cycles_per_flit - 1;
        if (next_ == sent_) add(sent_, 1);
        add(next_, 1);
    }

    std::vector<Stored> buffer_;
    std::uint16_t head_ = 0, acked_ = 0, sent_ = 0, next_ = 0;
    std::uint8_t epoch_ = 0;
    bool dead_ = false;
    std::uint32_t busy_ = 0, timer_ = 0, attempts_ = 0;
    Amounts seen_{}, owed_{};
};

/// Its time is that of `cycle`, so that a receiver at rest need not be clocked.
class Receiver {
  public:
    /// With quiet inputs nothing would show after the edge of `cycle`.
    bool rests(const LinkSettings& s, std::uint64_t cycle) const {
        return !dirty_ && cycle - said_ < s.refresh;
    }

    /// docs/links.md, section 4, step by step.
    void clock(const LinkSettings& s, const LinkInputs& in, std::uint64_t cycle, LinkOutputs& out) {
        if (!rests(s, cycle)) {
            out.back_valid = true;
            out.back = encode(state_);
            said_ = cycle;
        }
        dirty_ = false;
        if (in.frame_valid) hear(in.frame, out);
        for (std::size_t v = 0; v < channels; ++v) {
            add(state_.freed[v], in.credits[v]);
            dirty_ |= in.credits[v] != 0;
        }
    }

    void state(Archive& archive) {
        archive(state_.expected, state_.epoch, state_.freed, awaiting_, dirty_, said_);
    }

  private:
    void hear(const ForwardBits& bits, LinkOutputs& out) {
        ForwardFrame frame;
        const bool whole = decode(bits, frame);
        const std::uint16_t ahead = whole ? minus(frame.sequence, state_.expected) : 0;
        if (whole && ahead == 0) {
            out.link_valid = true;
            out.vc = frame.vc;
            out.flit = frame.flit;
            add(state_.expected, 1);
            awaiting_ = false;
            dirty_ = true;
        } else if (!(whole && ahead >= half) && (!awaiting_ || (whole && frame.epoch == state_.epoch))) {
            ++state_.epoch;
            awaiting_ = true;
            dirty_ = true;
        }
    }

    BackFrame state_;
    bool awaiting_ = false, dirty_ = false;
    std::uint64_t said_ = 0;  // the cycle whose edge made the last backward frame; 0: reset
};

/// Data that are not valid are 0.
void silence(LinkOutputs& out) {
    if (out.link_valid) out.flit = {};
    if (out.frame_valid) out.frame = {};
    if (out.back_valid) out.back = {};
    out.link_valid = out.frame_valid = out.back_valid = false;
    out.vc = 0;
    out.credits = {};
}

class NativeLinks final : public LinkEnds {
  public:
    NativeLinks(std::size_t count, const LinkSettings& settings, std::uint32_t depth)
        : settings_(settings), senders_(count, Sender(depth)), receivers_(count) {}

    void clock(const std::vector<LinkInputs>& inputs, std::vector<LinkOutputs>& outputs) override {
        ++cycle_;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const LinkInputs& in = inputs[i];
            LinkOutputs& out = outputs[i];
            const bool quiet = in.quiet();
            silence(out);
            if (in.link_valid && senders_[i].full()) throw LinkOverflow{i};
            if (!quiet || !senders_[i].rests()) senders_[i].clock(settings_, in, out);
            if (!quiet || !receivers_[i].rests(settings_, cycle_))
                receivers_[i].clock(settings_, in, cycle_, out);
        }
    }

    bool has_state() const override { return true; }
    void state(Archive& archive) override {
        archive(cycle_);
        for (Sender& sender : senders_) sender.state(archive);
        for (Receiver& receiver : receivers_) receiver.state(archive);
    }

  private:
    LinkSettings settings_;
    std::vector<Sender> senders_;
    std::vector<Receiver> receivers_;
    std::uint64_t cycle_ = 0;  // of the edge, from 1 on
};

}  // namespace

std::unique_ptr<LinkEnds> native_links(std::size_t count, const LinkSettings& settings, std::uint32_t depth) {
    return std::make_unique<NativeLinks>(count, settings, depth);
}

}  // namespace interlace
