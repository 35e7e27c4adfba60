// Interlace: latencies beside BookSim2's
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "booksim.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interlace/experiment/kinds/traffic.h"

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
    return run_traffic(e).results.front().latency_median;  // of fixed distances next to nothing waits
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

struct Saturation {
    std::string network, routing, pattern, their_pattern;
};

void PrintTo(const Saturation& s, std::ostream* out) {
    *out << s.network << ' ' << s.pattern;
}

/// Every channel has a way of its own into the switch (their input_speedup), where a packet has its output to
/// itself, and a queue of packets from the host. On a torus they give half of the channels to packets that
/// pass a ring's wrap, half to those that pass its middle, either to the others (dim_order_bal).
bool booksim_carries(const Saturation& s, std::uint32_t vcs, double load) {
    const std::string text = booksim_output(fmt::format(
        "topology = {}; k = 8; n = 2; routing_function = {}; num_vcs = {}; input_speedup = {}; vc_buf_size = "
        "64;\n"
        "packet_size = 8; use_noc_latency = 0; routing_delay = 0; vc_alloc_delay = 1; sw_alloc_delay = 1;\n"
        "st_final_delay = 1; speculative = 1; traffic = {}; injection_rate_uses_flits = 1; injection_rate = "
        "{};\nsim_type = throughput; hold_switch_for_packet = 1; sample_period = 10000; warmup_periods = 2; "
        "max_samples = 4;\n",
        s.network, s.routing, vcs, vcs, s.their_pattern, load));
    return number_after(text, "Accepted flit rate average = ") >= 0.98 * load;
}

bool we_carry(const Saturation& s, std::uint32_t vcs, double load) {
    TrafficExperiment e;
    e.network = s.network + ":8x8";
    e.pattern = s.pattern;
    e.nodes.node = node_parameters("wide");
    e.nodes.node.vcs = e.nodes.node.injection_queues = vcs;
    e.nodes.node.vc_depth = 64;
    e.nodes.node.switching = Switching::virtual_cut_through;
    e.nodes.node.reception_queues = 4;  // one a port: theirs take a flit a cycle from each
    e.nodes.links.latency = 2;
    e.traffic = {.load = load, .packet_flits = 8, .warmup = 20'000, .cycles = 40'000};
    const TrafficResult result = run_traffic(e).results.front();
    // What is for the node itself is never late: theirs take it at once, ours do not make it.
    return result.generated_load - result.accepted_load <= 0.02 * load;
}

double saturation(const Saturation& s, std::uint32_t vcs) {
    double low = 0, high = 2;
    while (high - low > 0.002) {
        const double load = (low + high) / 2;
        (we_carry(s, vcs, load) ? low : high) = load;
    }
    return low;
}

class BookSim2Saturation : public testing::TestWithParam<Saturation> {};

// 98% of what is offered is taken, in both: up to a load that differs by less than 5%. A 64th of their
// uniform packets are for their own node and never enter the network; ours all do.
TEST_P(BookSim2Saturation, DiffersByLessThanATwentieth) {
    if (std::getenv("BOOKSIM") == nullptr) GTEST_SKIP() << "BOOKSIM names no BookSim2";
    for (const std::uint32_t vcs : {2U, 4U}) {
        const double ours = saturation(GetParam(), vcs) * (GetParam().pattern == "uniform" ? 64 / 63.0 : 1);
        EXPECT_TRUE(booksim_carries(GetParam(), vcs, 0.95 * ours)) << vcs << " channels, " << ours;
        EXPECT_FALSE(booksim_carries(GetParam(), vcs, 1.05 * ours)) << vcs << " channels, " << ours;
    }
}

INSTANTIATE_TEST_SUITE_P(Patterns, BookSim2Saturation,
                         testing::Values(Saturation{"mesh", "dim_order", "uniform", "uniform"},
                                         Saturation{"mesh", "dim_order", "transpose", "transpose"},
                                         Saturation{"mesh", "dim_order", "tornado", "tornado"},
                                         Saturation{"mesh", "dim_order", "bit_complement", "bitcomp"},
                                         Saturation{"torus", "dim_order_bal", "uniform", "uniform"},
                                         Saturation{"torus", "dim_order_bal", "transpose", "transpose"},
                                         Saturation{"torus", "dim_order_bal", "tornado", "tornado"}),
                         [](const auto& test) { return test.param.network + "_" + test.param.pattern; });

}  // namespace
}  // namespace interlace
