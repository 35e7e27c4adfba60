// Interlace: what a second thread gains on native nodes under uniform traffic
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <utility>
#include <vector>

#include "interlace/experiment/kinds/traffic.h"
#include "spread.h"

namespace interlace {
namespace {

struct Case {
    const char* network;
    const char* links;
    double load;           // flits/node/cycle
    std::uint64_t cycles;  // enough to dwarf what comes before the first
    bool worms = false;    // else packets cut through
};

/// Both take part in the same run of the benchmark, in turn: `gain`, the median of the ratios of wall-clock
/// times, set-up included, and the least and the most.
void threads(benchmark::State& state, const Case& c, std::uint32_t count) {
    TrafficExperiment experiment;
    experiment.network = c.network;
    experiment.engine = "native";
    experiment.nodes.node = node_parameters("wide");
    if (!c.worms) {
        experiment.nodes.node.switching = Switching::virtual_cut_through;
        experiment.nodes.node.packet_flits = experiment.nodes.node.vc_depth;
    }
    experiment.nodes.links = link_parameters(c.links);
    experiment.traffic.load = c.load;
    experiment.traffic.packet_flits = 16;
    experiment.traffic.warmup = 200;
    experiment.traffic.cycles = c.cycles;
    const auto seconds = [&](std::uint32_t regions) {
        experiment.nodes.regions = experiment.nodes.threads = regions;
        const auto begin = std::chrono::steady_clock::now();
        run_traffic(experiment);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    std::vector<double> gains;
    for (auto _ : state) {
        const double one = seconds(1);
        gains.push_back(one / seconds(count));
    }
    count_spread(state, "gain", std::move(gains));
}

const bool threads_registered = [] {
    for (const Case& c : {Case{"torus:16x16x16", "unit", 0.1, 8'000},
                          {"torus:16x16x16", "bgl", 0.02, 60'000},
                          {"torus:64x64", "unit", 0.05, 8'000},
                          {"torus:64x64", "bgl", 0.01, 60'000},
                          {"torus:16x16x16", "unit", 0.1, 3'000, true},
                          {"torus:64x64", "unit", 0.05, 4'000, true}})
        benchmark::RegisterBenchmark(fmt::format("threads/{}/{}/load:{}/threads:2{}", c.network, c.links,
                                                 c.load, c.worms ? "/worms" : "")
                                         .c_str(),
                                     threads, c, 2U)
            ->Iterations(7)
            ->Unit(benchmark::kSecond);
    return true;
}();

}  // namespace
}  // namespace interlace
