// Interlace: what nodes of RTL among native ones leave of their speed
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "interlace/experiment/kinds/traffic.h"
#include "spread.h"

namespace interlace {
namespace {

/// CPU seconds of uniform traffic on torus:8x8x8, packets of 16 flits under cut-through, load 0.1.
double seconds(const std::string& rtl_nodes, std::uint64_t cycles) {
    TrafficExperiment experiment;
    experiment.network = "torus:8x8x8";
    experiment.engine = "native";
    experiment.nodes.node = node_parameters("wide");
    experiment.nodes.node.switching = Switching::virtual_cut_through;
    experiment.nodes.node.packet_flits = experiment.nodes.node.vc_depth;
    experiment.nodes.rtl_nodes = rtl_nodes;
    experiment.nodes.occupancy = false;
    experiment.traffic.load = 0.1;
    experiment.traffic.packet_flits = 16;
    experiment.traffic.warmup = 1000;
    experiment.traffic.cycles = cycles;
    const std::clock_t begin = std::clock();
    run_traffic(experiment);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Native nodes alone and with some of RTL in turn: `share`, the median of the rates of the second relative
/// to those of the first, without what comes before the first cycle, and the least and the most.
void hardware(benchmark::State& state, const std::string& rtl_nodes) {
    constexpr std::uint64_t few = 20'000, many = 120'000;
    const auto of_cycles = [](const std::string& nodes) {
        return seconds(nodes, many) - seconds(nodes, few);
    };
    std::vector<double> shares;
    for (auto _ : state) {
        const double native = of_cycles("");
        shares.push_back(native / of_cycles(rtl_nodes));
    }
    count_spread(state, "share", std::move(shares));
}

const bool hardware_registered = [] {
    for (const auto& [count, nodes] : {std::pair{1, "5"}, {8, "1,64,100,130,200,255,400,500"}})
        benchmark::RegisterBenchmark(fmt::format("hardware/torus:8x8x8/load:0.1/rtl_nodes:{}", count).c_str(),
                                     hardware, std::string(nodes))
            ->Iterations(7)
            ->Unit(benchmark::kSecond);
    return true;
}();

}  // namespace
}  // namespace interlace
