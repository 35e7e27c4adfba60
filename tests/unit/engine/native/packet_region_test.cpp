// Interlace: nodes that are run packet by packet are those that are run flit by flit
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "packet_region.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "flit_region.h"
#include "interlace/harness/traffic/traffic.h"
#include "lockstep/random_configuration.h"

namespace interlace {
namespace {

const EngineUnderTest packets = {"packets", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                     return native::packet_region(fabric, nodes, &tables);
                                 }};
const EngineUnderTest flits = {"flits", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                   return native::flit_region(fabric, nodes, &tables);
                               }};

// Every pin in every cycle, and every count, the flits being written one by one. For the long haul,
// PACKETS=10000.
TEST(PacketRegion, IsTheFlitRegionInEveryPinOnRandomConfigurations) {
    const char* wanted = std::getenv("PACKETS");
    const std::uint64_t configurations = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 300;
    std::uint64_t tried = 0, arrived = 0;
    for (std::uint64_t seed = 0; tried < configurations; ++seed) {
        const Configuration configuration = random_configuration(seed);
        if (configuration.node.switching == Switching::wormhole) continue;
        ++tried;
        SCOPED_TRACE(configuration.text);
        ASSERT_NO_THROW(arrived += run_lockstep(configuration, 1500, {packets, flits}));
    }
    EXPECT_GT(arrived, 300 * configurations);
}

struct Seen {
    TrafficResult traffic;
    Usage use;
    std::vector<std::vector<QueueUse>> queues = {};             // [node]
    std::vector<std::vector<std::uint64_t>> stall_cycles = {};  // [node]
    bool whole = false;                                         // hosts hand packets over
};

Seen run_traffic(const Configuration& c, const TrafficOptions& options, const TrafficHostOptions& hosts,
                 const EngineUnderTest& engine) {
    const Fabric fabric(c.network, c.node, c.links);
    const PortTables tables = routing_tables(c.network, fabric).ports;
    std::vector<Machine::Part> parts;
    parts.push_back({all_nodes(fabric), engine.make(fabric, all_nodes(fabric), tables)});
    Machine machine(fabric, std::move(parts));
    Seen seen;
    seen.whole = machine.takes_packets();
    machine.watch({.occupancy = true, .each_queue = true});
    seen.traffic = run_synthetic_traffic(fabric, machine, options, hosts);
    seen.use = machine.usage();
    for (const NodeId node : all_nodes(fabric)) {
        seen.queues.push_back(machine.queues(node));
        seen.stall_cycles.push_back(machine.stall_cycles(node));
    }
    return seen;
}

/// Random traffic for a configuration with coordinates.
TrafficOptions random_traffic_for(const Configuration& c, std::uint64_t seed) {
    TrafficOptions options;
    options.packet_flits = c.node.packet_flits;
    if (options.packet_flits > 1 && random_bits(seed, 88, 0) % 2 == 0)
        options.sizes = {{1, 0.5}, {options.packet_flits, 0.5}};
    options.load = c.traffic.load;
    options.warmup = 300;
    options.cycles = 900;
    options.seed = seed;
    options.mix.high_priority = 0.2;
    if (c.node.routing == Routing::adaptive_bubble && !c.network.name().starts_with("ibt"))
        options.mix.deterministic = 0.2;
    return options;
}

// Hosts hand over whole packets, or, where the queue has no room for one, its flits; some take time, and
// their reception queues are followed flit by flit. All that the harness measures and every count are the
// same, in 200 random configurations of every routing that traffic has.
TEST(PacketRegion, CarriesTrafficAsTheFlitRegionDoes) {
    std::uint32_t tried = 0, whole = 0;
    for (std::uint64_t seed = 1'000'000; tried < 200; ++seed) {
        Configuration c = random_configuration(seed);
        if (c.node.switching == Switching::wormhole || !c.network.lattice() || c.node.vcs < 2) continue;
        ++tried;
        SCOPED_TRACE(c.text);
        const TrafficOptions options = random_traffic_for(c, seed);
        TrafficHostOptions hosts;
        if (options.sizes.empty() && random_bits(seed, 88, 1) % 3 == 0)
            hosts.host = {.servers = 2, .send_cycles = 5, .receive_cycles = 7, .jitter_cycles = 3};
        const Seen one = run_traffic(c, options, hosts, packets),
                   other = run_traffic(c, options, hosts, flits);
        whole += one.whole ? 1 : 0;
        EXPECT_FALSE(other.whole);
        EXPECT_EQ(one.use, other.use);
        EXPECT_EQ(one.queues, other.queues);
        EXPECT_EQ(one.stall_cycles, other.stall_cycles);
        EXPECT_EQ(one.traffic.latency_mean, other.traffic.latency_mean);
        EXPECT_EQ(one.traffic.latency_max, other.traffic.latency_max);
        EXPECT_EQ(one.traffic.packets_taken, other.traffic.packets_taken);
        EXPECT_EQ(one.traffic.packets_under_way, other.traffic.packets_under_way);
        EXPECT_EQ(one.traffic.mean_hops, other.traffic.mean_hops);
        EXPECT_EQ(one.traffic.cycles, other.traffic.cycles);
        EXPECT_EQ(one.traffic.injection_stalls, other.traffic.injection_stalls);
    }
    EXPECT_EQ(whole, tried);
}

}  // namespace
}  // namespace interlace
