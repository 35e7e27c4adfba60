// Interlace: runs that are killed and go on from their last checkpoint
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/checkpoint/checkpoint.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "interlace/core/error.h"
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
/// these.
struct Lives {
    int count = 4;
    std::uint64_t every = 300, apart = 400;
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
        .file = file.path(), .every = 1 + draw(lives.every), .resumed_from = {}, .warm = {}};
    std::uint64_t kill_at = checkpoints.every;
    for (int life = 0; life < lives.count; ++life) {
        const auto ranks = static_cast<std::uint32_t>(1 + draw(std::min(3U, nodes)));
        const Cut cut{ranks, ranks + static_cast<std::uint32_t>(draw(6)),
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

/// A run that begins from the states of a folder, and how many packets its hosts made.
std::pair<Seen, std::uint64_t> run_from(const std::string& folder, const Configuration& c, std::uint64_t seed,
                                        std::uint64_t cycles) {
    TrafficOptions options = random_traffic_for(c, seed);
    options.cycles = cycles;
    std::uint64_t made = 0;
    TrafficHostOptions hosts = random_hosts_for(options, seed);
    hosts.made = [&](std::uint64_t, NodeId, std::uint32_t) { ++made; };
    Checkpoint checkpoint({.file = {}, .every = 0, .resumed_from = {}, .warm = folder}, {{"seed", seed}},
                          no_other_ranks());
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
