// Interlace: links that fail: frames, errors, the layer in C++ and fabrics of it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <zlib.h>

#include <cmath>
#include <cstdlib>
#include <deque>

#include "interlace/core/random.h"
#include "interlace/engine/link/bit_errors.h"
#include "interlace/engine/link/link_ends.h"
#include "interlace/engine/machine/link_layer.h"
#include "interlace/engine/machine/machine.h"
#include "interlace/engine/native/native.h"
#include "interlace/engine/region/delay_line.h"
#include "interlace/harness/traffic/traffic.h"

namespace interlace {
namespace {

// docs/links.md, section 2, by hand; the CRC is zlib's of the bytes before it.
TEST(LinkFrame, IsWhatThePageSays) {
    const ForwardFrame frame{0x1234, 0x56, 2, {{0x0807060504030201, 0x100f0e0d0c0b0a09}, 3}};
    const ForwardBits bits = encode(frame);
    const std::array<std::uint8_t, 20> head = {0x34, 0x12, 0x56, 0x0e, 1,  2,  3,  4,  5,  6,
                                               7,    8,    9,    10,   11, 12, 13, 14, 15, 16};
    EXPECT_TRUE(std::equal(head.begin(), head.end(), bits.begin()));
    const std::uint32_t crc = static_cast<std::uint32_t>(crc32_z(0, head.data(), head.size()));
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(bits[20 + i], static_cast<std::uint8_t>(crc >> 8 * i));
    const BackBits back = encode(BackFrame{0xabcd, 0xef, {1, 2, 3, 0x405}});
    const std::array<std::uint8_t, 12> back_head = {0xcd, 0xab, 0xef, 0, 1, 0, 2, 0, 3, 0, 5, 4};
    EXPECT_TRUE(std::equal(back_head.begin(), back_head.end(), back.begin()));
}

TEST(LinkFrame, ComesOutAsItWentInUnlessABitIsInverted) {
    const ForwardFrame frame{7, 8, 3, {{random_bits(1, 2, 3), random_bits(1, 2, 4)}, 1}};
    const BackFrame back{7, 8, {1, 65535, 0, 9}};
    ForwardFrame came;
    BackFrame came_back;
    ASSERT_TRUE(decode(encode(frame), came));
    ASSERT_TRUE(decode(encode(back), came_back));
    EXPECT_EQ(came, frame);
    EXPECT_EQ(came_back, back);
    for (std::uint32_t bit = 0; bit < 192; ++bit) {
        ForwardBits bits = encode(frame);
        bits[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        EXPECT_FALSE(decode(bits, came)) << bit;
    }
    for (std::uint32_t bit = 0; bit < 128; ++bit) {
        BackBits bits = encode(back);
        bits[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        EXPECT_FALSE(decode(bits, came_back)) << bit;
    }
}

/// Bits that errors of `rate` invert in `frames` forward frames of 16 bytes of data, [bit].
std::vector<std::uint64_t> inverted(double rate, std::uint32_t burst, std::uint64_t frames,
                                    std::uint64_t& damaged) {
    const BitErrors errors(rate, burst, 16);
    std::vector<std::uint64_t> count(192);
    damaged = 0;
    for (std::uint64_t i = 0; i < frames; ++i) {
        ForwardBits bits{};
        damaged += errors.damage_forward(bits, 5, i) ? 1U : 0U;
        for (std::uint32_t bit = 0; bit < 192; ++bit) count[bit] += bits[bit / 8] >> bit % 8 & 1U;
    }
    return count;
}

// Each bit on its own: n p with a standard deviation of at most sqrt(n p); a frame's with 1 - (1 - p)^192.
TEST(BitErrors, InvertEveryBitWithTheirRate) {
    constexpr std::uint64_t frames = 1'000'000;
    for (const double rate : {1e-4, 1e-3, 1e-2}) {
        std::uint64_t damaged = 0;
        const auto count = inverted(rate, 1, frames, damaged);
        const double expected = rate * frames;
        for (std::uint32_t bit = 0; bit < 192; ++bit)
            EXPECT_NEAR(static_cast<double>(count[bit]), expected, 5 * std::sqrt(expected))
                << rate << " " << bit;
        const double share = 1 - std::pow(1 - rate, 192);
        EXPECT_NEAR(static_cast<double>(damaged), share * frames, 5 * std::sqrt(share * frames)) << rate;
        EXPECT_NEAR(BitErrors(rate, 1, 16).damaged_share(), share, 1e-12);
    }
    std::uint64_t damaged = 0;
    for (const std::uint64_t bits : inverted(0, 1, 1000, damaged)) EXPECT_EQ(bits, 0U);
    EXPECT_EQ(damaged, 0U);
}

// A burst of 3: bit i is inverted by errors that begin at i - 2, i - 1 and i, where they are in the frame.
TEST(BitErrors, InvertBursts) {
    constexpr std::uint64_t frames = 2'000'000;
    std::uint64_t damaged = 0;
    const auto count = inverted(1e-4, 3, frames, damaged);
    for (const auto& [bit, times] : {std::pair{0U, 1}, {1U, 2}, {2U, 3}, {100U, 3}, {191U, 3}})
        EXPECT_NEAR(static_cast<double>(count[bit]), times * 1e-4 * frames,
                    6 * std::sqrt(times * 1e-4 * frames))
            << bit;
}

// Frames of 8 and of 32 bytes of data are damaged as often as their lengths say, wherever the emulator
// carries 16.
TEST(BitErrors, CountTheBitsOfAFlitThatTheEmulatorDoesNotCarry) {
    constexpr std::uint64_t frames = 200'000;
    for (const std::uint32_t bytes : {8U, 16U, 32U, 256U}) {
        const BitErrors errors(1e-3, 1, bytes);
        std::uint64_t damaged = 0, noticed = 0;
        for (std::uint64_t i = 0; i < frames; ++i) {
            ForwardBits bits = encode(ForwardFrame{});
            ForwardFrame frame;
            damaged += errors.damage_forward(bits, 6, i) ? 1U : 0U;
            noticed += decode(bits, frame) ? 0U : 1U;
        }
        const double share = 1 - std::pow(1 - 1e-3, 64 + 8 * bytes);
        EXPECT_NEAR(static_cast<double>(damaged), share * frames, 5 * std::sqrt(share * frames)) << bytes;
        EXPECT_EQ(noticed, damaged) << bytes;
    }
}

/// One link over wires with delays, and what is sent over it.
class Link {
  public:
    Link(const LinkSettings& settings, std::uint32_t flit_delay, std::uint32_t credit_delay, double rate = 0,
         std::uint32_t burst = 1, std::uint64_t seed = 1)
        : ends_(native_links(1, settings, 4096)),
          flit_delay_(flit_delay),
          credit_delay_(credit_delay),
          forward_(flit_delay),
          back_(credit_delay),
          errors_(rate, burst, 16),
          seed_(seed),
          in_(1),
          out_(1) {}

    /// The pins of the cycle to come; all else is quiet.
    LinkInputs& in() { return in_[0]; }
    const LinkOutputs& out() const { return out_[0]; }
    bool cut = false;  ///< nothing crosses the wires

    void tick() {
        forward_.advance();
        back_.advance();
        for (const ForwardBits& bits : forward_.due()) {
            in_[0].frame_valid = true;
            in_[0].frame = bits;
        }
        for (const BackBits& bits : back_.due()) {
            in_[0].back_valid = true;
            in_[0].back = bits;
        }
        ends_->clock(in_, out_);
        in_[0] = {};
        ++cycle_;
        if (out_[0].frame_valid) ++frames;
        if (out_[0].frame_valid && !cut) {
            ForwardBits bits = out_[0].frame;
            errors_.damage_forward(bits, seed_, 2 * cycle_);
            forward_.push(flit_delay_, bits);
        }
        if (out_[0].back_valid && !cut) {
            BackBits bits = out_[0].back;
            errors_.damage_back(bits, seed_, 2 * cycle_ + 1);
            back_.push(credit_delay_, bits);
        }
    }
    std::uint64_t frames = 0;

  private:
    std::unique_ptr<LinkEnds> ends_;
    std::uint32_t flit_delay_, credit_delay_;
    DelayLine<ForwardBits> forward_;
    DelayLine<BackBits> back_;
    BitErrors errors_;
    std::uint64_t seed_, cycle_ = 0;
    std::vector<LinkInputs> in_;
    std::vector<LinkOutputs> out_;
};

LinkSettings settings(std::uint32_t window, std::uint32_t c = 1, std::uint32_t timeout = 200) {
    return {.window = window, .cycles_per_flit = c, .timeout = timeout, .attempts = 64, .refresh = 50};
}

RawFlit flit_of(std::uint64_t number) {
    return {{mixed_bits(number), number}, number % 4};
}

// docs/links.md, section 5: on the sender's pins in cycle 0, on the node's in cycle 3 and the link's delay. A
// tick is a cycle; what out() says after the k-th is what shows in cycle k.
TEST(LinkLayer, PassesFlitsAndCreditsOnThreeCyclesLater) {
    for (const std::uint32_t delay : {0U, 1U, 7U}) {
        Link link(settings(8), delay, delay + 1);
        link.in().link_valid = true;
        link.in().vc = 2;
        link.in().flit = flit_of(5);
        link.in().credits = {0, 9, 0, 0};
        for (std::uint32_t cycle = 1; cycle <= delay + 10; ++cycle) {
            link.tick();
            EXPECT_EQ(link.out().link_valid, cycle == 3 + delay) << cycle;
            EXPECT_EQ(link.out().credits[1], cycle == 3 + delay + 1 ? 9 : 0) << cycle;
            if (!link.out().link_valid) continue;
            EXPECT_EQ(link.out().flit, flit_of(5));
            EXPECT_EQ(link.out().vc, 2);
        }
    }
}

/// Cycles for `flits` flits over a link whose sender always has one to send.
std::uint64_t cycles_for(Link& link, std::uint64_t flits) {
    std::uint64_t given = 0, came = 0, cycle = 0;
    for (; came < flits && cycle < 1000 * flits; ++cycle) {
        if (given < came + 2000) {
            link.in().link_valid = true;
            link.in().flit = flit_of(given++);
        }
        link.tick();
        if (!link.out().link_valid) continue;
        EXPECT_EQ(link.out().flit, flit_of(came));
        ++came;
    }
    return cycle;
}

// Section 5: so many frames fill the round trip, and one less does not.
TEST(LinkLayer, RunsAtFullRateWithAWindowOfARoundTrip) {
    constexpr std::uint64_t flits = 4000;
    for (const std::uint32_t c : {1U, 3U, 8U})
        for (const auto& [forward, back] : {std::pair{0U, 0U}, {7U, 0U}, {20U, 13U}}) {
            const std::uint32_t round_trip = forward + back + 4;
            const std::uint32_t enough = (round_trip + c - 1) / c;
            Link full(settings(enough, c), forward, back);
            EXPECT_LE(cycles_for(full, flits), flits * c + round_trip + 10) << c << " " << forward;
            if (enough == 1) continue;
            Link less(settings(enough - 1, c), forward, back);
            // A window a round trip.
            const double expected = static_cast<double>(flits) / (enough - 1) * round_trip;
            EXPECT_NEAR(static_cast<double>(cycles_for(less, flits)), expected, 0.02 * expected) << c;
        }
}

// docs/links.md, section 7: a flit takes c + K P / (1 - P) cycles, K being the round trip, P the share of
// damaged frames. What the page leaves out: a request that is damaged (128 bits) is said again after the
// refresh, and a repetition that is damaged is asked for one frame later.
TEST(LinkLayer, SlowsDownAsTheFormulaSays) {
    constexpr std::uint64_t flits = 200'000;
    for (const double rate : {1e-6, 1e-5, 1e-4, 3e-4})
        for (const std::uint32_t c : {1U, 8U}) {
            const std::uint32_t round_trip = 10 + 4;
            const LinkSettings s = settings((round_trip + c - 1) / c + 2, c);
            Link link(s, 7, 3, rate);
            const double p = 1 - std::pow(1 - rate, 192);
            const double request = 1 - std::pow(1 - rate, 128);
            const double formula = c + p / (1 - p) * round_trip;
            const double left_out = p / (1 - p) * (request / (1 - request) * s.refresh + p * c);
            const double measured = static_cast<double>(cycles_for(link, flits)) / flits;
            EXPECT_NEAR(measured, formula + left_out, 0.02 * formula) << rate << " " << c;
        }
}

std::uint64_t flits_to_try() {
    const char* many = std::getenv("LINK_FLITS");
    return many == nullptr ? 300'000 : std::strtoull(many, nullptr, 10);
}

// Nothing is lost, doubled, altered or overtaken, and all credits come home, at any rate.
TEST(LinkLayer, DeliversOnceAndInOrderWhateverTheRate) {
    struct Case {
        double rate;
        std::uint32_t burst, c, forward, back, window;
    };
    const std::vector<Case> cases = {
        {0, 1, 1, 0, 0, 4},      {1e-6, 1, 1, 3, 3, 10},  {1e-4, 1, 2, 5, 1, 8},  {1e-3, 1, 1, 0, 0, 4},
        {1e-3, 1, 8, 20, 20, 9}, {1e-3, 20, 1, 9, 9, 40}, {5e-3, 2, 1, 2, 2, 30}, {1e-4, 500, 1, 30, 0, 100}};
    for (const Case& c : cases) {
        Link link(settings(c.window, c.c), c.forward, c.back, c.rate, c.burst);
        std::uint64_t given = 0, came = 0, freed = 0, home = 0;
        const std::uint64_t flits = flits_to_try() / cases.size();
        std::uint64_t quiet = 0;
        for (std::uint64_t cycle = 0; quiet < 4000; ++cycle) {
            const std::uint64_t random = random_bits(9, 1, cycle);
            if (given < flits && given < came + 64 && random % (2 * c.c) == 0) {
                link.in().link_valid = true;
                link.in().vc = static_cast<std::uint8_t>(given % 4);
                link.in().flit = flit_of(given++);
            }
            if (freed < came && (random >> 8U) % 4 == 0) {
                const auto amount = static_cast<std::uint8_t>(std::min<std::uint64_t>(came - freed, 127));
                link.in().credits[(random >> 16U) % 4] = amount;
                freed += amount;
            }
            link.tick();
            ASSERT_FALSE(link.out().dead) << c.rate;
            const auto& credits = link.out().credits;
            home += credits[0] + credits[1] + credits[2] + credits[3];
            ASSERT_LE(home, freed);
            if (link.out().link_valid) {
                ASSERT_LT(came, given);
                ASSERT_EQ(link.out().flit, flit_of(came)) << c.rate;
                ASSERT_EQ(link.out().vc, came % 4);
                ++came;
            }
            quiet = came == flits && freed == came ? quiet + 1 : 0;
        }
        EXPECT_EQ(came, flits);
        EXPECT_EQ(home, flits);
        EXPECT_GE(link.frames, flits + (c.rate * 192 * static_cast<double>(flits) > 100 ? 1 : 0));
    }
}

TEST(LinkLayer, IsDeadWhenNothingComesThrough) {
    LinkSettings s = settings(8, 1, 20);
    s.attempts = 5;
    Link link(s, 1, 1);
    cycles_for(link, 10);
    link.cut = true;
    link.in().link_valid = true;
    std::uint32_t cycle = 0;
    for (; !link.out().dead && cycle < 1000; ++cycle) link.tick();
    // 2000 flits wait at the sender; the fifth repetition is of the fifth time-out.
    EXPECT_NEAR(cycle, 5 * 20, 10);
    const std::uint64_t frames = link.frames;
    for (int i = 0; i < 100; ++i) link.tick();
    EXPECT_EQ(link.frames, frames);
}

const Network& torus() {
    static const Network network = make_network("torus:4x4");
    return network;
}

Fabric fabric_of(double rate, std::uint32_t window = 0) {
    LinkParameters links{.cycles_per_flit = 2, .latency = 3};
    links.bit_error_rate = rate;
    links.replay_flits = window;
    return Fabric(torus(), node_parameters("bgl"), links);
}

TrafficResult traffic(const Fabric& fabric, std::uint32_t regions, std::uint32_t threads, Usage& usage,
                      std::uint64_t seed = 1) {
    std::vector<Machine::Part> parts;
    for (std::uint32_t r = 0; r < regions; ++r) {
        std::vector<NodeId> nodes;
        for (std::uint32_t v = r; v < fabric.nodes; v += regions) nodes.emplace_back(v);
        auto region = native_region(fabric, nodes, nullptr);
        parts.push_back({nodes, std::move(region)});
    }
    Machine machine(fabric, std::move(parts), threads);
    machine.seed_errors(seed);
    TrafficOptions options;
    options.load = 0.2;
    options.packet_flits = 8;
    options.warmup = 100;
    options.cycles = 2'000;
    const TrafficResult result = run_synthetic_traffic(fabric, machine, options);
    usage = machine.usage();
    return result;
}

TEST(LinkLayer, IsTheSameHoweverTheFabricIsCut) {
    const Fabric fabric = fabric_of(1e-4);
    Usage one, many;
    const TrafficResult a = traffic(fabric, 1, 1, one);
    const TrafficResult b = traffic(fabric, 5, 2, many);
    EXPECT_EQ(a.latency_mean, b.latency_mean);
    EXPECT_EQ(a.cycles, b.cycles);
    EXPECT_EQ(a.packets_missing, 0U);
    EXPECT_EQ(one.link_layer, many.link_layer);
    EXPECT_GT(one.link_layer.damaged, 100U);
    EXPECT_GT(one.link_layer.retransmitted, one.link_layer.damaged);
    Usage other;
    EXPECT_NE(traffic(fabric, 1, 1, other, 2).latency_mean, a.latency_mean);  // other errors
}

// A hop takes three cycles more than without a layer: packets of 8 flits that meet nobody.
TEST(LinkLayer, CostsThreeCyclesAHopWhereNothingFails) {
    Usage usage;
    const Fabric without = fabric_of(0);
    const Fabric with = fabric_of(0, 64);
    const auto alone = [&](const Fabric& fabric) {
        Machine machine(fabric, [&] {
            std::vector<NodeId> nodes;
            for (std::uint32_t v = 0; v < fabric.nodes; ++v) nodes.emplace_back(v);
            std::vector<Machine::Part> parts;
            auto region = native_region(fabric, nodes, nullptr);
            parts.push_back({nodes, std::move(region)});
            return parts;
        }());
        // One packet of two hops.
        return run_trace(fabric, machine, {{.cycle = 0, .from = 0, .to = 10, .flits = 8}}).latency_mean;
    };
    // 0 to 10 is two rows and two columns away.
    EXPECT_EQ(alone(with), alone(without) + 4 * 3);
}

TEST(LinkLayer, RefusesQueuesThatItsNumbersCannotCover) {
    NodeParameters node = node_parameters("bgl");
    node.vc_depth = 16'384;
    LinkParameters links;
    links.replay_flits = 4;
    try {
        Fabric(torus(), node, links);
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "cannot use virtual channels of 16384 flits on links with replay; expected a vc_depth "
                     "of at most 8192");
    }
}

TEST(LinkLayer, NamesADeadLink) {
    const Fabric fabric = fabric_of(0.4);
    Usage usage;
    try {
        traffic(fabric, 1, 1, usage);
        ADD_FAILURE();
    } catch (const DeadLink& dead) {
        EXPECT_THAT(dead.what(),
                    testing::ContainsRegex("cycle [0-9]+: the link by which node [0-9]+ sends through "
                                           "port [0-3] to node [0-9]+ is dead: 64 repetitions in a "
                                           "row did not arrive \\(bit error rate 0.4\\)"));
    }
}

}  // namespace
}  // namespace interlace
