// Interlace: devices in other processes: their frames, their pins, and channels that fail
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <deque>
#include <thread>

#include "interlace/core/random.h"
#include "interlace/engine/device/remote_device.h"
#include "interlace/engine/machine/machine.h"
#include "interlace/engine/native/native.h"
#include "interlace/engine/pins/detail/pins.h"
#include "interlace/engine/pins/device_region.h"
#include "interlace/engine/verilated/verilated.h"
#include "interlace/harness/traffic/traffic.h"
#include "secret.h"
#include "support/error_of.h"
#include "support/pipes.h"
#include "support/rtl_device.h"
#include "wire.h"

// Verilator has a buffer of each thread that makes models, which it does not free.
extern "C" const char* __lsan_default_suppressions() {
    return "leak:Verilated::catName";
}

namespace interlace {
namespace {

std::vector<Frame> frames_in(const Bytes& bytes) {
    FrameReader reader;
    reader.push(bytes);
    std::vector<Frame> frames;
    while (std::optional<Frame> frame = reader.next()) frames.push_back(*frame);
    return frames;
}

std::vector<Frame> some_frames() {
    // The second has a magic number in it.
    return {{FrameType::hello, 1, {1, 2, 3}},
            {FrameType::cycles, 2, {'i', 'l', 'H', 'I', 2, 4, 0, 0}},
            {FrameType::goodbye, 3, {}}};
}

Bytes stream_of(const std::vector<Frame>& frames) {
    Bytes stream;
    for (const Frame& frame : frames) {
        const Bytes bytes = encode(frame);
        stream.insert(stream.end(), bytes.begin(), bytes.end());
    }
    return stream;
}

// docs/hil-protocol.md, section 2: by hand. The CRC-32 of no bytes is 0.
TEST(Frame, IsWhatThePageSays) {
    const Bytes bytes = encode({FrameType::goodbye, 0x01020304, {}});
    ASSERT_EQ(bytes.size(), 24U);
    const Bytes head = {'i', 'l', 'H', 'I', 2, 5, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0};
    EXPECT_TRUE(std::equal(head.begin(), head.end(), bytes.begin()));
    EXPECT_EQ(Bytes(bytes.begin() + 20, bytes.end()), (Bytes{0, 0, 0, 0}));
}

TEST(Frame, ComesOutAsItWentInHoweverItIsCut) {
    const Bytes stream = stream_of(some_frames());
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
        FrameReader reader;
        std::vector<Frame> frames;
        for (const auto& part : {Bytes(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(cut)),
                                 Bytes(stream.begin() + static_cast<std::ptrdiff_t>(cut), stream.end())}) {
            reader.push(part);
            while (std::optional<Frame> frame = reader.next()) frames.push_back(*frame);
        }
        EXPECT_EQ(frames, some_frames()) << cut;
    }
}

// A CRC-32 sees every damage of one bit: that frame is lost, and no other is made.
TEST(Frame, IsLostWithAnyBitThatIsDamagedAndTheOthersAreNot) {
    const std::vector<Frame> sent = some_frames();
    const Bytes stream = stream_of(sent);
    // A length that is too large would wait for more: there is more.
    for (std::size_t bit = 0; bit < 8 * stream.size(); ++bit) {
        Bytes damaged = stream;
        damaged[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        std::size_t hit = 0;
        for (std::size_t end = encode(sent[0]).size(); bit / 8 >= end; end += encode(sent[hit]).size()) ++hit;
        std::vector<Frame> left = sent;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(hit));
        EXPECT_EQ(frames_in(damaged), left) << "bit " << bit;
    }
}

TEST(Frame, IsLostWithAnyByteThatIsLostAndTheOthersAreNot) {
    const std::vector<Frame> sent = some_frames();
    const Bytes stream = stream_of(sent);
    const std::size_t first = encode(sent[0]).size();
    for (std::size_t byte = 0; byte < first; ++byte) {
        Bytes short_of_one = stream;
        short_of_one.erase(short_of_one.begin() + static_cast<std::ptrdiff_t>(byte));
        EXPECT_EQ(frames_in(short_of_one), (std::vector<Frame>{sent[1], sent[2]})) << "byte " << byte;
    }
}

/// Pins of a node of 6 ports that show something here and there.
PinImage random_pins(std::uint64_t seed) {
    Draws random(seed);
    const NodeSizes built = built_sizes(6, 1, 512);
    PinImage pins;
    pins.rst_ni = random.below(2);
    pins.clk_en_i = random.below(2);
    pins.cfg_valid_i = random.below(2);
    pins.cfg_addr_i = pins.cfg_valid_i * random.below(65536);
    pins.cfg_data_i = pins.cfg_valid_i * random.below(1U << 31U);
    pins.rx_ready_i = random.below(1U << built.receptions);
    const auto flit = [&](auto& all, std::uint32_t i) {
        detail::set_flit(all, i, {{random.bits(), random.bits()}, random.below(4)});
    };
    for (std::uint32_t p = 0; p < built.ports; ++p) {
        for (auto [valid, vc, flits] : {std::tuple(&pins.link_valid_i, &pins.link_vc_i, &pins.link_flit_i),
                                        std::tuple(&pins.link_valid_o, &pins.link_vc_o, &pins.link_flit_o)}) {
            if (random.below(2) == 0) continue;
            *valid |= 1U << p;
            *vc |= random.below(4) << 2 * p;
            flit(*flits, p);
        }
        for (std::uint32_t v = 0; v < 4; ++v)
            for (auto* credits : {&pins.credit_i, &pins.credit_o})
                if (random.below(2) == 0) detail::set(*credits, (p * 4 + v) * 7, 7, random.below(128));
    }
    for (std::uint32_t i = 0; i < built.injections; ++i) {
        if (random.below(2) == 0) {
            pins.inj_valid_i |= 1U << i;
            flit(pins.inj_flit_i, i);
        }
        detail::set(pins.inj_credit_o, i * 7, 7, random.below(2) * random.below(128));
    }
    for (std::uint32_t r = 0; r < built.receptions; ++r)
        if (random.below(2) == 0) {
            pins.rx_valid_o |= 1U << r;
            detail::set(pins.rx_count_o, r * 16, 16, random.below(65536));
            flit(pins.rx_flit_o, r);
        }
    pins.stall_o = random.below(1U << 20U);
    pins.status_o = random.below(64);
    pins.cfg_data_o = random.below(1U << 31U);
    return pins;
}

TEST(Wire, CarriesEveryPin) {
    const NodeSizes built = built_sizes(6, 1, 512);
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const PinImage sent = random_pins(seed);
        Bytes bytes;
        Writer out(bytes);
        put_inputs(out, 1, sent);
        put_outputs(out, 1, sent);
        // What was shown before leaves no trace.
        std::vector<PinImage> came = {PinImage{}, random_pins(seed + 1000)};
        came[1].link_flit_i = {};
        came[1].inj_flit_i = {};
        came[1].link_vc_i = 0;
        Reader in(bytes);
        EXPECT_EQ(get_inputs(in, built, came), 1U);
        EXPECT_EQ(get_outputs(in, built, came), 1U);
        in.finish();
        Bytes again;
        Writer repeat(again);
        put_inputs(repeat, 1, came[1]);
        put_outputs(repeat, 1, came[1]);
        EXPECT_EQ(again, bytes) << seed;
        EXPECT_EQ(came[1].link_flit_o, sent.link_flit_o);
        EXPECT_EQ(came[1].rx_flit_o, sent.rx_flit_o);
        EXPECT_EQ(came[1].rx_count_o, sent.rx_count_o);
        EXPECT_EQ(came[1].credit_i, sent.credit_i);
        EXPECT_EQ(came[1].credit_o, sent.credit_o);
        EXPECT_EQ(came[1].inj_credit_o, sent.inj_credit_o);
        EXPECT_EQ(std::tuple(came[1].rx_ready_i, came[1].cfg_addr_i, came[1].cfg_data_i, came[1].rst_ni),
                  std::tuple(sent.rx_ready_i, sent.cfg_addr_i, sent.cfg_data_i, sent.rst_ni));
        EXPECT_EQ(std::tuple(came[1].stall_o, came[1].status_o, came[1].cfg_data_o, came[1].rx_valid_o),
                  std::tuple(sent.stall_o, sent.status_o, sent.cfg_data_o, sent.rx_valid_o));
    }
}

// docs/hil-protocol.md, section 8.
TEST(Wire, IsThatOfTheExamples) {
    const auto hex = [](const Bytes& bytes) { return fmt::format("{:02x}", fmt::join(bytes, "")); };
    PinImage pins;
    Bytes cycle;
    Writer out(cycle);
    put_inputs(out, 0, {.clk_en_i = 1});
    put_outputs(out, 0, pins);
    EXPECT_EQ(hex(cycle),
              "00000000"
              "02"
              "00000000"
              "00"
              "00000000"
              "00"
              "00000000"
              "00000000"
              "00");
    Arrivals arrivals;
    arrivals.offers.push_back({0, 0, {{{1, 0}, 3}}});
    Bytes ahead;
    Writer all(ahead);
    CycleWriter().put(all, arrivals, {1});
    put_outputs(all, 0, pins, 1);
    EXPECT_EQ(hex(ahead),
              "01000080"
              "00000000"
              "03"
              "01000000"
              "04000100"
              "03"
              "0100000000000000"
              "0000000000000000"
              "00"
              "00000000"
              "00"
              "00000000"
              "00000000"
              "0500"
              "00");
}

TEST(Wire, RefusesWhatANodeHasNot) {
    const auto of = [](const Bytes& items, std::uint8_t ready = 0, std::uint8_t more_ready = 0) {
        Bytes bytes = {0, 0,     0,          0, 3,
                       0, ready, more_ready, 0};  // node 0, rst_ni and clk_en_i, no queue ready
        bytes.insert(bytes.end(), items.begin(), items.end());
        std::vector<PinImage> pins(1);
        Reader in(bytes);
        try {
            get_inputs(in, built_sizes(6, 1, 512), pins);
            in.finish();
        } catch (const WireError& error) {
            return std::string(error.what());
        }
        return std::string("taken");
    };
    EXPECT_EQ(of({0}), "taken");
    EXPECT_EQ(of({2, 5, 3, 127, 0}), "taken");
    ASSERT_EQ(built_sizes(6, 1, 512).receptions, 14U);
    EXPECT_EQ(of({0}, 0x3f), "taken");
    EXPECT_EQ(of({0}, 0x40), "byte 5 of a payload: rx_ready_i 16384, expected below 16384");
    EXPECT_EQ(of({0}, 0, 1), "byte 5 of a payload: rx_ready_i 65536, expected below 16384");
    EXPECT_EQ(of({2, 6, 3, 127, 0}), "byte 10 of a payload: port 6, expected below 6");
    EXPECT_EQ(of({2, 5, 4, 127, 0}), "byte 11 of a payload: channel 4, expected below 4");
    EXPECT_EQ(of({2, 5, 3, 128, 0}), "byte 12 of a payload: credits 128, expected below 128");
    EXPECT_EQ(of({9}), "an input pin of kind 9, expected 1 to 3");
    EXPECT_EQ(of({2, 5}), "a truncated payload of 11 bytes");
    EXPECT_EQ(of({0, 0}), "1 bytes of a payload of 11 are too many");
    EXPECT_EQ(of({2, 5, 3, 7, 2, 5, 3, 7, 0}), "two credits of port 5 in a record");
}

/// A network of native nodes, but for some.
class Mixed {
  public:
    explicit Mixed(const Fabric& fabric) : fabric_(fabric) {}
    /// `nodes` are in `region`.
    TrafficResult run(const std::vector<NodeId>& nodes, std::unique_ptr<Region> region, double load = 0.3) {
        std::vector<NodeId> rest;
        for (std::uint32_t v = 0; v < fabric_.nodes; ++v)
            if (std::find(nodes.begin(), nodes.end(), NodeId{v}) == nodes.end()) rest.emplace_back(v);
        std::vector<Machine::Part> parts;
        parts.push_back({rest, native_region(fabric_, rest, nullptr)});
        parts.push_back({nodes, std::move(region)});
        Machine machine(fabric_, std::move(parts));
        TrafficOptions options;
        options.load = load;
        options.packet_flits = 8;
        options.warmup = 50;
        options.cycles = 1'000;
        return run_synthetic_traffic(fabric_, machine, options);
    }

  private:
    const Fabric& fabric_;
};

const Fabric& wide() {
    static const Network network = make_network("torus:4x4");
    static const Fabric fabric(network, node_parameters("wide"));
    return fabric;
}

void expect_the_same(const TrafficResult& a, const TrafficResult& b) {
    EXPECT_EQ(a.cycles, b.cycles);
    EXPECT_EQ(a.packets, b.packets);
    EXPECT_EQ(a.latency_mean, b.latency_mean);
    EXPECT_EQ(a.latency_max, b.latency_max);
    EXPECT_EQ(a.injection_stalls, b.injection_stalls);
    EXPECT_GT(a.packets, 0U);
}

const std::vector<NodeId> two = {NodeId{5}, NodeId{6}};

DeviceRequest nodes_5_and_6() {
    return {.needed = needed_sizes(wide(), nullptr), .nodes = {5, 6}};
}

TEST(Device, IsARegionOfTheSameNodes) {
    Mixed mixed(wide());
    const TrafficResult direct = mixed.run(two, verilated_region(wide(), two));
    auto device = verilated_device(wide().ports, 1, two.size());
    expect_the_same(direct, mixed.run(two, device_region(wide(), two, nullptr, std::move(device), "it")));
}

/// What a remote device over pipes that fail one time in `one_in` (0: never) gives.
TrafficResult through_pipes(std::uint32_t one_in, std::uint64_t& cycles) {
    Mixed mixed(wide());
    Pipe there(1, one_in), back(2, one_in);
    std::thread device([&] {
        PipeChannel channel(back, there);
        try {
            cycles = serve(channel, test::rtl_device);
        } catch (const FellShort&) {  // the goodbye was lost
        }
    });
    auto channel = std::make_unique<PipeChannel>(there, back);
    const Patience patience{.again = std::chrono::milliseconds(2)};
    TrafficResult result = mixed.run(
        two, device_region(wide(), two, nullptr,
                           remote_device(std::move(channel), "it", nodes_5_and_6(), patience), "it"));
    device.join();
    return result;
}

TEST(RemoteDevice, GivesWhatTheDeviceGives) {
    std::uint64_t cycles = 0;
    Mixed mixed(wide());
    expect_the_same(mixed.run(two, verilated_region(wide(), two)), through_pipes(0, cycles));
    EXPECT_GT(cycles, 150U);
}

// Of 24 frames one each is lost, doubled, damaged, and before those that were sent earlier.
TEST(RemoteDevice, IsExactOverAChannelThatLosesDoublesDamagesAndReorders) {
    std::uint64_t cycles = 0;
    Mixed mixed(wide());
    expect_the_same(mixed.run(two, verilated_region(wide(), two)), through_pipes(24, cycles));
}

TEST(RemoteDevice, ThatIsSilentOrGoneOrUnfitIsNamed) {
    const Patience short_one{.again = std::chrono::milliseconds(5), .end = std::chrono::milliseconds(50)};
    Pipe there(1, 0), back(2, 0);
    const auto ask = [&] {
        remote_device(std::make_unique<PipeChannel>(there, back), "the device at x", nodes_5_and_6(),
                      short_one);
    };
    EXPECT_EQ(error_of(ask), "the device at x has not answered for 0.05 s");
    EXPECT_EQ(error_of(ask), "the device at x is gone: closed");

    Pipe hears(1, 0), says(2, 0);
    Bytes old = encode({FrameType::welcome, 1, {}});
    old[4] = 1;
    const std::uint32_t check = crc(std::span(old).first(16));
    for (std::size_t i = 0; i < 4; ++i) old[16 + i] = static_cast<std::uint8_t>(check >> 8 * i);
    says.send(old);
    EXPECT_EQ(error_of([&] {
                  remote_device(std::make_unique<PipeChannel>(hears, says), "the device at x",
                                nodes_5_and_6(), short_one);
              }),
              "the device at x breaks the protocol: version 1 of the protocol, expected 2");

    Pipe to(1, 0), from(2, 0);
    std::thread device([&] {
        PipeChannel channel(from, to);
        serve(channel, [](const DeviceRequest&) -> std::unique_ptr<PinDevice> {
            throw InputError("node 5", "one of 1,2");
        });
    });
    EXPECT_EQ(error_of([&] {
                  remote_device(std::make_unique<PipeChannel>(to, from), "the device at x", nodes_5_and_6());
              }),
              "the device at x: node 5; expected one of 1,2");
    device.join();
}

/// RTL nodes that see flits and credits some cycles late, as routers with more stages do.
class Late final : public PinDevice {
  public:
    Late(const DeviceRequest& request, std::uint32_t cycles, std::uint32_t silent)
        : device_(test::rtl_device(request)), silent_(silent), coming_(request.nodes.size()) {
        for (auto& pins : coming_) pins.resize(cycles);
    }
    NodeSizes sizes() const override { return device_->sizes(); }
    DeviceTraits traits() const override { return {.silent_cycles = silent_}; }
    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        for (const std::uint32_t n : awake) {
            coming_[n].push_back(pins[n]);
            const PinImage late = coming_[n].front();
            coming_[n].pop_front();
            pins[n].link_valid_i = late.link_valid_i;
            pins[n].link_vc_i = late.link_vc_i;
            pins[n].link_flit_i = late.link_flit_i;
            pins[n].credit_i = late.credit_i;
            pins[n].inj_valid_i = late.inj_valid_i;
            pins[n].inj_flit_i = late.inj_flit_i;
        }
        device_->clock(awake, pins);
    }

  private:
    std::unique_ptr<PinDevice> device_;
    std::uint32_t silent_;
    std::vector<std::deque<PinImage>> coming_;  // [node], the oldest first
};

// docs/hil-protocol.md, section 3: a node that is not clocked on cannot show what it has.
TEST(DeviceRegion, ClocksForAsLongAsADeviceMayBeSilent) {
    const Network network = make_network("torus:4x4");
    const Fabric fabric(network, node_parameters("bgl"));
    const auto run = [&](std::uint32_t late, std::uint32_t silent) {
        auto device =
            std::make_unique<Late>(DeviceRequest{needed_sizes(fabric, nullptr), {5, 6}}, late, silent);
        return Mixed(fabric).run(two, device_region(fabric, two, nullptr, std::move(device), "it"), 0.01);
    };
    // At this load packets rarely meet, and a way has five nodes at most: each of two may be 12 cycles late
    // for a flit, the tail of 8 flits not more.
    const TrafficResult exact = run(0, 0);
    const TrafficResult late = run(12, 12);
    EXPECT_EQ(late.packets_missing, 0U);
    EXPECT_EQ(late.packets, exact.packets);
    EXPECT_GT(late.latency_max, exact.latency_max);
    EXPECT_LE(late.latency_mean, exact.latency_mean + 2 * 12);
    EXPECT_GT(run(12, 0).latency_mean, exact.latency_mean + 2 * 12);  // the test of the test
}

TEST(DeviceRegion, RefusesADeviceThatCannotBeTheNodes) {
    EXPECT_EQ(
        error_of([&] { device_region(wide(), two, nullptr, verilated_device(6, 1, 2), "the device at x"); }),
        "the device at x, whose nodes have ports: 6; expected 4");
    EXPECT_EQ(
        error_of([&] { device_region(wide(), two, nullptr, verilated_device(4, 7, 2), "the device at x"); }),
        "the device at x, whose nodes have pipeline: 7; expected 1");
}

/// Loses what is sent first.
class Losing final : public Channel {
  public:
    Losing(Pipe& out, Pipe& in, int lost) : channel_(out, in), lost_(lost) {}
    bool lossless() const override { return false; }
    void send(std::span<const std::uint8_t> bytes) override {
        if (lost_-- <= 0) channel_.send(bytes);
    }
    Bytes receive(std::chrono::milliseconds patience) override { return channel_.receive(patience); }

  private:
    PipeChannel channel_;
    int lost_;
};

// The refusal is lost on its way; the host asks again.
TEST(Serve, SaysItsLastAnswerAgainOnALineThatLosesIt) {
    Pipe there(1, 0), back(2, 0);
    std::thread device([&] {
        Losing channel(back, there, 1);
        serve(channel, [](const DeviceRequest&) -> std::unique_ptr<PinDevice> {
            throw InputError("node 5", "one of 1,2");
        });
    });
    const Patience patience{.again = std::chrono::milliseconds(20), .end = std::chrono::milliseconds(900)};
    EXPECT_EQ(error_of([&] {
                  remote_device(std::make_unique<Losing>(there, back, 0), "the device at x", nodes_5_and_6(),
                                patience);
              }),
              "the device at x: node 5; expected one of 1,2");
    device.join();
}

/// A host and a device over pipes that are in order.
struct Pair {
    Pipe there{1, 0}, back{2, 0};
    PipeChannel device{back, there};
    std::unique_ptr<PipeChannel> host() { return std::make_unique<PipeChannel>(there, back); }
};

// docs/hil-protocol.md, section 6.
TEST(RemoteDevice, LetsInWhoKnowsTheSecret) {
    const auto with = [](const std::string& devices, const std::string& hosts) {
        Pair pair;
        std::thread device([&] { serve(pair.device, test::rtl_device, devices); });
        const std::string wrong =
            error_of([&] { remote_device(pair.host(), "the device at x", nodes_5_and_6(), {}, hosts); });
        device.join();
        return wrong;
    };
    EXPECT_EQ(with("", ""), "no error");
    EXPECT_EQ(with("", "more than is asked"),
              "the device at x does not ask for a secret, but INTERLACE_SECRET is set: another process "
              "listens there");
    EXPECT_EQ(with("open sesame", "open sesame"), "no error");
    EXPECT_EQ(
        with("open sesame", "open barley"),
        "the device at x: a host has another secret; expected that of this device, in INTERLACE_SECRET");
    Pair pair;
    std::thread device([&] { EXPECT_EQ(serve(pair.device, test::rtl_device, "open sesame"), 0U); });
    EXPECT_EQ(error_of([&] { remote_device(pair.host(), "the device at x", nodes_5_and_6()); }),
              "the device at x requires a secret: set INTERLACE_SECRET");
    device.join();
}

// RFC 4231, test case 2: the key "Jefe".
TEST(Secret, IsProvenByHmacSha256) {
    const std::string text = "what do ya want for nothing?";
    const Bytes data(text.begin(), text.end());
    const Bytes proof =
        proof_of("Jefe", Bytes(data.begin(), data.begin() + 10), Bytes(data.begin() + 10, data.end()));
    EXPECT_EQ(fmt::format("{:02x}", fmt::join(proof, "")),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

/// The next frame of a channel.
Frame next_frame(Channel& channel) {
    FrameReader reader;
    while (true) {
        if (std::optional<Frame> frame = reader.next()) return *frame;
        reader.push(channel.receive(std::chrono::seconds(5)));
    }
}

// On such a line an answer to a host that came before may still come.
TEST(RemoteDevice, DropsAWelcomeToAnotherHello) {
    Pair pair;
    pair.back.send(
        encode({FrameType::welcome, 1, encode(Welcome{.hello_crc = 1, .sizes = built_sizes(4, 1, 512)})}));
    std::thread device([&] { serve(pair.device, test::rtl_device); });
    EXPECT_EQ(error_of([&] { remote_device(pair.host(), "the device at x", nodes_5_and_6()); }), "no error");
    device.join();
}

// On a serial line nobody closes anything: who says hello anew has come anew.
TEST(Serve, BeginsAnewWithANewSession) {
    Pair pair;
    std::thread device([&] { serve(pair.device, test::rtl_device); });
    const auto host = pair.host();
    const auto ask = [&](FrameType type, std::uint32_t sequence, const Bytes& payload) {
        host->send(encode({type, sequence, payload}));
        return next_frame(*host);
    };
    const Bytes first = encode(Hello{.session = 7, .request = nodes_5_and_6()});
    const Bytes second = encode(Hello{.session = 8, .request = nodes_5_and_6()});
    const Bytes reset = {1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0};
    EXPECT_EQ(decode_welcome(ask(FrameType::hello, 1, first).payload).hello_crc, crc(first));
    const Frame cycle = ask(FrameType::cycles, 2, reset);
    EXPECT_EQ(cycle.type, FrameType::cycles);
    host->send(encode({FrameType::hello, 1, first}));  // late: dropped
    EXPECT_EQ(ask(FrameType::cycles, 2, reset), cycle);
    EXPECT_EQ(decode_welcome(ask(FrameType::hello, 1, second).payload).hello_crc, crc(second));
    EXPECT_EQ(ask(FrameType::cycles, 2, reset), cycle);
    EXPECT_EQ(ask(FrameType::goodbye, 3, {}).type, FrameType::goodbye);
    device.join();
}

std::string address_of(const std::string& scheme) {
    if (scheme == "tcp") return "tcp:" + std::to_string(20'000 + ::getpid() % 20'000);
    return scheme + ":" + testing::TempDir() + "/channel_" + std::to_string(::getpid());
}

class SocketChannels : public testing::TestWithParam<std::string> {};

TEST_P(SocketChannels, CarryBytesAndSayWhoIsGone) {
    const std::string address = address_of(GetParam());
    const auto listener = listen_at(address);
    EXPECT_EQ(error_of([&] { listen_at(address); }),
              "cannot use address '" + address + "'; expected an address without a listener");
    listener->accept();  // whoever looked whether somebody listens
    std::unique_ptr<Channel> device;
    std::thread accepts([&] { device = listener->accept(); });
    auto host = connect_to(address, std::chrono::seconds(5));
    accepts.join();
    host->send(Bytes{1, 2, 3});
    EXPECT_EQ(device->receive(std::chrono::seconds(5)), (Bytes{1, 2, 3}));
    EXPECT_EQ(device->receive(std::chrono::milliseconds(1)), Bytes{});
    host->send(Bytes{4});
    host.reset();
    EXPECT_EQ(device->receive(std::chrono::seconds(5)), Bytes{4});  // what was said before
    EXPECT_EQ(error_of([&] { device->receive(std::chrono::seconds(5)); }),
              "the other side closed the connection");
}

// More than any buffer holds, both ways at once, in pieces of all lengths up to twice a ring.
TEST_P(SocketChannels, CarryMoreThanTheyHold) {
    const std::string address = address_of(GetParam());
    const auto listener = listen_at(address);
    std::unique_ptr<Channel> device;
    std::thread accepts([&] { device = listener->accept(); });
    const auto host = connect_to(address, std::chrono::seconds(5));
    accepts.join();
    constexpr std::size_t all = 30'000'000;
    const auto byte = [](std::size_t i, std::uint64_t seed) {
        return static_cast<std::uint8_t>(mixed_bits(i / 8 + seed) >> i % 8);
    };
    const auto send = [&](Channel& to, std::uint64_t seed) {
        Draws random(seed);
        for (std::size_t at = 0; at < all;) {
            const std::uint32_t most = random.below(2) == 0 ? 100 : 9'000'000;
            Bytes piece(std::min<std::size_t>(1 + random.below(most), all - at));
            for (std::uint8_t& b : piece) b = byte(at++, seed);
            to.send(piece);
        }
    };
    const auto expect = [&](Channel& from, std::uint64_t seed) {
        std::size_t at = 0, wrong = 0;
        while (at < all) {
            const Bytes piece = from.receive(std::chrono::seconds(5));
            ASSERT_FALSE(piece.empty());
            for (const std::uint8_t b : piece) wrong += b != byte(at++, seed) ? 1U : 0U;
        }
        EXPECT_EQ(at, all);
        EXPECT_EQ(wrong, 0U);
    };
    std::thread there([&] { send(*host, 1); }), back([&] { send(*device, 2); });
    std::thread hears([&] { expect(*host, 2); });
    expect(*device, 1);
    for (std::thread* thread : {&there, &back, &hears}) thread->join();
}

TEST_P(SocketChannels, AreWaitedForAndNotForEver) {
    const std::string nowhere = GetParam() == "tcp" ? "tcp:1" : GetParam() + ":/nowhere/at/all";
    EXPECT_THAT(error_of([&] { connect_to(nowhere, std::chrono::milliseconds(1)); }),
                testing::StartsWith("no device listens at " + nowhere + " ("));
}

INSTANTIATE_TEST_SUITE_P(Schemes, SocketChannels, testing::Values("unix", "tcp", "shm"),
                         [](const auto& scheme) { return scheme.param; });

TEST(Channel, OfASerialLineIsAPseudoTerminalToo) {
    const int line = ::posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(line, 0);
    ASSERT_EQ(::grantpt(line) + ::unlockpt(line), 0);
    const std::string address = std::string("serial:") + ::ptsname(line) + ",921600";
    const auto host = connect_to(address, std::chrono::seconds(1));
    Bytes all(256);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(i);
    host->send(all);
    Bytes came(1000);
    came.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(line, came.data(), came.size()))));
    EXPECT_EQ(came, all);  // no byte means anything to the line
    ASSERT_EQ(::write(line, all.data(), all.size()), 256);
    Bytes heard;
    while (heard.size() < all.size()) {
        const Bytes piece = host->receive(std::chrono::seconds(5));
        ASSERT_FALSE(piece.empty());
        heard.insert(heard.end(), piece.begin(), piece.end());
    }
    EXPECT_EQ(heard, all);
    EXPECT_EQ(host->receive(std::chrono::milliseconds(1)), Bytes{});
    ::close(line);
}

TEST(Channel, HasAnAddress) {
    const std::string expected =
        "; expected unix:PATH, tcp:PORT, tcp:HOST:PORT, shm:PATH or serial:PATH, as in unix:/tmp/device";
    for (const std::string address : {"carrier pigeon", "unix:", "pigeon:5"}) {
        EXPECT_EQ(error_of([&] { listen_at(address); }), "cannot use address '" + address + "'" + expected);
        EXPECT_EQ(error_of([&] { connect_to(address, std::chrono::milliseconds(1)); }),
                  "cannot use address '" + address + "'" + expected);
    }
    EXPECT_EQ(
        error_of([] { listen_at("tcp:0.0.0.0:0"); }),
        "cannot use address 'tcp:0.0.0.0:0', which other machines reach, without a secret; expected one in "
        "INTERLACE_SECRET, or a loopback address as tcp:5000 is");
    EXPECT_EQ(error_of([] { listen_at("tcp:0.0.0.0:0", true); }), "no error");
    EXPECT_EQ(error_of([] { listen_at("tcp:127.0.0.1:0"); }), "no error");
    EXPECT_THAT(
        error_of([] { listen_at("tcp:here:pigeon"); }),
        testing::EndsWith("expected tcp:PORT or tcp:HOST:PORT with a port up to 65535, as in tcp:5000"));
    EXPECT_EQ(error_of([] { connect_to("serial:/dev/null,12", std::chrono::milliseconds(1)); }),
              "cannot use address 'serial:/dev/null,12'; expected serial:PATH,BAUD with a rate from 9600 to "
              "4000000, as "
              "115200");
    EXPECT_EQ(error_of([] { listen_at("serial:/dev/null"); }),
              "cannot use address 'serial:/dev/null' (Inappropriate ioctl for device); expected a serial "
              "line, as in "
              "serial:/dev/ttyUSB0");
}

}  // namespace
}  // namespace interlace
