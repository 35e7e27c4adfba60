// Interlace: throughput and memory of metrics, step engine and optimal scheduler
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "interlace/broadcast/torus/optimal.h"
#include "interlace/broadcast/torus/spanning_trees.h"
#include "interlace/engine/step/step.h"
#include "interlace/network/metrics.h"
#include "peak_memory.h"

namespace interlace {
namespace {

void report(benchmark::State& state, const Network& network, std::uint32_t packets, std::uint64_t hops) {
    state.counters["nodes"] = network.node_count();
    state.counters["packets"] = packets;
    state.counters["peak_MiB"] = PeakMemory::mebibytes();
    if (hops > 0)
        state.counters["packet_hops/s"] =
            benchmark::Counter(static_cast<double>(hops), benchmark::Counter::kIsIterationInvariantRate);
}

void metrics(benchmark::State& state, const std::string& name) {
    const PeakMemory peak;
    const Network network = make_network(name);
    for (auto _ : state) benchmark::DoNotOptimize(measure_network(make_network(name)));
    report(state, network, 0, 0);
}

void step_engine(benchmark::State& state, const std::string& name, std::uint32_t packets) {
    const PeakMemory peak;
    const Network network = make_network(name);
    const Group group = global_group(network);
    std::vector<std::uint32_t> axes(network.lattice()->dimensions());
    for (std::uint32_t i = 0; i < axes.size(); ++i) axes[i] = i;
    const Program program(network, NodeId{0}, packets,
                          spanning_tree_broadcast(network, NodeId{0}, axes, packets));
    for (auto _ : state) benchmark::DoNotOptimize(run_steps(network, group, program));
    report(state, network, packets, program.send_count());
}

void optimal(benchmark::State& state, const std::string& name, std::uint32_t packets) {
    const PeakMemory peak;
    const Network network = make_network(name);
    const Group group = global_group(network);
    std::uint64_t hops = 0;
    OptimalBroadcast best;
    for (auto _ : state) {
        best = optimal_broadcast(network, group, NodeId{0}, packets);
        hops = best.sends.size();
    }
    report(state, network, packets, hops);
    state.counters["steps"] = best.steps;
    state.counters["bound"] = best.bound.steps;
}

BENCHMARK_CAPTURE(metrics, ibt_1000x1000, "ibt:1000x1000:b=8,32")->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(metrics, torus_100x100x100, "torus:100x100x100")->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(step_engine, torus_64x64, "torus:64x64", 32)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(step_engine, torus_100x100x100, "torus:100x100x100", 32)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(optimal, ibt_64x64, "ibt:64x64:b=8,24", 32)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(optimal, ibt_64x64_512_packets, "ibt:64x64:b=8,24", 512)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(optimal, ibt_1000x1000, "ibt:1000x1000:b=8,32", 32)
    ->Unit(benchmark::kSecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(optimal, torus_100x100x100, "torus:100x100x100", 32)
    ->Unit(benchmark::kSecond)
    ->Iterations(1);

}  // namespace
}  // namespace interlace
