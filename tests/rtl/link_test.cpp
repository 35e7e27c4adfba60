// Interlace: the link layer of rtl/link over wires that fail (docs/links.md)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <verilated.h>

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "interlace/core/random.h"
#include "rtl/link_wire.h"

#include "Vil_link_16.h"
#include "Vil_link_7.h"

namespace interlace {
namespace {

struct Settings {
    std::uint32_t window = 64, cycles_per_flit = 1, timeout = 200, attempts = 255, refresh = 50;
    std::uint32_t forward = 0, backward = 0;  // cycles
    Failures failures;
    std::uint64_t seed = 1;
};

struct Flit {
    std::uint32_t vc = 0;
    std::array<std::uint32_t, 5> words{};
    bool operator==(const Flit& other) const { return vc == other.vc && words == other.words; }
};

/// Flit number n of a test.
Flit flit_of(std::uint64_t n) {
    Flit flit;
    for (std::size_t i = 0; i < 5; ++i) flit.words[i] = static_cast<std::uint32_t>(random_bits(1, n, i));
    flit.vc = flit.words[4] >> 2U & 3U;
    flit.words[4] &= 3U;
    return flit;
}

constexpr std::uint32_t vcs = 4, depth = 16;  // of each channel: the buffer's 64 in all

/// A link between two nodes that hold to their credits.
template <class Model>
struct Link {
    explicit Link(const Settings& settings)
        : random(settings.seed),
          forward(settings.forward, settings.failures, settings.seed + 1),
          backward(settings.backward, settings.failures, settings.seed + 2) {
        model.window_i = static_cast<SData>(settings.window);
        model.cycles_per_flit_i = static_cast<CData>(settings.cycles_per_flit);
        model.timeout_i = static_cast<SData>(settings.timeout);
        model.attempts_i = static_cast<CData>(settings.attempts);
        model.refresh_i = static_cast<SData>(settings.refresh);
        room.fill(depth);
        clock();
        clock();
        model.rst_ni = 1;
        model.eval();
    }

    /// A cycle in which the node sends flit `stored`, if it has room for it, and frees flits of each channel
    /// at random: `frees` of ten times.
    void cycle(bool sends, std::uint32_t frees) {
        move_frames();
        const Flit flit = flit_of(stored);
        stores = sends && room[flit.vc] != 0;
        model.link_valid_i = stores;
        model.link_vc_i = stores ? flit.vc : 0;
        put_on(model.link_flit_i, stores ? flit.words : std::array<std::uint32_t, 5>{});
        deliver();
        free(frees);
        for (std::uint32_t v = 0; v < vcs; ++v) room[v] += model.credit_o >> (7 * v) & 127U;
        if (stores) {
            ++stored;
            --room[flit.vc];
        }
        for (const std::uint32_t flits : room) ASSERT_LE(flits, depth);
        clock();
        ++now;
    }

    void run(std::uint64_t cycles, std::uint32_t sends, std::uint32_t frees) {
        for (std::uint64_t i = 0; i < cycles && !testing::Test::HasFatalFailure(); ++i)
            cycle(up_to(random, 9) < sends, frees);
    }

    /// No more is sent: all comes, and all credits come home.
    void drain(std::uint64_t cycles) {
        for (std::uint64_t i = 0; i < cycles && !is_home() && !testing::Test::HasFatalFailure(); ++i)
            cycle(false, 5);
        EXPECT_EQ(delivered, stored);
        EXPECT_TRUE(is_home());
    }
    bool is_home() const {
        return delivered == stored && room == std::array<std::uint32_t, vcs>{depth, depth, depth, depth};
    }

    VerilatedContext context;
    Model model{&context};
    Random random;
    Wire<6> forward;
    Wire<4> backward;
    std::array<std::uint32_t, vcs> room{}, behind{};  // for flits; flits that have come
    std::uint64_t now = 0, stored = 0, delivered = 0, frames = 0;
    bool stores = false;

  private:
    void clock() {
        for (const int level : {0, 1, 0}) {
            model.clk_i = static_cast<CData>(level);
            model.eval();
        }
    }

    void move_frames() {
        const auto sent = frame_on<6>(model.frame_o);
        const auto said = frame_on<4>(model.back_o);
        ASSERT_EQ(sent[5], model.frame_valid_o ? crc_of(sent) : 0);
        ASSERT_EQ(said[3], model.back_valid_o ? crc_of(said) : 0);
        frames += model.frame_valid_o;
        ForwardFrame frame{};
        BackFrame back{};
        forward.put(model.frame_valid_o, sent);
        backward.put(model.back_valid_o, said);
        model.frame_valid_i = forward.take(frame);
        put_on(model.frame_i, frame);
        model.back_valid_i = backward.take(back);
        put_on(model.back_i, back);
    }

    void deliver() {
        if (model.link_valid_o) {
            ASSERT_LT(delivered, stored);
            ASSERT_EQ((Flit{model.link_vc_o, frame_on<5>(model.link_flit_o)}), flit_of(delivered))
                << delivered;
            ++delivered;
            ++behind[model.link_vc_o];
        } else {
            ASSERT_EQ((Flit{model.link_vc_o, frame_on<5>(model.link_flit_o)}), Flit{});
        }
    }

    void free(std::uint32_t often) {
        model.credit_i = 0;
        for (std::uint32_t v = 0; v < vcs; ++v) {
            if (up_to(random, 9) >= often) continue;
            const std::uint32_t flits = often == 10 ? behind[v] : up_to(random, behind[v]);
            behind[v] -= flits;
            model.credit_i |= flits << (7 * v);
        }
    }
};

template <class Model>
struct Links : testing::Test {};
using Models = testing::Types<Vil_link_16, Vil_link_7>;
struct ModelName {
    template <class Model>
    static std::string GetName(int index) {
        return index == 0 ? "16BitsOfNumbers" : "7BitsOfNumbers";
    }
};
TYPED_TEST_SUITE(Links, Models, ModelName);

constexpr std::uint32_t max_window = 63;

TYPED_TEST(Links, BringEachFlitOnceInOrderAndAllCreditsHome) {
    std::vector<Failures> kinds(6);
    kinds[1].of_bits = 1e-4;
    kinds[2].of_bits = 1e-3;
    kinds[3].of_frames = 0.05;
    kinds[4].losses = 0.003;
    kinds[4].lost = 70;
    kinds[5] = {1e-4, 0.02, 0.002, 30};
    Random random(7);
    for (const Failures& failures : kinds) {
        for (int run = 0; run < 12; ++run) {
            Settings settings;
            settings.failures = failures;
            settings.forward = up_to(random, 20);
            settings.backward = up_to(random, 20);
            settings.cycles_per_flit = 1 + (run % 3 == 0 ? 0 : up_to(random, 9));
            settings.window = 1 + up_to(random, max_window - 1);
            settings.refresh = 1 + up_to(random, 99);
            settings.timeout =
                settings.forward + settings.backward + 2 * settings.cycles_per_flit + 5 + up_to(random, 150);
            settings.seed = 1000 + static_cast<std::uint64_t>(run);
            Link<TypeParam> link(settings);
            for (int phase = 0; phase < 4; ++phase)
                link.run(1500, 1 + up_to(random, 9), 1 + up_to(random, 9));
            link.drain(200'000);
            EXPECT_GT(link.stored, 20U);
            EXPECT_EQ(link.model.dead_o, 0);
            if (failures.of_bits + failures.of_frames + failures.losses == 0) {
                EXPECT_EQ(link.frames, link.stored);
            }
            if (this->HasFailure()) return;
        }
    }
}

TYPED_TEST(Links, RepeatForeverAtATimeoutBelowTheRoundTrip) {
    Settings settings;
    settings.forward = settings.backward = 20;
    settings.timeout = 7;
    settings.window = 10;
    Link<TypeParam> link(settings);
    link.run(3000, 10, 10);
    link.drain(3000);
    EXPECT_EQ(link.model.dead_o, 0);
    EXPECT_GT(link.delivered, 100U);
}

/// docs/links.md, section 5.
TEST(Link, BringsAFlitAndACreditThreeCyclesLater) {
    Settings settings;
    settings.refresh = 1000;
    Link<Vil_link_16> link(settings);
    struct Shown {
        int frame, flit, back;
        std::uint32_t credit;
        bool operator==(const Shown& other) const {
            return frame == other.frame && flit == other.flit && back == other.back && credit == other.credit;
        }
    };
    // Stored in cycle 0; the node behind frees it in the cycle in which it comes.
    const std::vector<Shown> expected = {{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0},
                                         {0, 0, 1, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}};
    const std::uint32_t vc = flit_of(0).vc;
    for (std::size_t t = 0; t < expected.size(); ++t) {
        const Shown shown{link.model.frame_valid_o, link.model.link_valid_o, link.model.back_valid_o,
                          link.model.credit_o >> (7 * vc)};
        EXPECT_EQ(shown, expected[t]) << t;
        link.cycle(t == 0, 10);
    }
    EXPECT_TRUE(link.is_home());
}

TEST(Link, SaysFirstWhatHasComeAndThenWhatWasFreed) {
    Settings settings;
    settings.refresh = 4;
    Link<Vil_link_16> link(settings);
    // Nothing changes: the state of cycles 3, 7, ... is said in the next one.
    for (int t = 0; t < 13; ++t) {
        EXPECT_EQ(link.model.back_valid_o, t != 0 && t % 4 == 0) << t;
        link.cycle(false, 10);
    }
}

/// Flits delivered in `cycles` once all is under way.
std::uint64_t rate(const Settings& settings, std::uint64_t cycles) {
    Link<Vil_link_16> link(settings);
    link.run(500, 10, 10);
    const std::uint64_t before = link.delivered;
    link.run(cycles, 10, 10);
    return link.delivered - before;
}

TEST(Link, NeedsAWindowOfARoundTripForTheFullRate) {
    for (const std::uint32_t cycles_per_flit : {1U, 2U, 5U, 8U}) {
        for (const std::uint32_t forward : {0U, 1U, 7U, 20U}) {
            Settings settings;
            settings.forward = forward;
            settings.backward = forward / 2;
            settings.cycles_per_flit = cycles_per_flit;
            settings.window = (forward + settings.backward + 4 + cycles_per_flit - 1) / cycles_per_flit;
            const std::uint64_t cycles = 40 * cycles_per_flit * settings.window;
            // Credits are no limit for windows of at most 16 flits on all channels alike.
            if (settings.window > 16) continue;
            EXPECT_EQ(rate(settings, cycles), cycles / cycles_per_flit) << cycles_per_flit << " " << forward;
            if (--settings.window == 0) continue;
            // A window of frames a round trip.
            EXPECT_NEAR(static_cast<double>(rate(settings, cycles)),
                        static_cast<double>(cycles * settings.window / (forward + settings.backward + 4)),
                        2.0);
        }
    }
}

TEST(Link, IsDeadAfterItsAttemptsWhereTheWireIsCut) {
    Settings settings;
    settings.timeout = 20;
    settings.attempts = 3;
    Link<Vil_link_16> link(settings);
    link.run(100, 5, 10);
    link.drain(100);
    link.forward.cut();
    link.cycle(true, 10);
    ASSERT_TRUE(link.stores);
    // In t + 1 the frame is sent, from t + 2 on it waits: the third time that it has for 20 cycles is t + 61,
    // and in the next one the link is dead.
    const std::uint64_t frames = link.frames;
    for (std::uint64_t t = 1; t < 200; ++t) {
        EXPECT_EQ(link.model.dead_o, t >= 62) << t;
        link.cycle(false, 10);
    }
    EXPECT_EQ(link.frames - frames, 3U);
}

}  // namespace
}  // namespace interlace
