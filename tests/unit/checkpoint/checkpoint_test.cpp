// Interlace: runs that are killed and go on from their last checkpoint
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/checkpoint/checkpoint.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <sstream>

#include "interlace/core/error.h"
#include "interlace/engine/checking/waveform.h"
#include "lockstep/native_engines.h"
#include "lockstep/random_traffic.h"
#include "support/rank_threads.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

/// What ends a run as a signal would, when a host makes a packet in `at` or later.
struct Killed : FellShort {
    Killed() : FellShort("killed") {}
};
MadePacket kill_from(std::uint64_t at) {
    return [at](std::uint64_t cycle, NodeId, std::uint32_t) {
        if (cycle >= at) throw Killed();
    };
}

/// How a machine is cut, and what runs it.
struct Cut {
    std::uint32_t ranks, regions, threads;
};

/// The run with a checkpoint, on that cut: what each rank has seen; nothing of one that was killed.
std::vector<Seen> run_with(const CheckpointOptions& checkpoints, const Configuration& c, std::uint64_t seed,
                           const EngineUnderTest& engine, const Cut& cut, std::uint64_t kill_at) {
    const TrafficOptions options = random_traffic_for(c, seed);
    std::vector<Seen> seen(cut.ranks);
    std::atomic<bool> killed = false;
    const auto run = [&](Communicator& rank) {
        try {
            Checkpoint checkpoint(checkpoints, {{"seed", seed}}, rank);
            TrafficHostOptions hosts = random_hosts_for(options, seed);
            hosts.made = kill_from(kill_at);
            hosts.checkpoint = &checkpoint;
            seen[rank.rank()] = run_traffic(c, options, hosts, engine, cut.regions, cut.threads, rank);
        } catch (const FellShort& end) {
            EXPECT_STREQ(end.what(), "killed");
            killed = true;
        }
    };
    if (cut.ranks == 1)
        run(no_other_ranks());
    else
        run_on_ranks(cut.ranks, run);
    return killed ? std::vector<Seen>() : seen;
}

void expect_same_on_ranks(const std::vector<Seen>& cut, const Seen& one) {
    std::size_t nodes = 0;
    for (const Seen& rank : cut) {
        EXPECT_EQ(rank.use, one.use);
        EXPECT_EQ(rank.traffic, one.traffic);
        for (std::size_t i = 0; i < rank.queues.size(); ++i, ++nodes) {
            EXPECT_EQ(rank.queues[i], one.queues[nodes]);
            EXPECT_EQ(rank.stall_cycles[i], one.stall_cycles[nodes]);
        }
    }
    EXPECT_EQ(nodes, one.queues.size());
}

/// Lives of a run, cycles from one checkpoint to the next, and from one kill to the next: at random, up to
/// these; and how it may be cut.
struct Lives {
    int count = 4;
    std::uint64_t every = 300, apart = 400;
    std::uint32_t most_ranks = 3, regions = 0;  // 0: at random
};

/// Killed at random, each time some cycles behind a checkpoint, and gone on with on another cut.
void expect_to_survive(const Configuration& c, std::uint64_t seed, const EngineUnderTest& engine,
                       int& resumed, const Lives& lives = {}) {
    const std::uint32_t nodes = c.network.node_count();
    auto draw = [&, n = std::uint64_t{0}](std::uint64_t below) mutable {
        return random_bits(seed, 89, n++) % below;
    };
    const TrafficOptions options = random_traffic_for(c, seed);
    const Seen one = run_traffic(c, options, random_hosts_for(options, seed), engine);
    const TemporaryFile file;
    CheckpointOptions checkpoints{
        .file = file.path(), .every = 1 + draw(lives.every), .resumed_from = {}, .warm = {}, .warn = {}};
    std::uint64_t kill_at = checkpoints.every;
    for (int life = 0; life < lives.count; ++life) {
        const auto ranks = static_cast<std::uint32_t>(1 + draw(std::min(lives.most_ranks, nodes)));
        const auto more = static_cast<std::uint32_t>(draw(6));
        const Cut cut{ranks, lives.regions == 0 ? ranks + more : lives.regions,
                      static_cast<std::uint32_t>(1 + draw(2))};
        kill_at = life + 1 == lives.count ? UINT64_MAX : kill_at + 1 + draw(lives.apart);
        SCOPED_TRACE(fmt::format("life {} on {} ranks, {} regions, {} threads, every {} cycles, until {}",
                                 life, cut.ranks, cut.regions, cut.threads, checkpoints.every, kill_at));
        const std::vector<Seen> seen = run_with(checkpoints, c, seed, engine, cut, kill_at);
        if (!seen.empty()) return expect_same_on_ranks(seen, one);
        checkpoints.resumed_from = file.path();
        ++resumed;
    }
    FAIL() << "was never over";
}

// What is measured, every queue of every node included, is as in a run that was never killed, whatever the
// cut, the threads and the ranks of each of its lives: 60 random configurations of nodes that exchange
// packets, ...
TEST(Checkpoint, IsWhatARunOfPacketsGoesOnFrom) {
    int resumed = 0;
    each_configuration(9'000'000, 60, false, [&](const Configuration& c, std::uint64_t seed) {
        expect_to_survive(c, seed, packets, resumed);
    });
    EXPECT_GT(resumed, 100);
}

// ... 40 of nodes that are run flit by flit, half of them with worms, ...
TEST(Checkpoint, IsWhatARunOfFlitsGoesOnFrom) {
    int resumed = 0;
    const auto survive = [&](const Configuration& c, std::uint64_t seed) {
        expect_to_survive(c, seed, flits, resumed);
    };
    each_configuration(9'100'000, 20, true, survive);
    each_configuration(9'200'000, 20, false, survive);
    EXPECT_GT(resumed, 70);
}

// ... and of pipelined nodes, whose packets are between pins and core: 20, and 6 whose queues are served by
// how full they are, of which what a cycle leaves for the next matters most, killed 11 times.
TEST(Checkpoint, IsWhatARunOnPipelinedNodesGoesOnFrom) {
    int resumed = 0;
    const auto survive = [&](std::uint64_t first, int count, double load, const Lives& lives) {
        for (std::uint64_t seed = first; count > 0; ++seed) {
            Configuration c = random_configuration(seed, true);
            if (!c.node.pipelined() || !c.network.lattice() || c.node.vcs < 2) continue;
            if (load > 0 && c.node.arbitration != SinkArbitration::fullest_queue) continue;
            if (load > 0) c.traffic.load = load;
            --count;
            SCOPED_TRACE(c.text);
            expect_to_survive(c, seed, flits, resumed, lives);
        }
    };
    survive(9'400'000, 20, 0, {});
    survive(9'500'000, 6, 0.4, {.count = 12, .every = 3, .apart = 80});
    EXPECT_GT(resumed, 100);
}

// Of links that fail, both ends, frames on their wires and the damage to come: 20 configurations. Ends in RTL
// are in Resume.LinksThatFail.
TEST(Checkpoint, IsWhatARunOnLinksThatFailGoesOnFrom) {
    int resumed = 0;
    std::uint64_t damaged = 0;
    const auto survive = [&](Configuration c, std::uint64_t seed) {
        c.links.bit_error_rate = 1e-3;
        c.links.error_burst = 1 + seed % 3;
        expect_to_survive(c, seed, flits, resumed, {.most_ranks = 1});
        const TrafficOptions options = random_traffic_for(c, seed);
        damaged += run_traffic(c, options, random_hosts_for(options, seed), flits).use.link_layer.damaged;
    };
    each_configuration(9'600'000, 10, true, survive);
    each_configuration(9'700'000, 10, false, survive);
    EXPECT_GT(resumed, 35);
    EXPECT_GT(damaged, 10'000U);
}

/// The pins of each node of a network after each tick, [cycle - 1][node].
using Shown = std::vector<std::vector<Pins>>;

/// A region of which node 1 shows another pin from a cycle on. `shown`: what all nodes of a network that it
/// has would show, or nullptr.
class Liar final : public Region, public RegionCheckpoint {
  public:
    Liar(std::unique_ptr<Region> region, std::uint32_t nodes, std::uint64_t from, Shown* shown)
        : region_(std::move(region)), nodes_(nodes), from_(from), shown_(shown) {}
    void supervise(Supervision level) override { region_->supervise(level); }
    void tick(const RegionInputs& inputs, RegionOutputs& outputs) override {
        ++cycle_;
        region_->tick(inputs, outputs);
        if (shown_ == nullptr) return;
        shown_->emplace_back();
        for (std::uint32_t v = 0; v < nodes_; ++v) shown_->back().push_back(region_->pins(NodeId{v}));
    }
    RegionCheckpoint* checkpoint() override { return this; }
    QueueWatch* queue_watch() override { return region_->queue_watch(); }
    void state(RegionState& state) override {
        cycle_ = state.cycle;
        region_->checkpoint()->state(state);
    }
    void give_links(LinkLines& links) const override { region_->checkpoint()->give_links(links); }
    void take_links(const LinkLines& links) override { region_->checkpoint()->take_links(links); }
    Pins pins(NodeId node) const override {
        Pins pins = region_->pins(node);
        if (cycle_ >= from_ && node == 1U) pins[0] ^= 1U;
        return pins;
    }
    std::uint32_t reception_flits(NodeId node, std::uint32_t queue) const override {
        return region_->reception_flits(node, queue);
    }
    std::uint64_t stalled(NodeId node) const override { return region_->stalled(node); }
    Usage usage() const override { return region_->usage(); }

  private:
    std::unique_ptr<Region> region_;
    std::uint32_t nodes_;
    std::uint64_t from_, cycle_ = 0;
    Shown* shown_;
};

/// Both forms of native nodes beside one another, the second lying from a cycle on.
EngineUnderTest in_lockstep(const EngineUnderTest& first, std::uint64_t lies_from = UINT64_MAX,
                            const std::string& waveform = {}, Shown* shown = nullptr) {
    return {"lockstep", [=](const Fabric& fabric, const auto& nodes, const auto& tables) {
                std::vector<NamedRegion> regions;
                regions.push_back({"first", first.make(fabric, nodes, tables)});
                regions.push_back({"flits", std::make_unique<Liar>(flits.make(fabric, nodes, tables),
                                                                   fabric.nodes, lies_from, shown)});
                return lockstep_region(fabric, nodes, std::move(regions), waveform);
            }};
}

// Of regions in lockstep each has its own state: 20 configurations, in one region and in three, which stay.
TEST(Checkpoint, IsWhatARunInLockstepGoesOnFrom) {
    int resumed = 0;
    const auto survive_with = [&](const EngineUnderTest& first) {
        return [&, first](const Configuration& c, std::uint64_t seed) {
            expect_to_survive(
                c, seed, in_lockstep(first), resumed,
                {.most_ranks = 1,
                 .regions = seed % 2 == 0 ? 1 : std::min<std::uint32_t>(3, c.network.node_count())});
        };
    };
    each_configuration(9'800'000, 10, true, survive_with(flits));
    each_configuration(9'900'000, 10, false, survive_with(packets));
    EXPECT_GT(resumed, 35);
}

/// What the waveform shows of a difference in pin 0 of node 1 that both regions agree on until then: the last
/// 200 cycles of that node and those that it has links to and from.
std::string waveform_of(const Configuration& c, const Shown& shown) {
    const Fabric fabric(c.network, c.node, c.links);
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t v = 0; v < fabric.nodes; ++v) {
        const auto leads = [&](std::uint32_t from, std::uint32_t to) {
            const auto far = c.network.neighbours(NodeId{from});
            return std::find(far.begin(), far.end(), NodeId{to}) != far.end();
        };
        if (v == 1 || leads(1, v) || leads(v, 1)) nodes.push_back(v);
    }
    std::vector<std::string> scopes;
    for (const char* region : {"first", "flits"})
        for (const std::uint32_t v : nodes) scopes.push_back(fmt::format("{}_node{}", region, v));
    std::ostringstream text;
    {
        Waveform waveform(text, fabric.pin_names(), scopes);
        for (std::size_t cycle = shown.size() - 199; cycle <= shown.size(); ++cycle)
            for (std::size_t i = 0; i < scopes.size(); ++i) {
                Pins pins = shown[cycle - 1][nodes[i % nodes.size()]];
                const bool lies = cycle == shown.size() && scopes[i] == "flits_node1";
                pins[0] ^= lies ? 1U : 0U;
                waveform.show(cycle, i, pins);
            }
    }
    return text.str();
}

// The waveform of a difference shows what was before the checkpoint, too.
TEST(Checkpoint, HasWhatAWaveformOfADifferenceShows) {
    each_configuration(9'900'000, 10, false, [&](Configuration c, std::uint64_t seed) {
        c.traffic.load = 0.9;  // pins that show for long that something waits
        const TrafficOptions options = random_traffic_for(c, seed);
        const TemporaryFile file;
        const auto difference = [&](const CheckpointOptions& checkpoints, std::uint64_t kill_at,
                                    Shown* shown = nullptr) {
            const TemporaryFile waveform;
            Checkpoint checkpoint(checkpoints, {}, no_other_ranks());
            TrafficHostOptions hosts = random_hosts_for(options, seed);
            hosts.made = kill_from(kill_at);
            hosts.checkpoint = &checkpoint;
            std::string what;
            try {
                run_traffic(c, options, hosts, in_lockstep(packets, 450, waveform.path(), shown));
            } catch (const FellShort& end) {
                what = end.what();
            }
            return std::pair(what.substr(0, what.find("; waveform")), waveform.text());
        };
        Shown shown;
        const auto alone = difference({}, UINT64_MAX, &shown);
        EXPECT_THAT(alone.first, testing::HasSubstr("cycle 450, node 1, "));
        EXPECT_EQ(shown.size(), 450U);
        EXPECT_TRUE(alone.second == waveform_of(c, shown));  // too long for EXPECT_EQ
        for (std::uint64_t every = 391; every < 400; ++every) {
            EXPECT_EQ(
                difference({.file = file.path(), .every = every, .resumed_from = {}, .warm = {}, .warn = {}},
                           every + 1)
                    .first,
                "killed");
            const auto resumed = difference(
                {.file = {}, .every = 0, .resumed_from = file.path(), .warm = {}, .warn = {}}, UINT64_MAX);
            EXPECT_EQ(resumed.first, alone.first);
            EXPECT_TRUE(resumed.second == alone.second);
        }
    });
}

/// A run that begins from the states of a folder, and how many packets its hosts made.
std::pair<Seen, std::uint64_t> run_from(const std::string& folder, const Configuration& c, std::uint64_t seed,
                                        std::uint64_t cycles) {
    TrafficOptions options = random_traffic_for(c, seed);
    options.cycles = cycles;
    std::uint64_t made = 0;
    TrafficHostOptions hosts = random_hosts_for(options, seed);
    hosts.made = [&](std::uint64_t, NodeId, std::uint32_t) { ++made; };
    Checkpoint checkpoint({.file = {}, .every = 0, .resumed_from = {}, .warm = folder, .warn = {}},
                          {{"seed", seed}}, no_other_ranks());
    hosts.checkpoint = &checkpoint;
    Seen seen = checkpoint.run<Seen>([&] { return run_traffic(c, options, hosts, packets); },
                                     [](ByteWriter&, const Seen&) {}, [](ByteReader&) { return Seen(); });
    return {std::move(seen), made};
}

// The first run leaves its state at the end of the warm-up, and others, which measure for longer or shorter,
// begin there: with the same result, and without the packets of the warm-up.
TEST(WarmUp, IsWhereOthersBegin) {
    const std::string folder = testing::TempDir() + "warm" + std::to_string(getpid());
    std::filesystem::create_directory(folder);
    each_configuration(9'300'000, 20, false, [&](const Configuration& c, std::uint64_t seed) {
        const auto [first, made_by_first] = run_from(folder, c, seed, 900);
        const auto [cold, made_cold] = run_from("", c, seed, 700);
        const auto [warm, made_warm] = run_from(folder, c, seed, 700);
        expect_same(warm, cold);
        EXPECT_LT(made_warm, made_cold);
        const auto [again, made_again] = run_from(folder, c, seed, 900);
        expect_same(again, first);
        EXPECT_EQ(made_by_first - made_again, made_cold - made_warm);
    });
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace interlace
