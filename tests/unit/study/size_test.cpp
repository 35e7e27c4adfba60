// Interlace: the smallest queues, against a formula and against trying all
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/size.h"
#include "interlace/experiment/kinds/broadcast.h"
#include "interlace/experiment/kinds/traffic.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <limits>

#include "interlace/core/error.h"
#include "support/error_of.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

/// A broadcast along a line that routers forward; packets of 8 flits.
std::string line(std::uint32_t latency, const std::string& size) {
    return "schema: 1\nname: line\nexperiment:\n  network: mesh:4\n  broadcast: {packets: 64}\n"
           "  engine: native\n  forwarding: table\n  links: {latency: " +
           std::to_string(latency) + "}\n  node: {switching: virtual_cut_through, vcs: 1}\nsize: " + size +
           "\n";
}

class Size : public testing::Test {
  protected:
    ~Size() override { std::filesystem::remove_all(folder_); }
    SizeResult run(const std::string& text, std::uint32_t jobs = 2) {
        const TemporaryFile file(text);
        const SizeStudy study(file.path(), {});
        heard_.clear();
        return run_size(study, folder_ + std::to_string(files_) + ".db", {jobs, false},
                        [&](const std::string&, const SweepProgress& p) { heard_.push_back(p); });
    }
    /// Points that the last search ran.
    std::size_t runs() const { return heard_.empty() ? 0 : heard_.back().done + heard_.back().failed; }
    const std::string folder_ = testing::TempDir() + "size" + std::to_string(::getpid()) + "/";
    bool made_ = std::filesystem::create_directories(folder_);
    int files_ = 0;
    std::vector<SweepProgress> heard_;
};

// A channel has to hold a packet, and the flits of a round trip: on the link there and the credit back, L
// cycles each, and two in the node (docs/node.md, section 7); room is given to whole packets.
TEST_F(Size, OfAChannelIsAPacketAndTheRoundTrip) {
    for (const std::uint32_t latency : {1U, 4U, 16U, 23U}) {
        ++files_;
        const SizeResult result = run(line(latency, "{tolerance: 0, queues: virtual_channel}"));
        const std::uint32_t needed = 8 + 2 * latency + 2;
        EXPECT_EQ(result.alone[0].free.depths[0], (needed + 7) / 8 * 8) << "latency " << latency;
        EXPECT_EQ(result.joint.depths, result.alone[0].free.depths);
        EXPECT_EQ(result.joint.slow_down, 1);
    }
}

// Of packets of one flit on links of c cycles a flit, which a credit takes as long on (docs/node.md, section
// 10): what leaves in the 2 (L + c - 1) + 2 cycles of the round trip.
TEST_F(Size, OfAChannelOfSlowLinksIsTheRoundTripToo) {
    for (const std::uint32_t c : {1U, 2U, 3U, 4U, 8U})
        for (const std::uint32_t latency : {1U, 5U}) {
            ++files_;
            std::string text = line(latency, "{tolerance: 0, queues: virtual_channel}");
            text.insert(text.find("links: {") + 8, "cycles_per_flit: " + std::to_string(c) + ", ");
            text.insert(text.find("vcs: 1"), "packet_flits: 1, ");
            const std::uint32_t round_trip = 2 * (latency + c - 1) + 2;
            EXPECT_EQ(run(text).alone[0].free.depths[0], (round_trip + c - 1) / c) << c << ' ' << latency;
        }
}

// With a link layer, which takes three cycles more each way (docs/links.md, section 5): a channel holds
// these, too. A frame's place is free for another after K = 2 (L - 1) + 4 cycles; fewer places slow a link
// down.
TEST_F(Size, OfAReplayBufferIsTheRoundTripOfAFrame) {
    for (const std::uint32_t latency : {1U, 4U, 9U}) {
        ++files_;
        std::string text = line(latency, "{tolerance: 0, queues: [virtual_channel, replay_buffer]}");
        text.insert(text.find("links: {") + 8, "replay_flits: 1, ");
        const SizeResult result = run(text);
        EXPECT_EQ(result.alone[1].free.depths[1], 2 * (latency - 1) + 4) << "latency " << latency;
        EXPECT_EQ(result.alone[0].free.depths[0], (8 + 2 * latency + 2 + 2 * 3 + 7) / 8 * 8);
        EXPECT_EQ(result.joint.slow_down, 1);
        // One channel of flits of 32 bytes at two ports, and frames of 8 bytes more.
        EXPECT_EQ(result.joint.bytes, 2 * (32.0 * result.joint.depths[0] + 40.0 * result.joint.depths[1]));
    }
}

std::uint64_t cycles(std::uint32_t injection, std::uint32_t reception, std::uint32_t channel) {
    BroadcastExperiment e;
    e.network = "mesh:4";
    e.packets = 64;
    e.engine = "native";
    e.cycles.forwarding = "table";
    e.cycles.links.latency = 4;
    e.cycles.node.switching = Switching::virtual_cut_through;
    e.cycles.node.vcs = 1;
    e.cycles.node.injection_depth = injection;
    e.cycles.node.reception_depth = reception;
    e.cycles.node.vc_depth = channel;
    return static_cast<std::uint64_t>(run_broadcast(e).cycles->cycles.mean);
}

TEST_F(Size, IsTheLeastOfAllDepths) {
    const SizeResult result = run(line(4, "{tolerance: 0.1, points: 3}"));
    const auto reference = static_cast<double>(cycles(infinite_depth, infinite_depth, infinite_depth));
    EXPECT_EQ(result.reference, reference);
    const auto least = [&](std::uint32_t first, const auto& run_at) {
        std::uint32_t depth = first;
        while (static_cast<double>(run_at(depth)) > 1.1 * reference) ++depth;
        return depth;
    };
    EXPECT_EQ(result.alone[0].within.depths[0],
              least(1, [](std::uint32_t d) { return cycles(d, infinite_depth, infinite_depth); }));
    EXPECT_EQ(result.alone[1].within.depths[1],
              least(8, [](std::uint32_t d) { return cycles(infinite_depth, d, infinite_depth); }));
    EXPECT_EQ(result.alone[2].within.depths[2],
              least(8, [](std::uint32_t d) { return cycles(infinite_depth, infinite_depth, d); }));
    const auto& joint = result.joint.depths;
    EXPECT_EQ(result.joint.measure, static_cast<double>(cycles(joint[0], joint[1], joint[2])));
    EXPECT_LE(result.joint.slow_down, 1.1);
    // Of no class alone a flit less would do: injection queues begin at one flit, the others at a packet
    // of 8.
    const std::vector<std::uint32_t> first = {1, 8, 8};
    for (std::size_t c = 0; c < joint.size(); ++c) {
        if (joint[c] == first[c]) continue;
        std::vector<std::uint32_t> less = joint;
        --less[c];
        EXPECT_GT(static_cast<double>(cycles(less[0], less[1], less[2])), 1.1 * reference) << c;
    }
}

// 2 ports, 4 injection queues and 6 reception queues of flits of 32 bytes; one channel a port.
TEST_F(Size, TheFrontHasNoPointThatAnotherBeats) {
    const SizeResult result = run(line(4, "{points: 3}"));
    ASSERT_GT(result.front.size(), 1U);
    for (std::size_t i = 0; i < result.front.size(); ++i) {
        const SizedPoint& point = result.front[i];
        EXPECT_EQ(point.bytes, 32.0 * (4 * point.depths[0] + 6 * point.depths[1] + 2 * point.depths[2]));
        if (i == 0) continue;
        EXPECT_GT(point.bytes, result.front[i - 1].bytes);
        EXPECT_LT(point.slow_down, result.front[i - 1].slow_down);
    }
    const std::size_t first = result.tried.size();
    EXPECT_GT(runs(), 0U);
    EXPECT_EQ(run(line(4, "{points: 3}"), 1).tried.size(), first);
    EXPECT_EQ(runs(), 0U) << "all points are in the file";
}

// Points that are asked for and points that ended: of the whole search, however many rounds it has.
TEST_F(Size, ProgressIsThatOfTheWholeSearch) {
    const SizeResult result = run(line(4, "{points: 3}"));
    std::size_t points = 0, ended = 0;
    double seconds = 0;
    for (const SweepProgress& p : heard_) {
        EXPECT_GE(p.points, points);
        EXPECT_GE(p.known + p.done + p.failed, ended);
        EXPECT_GE(p.seconds, seconds);
        EXPECT_LE(p.known + p.done + p.failed, p.points);
        points = p.points;
        ended = p.known + p.done + p.failed;
        seconds = p.seconds;
    }
    EXPECT_EQ(points, result.tried.size());
    EXPECT_EQ(ended, points);
}

/// A complete exchange of messages of several frames, all at once, through switches of one capacity.
std::string exchange(const std::string& size, const std::string& capacity = "16") {
    return "schema: 1\nexperiment: {network: cluster:exchange_4x4, seeds: 1, alltoall: {algorithm: post_all, "
           "message: 64kB}, event: {other_switches: [], switch: {buffering: output, capacity: " +
           capacity + "}}}\nsize: " + size + "\n";
}

// One class: every depth is tried, so that the front is that of all of them.
TEST_F(Size, TheFrontOfOneClassIsThatOfEveryDepth) {
    const SizeResult result = run(exchange("{tolerance: 0.02}"));
    EXPECT_TRUE(result.every_depth);
    const std::uint32_t deepest = result.front.back().depths[0];
    ASSERT_GT(deepest, 8U);
    std::vector<std::uint32_t> front;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t depth = 1; depth <= deepest; ++depth) {
        const std::string text = exchange("{}", std::to_string(depth));
        const Json ran = Sweep("one", "one.yaml", text, {}, {}).experiment(0)->run();
        const double seconds = ran["seconds"];
        if (seconds >= least) continue;
        least = seconds;
        front.push_back(depth);
    }
    std::vector<std::uint32_t> found;
    for (const SizedPoint& point : result.front) found.push_back(point.depths[0]);
    EXPECT_EQ(found, front);
}

TEST_F(Size, OfASwitchIsInPackets) {
    const SizeResult result =
        run("schema: 1\nexperiment: {network: cluster:exchange_4x4, seeds: 1, alltoall: {algorithm: "
            "post_all, message: "
            "8kB}}\n"
            "size: {measure: packets_dropped, tolerance: 0}\n");
    EXPECT_EQ(result.reference, 0);  // infinite switches lose nothing
    EXPECT_EQ(result.joint.measure, 0);
    EXPECT_GT(result.joint.depths[0], 1U);
    // No loss is no packet dropped, and some loss lets less room do.
    const auto loss = [&](const char* tolerance) {
        ++files_;
        return run(
            "schema: 1\nexperiment: {network: cluster:exchange_4x4, seeds: 1, alltoall: {algorithm: "
            "post_all, "
            "message: 8kB}}\n"
            "size: {measure: sends_per_packet, tolerance: " +
            std::string(tolerance) + "}\n");
    };
    const SizeResult none = loss("0");
    EXPECT_EQ(none.reference, 1);
    EXPECT_EQ(none.joint.depths, result.joint.depths);
    const SizeResult some = loss("0.1");
    EXPECT_LT(some.joint.depths[0], none.joint.depths[0]);
    EXPECT_GT(some.joint.measure, 1);
    EXPECT_LE(some.joint.measure, 1.1);
}

TrafficExperiment small_torus(double load, std::uint32_t seeds) {
    TrafficExperiment e;
    e.network = "torus:4";
    e.traffic.load = load;
    e.traffic.cycles = 300;
    e.traffic.warmup = 1'000;
    e.nodes.node = node_parameters("wide");
    e.nodes.host.jitter_cycles = 20;
    e.nodes.seeds = seeds;
    return e;
}

std::string small_torus_file(const std::string& load, const std::string& size) {
    return "schema: 1\nname: jitter\nexperiment:\n  network: torus:4\n  traffic: {cycles: 300, warmup: 1000, "
           "load: " +
           load + "}\n  host: {jitter_cycles: 20}\nsize: " + size + "\n";
}

/// Student's interval of the slow-downs of runs under the same seeds (NIST/SEMATECH e-Handbook, 1.3.5.3).
Sample paired(const std::vector<double>& slow, const std::vector<double>& fast) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < slow.size(); ++i) ratios.push_back(slow[i] / fast[i]);
    return sample_of(ratios);
}

// Runs under the same seeds are compared one with one.
TEST_F(Size, TheSlowDownIsPairedBySeeds) {
    const SizeResult result = run(small_torus_file("0.3", "{tolerance: 0.1, queues: reception}"));
    const auto measured = [&](double load, std::uint32_t depth, std::size_t seeds, auto measure) {
        TrafficExperiment e = small_torus(load, static_cast<std::uint32_t>(seeds));
        e.nodes.node.reception_depth = depth;
        return run_traffic(e).sample(measure);
    };
    const auto latency = [&](std::uint32_t depth, std::size_t seeds) {
        return measured(0.3, depth, seeds, &TrafficResult::latency_mean);
    };
    const Sample reference = latency(infinite_depth, 30);
    EXPECT_DOUBLE_EQ(result.reference, reference.mean);
    EXPECT_DOUBLE_EQ(result.half_interval, reference.half_interval / reference.mean);
    const std::size_t seeds = result.joint.seeds;
    ASSERT_GE(seeds, 30U);
    const Sample found = latency(result.joint.depths[0], seeds);
    const Sample slow_down = paired(found.values, latency(infinite_depth, seeds).values);
    EXPECT_DOUBLE_EQ(result.joint.measure, found.mean);
    EXPECT_DOUBLE_EQ(result.joint.slow_down, slow_down.mean);
    EXPECT_DOUBLE_EQ(result.joint.half_interval, slow_down.half_interval);
    EXPECT_LE(slow_down.mean + slow_down.half_interval, 1.1);
    // Of what more is better, it is the inverse.
    ++files_;
    const SizeResult load =
        run(small_torus_file("0.8", "{measure: accepted_load, tolerance: 0.5, queues: reception}"));
    const auto accepted = [&](std::uint32_t depth) {
        return measured(0.8, depth, load.joint.seeds, &TrafficResult::accepted_load).values;
    };
    const Sample inverse = paired(accepted(infinite_depth), accepted(load.joint.depths[0]));
    EXPECT_DOUBLE_EQ(load.joint.slow_down, inverse.mean);
    EXPECT_DOUBLE_EQ(load.joint.half_interval, inverse.half_interval);
}

// "None" is a loss that the paired interval does not show: a depth less has one that it does show.
TEST_F(Size, ALossThatIsSignificantIsNotNone) {
    const SizeResult result = run(small_torus_file("0.3", "{tolerance: 0.1, queues: reception}"));
    const SizedPoint& free = result.alone[0].free;
    EXPECT_LE(free.slow_down - free.half_interval, 1);
    TrafficExperiment e = small_torus(0.3, 30);
    e.nodes.node.reception_depth = infinite_depth;
    const Sample reference = run_traffic(e).sample(&TrafficResult::latency_mean);
    e.nodes.node.reception_depth = free.depths[0] - 1;
    const Sample less = run_traffic(e).sample(&TrafficResult::latency_mean);
    const Sample loss = paired(less.values, reference.values);
    EXPECT_GT(loss.mean - loss.half_interval, 1);
}

// What is random runs under 30 seeds unless the file says how many.
TEST_F(Size, WhatIsRandomHasSeeds) {
    const auto study = [](const std::string& experiment) {
        const TemporaryFile file("schema: 1\nexperiment: {" + experiment + "}\nsize: {}\n");
        return SizeStudy(file.path(), {});
    };
    const std::string broadcast = "network: torus:4, engine: native, broadcast: {packets: 2}";
    const std::string traffic = "network: torus:4, traffic: {cycles: 100}";
    EXPECT_EQ(study(traffic).seeds, 30U);
    EXPECT_EQ(study(traffic + ", links: {bit_error_rate: 1e-5}").seeds, 30U);
    EXPECT_EQ(study(traffic + ", seeds: 1").seeds, 1U);
    EXPECT_TRUE(study(traffic + ", seeds: 1").random);
    EXPECT_EQ(study(traffic + ", seeds: 40, seed: 7").seeds, 40U);
    EXPECT_EQ(study(traffic + ", seeds: 40, seed: 7").first_seed, 7U);
    EXPECT_EQ(study(broadcast).seeds, 1U);
    EXPECT_FALSE(study(broadcast).random);
    EXPECT_EQ(study(broadcast + ", links: {bit_error_rate: 1e-5}").seeds, 30U);
    EXPECT_EQ(study(broadcast + ", host: {jitter_cycles: 5}").seeds, 30U);
    EXPECT_EQ(study(broadcast + ", background: {load: 0.1}").seeds, 30U);
    EXPECT_EQ(study("network: cluster:exchange_4x4, alltoall: {}").seeds, 30U);
}

/// The case of a search that once took what one seed allowed.
std::string lucky(const std::string& size) {
    return "schema: 1\nname: lucky\nexperiment:\n  network: torus:4x4\n  traffic: {load: 0.5, packet_flits: "
           "4, warmup: "
           "500, cycles: 1500}\n  links: {latency: 8}\nsize: " +
           size + "\n";
}

/// How often a channel of this depth loses at most a share of the latency, under seeds from `first` on.
int holds(std::uint32_t depth, double share, std::uint64_t first, std::uint32_t seeds) {
    TrafficExperiment e;
    e.network = "torus:4x4";
    e.nodes.node = node_parameters("wide");
    e.nodes.links.latency = 8;
    e.traffic = {.load = 0.5, .packet_flits = 4, .warmup = 500, .cycles = 1'500};
    int holds = 0;
    for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
        e.traffic.seed = seed;
        e.nodes.node.vc_depth = infinite_depth;
        const double reference = run_traffic(e).results[0].latency_mean;
        e.nodes.node.vc_depth = depth;
        const TrafficRun run = run_traffic(e);
        if (run.carried() && run.results[0].latency_mean <= (1 + share) * reference) ++holds;
    }
    return holds;
}

// Under seeds 1 to 20 a channel of 13 flits is within 5% on 4, one of 14 on 19, one of 15 on all.
TEST_F(Size, WhatIsRecommendedHoldsUnderOtherSeeds) {
    const SizeResult result = run(lucky("{tolerance: 0.05, queues: virtual_channel}"));
    const std::uint32_t depth = result.joint.depths[0];
    EXPECT_GE(depth, 14U);
    EXPECT_LE(depth, 15U);
    EXPECT_GE(holds(depth, 0.05, 1'001, 20), 18);
    EXPECT_LE(holds(depth - 1, 0.05, 1'001, 20), 19);
    ASSERT_TRUE(result.joint.confirmation);
    EXPECT_TRUE(result.joint.confirmation->held);
    EXPECT_LE(result.joint.confirmation->slow_down + result.joint.confirmation->half_interval, 1.05);
    EXPECT_GE(result.joint.confirmation->seeds, 30U);
}

std::string long_links(const std::string& load, const std::string& size) {
    return "schema: 1\nname: links\nexperiment:\n  network: torus:8x8\n  seeds: 1\n  traffic: {load: " +
           load + ", packet_flits: 4, warmup: 1000, cycles: 2000}\n  links: {latency: 12}\nsize: " + size +
           "\n";
}

// Of packets that never arrive there is no latency: depths that deliver nothing are no answer. Uniform
// traffic on torus:8x8 has 4.06 links to go, of which a node has four: 0.35 flits/node/cycle are 0.356
// a link. A channel of d flits passes d of them a round trip, 2 x 12 + 2 cycles (docs/node.md, section 7), so
// two channels need d >= 4.7.
TEST_F(Size, OfALoadIsThatOfDepthsThatCarryIt) {
    const SizeResult result = run(long_links("0.35", "{tolerance: 0.5, points: 2}"));
    EXPECT_TRUE(result.carried);
    EXPECT_EQ(result.measure, "latency_mean");
    EXPECT_GE(result.joint.depths[2], 5U);
    std::size_t failed = 0;
    for (const SizedPoint& point : result.tried) {
        if (point.depths[2] == 0 || point.depths[2] > 4) continue;
        EXPECT_EQ(point.slow_down, std::numeric_limits<double>::infinity()) << point.depths[2];
        ++failed;
    }
    EXPECT_GT(failed, 0U) << "of the least depths";
    TrafficExperiment e;
    e.network = "torus:8x8";
    e.nodes.node = node_parameters("wide");
    e.nodes.node.injection_depth = result.joint.depths[0];
    e.nodes.node.reception_depth = result.joint.depths[1];
    e.nodes.node.vc_depth = result.joint.depths[2];
    e.nodes.links.latency = 12;
    e.traffic = {.load = 0.35, .packet_flits = 4, .warmup = 1'000, .cycles = 2'000};
    EXPECT_TRUE(run_traffic(e).carried());
}

// Beyond what all links of a node take, 4 flits a cycle over 4.06 links a packet, infinite queues carry
// nothing more.
TEST_F(Size, OfALoadThatNothingCarriesIsByWhatIsAccepted) {
    const SizeResult result = run(long_links("1.2", "{tolerance: 0.1, points: 2, queues: virtual_channel}"));
    EXPECT_FALSE(result.carried);
    EXPECT_EQ(result.measure, "accepted_load");
    EXPECT_LT(result.reference, 4 / 4.06);
    EXPECT_GE(result.joint.measure, result.reference / 1.1);
    ++files_;
    EXPECT_THAT(
        error_of([&] { run(long_links("1.2", "{measure: latency_mean}")); }),
        testing::HasSubstr("latency_mean of a saturated network even with infinite queues; expected a "
                           "lower load"));
}

// An injection queue of one flit passes a flit every other cycle at most: queues that keep the file's depth
// may be what does not carry the load.
TEST_F(Size, QueuesThatAreNotNamedStayAsTheFileHasThem) {
    const std::string fixed = "  node: {injection_depth: 1, injection_queues: 1}\n";
    std::string text = long_links("0.6", "{queues: virtual_channel, points: 2}");
    text.insert(text.find("size:"), fixed);
    const TemporaryFile file(text);
    const SizeStudy study(file.path(), {});
    ASSERT_EQ(study.fixed.size(), 2U);
    EXPECT_EQ(study.fixed[0].name, "injection");
    EXPECT_EQ(study.fixed[0].depth, 1U);
    EXPECT_EQ(study.fixed[1].name, "reception");
    EXPECT_EQ(study.fixed[1].depth, node_parameters("wide").reception_depth);
    EXPECT_THAT(study.reference_text(),
                testing::StartsWith("infinite virtual_channel queues and injection 1, "));
    text.insert(text.find("queues: virtual"), "measure: latency_mean, ");
    EXPECT_THAT(
        error_of([&] { run(text); }),
        testing::HasSubstr("latency_mean of a saturated network with infinite virtual_channel queues and "
                           "injection 1, reception"));
}

// The file's depth of a class that is sized is not used: it may be less than a packet.
TEST_F(Size, TheFilesDepthOfWhatIsSizedNeedNotBeValid) {
    const auto with = [](std::string text, const std::string& depth) {
        return text.insert(text.find("vcs: 1"), depth);
    };
    const std::string text = line(4, "{tolerance: 0, queues: virtual_channel}");
    const SizeResult result = run(text);
    ++files_;
    EXPECT_EQ(run(with(text, "vc_depth: 2, ")).joint.depths, result.joint.depths);
    ++files_;
    EXPECT_EQ(run(with(line(4, "{tolerance: 0, points: 2}"), "vc_depth: 2, ")).joint.depths[2],
              result.joint.depths[0]);
    EXPECT_THAT(error_of([&] { run(with(text, "reception_depth: 2, ")); }),
                testing::HasSubstr("reception_depth: cannot use 2 under packets of 8 flits"));
    ++files_;
    EXPECT_GT(run(exchange("{tolerance: 0.5}", "-3")).joint.depths[0], 1U);
}

TEST_F(Size, SaysWhatIsWrong) {
    const auto error = [&](const std::string& text) {
        ++files_;
        return error_of([&] { run(text); });
    };
    using testing::HasSubstr;
    EXPECT_THAT(error(line(1, "{queues: channels}")),
                HasSubstr("queues 'channels'; expected injection, reception, virtual_channel"));
    EXPECT_THAT(error(line(1, "{queues: []}")),
                HasSubstr("queues: there are no queues; expected one or more"));
    EXPECT_THAT(error(line(1, "{queues: [injection, injection]}")),
                HasSubstr("queues 'injection' are listed twice"));
    EXPECT_THAT(error(line(1, "{tolerance: -1}")), HasSubstr("tolerance: this is below 0"));
    EXPECT_THAT(error(line(1, "{measure: beauty}")),
                HasSubstr("cannot compare by 'beauty'; expected one of cycles"));
    EXPECT_THAT(
        error("schema: 1\nexperiment: {network: torus:4x4, traffic: {}, node: {vcs: 1, packet_flits: 4, "
              "switching: virtual_cut_through, routing: adaptive_bubble}}\nsize: {}\n"),
        HasSubstr("cannot use adaptive_bubble and a priority channel with 1 channels of infinite depth"));
    // Neither more nor fewer packets are better.
    EXPECT_THAT(error(lucky("{measure: packets}")),
                HasSubstr("cannot compare by 'packets'; expected one of latency_mean"));
    EXPECT_THAT(error("schema: 1\nexperiment: {network: torus:4x4, broadcast: {}}\nsize: {}\n"),
                HasSubstr("the experiment has no queues"));
    EXPECT_THAT(error("schema: 1\nexperiment: {network: torus:4x4, broadcast: {}, engine: rtl}\nsize: {}\n"),
                HasSubstr("with infinite queues: "));
}

}  // namespace
}  // namespace interlace
