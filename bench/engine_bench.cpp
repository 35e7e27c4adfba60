// Interlace: router-cycles per CPU second of each cycle engine under uniform traffic
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "interlace/experiment/traffic.h"

namespace interlace {
namespace {

/// The cases that BookSim2 was measured in (16-flit packets, two channels of 16 flits), with its
/// router-cycles per second on one core; `times_booksim` is the ratio to them, taken on another day.
struct Case {
    const char* network;
    double load;
    double booksim;
};

constexpr Case cases[] = {{"torus:8x8x8", 0.1, 0.61e6},
                          {"torus:8x8x8", 0.3, 0.26e6},
                          {"torus:16x16x16", 0.1, 0.16e6},
                          {"torus:64x64", 0.05, 0.18e6}};

void engine(benchmark::State& state, const Case& c, const std::string& name, const std::string& node) {
    TrafficExperiment experiment;
    experiment.network = c.network;
    experiment.engine = name;
    experiment.nodes.node = node_parameters(node);
    experiment.traffic.load = c.load;
    experiment.traffic.packet_flits = node == "bgl" ? 8 : 16;
    experiment.traffic.warmup = 200;
    experiment.traffic.cycles = name == "native" ? 2'000 : 300;
    double speed = 0;
    for (auto _ : state) {
        const TrafficRun run = run_traffic(experiment);
        speed = std::max(speed, run.router_cycles_per_second());
    }
    state.counters["router_cycles/s"] = speed;
    state.counters["times_booksim"] = speed / c.booksim;
}

const bool registered = [] {
    for (const char* node : {"wide", "bgl"})
        for (const char* name : {"native", "systemc", "rtl"})
            for (const Case& c : cases) {
                if (std::string(name) != "native" && std::string(c.network) != "torus:8x8x8") continue;
                benchmark::RegisterBenchmark(
                    fmt::format("{}/{}/{}/load:{}", name, node, c.network, c.load).c_str(), engine, c, name,
                    node)
                    ->Iterations(2)
                    ->Unit(benchmark::kSecond);
            }
    return true;
}();

}  // namespace
}  // namespace interlace
