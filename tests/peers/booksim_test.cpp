// Interlace: latencies beside BookSim2's
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "booksim.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interlace/experiment/traffic.h"

namespace interlace {
namespace {

constexpr double next_to_nothing = 0.0005;

/// BookSim2 with routers of two cycles (allocation, speculative, and the switch) and channels of one.
double booksim_latency(std::uint32_t size, const std::string& pattern) {
    const std::string text = booksim_output(fmt::format(
        "topology = torus; k = {}; n = 2; routing_function = dim_order; num_vcs = 2; vc_buf_size = 64;\n"
        "packet_size = 16; use_noc_latency = 0; routing_delay = 0; vc_alloc_delay = 1; sw_alloc_delay = 1;\n"
        "st_final_delay = 1; speculative = 1; traffic = {}; injection_rate_uses_flits = 1; injection_rate = "
        "{};\nsim_type = latency; sample_period = 20000; warmup_periods = 1; max_samples = 5;\n",
        size, pattern, next_to_nothing));
    const std::size_t begin = text.rfind("Packet latency average");
    if (begin == std::string::npos) throw std::runtime_error("BOOKSIM: no latency in what it prints");
    return number_after(text.substr(begin, text.find("maximum", begin) - begin), "minimum = ");
}

/// Nodes whose routers take one cycle, and links of two: three a hop too.
std::uint64_t latency(std::uint32_t size, const std::string& pattern) {
    TrafficExperiment e;
    e.network = fmt::format("torus:{}x{}", size, size);
    e.pattern = pattern;
    e.nodes.node = node_parameters("wide");
    e.nodes.node.vc_depth = 64;
    e.nodes.links.latency = 2;
    e.traffic = {.load = next_to_nothing, .packet_flits = 16, .warmup = 0, .cycles = 100'000};
    return run_traffic(e).result.latency_median;  // of fixed distances next to nothing waits
}

// Three cycles a hop and the 16 flits: over 2, 6 and 14 links. BookSim2's packets go through a router and a
// channel more, the last one's to its host; ours leave the last node at once.
TEST(BookSim2, HasTheSameZeroLoadLatencyHopForHop) {
    if (std::getenv("BOOKSIM") == nullptr) GTEST_SKIP() << "BOOKSIM names no BookSim2";
    for (const auto& [size, theirs, ours, links] : {std::tuple{8U, "neighbor", "neighbour", 2U},
                                                    {8U, "tornado", "tornado", 6U},
                                                    {16U, "tornado", "tornado", 14U}}) {
        EXPECT_EQ(latency(size, ours), 3 * links + 17) << links;
        EXPECT_EQ(booksim_latency(size, theirs), latency(size, ours) + 3) << links;
    }
}

}  // namespace
}  // namespace interlace
