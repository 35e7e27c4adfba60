// Interlace: router-cycles per CPU second of each cycle engine under uniform traffic
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "booksim.h"
#include "interlace/experiment/kinds/traffic.h"

namespace interlace {
namespace {

/// A shipped set; or `cut_through`, which is `wide` without worms: channels of one packet.
NodeParameters parameters_of(const std::string& node) {
    if (node != "cut_through") return node_parameters(node);
    NodeParameters parameters = node_parameters("wide");
    parameters.switching = Switching::virtual_cut_through;
    parameters.packet_flits = parameters.vc_depth;
    return parameters;
}

void engine(benchmark::State& state, const BookSim& c, const std::string& name, const std::string& node) {
    TrafficExperiment experiment;
    experiment.network = c.network;
    experiment.engine = name;
    experiment.nodes.node = parameters_of(node);
    experiment.nodes.occupancy = false;  // BookSim2 does not count it either
    experiment.traffic.load = c.load;
    experiment.traffic.packet_flits = node == "bgl" ? 8 : 16;
    experiment.traffic.warmup = 200;
    experiment.traffic.cycles = name == "native" ? 2'000 : 300;
    double speed = 0, accepted = 0;
    for (auto _ : state) {
        const TrafficRun run = run_traffic(experiment);
        speed = std::max(speed, run.router_cycles_per_second());
        accepted = run.results.front().accepted_load;
    }
    state.counters["accepted"] = accepted;
    state.counters["router_cycles/s"] = speed;
    state.counters["times_booksim"] = speed / booksim_router_cycles(c);
}

const bool engine_registered = [] {
    for (const char* node : {"wide", "cut_through", "bgl"})
        for (const char* name : {"native", "systemc", "rtl"})
            for (const BookSim& c : booksim_cases) {
                const bool native = std::string(name) == "native";
                if (!native &&
                    (std::string(c.network) != "torus:8x8x8" || std::string(node) == "cut_through"))
                    continue;
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
