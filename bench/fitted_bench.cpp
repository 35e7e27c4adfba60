// Interlace: router-cycles per CPU second of SystemC nodes built for one configuration
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <numeric>

#include "booksim.h"
#include "interlace/harness/traffic/traffic.h"
#include "systemc_region.h"

/// libsystemc asks for it.
int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

namespace interlace {
namespace {

using SystemC = detail::SystemCRegion<systemc::Node<6, 2, 1, 1>>;

/// The environment's CYCLES to be measured; 1000 without it.
std::uint64_t cycles() {
    const char* text = std::getenv("CYCLES");
    return text != nullptr ? std::strtoull(text, nullptr, 10) : 1'000;
}

/// Uniform traffic on nodes of the set `wide` whose build parameters are that set's values.
void fitted(benchmark::State& state, const BookSim& c) {
    const Network network = make_network(c.network);
    const Fabric fabric(network, node_parameters("wide"));
    std::vector<NodeId> nodes(network.node_count(), NodeId{0});
    for (std::uint32_t v = 0; v < nodes.size(); ++v) nodes[v] = NodeId{v};
    TrafficOptions traffic;
    traffic.load = c.load;
    traffic.warmup = 200;
    traffic.cycles = cycles();
    double speed = 0;
    for (auto _ : state) {
        std::vector<Machine::Part> parts;
        parts.push_back({nodes, std::make_unique<SystemC>(fabric, nodes, nullptr)});
        Machine machine(fabric, std::move(parts));
        const std::clock_t start = std::clock();
        const TrafficResult result = run_synthetic_traffic(fabric, machine, traffic);
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        speed = std::max(speed, static_cast<double>(result.cycles) * fabric.nodes / seconds);
    }
    state.counters["router_cycles/s"] = speed;
    state.counters["times_booksim"] = speed / booksim_router_cycles(c);
}

const bool fitted_registered = [] {
    for (const BookSim& c : booksim_cases) {
        if (std::string(c.network) != "torus:8x8x8") continue;
        benchmark::RegisterBenchmark(fmt::format("systemc/fitted/{}/load:{}", c.network, c.load).c_str(),
                                     fitted, c)
            ->Iterations(2)
            ->Unit(benchmark::kSecond);
    }
    return true;
}();

}  // namespace
}  // namespace interlace
