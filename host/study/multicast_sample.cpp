// Interlace: multicasts among random machines of random networks
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "multicast_sample.h"

#include <fmt/format.h>

#include <numeric>

#include "interlace/core/random.h"
#include "interlace/experiment/kinds/multicast.h"

namespace interlace {
namespace {

constexpr std::uint32_t sets_of_a_network = 10;

/// 0 to `count` - 1 in an order drawn for a case.
std::vector<std::uint32_t> shuffled(std::uint32_t count, std::uint64_t seed, std::uint64_t stream) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    for (std::uint32_t i = count; i > 1; --i)
        std::swap(order[i - 1], order[random_bits(seed, stream, i) % i]);
    return order;
}

MulticastExperiment draw(const MulticastPoint& point, std::uint32_t machines, std::uint32_t number) {
    MulticastExperiment e;
    const std::uint64_t seed = random_bits(point.seed, 7, number);
    e.cluster.network = point.network;
    e.cluster.engine = point.engine;
    if (point.engine == "native") {
        e.cluster.overrides = {fmt::format("network.seed={}", 1 + number / sets_of_a_network)};
        e.cluster.routing = "up_down";
    }
    e.message = point.message;
    const std::vector<std::uint32_t> speeds = shuffled(machines, seed, 0);
    e.start_us.assign(machines, point.slow_us);
    for (std::uint32_t i = 0; i < machines * point.fast_percent / 100; ++i)
        e.start_us[speeds[i]] = point.fast_us;
    // The fast ones first: the factor that the paper gives SPOC is not possible from a slow source.
    e.sources.assign(speeds.begin(), speeds.begin() + point.sources);
    for (const std::uint32_t m : shuffled(machines, seed, 1)) {
        if (e.destinations.size() == point.destinations) break;
        if (point.sources > 1 || m != e.sources.front()) e.destinations.push_back(m);
    }
    return e;
}

}  // namespace

std::vector<double> multicast_latencies_us(const MulticastPoint& point, const std::string& algorithm) {
    const std::uint32_t machines = make_network(point.network).endpoint_count();
    std::vector<double> latencies;
    for (std::uint32_t i = 0; i < point.samples; ++i) {
        MulticastExperiment e = draw(point, machines, i);
        e.algorithm = algorithm;
        latencies.push_back(run_multicast(e).result->seconds().mean * 1e6);
    }
    return latencies;
}

}  // namespace interlace
