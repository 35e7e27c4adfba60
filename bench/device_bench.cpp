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

#include "interlace/experiment/kinds/traffic.h"
#include "interlace/experiment/nodes/device.h"

namespace interlace {
namespace {

/// A process that listens, and does `serve_one` with one who comes after the other, until it is killed.
class DeviceProcess {
  public:
    template <class ServeOne>
    DeviceProcess(const std::string& transport, const ServeOne& serve_one)
        : address_(transport == "tcp" ? "tcp:" + std::to_string(20'000 + ::getpid() % 20'000)
                                      : fmt::format("{}:/tmp/interlace_bench_{}", transport, ::getpid())),
          process_(::fork()) {
        if (process_ != 0) return;
        const auto listener = listen_at(address_);
        while (true) serve_one(*listener->accept());
    }
    explicit DeviceProcess(const std::string& transport)
        : DeviceProcess(transport, [](Channel& channel) {
              serve(channel, [](const DeviceRequest& request) { return make_device("rtl", request); });
          }) {}
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

/// Pieces of so many bytes to another process and back, one after the other.
void round_trip(benchmark::State& state, const char* transport, std::size_t bytes) {
    const DeviceProcess echo(transport, [](Channel& channel) {
        try {
            while (true) channel.send(channel.receive(std::chrono::seconds(1)));
        } catch (const ChannelClosed&) {
        }
    });
    const auto channel = connect_to(echo.address(), std::chrono::seconds(5));
    const Bytes piece(bytes, 1);
    for (auto _ : state) {
        channel->send(piece);
        for (std::size_t back = 0; back < bytes;) back += channel->receive(std::chrono::seconds(1)).size();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes * 2));
}

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
void shared(benchmark::State& state, const char* transport, double load) {
    TrafficExperiment one = uniform("torus:8x8x8", load, 3'000, 8);
    one.engine = "rtl";
    TrafficExperiment two = one;
    const DeviceProcess device(transport);
    std::vector<std::uint32_t> others(256);
    std::iota(others.begin(), others.end(), 256U);
    two.nodes.devices = {fmt::format("{}={}", fmt::join(others, ","), device.address())};
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

const bool device_registered = [] {
    for (const char* transport : {"shm", "unix", "tcp"}) {
        for (const std::size_t bytes : {std::size_t{64}, std::size_t{1} << 16U})
            benchmark::RegisterBenchmark(fmt::format("device/round_trip/{}/{}", transport, bytes).c_str(),
                                         round_trip, transport, bytes)
                ->UseRealTime();
        for (const std::uint32_t latency : {1U, 8U})
            benchmark::RegisterBenchmark(
                fmt::format("device/two_nodes/{}/latency:{}", transport, latency).c_str(), two_nodes,
                transport, latency)
                ->Iterations(5)
                ->Unit(benchmark::kSecond);
        for (const double load : {0.1, 0.3})
            benchmark::RegisterBenchmark(fmt::format("device/shared/{}/load:{}", transport, load).c_str(),
                                         shared, transport, load)
                ->Iterations(3)
                ->Unit(benchmark::kSecond);
    }
    return true;
}();

}  // namespace
}  // namespace interlace
