// Interlace: how long collectives over all links take to schedule and to prove, and how far they are from
// their bounds Copyright (c) 2026 the interlace authors SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <string>

#include "interlace/experiment/kinds/collective.h"
#include "peak_memory.h"

namespace interlace {
namespace {

struct Planned {
    const char *collective, *network;
    std::uint32_t chunks;
};

/// Those of docs/collectives.md that take longest or that a peer was measured on, and a million nodes.
constexpr Planned planned[] = {
    {"allgather", "torus:16x16", 4},           {"allgather", "torus:32x32", 1},
    {"allgather", "torus:10x10x10", 1},        {"allgather", "ibt:64x64:b=8,24", 1},
    {"allgather", "torus:100x100x100", 1},     {"alltoall", "torus:16x16x16", 1},
    {"alltoall", "torus:100x100x100", 1},      {"alltoall", "ibt:64x64:b=6", 1},
    {"alltoall", "ibt:64x64:b=14", 1},         {"alltoall", "ibt:64x64:b=4,16", 1},
    {"alltoall", "ibt:64x64:b=8,24", 1},       {"alltoall", "mesh:16x16", 1},
    {"alltoall", "torus:16x8x8:twist=8,8", 1}, {"scatter", "ibt:64x64:b=8,24", 1},
    {"barrier", "ibt:64x64:b=8,24", 1}};

void plan(benchmark::State& state, const Planned& which) {
    CollectiveExperiment experiment;
    experiment.collective = collective_of(which.collective);
    experiment.network = which.network;
    experiment.chunks = which.chunks;
    const PeakMemory memory;
    for (auto _ : state) {
        const CollectiveRun run = run_collective(experiment);
        state.counters["steps"] = run.report.steps;
        state.counters["lower_bound"] = run.bound.steps;
        state.counters["gap"] = run.gap();
        state.counters["nodes"] = run.network.node_count();
    }
    state.counters["peak_MiB"] = PeakMemory::mebibytes();
}

[[maybe_unused]] const bool registered = [] {
    for (const Planned& which : planned)
        benchmark::RegisterBenchmark(std::string("Collective/" + std::string(which.collective) + "/" +
                                                 which.network + "/" + std::to_string(which.chunks))
                                         .c_str(),
                                     plan, which)
            ->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
}  // namespace interlace
