// Interlace: lockstep for the long haul: random configurations until the time is up
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>

#include "interlace/engine/native/native.h"
#include "interlace/engine/systemc/systemc.h"
#include "interlace/engine/verilated/verilated.h"
#include "lockstep/random_configuration.h"

namespace interlace {
namespace {

const std::vector<EngineUnderTest> engines = {
    {"native", [](const Fabric& fabric, const auto& nodes,
                  const auto& tables) { return native_region(fabric, nodes, &tables); }},
    {"rtl", [](const Fabric& fabric, const auto& nodes,
               const auto& tables) { return verilated_region(fabric, nodes, &tables); }},
    {"systemc", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
         return systemc_region(fabric, nodes, &tables);
     }}};

/// 0 if all agreed until the time was up, 1 at the first difference.
int run(double hours, std::uint64_t seed, std::uint64_t cycles) {
    using Clock = std::chrono::steady_clock;
    for (const std::uint32_t ports : built_ports)
        for (const std::uint32_t pipeline : {1U, 6U}) systemc_reserve(ports, 36, pipeline);
    const auto begin = Clock::now();
    std::uint64_t configurations = 0;
    std::uint64_t packets = 0;
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count() / 3600; };
    for (; elapsed() < hours; ++configurations) {
        const Configuration configuration = random_configuration(seed + configurations, true);
        try {
            packets += run_lockstep(configuration, cycles, engines, "interlace-lockstep.vcd");
        } catch (const LockstepError& error) {
            fmt::print("{}\n{}\n", configuration.text, error.what());
            return 1;
        }
        if (configurations % 100 == 0)
            fmt::print(stderr, "\r{:.2f} h, {} configurations", elapsed(), configurations + 1);
    }
    fmt::print("\n{} configurations of {} cycles, {} packets: no difference\n", configurations, cycles,
               packets);
    return 0;
}

}  // namespace
}  // namespace interlace

int main(int argc, char** argv) {
    CLI::App app("Runs random configurations on native, RTL and SystemC nodes side by side");
    double hours = 1;
    std::uint64_t seed = 1'000'000;
    std::uint64_t cycles = 2'000;
    app.add_option("--hours", hours, "Time to run")->capture_default_str();
    app.add_option("--seed", seed, "Of the first configuration; the next have the next")
        ->capture_default_str();
    app.add_option("--cycles", cycles, "Of each configuration")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return interlace::run(hours, seed, cycles);
}
