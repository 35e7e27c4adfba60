// Interlace: the search for saturation
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/traffic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "interlace/core/error.h"
#include "interlace/experiment/kinds/allgather.h"

namespace interlace {
namespace {

TrafficRun saturation(const std::string& network, const std::string& pattern, std::uint64_t cycles = 10'000,
                      std::uint64_t seed = 1) {
    TrafficExperiment e;
    e.network = network;
    e.pattern = pattern;
    e.nodes.node = node_parameters("wide");
    e.traffic.packet_flits = 4;
    e.traffic.warmup = detect_warmup;
    e.traffic.cycles = cycles;
    e.traffic.seed = seed;
    e.saturation = true;
    return run_traffic(e);
}

// Every packet of the neighbour pattern on a ring takes one link, which nobody else uses: a flit a cycle.
TEST(Saturation, OfNeighboursIsTheLinksRate) {
    const TrafficRun run = saturation("torus:8", "neighbour");
    EXPECT_NEAR(run.experiment.traffic.load, 1, 0.03);
    EXPECT_LE(run.results.front().accepted_load, 1);
    EXPECT_EQ(run.tried.size(), 1U);  // 1; 2 and all between them are above what a link carries
}

// Three links for each packet, all in one direction: at most 1/3 flits/node/cycle.
TEST(Saturation, OfATornadoIsBelowTheRingsBound) {
    const TrafficRun run = saturation("torus:8", "tornado");
    EXPECT_LE(run.results.front().accepted_load, 1.0 / 3);
}

// Row 0 of a 4 x 4 mesh sends what is for column 0 over the link to node 0: three hosts share it, and as many
// that of the opposite corner. All others have room, so that of the packets of 12 hosts few are late beyond a
// third of a flit; what is late grows in number all the same.
TEST(Saturation, OfATransposeIsThatOfTheBusiestLink) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const double load = saturation("mesh:4x4", "transpose", 50'000, seed).experiment.traffic.load;
        EXPECT_LE(load, 1.0 / 3) << seed;
        EXPECT_GE(load, 0.9 / 3) << seed;
    }
}

TEST(Saturation, IsOfAPattern) {
    EXPECT_THROW(saturation("torus:8", "trace:x.csv"), InputError);
}

// 30 seeds where hosts are random and nobody says otherwise, each the run that it is alone.
TEST(TrafficSeeds, AreRunsOfTheirOwn) {
    TrafficExperiment e;
    e.network = "torus:4x4";
    e.nodes.node = node_parameters("wide");
    e.traffic.cycles = 500;
    EXPECT_EQ(e.runs(), 1U);
    e.nodes.host.jitter_cycles = 20;
    EXPECT_EQ(e.runs(), 30U);
    const Json json = to_json(run_traffic(e));
    double sum = 0;
    double sum_of_squares = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        TrafficExperiment one = e;
        one.nodes.seeds = 1;
        one.traffic.seed = seed;
        const double latency = run_traffic(one).results.front().latency_mean;
        sum += latency;
        sum_of_squares += latency * latency;
    }
    EXPECT_NEAR(json["latency_mean"].get<double>(), sum / 30, 1e-9);
    const double variance = (sum_of_squares - sum * sum / 30) / 29;
    // 2.045: the 0.975 quantile of Student's t with 29 degrees of freedom, from tables.
    EXPECT_NEAR(json["latency_mean_of_runs"]["half_interval"].get<double>(), 2.045 * std::sqrt(variance / 30),
                1e-3 * std::sqrt(variance));
}

// Two runs are enough for an interval: that of Student's t with one degree of freedom, tan(0.475 pi), and of
// three runs with two, 0.95 / sqrt(2 * 0.975 * 0.025).
TEST(TrafficSeeds, AreAsManyAsAreAskedFor) {
    for (const auto& [seeds, t] : {std::pair{2U, 12.7062}, {3U, 4.3027}}) {
        TrafficExperiment e;
        e.network = "torus:4x4";
        e.nodes.node = node_parameters("wide");
        e.nodes.seeds = seeds;
        e.traffic.cycles = 500;
        EXPECT_EQ(e.runs(), seeds);
        const TrafficRun run = run_traffic(e);
        ASSERT_EQ(run.results.size(), seeds);
        double sum = 0, squares = 0;
        for (const TrafficResult& result : run.results) sum += result.latency_mean;
        for (const TrafficResult& result : run.results)
            squares += (result.latency_mean - sum / seeds) * (result.latency_mean - sum / seeds);
        const double error = std::sqrt(squares / (seeds - 1) / seeds);
        EXPECT_GT(error, 0);
        EXPECT_NEAR(to_json(run)["latency_mean_of_runs"]["half_interval"].get<double>(), t * error,
                    1e-4 * error);
    }
}

/// 8 hosts with one server that takes 14 cycles for a packet: M/D/1 queues that are `busy` for this share of
/// the time, under 30 seeds from `seed` on.
bool queues_are_carried(double busy, std::uint64_t seed) {
    TrafficExperiment e;
    e.network = "torus:8";
    e.pattern = "neighbour";
    e.nodes.node.packet_flits = 4;
    e.nodes.node.routing = Routing::dimension_order;
    e.nodes.host.servers = 1;
    e.nodes.host.send_cycles = 10;
    e.nodes.seeds = 30;
    e.traffic = {.load = busy * 4 / 14, .packet_flits = 4, .warmup = detect_warmup, .seed = seed};
    return run_traffic(e).carried();
}

// 2% more than the servers can do leaves 114 of 5,700 packets over in 10,000 cycles, whose number varies by
// sqrt(5700) = 76: single runs miss that more often than not. In the second half it is 57 by 53, of 30
// runs 5.9 standard errors. Below their capacity queues do not grow: 1 sample in 20 seems to, of 10 more than
// 3 with a probability of 0.1%.
TEST(TrafficSeeds, TogetherShowAnExcessThatOneRunDoesNot) {
    EXPECT_FALSE(queues_are_carried(1.02, 1));
    EXPECT_FALSE(queues_are_carried(1.02, 1000));
    int carried = 0;
    for (std::uint64_t sample = 0; sample < 10; ++sample)
        carried += queues_are_carried(0.7, 1 + 30 * sample) ? 1 : 0;
    EXPECT_GE(carried, 7);
}

// The longer the runs, the higher the latency, with disjoint intervals: no number of seeds makes that
// carried.
TEST(TrafficSeeds, DoNotCarryALoadBeyondSaturation) {
    double latency = 0;
    for (const std::uint64_t cycles : {3'000U, 10'000U}) {
        TrafficExperiment e;
        e.network = "torus:4x4";
        e.nodes.node = node_parameters("wide");
        e.nodes.seeds = 30;
        e.traffic = {.load = 0.7, .warmup = detect_warmup, .cycles = cycles, .seed = 500};
        const TrafficRun run = run_traffic(e);
        EXPECT_FALSE(run.carried()) << cycles;
        const Sample mean = run.sample_of_packets(&TrafficResult::latency_mean);
        EXPECT_GT(mean.mean - mean.half_interval, latency);
        latency = mean.mean + mean.half_interval;
    }
}

// The measurement is of hosts that have all begun: what is offered is carried (of 16 hosts, 30 runs of 2,000
// cycles: 6,000 packets of 16 flits, 1.3% by chance).
TEST(TrafficSeeds, MeasureWhenAllHostsHaveBegun) {
    TrafficExperiment e;
    e.network = "torus:4x4";
    e.nodes.node = node_parameters("wide");
    e.nodes.host.start_skew_cycles = 20'000;
    e.traffic = {.load = 0.1, .warmup = detect_warmup, .cycles = 2'000};
    const TrafficRun run = run_traffic(e);
    EXPECT_NEAR(run.sample(&TrafficResult::accepted_load).mean, 0.1, 0.1 * 4 * 0.013);
    EXPECT_GE(run.sample(&TrafficResult::warmup).min, 20'500);
}

// One packet in 800 cycles on 16 nodes: seeds without one say nothing of latency, which is 2 H + F + 1 or
// more.
TEST(TrafficSeeds, WithoutAPacketAreNoPartOfLatency) {
    TrafficExperiment e;
    e.network = "torus:4x4";
    e.nodes.node = node_parameters("wide");
    e.nodes.seeds = 30;
    e.traffic = {.load = 0.02, .warmup = 0, .cycles = 20};
    const TrafficRun run = run_traffic(e);
    EXPECT_EQ(run.sample(&TrafficResult::packets).min, 0);
    EXPECT_GE(run.sample_of_packets(&TrafficResult::latency_mean).min, 2 + 16 + 1);
    EXPECT_LT(run.sample_of_packets(&TrafficResult::latency_mean).count, 30U);
}

// A latency that grows with the time that is measured is none.
TEST(Traffic, OfALoadThatIsNotCarriedHasNoLatency) {
    TrafficExperiment e;
    e.network = "torus:4";
    e.nodes.node = node_parameters("wide");
    e.traffic = {.load = 2, .packet_flits = 4, .warmup = 100, .cycles = 1'000};
    const Json flood = to_json(run_traffic(e));
    EXPECT_EQ(flood["carried"], false);
    e.traffic.load = 0.1;
    const Json light = to_json(run_traffic(e));
    EXPECT_EQ(light["carried"], true);
    for (const char* measure :
         {"latency_mean", "latency_median", "latency_p95", "latency_p99", "latency_max"}) {
        EXPECT_TRUE(flood[measure].is_null()) << measure;
        EXPECT_TRUE(light[measure].is_number()) << measure;
    }
    e.saturation = true;
    const Json search = to_json(run_traffic(e));
    for (const Json& tried : search["tried"])
        EXPECT_EQ(tried["latency_mean"].is_null(), !tried["carried"].get<bool>());
}

// A machine without work in a ring waits for the last that begins: with a skew S far above the ring's own
// time T, the all-gather takes the latest of n uniform starts and T more at most; in the mean n / (n + 1) S,
// with a standard deviation below S / n.
TEST(ClusterSeeds, AreRunsOfTheirOwn) {
    AllGatherExperiment e;
    e.cluster.network = "cluster:topology_d";
    e.message = 1024;
    const double in_step = run_allgather(e).result->seconds().mean;
    EXPECT_EQ(run_allgather(e).result->runs.size(), 1U);
    e.cluster.overrides = {"event.workstation.start_skew_us=1000000"};
    const Json json = to_json(run_allgather(e));
    EXPECT_EQ(json["seconds_of_runs"]["runs"], 30);
    EXPECT_NEAR(json["seconds"].get<double>(), 16.0 / 17, 4.0 / 16 / std::sqrt(30) + in_step);
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        AllGatherExperiment one = e;
        one.cluster.seeds = 1;
        one.cluster.seed = seed;
        const double seconds = to_json(run_allgather(one))["seconds"].get<double>();
        EXPECT_LE(seconds, 1 + in_step);
        sum += seconds;
    }
    EXPECT_NEAR(json["seconds"].get<double>(), sum / 30, 1e-9);
}

}  // namespace
}  // namespace interlace
