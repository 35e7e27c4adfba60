// Interlace: the link layer of rtl/link and that of systemc/, pin by pin in every cycle (docs/links.md)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "interlace/systemc/link.h"
#include "rtl/link_wire.h"

#include "Vil_link_16.h"
#include "Vil_link_7.h"

/// libsystemc asks for it; the kernel here is driven by sc_start alone.
int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

namespace interlace {
namespace {

using sc_core::sc_signal;

constexpr std::uint32_t depth = 64, vcs = 4;

template <class Model, std::uint32_t SeqBits>
struct Both {
    template <class Port>
    using SignalOf = sc_signal<typename Port::data_type>;
    using Sender = systemc::LinkSender<vcs, SeqBits>;
    using Receiver = systemc::LinkReceiver<vcs, SeqBits>;
    static constexpr std::uint32_t mask = (1U << SeqBits) - 1;

    Both(VerilatedContext& context, const char* name) : model(&context, name) {
        sender.clk_i(clk), receiver.clk_i(clk);
        sender.rst_ni(rst_n), receiver.rst_ni(rst_n);
        sender.window_i(window), sender.cycles_per_flit_i(cycles_per_flit), sender.timeout_i(timeout);
        sender.attempts_i(attempts), receiver.refresh_i(refresh);
        sender.link_valid_i(link_valid_i), sender.link_vc_i(link_vc_i), sender.link_flit_i(link_flit_i);
        sender.credit_o(credit_o), sender.frame_valid_o(frame_valid_o), sender.frame_o(frame_o);
        sender.back_valid_i(back_valid_i), sender.back_i(back_i), sender.dead_o(dead);
        receiver.frame_valid_i(frame_valid_i), receiver.frame_i(frame_i);
        receiver.link_valid_o(link_valid_o), receiver.link_vc_o(link_vc_o), receiver.link_flit_o(link_flit_o);
        receiver.credit_i(credit_i), receiver.back_valid_o(back_valid_o), receiver.back_o(back_o);
    }

    /// An episode: other constants, wires and habits. `wild`: also frames that nobody sent.
    void episode(Random& random, std::uint32_t length) {
        const bool wild = one_in(random, 2);
        const std::uint32_t many = 1 + up_to(random, 5), often = 1 + up_to(random, 9),
                            error = 3 + up_to(random, 60);
        model.window_i = static_cast<SData>(1 + up_to(random, 62));
        model.cycles_per_flit_i = static_cast<CData>(1 + (one_in(random, 2) ? 0 : up_to(random, 20)));
        model.timeout_i =
            static_cast<SData>(one_in(random, 8) ? 1 + up_to(random, 10) : 20 + up_to(random, 300));
        model.attempts_i = static_cast<CData>(one_in(random, 4) ? 1 + up_to(random, 5) : 255);
        model.refresh_i = static_cast<SData>(1 + (one_in(random, 4) ? 0 : up_to(random, 90)));
        const Failures failures{one_in(random, 2) ? 0 : 1e-3 / error, 0.3 / error, 0.05 / error,
                                up_to(random, 100)};
        Wire<6> forward(up_to(random, 20), failures, random());
        Wire<4> backward(up_to(random, 20), failures, random());
        reset(random);
        for (std::uint32_t t = 0; t < length && !testing::Test::HasFatalFailure(); ++t) {
            ForwardFrame frame{};
            BackFrame back{};
            const ForwardFrame sent = frame_on<6>(model.frame_o);
            forward.put(model.frame_valid_o, sent);
            backward.put(model.back_valid_o, frame_on<4>(model.back_o));
            model.frame_valid_i = forward.take(frame);
            model.back_valid_i = backward.take(back);
            if (wild && one_in(random, error)) model.frame_valid_i = invent(random, frame);
            if (wild && one_in(random, error)) model.back_valid_i = invent(random, back);
            // Data pins say anything without a frame.
            if (!model.frame_valid_i && one_in(random, 4)) frame = anything<6>(random);
            if (!model.back_valid_i && one_in(random, 4)) back = anything<4>(random);
            put_on(model.frame_i, frame);
            put_on(model.back_i, back);
            model.link_valid_i = stored - acked < depth && up_to(random, 9) < often;
            follow(sent, back);
            model.link_vc_i = static_cast<CData>(up_to(random, 3));
            auto flit = anything<5>(random);
            flit[4] &= 3U;
            put_on(model.link_flit_i, flit);
            stored += model.link_valid_i;
            model.credit_i = 0;
            for (std::uint32_t v = 0; v < vcs; ++v)
                if (one_in(random, many * 3))
                    model.credit_i |= (one_in(random, 30) ? 127 : up_to(random, 3)) << (7 * v);
            cycle();
        }
    }

    std::uint64_t cycles = 0, frames = 0, flits = 0, epochs = 0, deaths = 0, refused = 0;

  private:
    void cycle() {
        write();
        model.clk_i = 1;
        clk = true;
        model.eval();
        sc_core::sc_start(5, sc_core::SC_NS);
        model.clk_i = 0;
        clk = false;
        model.eval();
        sc_core::sc_start(5, sc_core::SC_NS);
        ++cycles;
        frames += model.frame_valid_o;
        flits += model.link_valid_o;
        compare();
    }

    void reset(Random& random) {
        model.rst_ni = 0;
        for (std::uint32_t i = 0; i < 2; ++i) {
            model.link_valid_i = one_in(random, 2);
            model.frame_valid_i = one_in(random, 2);
            cycle();
        }
        model.rst_ni = 1;
        stored = acked = sent_numbers = delivered = 0;
    }

    /// What the sender has to have room for.
    void follow(const ForwardFrame& sent, const BackFrame& back) {
        if (model.frame_valid_o && (sent[0] & mask) == (sent_numbers & mask)) ++sent_numbers;
        const std::uint32_t progress = (back[0] - acked) & mask;
        if (model.back_valid_i && crc_of(back) == back[3] && progress <= sent_numbers - acked)
            acked += progress;
        delivered += model.link_valid_o;
    }

    template <std::size_t words>
    Frame<words> anything(Random& random) {
        Frame<words> frame;
        for (auto& word : frame) word = static_cast<std::uint32_t>(random());
        return frame;
    }

    /// A frame of numbers and epochs near those of now, most with a right CRC.
    bool invent(Random& random, ForwardFrame& frame) {
        frame = anything<6>(random);
        const std::uint32_t near = delivered + up_to(random, 6) - 3;
        const std::uint32_t epoch = frame_epoch + up_to(random, 2) - 1;
        if (!one_in(random, 8))
            frame[0] = (frame[0] & 0xFF000000U) | (near & 0xFFFFU) | (epoch & 0xFFU) << 16U;
        return finish(random, frame);
    }
    bool invent(Random& random, BackFrame& frame) {
        frame = anything<4>(random);
        const std::uint32_t near = acked + up_to(random, sent_numbers - acked + 2) - 1;
        if (!one_in(random, 8)) frame[0] = (frame[0] & 0xFFFF0000U) | (near & 0xFFFFU);
        return finish(random, frame);
    }
    template <std::size_t words>
    bool finish(Random& random, Frame<words>& frame) {
        frame.back() = crc_of(frame);
        if (one_in(random, 10)) frame[up_to(random, words - 1)] ^= 1U << up_to(random, 31);
        return !one_in(random, 10);
    }

    void write() {
        rst_n = model.rst_ni != 0;
        window = model.window_i;
        cycles_per_flit = model.cycles_per_flit_i;
        timeout = model.timeout_i;
        attempts = model.attempts_i;
        refresh = model.refresh_i;
        link_valid_i = model.link_valid_i != 0;
        link_vc_i = model.link_vc_i;
        write_wide(link_flit_i, model.link_flit_i);
        back_valid_i = model.back_valid_i != 0;
        write_wide(back_i, model.back_i);
        frame_valid_i = model.frame_valid_i != 0;
        write_wide(frame_i, model.frame_i);
        credit_i = model.credit_i;
    }
    template <class Signal, class Pin>
    static void write_wide(Signal& signal, const Pin& pin) {
        auto value = signal.read();
        for (int w = 0; w < value.size(); ++w) value.set_word(w, pin[static_cast<std::size_t>(w)]);
        signal = value;
    }

    void compare() {
        ASSERT_EQ(model.credit_o, credit_o.read()) << cycles;
        ASSERT_EQ(model.frame_valid_o != 0, frame_valid_o.read()) << cycles;
        compare_wide("frame_o", frame_o, model.frame_o);
        ASSERT_EQ(model.dead_o != 0, dead.read()) << cycles;
        ASSERT_EQ(model.link_valid_o != 0, link_valid_o.read()) << cycles;
        ASSERT_EQ(model.link_vc_o, link_vc_o.read()) << cycles;
        compare_wide("link_flit_o", link_flit_o, model.link_flit_o);
        ASSERT_EQ(model.back_valid_o != 0, back_valid_o.read()) << cycles;
        compare_wide("back_o", back_o, model.back_o);
        if (model.back_valid_o) {
            const std::uint32_t epoch = model.back_o[0] >> 16U & 0xFFU;
            epochs += epoch != frame_epoch;
            frame_epoch = epoch;
        }
        deaths += model.dead_o && !was_dead;
        was_dead = model.dead_o != 0;
    }
    template <class Signal, class Pin>
    void compare_wide(const char* name, const Signal& signal, const Pin& pin) {
        const auto& value = signal.read();
        for (int w = 0; w < value.size(); ++w)
            ASSERT_EQ(pin[static_cast<std::size_t>(w)], value.get_word(w)) << name << " in cycle " << cycles;
    }

    Model model;
    Sender sender{sc_core::sc_gen_unique_name("sender")};
    Receiver receiver{sc_core::sc_gen_unique_name("receiver")};
    sc_signal<bool> clk, rst_n, link_valid_i, frame_valid_o, back_valid_i, dead, frame_valid_i, link_valid_o,
        back_valid_o;
    sc_signal<std::uint32_t> window, cycles_per_flit, timeout, attempts, refresh, link_vc_i, link_vc_o;
    SignalOf<decltype(Sender::link_flit_i)> link_flit_i, link_flit_o;
    SignalOf<decltype(Sender::credit_o)> credit_o, credit_i;
    SignalOf<decltype(Sender::frame_o)> frame_o, frame_i;
    SignalOf<decltype(Sender::back_i)> back_i, back_o;
    std::uint32_t stored = 0, acked = 0, sent_numbers = 0, delivered = 0, frame_epoch = 0;
    bool was_dead = false;
};

TEST(LinkLockstep, RtlAndSystemCShowTheSameOnEveryPin) {
    const char* const millions = std::getenv("LINK_MILLIONS");
    const std::uint64_t cycles = millions ? std::strtoull(millions, nullptr, 10) * 1'000'000 : 600'000;
    // A process elaborates once: both are there before time begins.
    VerilatedContext context;
    Both<Vil_link_16, 16> wide(context, "wide");
    Both<Vil_link_7, 7> narrow(context, "narrow");
    Random random(1);
    const auto run = [&](auto& both) {
        while (both.cycles < cycles && !HasFatalFailure())
            both.episode(random, one_in(random, 10) ? 80'000 : 500 + up_to(random, 4000));
        EXPECT_GT(both.frames, cycles / 20);
        EXPECT_GT(both.flits, cycles / 40);
        EXPECT_GT(both.epochs, cycles / 1000);
        EXPECT_GT(both.deaths, 5U);
    };
    run(wide);
    run(narrow);
}

}  // namespace
}  // namespace interlace
