// Interlace: the link layer of docs/links.md as SystemC modules
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <systemc>
#include <utility>

#include "interlace/systemc/packet.h"
#include "interlace/systemc/pins.h"
#include "interlace/systemc/queue.h"

namespace interlace::systemc {

inline constexpr std::uint32_t frame_width = 192;  ///< forward: 32 bits of header, two words of data, the CRC
inline constexpr std::uint32_t back_width = 128;

namespace link {

/// The CRC-32 of zlib of the first `words` words of 32 bits of a pin.
template <class Wide>
std::uint32_t crc_of(const Wide& pin, std::uint32_t words) {
    static constexpr auto table = [] {
        std::array<std::uint32_t, 256> entries{};
        for (std::uint32_t byte = 0; byte < entries.size(); ++byte) {
            std::uint32_t crc = byte;
            for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0);
            entries[byte] = crc;
        }
        return entries;
    }();
    std::uint32_t crc = UINT32_MAX;
    for (std::uint32_t w = 0; w < words; ++w) {
        crc ^= static_cast<std::uint32_t>(word_of(pin, w));
        for (int byte = 0; byte < 4; ++byte) crc = crc >> 8U ^ table[crc & 0xFFU];
    }
    return ~crc;
}

/// The last word of a frame is its CRC.
template <int Width>
bool is_right(const sc_dt::sc_bv<Width>& frame) {
    return crc_of(frame, Width / 32 - 1) == word_of(frame, Width / 32 - 1);
}
template <int Width>
void seal(sc_dt::sc_bv<Width>& frame) {
    frame.set_word(Width / 32 - 1, crc_of(frame, Width / 32 - 1));
}

}  // namespace link

/// The sender of docs/links.md, section 3, pin by pin: the ports of rtl/link/il_link_sender.sv under their
/// names and in the types that Verilator's SystemC output gives them. Its buffer grows to what it has to
/// hold.
template <std::uint32_t Vcs = 4, std::uint32_t SeqBits = 16>
class LinkSender : public sc_core::sc_module {
    static_assert(Vcs >= 1 && Vcs <= 4, "a link has 1 to 4 channels");
    static_assert(SeqBits >= 2 && SeqBits <= 16, "2 to 16 bits of a sequence number are in use");

  public:
    static constexpr std::uint32_t amount_width = 7;

    sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
    sc_core::sc_in<std::uint32_t> window_i{"window_i"}, cycles_per_flit_i{"cycles_per_flit_i"},
        timeout_i{"timeout_i"}, attempts_i{"attempts_i"};
    sc_core::sc_in<bool> link_valid_i{"link_valid_i"};
    sc_core::sc_in<std::uint32_t> link_vc_i{"link_vc_i"};
    sc_core::sc_in<PinType<flit_width>> link_flit_i{"link_flit_i"};
    sc_core::sc_out<PinType<Vcs * amount_width>> credit_o{"credit_o"};
    sc_core::sc_out<bool> frame_valid_o{"frame_valid_o"};
    sc_core::sc_out<PinType<frame_width>> frame_o{"frame_o"};
    sc_core::sc_in<bool> back_valid_i{"back_valid_i"};
    sc_core::sc_in<PinType<back_width>> back_i{"back_i"};
    sc_core::sc_out<bool> dead_o{"dead_o"};

    SC_HAS_PROCESS(LinkSender);
    explicit LinkSender(const sc_core::sc_module_name& name) : sc_module(name) {
        SC_METHOD(clock);
        dont_initialize();
        sensitive << clk_i.pos();
    }

    /// Every pin under its name.
    void trace(sc_core::sc_trace_file* file) const override {
        const auto add = [file](const auto&... pin) { (sc_core::sc_trace(file, pin, pin.name()), ...); };
        add(clk_i, rst_ni, window_i, cycles_per_flit_i, timeout_i, attempts_i, link_valid_i, link_vc_i,
            link_flit_i, back_valid_i, back_i);
        add(credit_o, frame_valid_o, frame_o, dead_o);
    }

  private:
    struct Entry {
        std::uint32_t vc = 0;
        Flit flit;
    };
    struct Account {
        std::uint16_t seen = 0, owed = 0;
    };
    struct Heeded {
        bool progress = false, rewinds = false;
    };

    void clock() {
        if (!rst_ni.read()) {
            reset();
            return;
        }
        const bool may_send =
            !dead_ && busy_ == 0 && next_ != buffer_.end() && next_ - buffer_.begin() < window_i.read();
        if (may_send) compose(buffer_.at(next_));
        if (link_valid_i.read()) buffer_.push({link_vc_i.read(), get_flit(link_flit_i.read(), 0)});
        for (Account& account : accounts_) account.owed -= given(account);
        const Heeded heeded = heed();
        const bool rewinds = expires(heeded) || heeded.rewinds;
        count(heeded.progress, rewinds);
        const bool sends = may_send && !rewinds;
        if (sends) {
            busy_ = cycles_per_flit_i.read() - 1;
            if (next_++ == sent_) sent_ = next_;
        } else if (busy_ != 0) {
            --busy_;
        }
        // What is acknowledged needs no repetition.
        if (rewinds || static_cast<std::int32_t>(buffer_.begin() - next_) > 0) next_ = buffer_.begin();
        show(sends);
    }

    /// The frame that repeats an entry, as it would be on the wire.
    void compose(const Entry& entry) {
        set_bits(frame_, 0, 32,
                 (next_ & mask) | epoch_ << 16U | entry.vc << 24U | std::uint32_t{entry.flit.ends} << 26U);
        set_bits(frame_, 32, 64, entry.flit.word[0]);
        set_bits(frame_, 96, 64, entry.flit.word[1]);
    }

    Heeded heed() {
        if (!back_valid_i.read()) return {};
        const auto& back = back_i.read();
        const auto received = (static_cast<std::uint32_t>(word_of(back, 0)) - buffer_.begin()) & mask;
        if (received > sent_ - buffer_.begin() || !link::is_right(back)) return {};
        buffer_.pop(received);
        for (std::uint32_t v = 0; v < Vcs; ++v) {
            const auto freed = static_cast<std::uint16_t>(get_bits(back, 32 + 16 * v, 16));
            accounts_[v].owed += freed - accounts_[v].seen;
            accounts_[v].seen = freed;
        }
        const auto epoch = static_cast<std::uint32_t>(get_bits(back, 16, 8));
        return {received != 0, std::exchange(epoch_, epoch) != epoch};
    }

    /// Whether too long nothing happened to what waits.
    bool expires(const Heeded& heeded) {
        const bool waits = buffer_.begin() != sent_ && !heeded.progress && !heeded.rewinds;
        const bool expired = waits && timer_ + 1 == timeout_i.read();
        timer_ = waits && !expired ? timer_ + 1 : 0;
        return expired;
    }

    void count(bool progress, bool rewinds) {
        if (progress) attempts_ = 0;
        if (rewinds && buffer_.begin() != sent_ && ++attempts_ == attempts_i.read()) dead_ = true;
    }

    static std::uint16_t given(const Account& account) { return std::min<std::uint16_t>(account.owed, 127); }

    void show(bool sends) {
        if (sends) {
            link::seal(frame_);
            frame_o.write(frame_);
        } else if (frame_valid_o.read()) {
            frame_o.write({});
        }
        frame_valid_o.write(sends);
        std::uint64_t credits = 0;
        for (std::uint32_t v = 0; v < Vcs; ++v)
            credits |= std::uint64_t{given(accounts_[v])} << amount_width * v;
        credit_o.write(static_cast<PinType<Vcs * amount_width>>(credits));
        dead_o.write(dead_);
    }

    void reset() {
        buffer_.clear();
        next_ = sent_ = epoch_ = busy_ = timer_ = attempts_ = 0;
        dead_ = false;
        accounts_ = {};
        show(false);
        frame_o.write({});
    }

    static constexpr std::uint32_t mask = ones(SeqBits);

    // From `acked` to `head`. Its positions are the numbers, in 32 bits.
    Queue<Entry> buffer_;
    std::uint32_t next_ = 0, sent_ = 0;
    std::uint32_t epoch_ = 0, busy_ = 0, timer_ = 0, attempts_ = 0;
    bool dead_ = false;
    std::array<Account, Vcs> accounts_{};
    PinType<frame_width> frame_;
};

/// The receiver of docs/links.md, section 4, as rtl/link/il_link_receiver.sv.
template <std::uint32_t Vcs = 4, std::uint32_t SeqBits = 16>
class LinkReceiver : public sc_core::sc_module {
    static_assert(Vcs >= 1 && Vcs <= 4, "a link has 1 to 4 channels");
    static_assert(SeqBits >= 2 && SeqBits <= 16, "2 to 16 bits of a sequence number are in use");

  public:
    static constexpr std::uint32_t amount_width = 7;

    sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
    sc_core::sc_in<std::uint32_t> refresh_i{"refresh_i"};
    sc_core::sc_in<bool> frame_valid_i{"frame_valid_i"};
    sc_core::sc_in<PinType<frame_width>> frame_i{"frame_i"};
    sc_core::sc_out<bool> link_valid_o{"link_valid_o"};
    sc_core::sc_out<std::uint32_t> link_vc_o{"link_vc_o"};
    sc_core::sc_out<PinType<flit_width>> link_flit_o{"link_flit_o"};
    sc_core::sc_in<PinType<Vcs * amount_width>> credit_i{"credit_i"};
    sc_core::sc_out<bool> back_valid_o{"back_valid_o"};
    sc_core::sc_out<PinType<back_width>> back_o{"back_o"};

    SC_HAS_PROCESS(LinkReceiver);
    explicit LinkReceiver(const sc_core::sc_module_name& name) : sc_module(name) {
        SC_METHOD(clock);
        dont_initialize();
        sensitive << clk_i.pos();
    }

    /// Every pin under its name.
    void trace(sc_core::sc_trace_file* file) const override {
        const auto add = [file](const auto&... pin) { (sc_core::sc_trace(file, pin, pin.name()), ...); };
        add(clk_i, rst_ni, refresh_i, frame_valid_i, frame_i, credit_i);
        add(link_valid_o, link_vc_o, link_flit_o, back_valid_o, back_o);
    }

  private:
    enum class Seen { nothing, expected, gap };

    void clock() {
        if (!rst_ni.read()) {
            reset();
            return;
        }
        say();
        const Seen seen = frame_valid_i.read() ? judge(frame_i.read()) : Seen::nothing;
        if (seen == Seen::expected) {
            expected_ = (expected_ + 1) & mask;
            awaiting_ = false;
        } else if (seen == Seen::gap) {
            epoch_ = (epoch_ + 1) & 0xFFU;
            awaiting_ = true;
        }
        pass(seen == Seen::expected);
        each_field(credit_i.read(), Vcs, amount_width, [this](std::uint32_t v, std::uint32_t flits) {
            freed_[v] += static_cast<std::uint16_t>(flits);
        });
        dirty_ = seen != Seen::nothing || any_bits(credit_i.read());
    }

    Seen judge(const PinType<frame_width>& frame) const {
        if (!link::is_right(frame)) return awaiting_ ? Seen::nothing : Seen::gap;
        const auto header = static_cast<std::uint32_t>(word_of(frame, 0));
        const std::uint32_t ahead = (header - expected_) & mask;
        if (ahead == 0) return Seen::expected;
        if (ahead > mask / 2) return Seen::nothing;  // it has been here before
        return awaiting_ && (header >> 16U & 0xFFU) != epoch_ ? Seen::nothing : Seen::gap;
    }

    /// The frame on the pins, to the node.
    void pass(bool valid) {
        if (valid) {
            const auto& frame = frame_i.read();
            const auto header = static_cast<std::uint32_t>(word_of(frame, 0));
            set_flit(flit_, 0,
                     {{get_bits(frame, 32, 64), get_bits(frame, 96, 64)},
                      static_cast<std::uint8_t>(header >> 26U & 3U)});
            link_flit_o.write(flit_);
            link_vc_o.write(header >> 24U & 3U);
        } else if (link_valid_o.read()) {
            show_no_flit();
        }
        link_valid_o.write(valid);
    }

    /// The state, where it is new or was last said long ago.
    void say() {
        const bool says = dirty_ || since_ == refresh_i.read() - 1;
        if (says) {
            set_bits(back_, 0, 32, expected_ | epoch_ << 16U);
            for (std::uint32_t v = 0; v < Vcs; ++v) set_bits(back_, 32 + 16 * v, 16, freed_[v]);
            link::seal(back_);
            back_o.write(back_);
        } else if (back_valid_o.read()) {
            back_o.write({});
        }
        back_valid_o.write(says);
        since_ = says ? 0 : since_ + 1;
    }

    void show_no_flit() {
        link_flit_o.write({});
        link_vc_o.write(0);
    }

    void reset() {
        expected_ = epoch_ = since_ = 0;
        awaiting_ = dirty_ = false;
        freed_ = {};
        link_valid_o.write(false);
        show_no_flit();
        back_valid_o.write(false);
        back_o.write({});
    }

    static constexpr std::uint32_t mask = ones(SeqBits);

    std::uint32_t expected_ = 0, epoch_ = 0, since_ = 0;
    bool awaiting_ = false;  // a frame of this epoch, or the one expected
    bool dirty_ = false;
    std::array<std::uint16_t, Vcs> freed_{};
    PinType<flit_width> flit_;
    PinType<back_width> back_;
};

}  // namespace interlace::systemc
