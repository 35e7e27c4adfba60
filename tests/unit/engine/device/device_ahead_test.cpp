// Interlace: devices that work ahead of their hosts (docs/hil-protocol.md, section 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <numeric>
#include <thread>

#include "interlace/broadcast/torus/optimal.h"
#include "interlace/checkpoint/checkpoint.h"
#include "interlace/engine/device/detail/state.h"
#include "interlace/engine/device/remote_device.h"
#include "interlace/engine/machine/machine.h"
#include "interlace/engine/native/native.h"
#include "interlace/engine/pins/detail/pins.h"
#include "interlace/engine/pins/device_region.h"
#include "interlace/engine/verilated/verilated.h"
#include "interlace/harness/programs/program_run.h"
#include "interlace/harness/traffic/traffic.h"
#include "offers.h"
#include "support/pipes.h"
#include "support/rtl_device.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

/// How a device was asked.
struct Asked {
    std::uint64_t ahead = 0;  ///< cycles in questions of many
    std::size_t at_once = 0;  ///< in the longest of them
    std::uint64_t one_by_one = 0;
    std::uint64_t wrong_in = UINT64_MAX;  ///< a cycle in which a queue is named that nothing came to
};

/// The device behind it, and how it is asked.
class Counted final : public PinDevice {
  public:
    Counted(std::unique_ptr<PinDevice> device, Asked& asked) : device_(std::move(device)), asked_(asked) {}
    NodeSizes sizes() const override { return device_->sizes(); }
    DeviceTraits traits() const override { return device_->traits(); }
    void begin(const std::vector<std::uint32_t>& awake, const std::vector<PinImage>& pins) override {
        device_->begin(awake, pins);
    }
    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        ++asked_.one_by_one;
        device_->clock(awake, pins);
    }
    void begin_cycles(const std::vector<Arrivals>& cycles) override {
        asked_.ahead += cycles.size();
        asked_.at_once = std::max(asked_.at_once, cycles.size());
        device_->begin_cycles(cycles);
    }
    void await() override { device_->await(); }
    void next(std::vector<PinImage>& pins, std::vector<std::uint32_t>& taken) override {
        device_->next(pins, taken);
        if (cycle_++ == asked_.wrong_in) taken[1] ^= 4;
    }

  private:
    std::unique_ptr<PinDevice> device_;
    Asked& asked_;
    std::uint64_t cycle_ = 0;
};

std::vector<NodeId> nodes_of(std::initializer_list<std::uint32_t> numbers) {
    return {numbers.begin(), numbers.end()};
}

/// What hosts and links showed in every cycle in which they did, and what a run said in the end.
struct Trace {
    std::vector<std::string> cycles;
    std::string end;
    bool operator==(const Trace&) const = default;
};

using Work = std::function<std::string(Machine&)>;

/// A run with `nodes` in a region of their own, the others native.
Trace run_with(const Fabric& fabric, const std::vector<NodeId>& nodes, std::unique_ptr<Region> region,
               const PortTables* tables, const Work& run, bool each_cycle = true) {
    std::vector<NodeId> rest;
    for (std::uint32_t v = 0; v < fabric.nodes; ++v)
        if (std::find(nodes.begin(), nodes.end(), NodeId{v}) == nodes.end()) rest.emplace_back(v);
    std::vector<Machine::Part> parts;
    if (!rest.empty()) parts.push_back({rest, native_region(fabric, rest, tables)});
    parts.push_back({nodes, std::move(region)});
    Machine machine(fabric, std::move(parts));
    machine.watch({.occupancy = true, .links = true});
    Trace trace;
    if (each_cycle)
        machine.observe(
            [&](std::uint64_t cycle, const RegionInputs& in, const RegionOutputs& out) {
                std::string text = fmt::format("{}:", cycle);
                for (const LinkFlit& flit : out.sent)
                    text += fmt::format(" {}.{}.{}={:x}.{}", flit.node, flit.port, flit.vc,
                                        flit.flit.packet.sequence(), flit.flit.index);
                for (const LinkFlit& flit : in.injections)
                    text += fmt::format(" i{}.{}={}", flit.node, flit.port, flit.flit.packet.sequence());
                for (const Reception& got : out.receptions)
                    text += fmt::format(" r{}.{}={}", got.node, got.queue, got.packet.sequence());
                if (text.back() != ':') trace.cycles.push_back(text);
            },
            false);
    trace.end = run(machine);
    const Usage use = machine.usage();
    trace.end += fmt::format(" hops {} high water {} {} stalls {} {}", use.hops, use.high_water[0],
                             use.high_water[1], use.stall_cycles[0], use.stall_cycles[1]);
    return trace;
}

/// The same with RTL nodes in the process, and with them behind pipes that fail once in `one_in` (0: never).
void expect_the_same_ahead(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables,
                           const Work& run, Asked& asked, std::uint32_t one_in = 0) {
    const Trace direct = run_with(fabric, nodes, verilated_region(fabric, nodes, tables), tables, run);
    ASSERT_GT(direct.cycles.size(), 100U);
    DeviceRequest request{.needed = needed_sizes(fabric, tables), .nodes = {}};
    for (const NodeId node : nodes) request.nodes.push_back(node);
    request.settings = {{10, fabric.links.cycles_per_flit}};
    Pipe there(1, one_in), back(2, one_in);
    const std::jthread device([&] {
        PipeChannel channel(back, there);
        try {
            serve(channel, test::rtl_device);
        } catch (const FellShort&) {  // the goodbye was lost
        }
    });
    const Patience patience{.again = std::chrono::milliseconds(one_in == 0 ? 5'000 : 2)};
    auto remote = remote_device(std::make_unique<PipeChannel>(there, back), "it", request, patience);
    auto counted = std::make_unique<Counted>(std::move(remote), asked);
    const Trace ahead =
        run_with(fabric, nodes, device_region(fabric, nodes, tables, std::move(counted), "it"), tables, run);
    EXPECT_EQ(ahead.end, direct.end);
    ASSERT_EQ(ahead.cycles.size(), direct.cycles.size());
    for (std::size_t i = 0; i < direct.cycles.size(); ++i) ASSERT_EQ(ahead.cycles[i], direct.cycles[i]);
}

Work traffic(const Fabric& fabric, double load, std::uint64_t cycles = 700,
             const TrafficHostOptions& hosts = {}) {
    return [&fabric, load, cycles, hosts](Machine& machine) {
        TrafficOptions options;
        options.load = load;
        options.packet_flits = 8;
        options.warmup = 50;
        options.cycles = cycles;
        const TrafficResult result = run_synthetic_traffic(fabric, machine, options, hosts);
        return fmt::format("{} cycles {} packets {} {}", result.cycles, result.packets, result.latency_mean,
                           result.latency_max);
    };
}

class AheadOnLinks : public testing::TestWithParam<LinkParameters> {};

// Half of what the shortest way takes, of flits and of credits alike (docs/node.md, section 10).
TEST_P(AheadOnLinks, GivesWhatNodesInTheProcessGive) {
    const Network network = make_network("torus:4x4");
    const Fabric fabric(network, node_parameters("wide"), GetParam());
    const std::uint32_t at_once = (GetParam().latency + GetParam().cycles_per_flit - 1) / 2;
    for (const auto& nodes : {nodes_of({5, 6}), nodes_of({0, 1, 2, 3, 4, 5, 6, 7}),
                              nodes_of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})})
        for (const double load : {0.4, 0.05}) {
            Asked asked;
            expect_the_same_ahead(fabric, nodes, nullptr, traffic(fabric, load / GetParam().cycles_per_flit),
                                  asked);
            EXPECT_EQ(asked.at_once, at_once);
            // Cycles in which nothing is under way are left out. At the lower load packets are made every 10
            // c cycles in the mean and on their way for more than 8 c: exp(-0.8) or less of the time, under
            // half.
            EXPECT_GT(asked.ahead, load > 0.1 ? 750U : 375U);
            EXPECT_LT(asked.one_by_one, 200U);  // registers
        }
}

INSTANTIATE_TEST_SUITE_P(Links, AheadOnLinks,
                         testing::Values(LinkParameters{.latency = 2}, LinkParameters{.latency = 3},
                                         LinkParameters{.latency = 8}, LinkParameters{.cycles_per_flit = 8},
                                         LinkParameters{.cycles_per_flit = 3, .latency = 20}),
                         [](const auto& links) {
                             return fmt::format("c{}L{}", links.param.cycles_per_flit, links.param.latency);
                         });

TEST(Ahead, IsExactOverAChannelThatLosesDoublesDamagesAndReorders) {
    const Network network = make_network("torus:4x4");
    const Fabric fabric(network, node_parameters("wide"), LinkParameters{.latency = 8});
    Asked asked;
    expect_the_same_ahead(fabric, nodes_of({5, 6}), nullptr, traffic(fabric, 0.3), asked, 24);
    EXPECT_EQ(asked.at_once, 4U);
}

// Links of unit length: nothing is known ahead, and each cycle is a question.
TEST(Ahead, IsNotWhereLinksTakeACycle) {
    const Network network = make_network("torus:4x4");
    const Fabric fabric(network, node_parameters("wide"));
    Asked asked;
    expect_the_same_ahead(fabric, nodes_of({5, 6}), nullptr, traffic(fabric, 0.3), asked);
    EXPECT_EQ(asked.ahead, 0U);
    EXPECT_GT(asked.one_by_one, 750U);
}

// Between its packets everybody is at rest, for less than a question and for more than two; cycles are left
// out.
TEST(Ahead, GoesOnAfterCyclesThatWereLeftOut) {
    const Network network = make_network("torus:4x4");
    const Fabric fabric(network, node_parameters("wide"), LinkParameters{.latency = 8});
    std::vector<TracePacket> packets;
    std::uint64_t cycle = 3;
    Draws random(7);
    for (std::uint32_t i = 0; i < 60; ++i) {
        packets.push_back({cycle, i % 16, (i * 7 + 5) % 16 == i % 16 ? (i + 1) % 16 : (i * 7 + 5) % 16, 8});
        cycle += random.below(2) == 0 ? random.below(12) : 60 + random.below(120);
    }
    packets.push_back({10'000'000'000, 5, 10, 8});
    const Work run = [&](Machine& machine) {
        return fmt::format("{}", run_trace(fabric, machine, packets).latency_max);
    };
    for (const auto& nodes : {nodes_of({5, 6}), nodes_of({0, 1, 2, 3, 4, 5, 6, 7})}) {
        Asked asked;
        expect_the_same_ahead(fabric, nodes, nullptr, run, asked);
        EXPECT_GT(asked.ahead, 100U);
        EXPECT_LT(asked.ahead, cycle);  // some were left out
    }
}

/// A broadcast in a torus of 16 whose routers forward by tables, or whose hosts do.
struct Broadcast {
    Network network = make_network("torus:4x4");
    Fabric fabric{network, node_parameters("bgl"), LinkParameters{.latency = 8}};
    Program program{network, NodeId{0}, 60,
                    optimal_broadcast(network, global_group(network), NodeId{0}, 60).sends};
    InjectionPlan plan;
    explicit Broadcast(Forwarding forwarding) : plan(network, fabric, program, forwarding) {}
    const PortTables* tables() const { return plan.tables().empty() ? nullptr : &plan.tables(); }
    Work run(const ProgramRunOptions& options = {}) {
        return [this, options](Machine& machine) {
            return fmt::format("{}", run_program(fabric, machine, plan, options).cycles);
        };
    }
};

TEST(Ahead, KnowsTheSourceOfABroadcastAndWhoForwardsByTables) {
    Broadcast broadcast(Forwarding::table);
    for (const auto& nodes : {nodes_of({5, 6}), nodes_of({0, 1, 4})}) {
        Asked asked;
        expect_the_same_ahead(broadcast.fabric, nodes, broadcast.tables(), broadcast.run(), asked);
        EXPECT_GT(asked.ahead, 100U);
    }
}

// What hosts forward comes when they have received it: nobody knows ahead.
TEST(Ahead, IsNotWhereHostsForward) {
    Broadcast broadcast(Forwarding::host);
    Asked asked;
    expect_the_same_ahead(broadcast.fabric, nodes_of({5, 6}), nullptr, broadcast.run(), asked);
    EXPECT_EQ(asked.ahead, 0U);
    expect_the_same_ahead(broadcast.fabric, nodes_of({0}), nullptr, broadcast.run(), asked);
    EXPECT_GT(asked.ahead, 100U);  // the source of all
}

TEST(Ahead, KnowsBackgroundTrafficButNotHowItTakesTurns) {
    Broadcast broadcast(Forwarding::table);
    ProgramRunOptions options;
    options.background = TrafficOptions{};
    options.background->load = 0.2;
    options.background->packet_flits = 8;
    options.background->warmup = 200;
    for (const auto& nodes : {nodes_of({5, 6}), nodes_of({0, 1})}) {
        Asked asked;
        expect_the_same_ahead(broadcast.fabric, nodes, broadcast.tables(), broadcast.run(options), asked);
        EXPECT_EQ(asked.ahead > 0, nodes.front() != 0U);
    }
}

/// By hand: three flits for a queue of two, whose first is freed in cycle 1.
TEST(Offers, AreWrittenAsCreditsAllow) {
    Offers offers(2, 3, 2);
    std::vector<RawFlit> flits;
    for (std::uint64_t i = 0; i < 3; ++i) flits.push_back({{i, 0}, 0});
    offers.add({1, 2, flits});
    std::vector<std::uint32_t> cycles;
    for (std::uint32_t cycle = 0; cycle < 6; ++cycle) {
        std::vector<PinImage> pins(2);
        std::vector<std::uint32_t> taken(2, 0);
        offers.write(pins, taken);
        EXPECT_EQ(taken[0], 0U);
        EXPECT_EQ(taken[1], pins[1].inj_valid_i);
        if (taken[1] != 0) {
            EXPECT_EQ(taken[1], 4U);
            EXPECT_EQ(detail::get_flit(pins[1].inj_flit_i, 2).word[0], cycles.size());
            cycles.push_back(cycle);
        }
        if (cycle == 1) detail::set(pins[1].inj_credit_o, 2 * detail::amount_bits, detail::amount_bits, 1);
        offers.take_credits({1}, pins);
    }
    EXPECT_EQ(cycles, (std::vector<std::uint32_t>{0, 1, 3}));
}

// What is written goes on where it was; a state that says that there are more queues, or fewer, is none.
TEST(Offers, AreInASnapshot) {
    const RawFlit flit{{7, 0}, 3};
    Offers offers(2, 3, 1);
    offers.add({1, 2, {flit, flit}});
    std::vector<PinImage> pins(2);
    std::vector<std::uint32_t> taken(2, 0);
    offers.write(pins, taken);
    detail::set(pins[1].inj_credit_o, 2 * detail::amount_bits, detail::amount_bits, 1);
    offers.take_credits({1}, pins);
    detail::SaveState saved;
    offers.state(saved);

    Offers again(2, 3, 1);
    detail::LoadState load(saved.bytes);
    again.state(load);
    EXPECT_TRUE(load.left().empty());
    std::vector<std::uint32_t> written;
    for (std::uint32_t cycle = 0; cycle < 4; ++cycle) {
        std::vector<PinImage> now(2);
        std::vector<std::uint32_t> took(2, 0);
        again.write(now, took);
        if (took[1] != 0) written.push_back(cycle);
        again.take_credits({1}, now);
    }
    EXPECT_EQ(written, std::vector<std::uint32_t>{1});

    for (const auto& other : {Offers(2, 4, 1), Offers(1, 3, 1)}) {
        Offers wrong = other;
        detail::LoadState loads(saved.bytes);
        EXPECT_THROW(wrong.state(loads), FellShort);
    }
    for (std::size_t size = 0; size < saved.bytes.size(); ++size) {
        Offers shorter(2, 3, 1);
        detail::LoadState loads(std::span(saved.bytes).first(size));
        EXPECT_THROW(shorter.state(loads), FellShort) << size;
    }
}

TEST(Ahead, SaysWhereADeviceHasTakenOtherFlitsThanItsCreditsAllow) {
    const Network network = make_network("torus:4x4");
    const Fabric fabric(network, node_parameters("wide"), LinkParameters{.latency = 8});
    Asked asked{.wrong_in = 300};
    try {
        expect_the_same_ahead(fabric, nodes_of({5, 6}), nullptr, traffic(fabric, 0.3), asked);
        FAIL();
    } catch (const FellShort& error) {
        EXPECT_THAT(error.what(), testing::StartsWith("cycle 300, node 6: it reports flits into "
                                                      "injection queues 0x"));
    }
}

/// Dies with the answers that are left to it.
class Mortal final : public Channel {
  public:
    Mortal(Pipe& out, Pipe& in, std::uint32_t answers) : channel_(out, in), answers_(answers) {}
    bool lossless() const override { return true; }
    void send(std::span<const std::uint8_t> bytes) override {
        if (answers_-- == 0) throw ChannelClosed("died");
        channel_.send(bytes);
    }
    Bytes receive(std::chrono::milliseconds patience) override { return channel_.receive(patience); }

  private:
    PipeChannel channel_;
    std::uint32_t answers_;
};

/// RTL nodes that count the cycles in which they are clocked, and may have no snapshots.
class Clocked final : public PinDevice {
  public:
    Clocked(std::unique_ptr<PinDevice> device, std::uint64_t& cycles, bool snapshots)
        : device_(std::move(device)), cycles_(cycles), snapshots_(snapshots) {}
    NodeSizes sizes() const override { return device_->sizes(); }
    DeviceTraits traits() const override { return {.snapshots = snapshots_}; }
    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        ++cycles_;
        device_->clock(awake, pins);
    }
    std::vector<std::uint8_t> snapshot() override { return device_->snapshot(); }
    void restore(std::span<const std::uint8_t> snapshot) override { device_->restore(snapshot); }

  private:
    std::unique_ptr<PinDevice> device_;
    std::uint64_t& cycles_;
    bool snapshots_;
};

/// A device that is started again whenever it has died.
class Lives {
  public:
    /// `answers`: that each life gives, but for the last, which is followed by one without an end.
    Lives(bool snapshots, std::vector<std::uint32_t> answers)
        : snapshots_(snapshots), answers_(std::move(answers)) {}
    std::unique_ptr<Channel> next() {
        const std::size_t life = pipes_.size() / 2;
        const std::uint32_t left = life < answers_.size() ? answers_[life] : UINT32_MAX;
        Pipe& there = pipes_.emplace_back(1, 0);
        Pipe& back = pipes_.emplace_back(2, 0);
        devices_.emplace_back([this, left, &there, &back] {
            Mortal channel(back, there, left);
            try {
                serve(channel, [this](const DeviceRequest& request) {
                    return std::make_unique<Clocked>(test::rtl_device(request), cycles_, snapshots_);
                });
            } catch (const FellShort&) {  // died
            }
        });
        return std::make_unique<PipeChannel>(there, back);
    }
    std::size_t lives() const { return devices_.size(); }
    /// In which nodes were clocked, in all lives together.
    std::uint64_t cycles() {
        devices_.clear();
        return cycles_;
    }

  private:
    bool snapshots_;
    std::vector<std::uint32_t> answers_;
    std::deque<Pipe> pipes_;
    std::uint64_t cycles_ = 0;
    std::deque<std::jthread> devices_;  // one at a time
};

/// Latencies of 1 cycle, at which questions are of one, and of 4, of two.
class DeviceThatReturns : public testing::TestWithParam<std::uint32_t> {
  protected:
    /// The run with nodes of that device.
    Trace run_on(Lives& lives, std::size_t keep, const Work& work) const {
        const DeviceRequest request{.needed = needed_sizes(fabric_, nullptr),
                                    .nodes = {5, 6},
                                    .settings = {{10, fabric_.links.cycles_per_flit}}};
        const Patience patience{.reconnect = [&] { return lives.next(); }, .keep = keep};
        auto device = remote_device(lives.next(), "it", request, patience);
        return run_with(fabric_, nodes_, device_region(fabric_, nodes_, nullptr, std::move(device), "it"),
                        nullptr, work, false);
    }
    const Network network_ = make_network("torus:4x4");
    const Fabric fabric_{network_, node_parameters("wide"), LinkParameters{.latency = GetParam()}};
    const std::vector<NodeId> nodes_ = nodes_of({5, 6});
};

// From the last snapshot, or, where there is none, from the beginning.
TEST_P(DeviceThatReturns, GoesOnWhereItWas) {
    const Work work = traffic(fabric_, 0.3, 20'000);
    const Trace direct = run_with(fabric_, nodes_, verilated_region(fabric_, nodes_), nullptr, work, false);
    const std::uint32_t at_once = std::max(GetParam() / 2, 1U);
    std::uint64_t clocked[2] = {};
    for (const bool snapshots : {false, true}) {
        Lives lives(snapshots, {8'000 / at_once, 9'000 / at_once, 9'000 / at_once, 10 / at_once});
        EXPECT_EQ(run_on(lives, 1'000, work), direct);
        EXPECT_GE(lives.lives(), 3U);
        clocked[snapshots ? 1 : 0] = lives.cycles();
    }
    // Without snapshots the last life has all of the run to do, some 20,000 cycles, on top of 26,000 in those
    // before; with them the 26,000 are enough.
    EXPECT_LT(clocked[1], clocked[0] * 3 / 4);
}

// What it was asked before the checkpoint was loaded, its registers among that, is not asked again.
TEST_P(DeviceThatReturns, GoesOnWhereACheckpointWas) {
    struct Killed {};
    const auto run = [&](Lives& lives, const CheckpointOptions& options, std::uint64_t kill_at) {
        Checkpoint checkpoint(options, {}, no_other_ranks());
        TrafficHostOptions hosts;
        hosts.checkpoint = &checkpoint;
        hosts.made = [&](std::uint64_t cycle, NodeId, std::uint32_t) {
            if (cycle >= kill_at) throw Killed();
        };
        return run_on(lives, 1'000'000, traffic(fabric_, 0.3, 2'000, hosts));
    };
    Lives alone(true, {}), killed(true, {}), resumed(true, {30, 50, 70, 200, 300, 5});
    const Trace whole = run(alone, {}, UINT64_MAX);
    const TemporaryFile file;
    const CheckpointOptions saves{
        .file = file.path(), .every = 901, .resumed_from = {}, .warm = {}, .warn = {}};
    EXPECT_THROW(run(killed, saves, 902), Killed);
    EXPECT_EQ(run(resumed, {.file = {}, .every = 0, .resumed_from = file.path(), .warm = {}, .warn = {}},
                  UINT64_MAX),
              whole);
    EXPECT_EQ(resumed.lives(), 7U);
}

INSTANTIATE_TEST_SUITE_P(Latencies, DeviceThatReturns, testing::Values(1U, 4U));

// So that checkpoints are refused.
TEST(Snapshot, DecidesWhetherARegionHasAState) {
    const Network network = make_network("torus:4x4");
    const Fabric fabric(network, node_parameters("wide"));
    std::uint64_t cycles = 0;
    for (const bool snapshots : {false, true}) {
        auto device = std::make_unique<Clocked>(verilated_device(4, 1, 2), cycles, snapshots);
        EXPECT_EQ(device_region(fabric, nodes_of({5, 6}), nullptr, std::move(device), "it")->checkpoint() !=
                      nullptr,
                  snapshots);
    }
}

TEST(Snapshot, OfOtherNodesIsRefused) {
    const auto nodes = verilated_device(4, 1, 2);
    const auto one = verilated_device(4, 1, 1);
    const std::vector<std::uint8_t> state = nodes->snapshot();
    nodes->restore(state);
    EXPECT_EQ(nodes->snapshot(), state);
    EXPECT_THROW(one->restore(state), FellShort);
    EXPECT_THROW(nodes->restore(one->snapshot()), FellShort);
    EXPECT_THROW(nodes->restore({}), FellShort);
    std::vector<std::uint8_t> of_another_module = state;
    of_another_module[3] ^= 1;
    EXPECT_THROW(nodes->restore(of_another_module), FellShort);
}

}  // namespace
}  // namespace interlace
