// Interlace: nodes in another process beside nodes in this one (docs/hil.md, Speed)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <numeric>

#include "interlace/experiment/device.h"
#include "interlace/experiment/traffic.h"

namespace interlace {
namespace {

/// A process that serves one host after the other, until it is killed.
class DeviceProcess {
  public:
    explicit DeviceProcess(const std::string& transport)
        : address_(fmt::format("{}:/tmp/interlace_bench_{}", transport, ::getpid())), process_(::fork()) {
        if (process_ != 0) return;
        const auto listener = listen_at(address_);
        while (true) {
            const auto channel = listener->accept();
            serve(*channel, [](const DeviceRequest& request) { return make_device("rtl", request); });
        }
    }
    DeviceProcess(const DeviceProcess&) = delete;
    DeviceProcess& operator=(const DeviceProcess&) = delete;
    ~DeviceProcess() {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    const std::string& address() const { return address_; }

  private:
    std::string address_;
    pid_t process_;
};

double seconds_of(const TrafficExperiment& experiment) {
    const auto begin = std::chrono::steady_clock::now();
    run_traffic(experiment);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Of as many of these at once, each in a process of its own: what the machine's cores do for one another.
double seconds_of_two(const TrafficExperiment& experiment) {
    const auto begin = std::chrono::steady_clock::now();
    const pid_t other = ::fork();
    run_traffic(experiment);
    if (other == 0) ::_exit(0);
    ::waitpid(other, nullptr, 0);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TrafficExperiment uniform(const char* network, double load, std::uint64_t cycles, std::uint32_t latency) {
    TrafficExperiment experiment;
    experiment.network = network;
    experiment.nodes.node = node_parameters("wide");
    experiment.nodes.links.latency = latency;
    experiment.nodes.occupancy = false;
    experiment.traffic.load = load;
    experiment.traffic.packet_flits = 16;
    experiment.traffic.warmup = 200;
    experiment.traffic.cycles = cycles;
    return experiment;
}

/// Two RTL nodes among native ones: what asking costs.
void two_nodes(benchmark::State& state, const char* transport, std::uint32_t latency) {
    constexpr std::uint64_t cycles = 40'000;
    TrafficExperiment inside = uniform("torus:4x4", 0.3, cycles, latency);
    TrafficExperiment outside = inside;
    inside.nodes.rtl_nodes = "1,2";
    const DeviceProcess device(transport);
    outside.nodes.devices = {"1,2=" + device.address()};
    double in_process = 1e9;
    double in_another = 1e9;
    for (auto _ : state) {
        in_process = std::min(in_process, seconds_of(inside));
        in_another = std::min(in_another, seconds_of(outside));
    }
    state.counters["us_a_cycle"] = in_another / cycles * 1e6;
    state.counters["times_in_process"] = in_another / in_process;
}

/// 512 RTL nodes in one process, and half of them in another.
void halves(benchmark::State& state, const char* transport, double load) {
    TrafficExperiment one = uniform("torus:8x8x8", load, 3'000, 8);
    one.engine = "rtl";
    TrafficExperiment two = one;
    const DeviceProcess device(transport);
    std::vector<std::uint32_t> half(256);
    std::iota(half.begin(), half.end(), 256U);
    two.nodes.devices = {fmt::format("{}={}", fmt::join(half, ","), device.address())};
    double alone = 1e9;
    double split = 1e9;
    double both = 1e9;
    for (auto _ : state) {
        alone = std::min(alone, seconds_of(one));
        split = std::min(split, seconds_of(two));
        both = std::min(both, seconds_of_two(one));
    }
    state.counters["speed_up"] = alone / split;
    state.counters["limit"] = 2 * alone / both;
}

const bool registered = [] {
    for (const char* transport : {"shm", "unix"}) {
        for (const std::uint32_t latency : {1U, 8U})
            benchmark::RegisterBenchmark(
                fmt::format("device/two_nodes/{}/latency:{}", transport, latency).c_str(), two_nodes,
                transport, latency)
                ->Iterations(5)
                ->Unit(benchmark::kSecond);
        for (const double load : {0.1, 0.3})
            benchmark::RegisterBenchmark(fmt::format("device/halves/{}/load:{}", transport, load).c_str(),
                                         halves, transport, load)
                ->Iterations(3)
                ->Unit(benchmark::kSecond);
    }
    return true;
}();

}  // namespace
}  // namespace interlace
