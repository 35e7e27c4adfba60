// Interlace: nodes that are run packet by packet are those that are run flit by flit
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "packet_region.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "lockstep/native_engines.h"
#include "lockstep/random_traffic.h"

namespace interlace {
namespace {

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

/// An engine whose nodes have been idle until `cycle`.
EngineUnderTest from_cycle(std::uint64_t cycle, const EngineUnderTest& engine) {
    return {engine.name, [=](const Fabric& fabric, const auto& nodes, const auto& tables) {
                auto region = engine.make(fabric, nodes, tables);
                region->skip(cycle);
                return region;
            }};
}

// Whatever the cycle: across 2^31 and 2^32, which numbers of so many bits do not reach, in another cycle of
// each of 60 random configurations, and up to the last one that there is.
TEST(PacketRegion, IsTheFlitRegionInLateCyclesToo) {
    constexpr std::uint64_t cycles = 1000;
    for (const std::uint64_t last : {std::uint64_t{1} << 31, std::uint64_t{1} << 32, native::most_ticks}) {
        std::uint64_t tried = 0, arrived = 0;
        for (std::uint64_t seed = 5'000'000; tried < 60; ++seed) {
            const Configuration configuration = random_configuration(seed);
            if (configuration.node.switching == Switching::wormhole) continue;
            ++tried;
            SCOPED_TRACE(configuration.text);
            const std::uint64_t first = last - (last == native::most_ticks ? cycles : 31 * seed % cycles);
            ASSERT_NO_THROW(arrived += run_lockstep(configuration, cycles,
                                                    {from_cycle(first, packets), from_cycle(first, flits)}));
        }
        EXPECT_GT(arrived, 200 * tried);
    }
}

TEST(PacketRegion, RefusesCyclesThatItCannotTellApart) {
    const Configuration c = random_configuration(0);
    NodeParameters node = c.node;
    node.switching = Switching::store_and_forward;
    const Fabric fabric(c.network, node);
    const auto region = native::packet_region(fabric, all_nodes(fabric), nullptr);
    region->skip(native::most_ticks);
    RegionOutputs outputs;
    EXPECT_THROW(region->tick({}, outputs), InputError);
    const Fabric far(c.network, node, {.latency = native::longest_link + 2});
    EXPECT_THROW(native::packet_region(far, all_nodes(far), nullptr), InputError);
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
        const TrafficHostOptions hosts = random_hosts_for(options, seed);
        const Seen one = run_traffic(c, options, hosts, packets),
                   other = run_traffic(c, options, hosts, flits);
        whole += one.whole ? 1 : 0;
        EXPECT_FALSE(other.whole);
        expect_same(one, other);
    }
    EXPECT_EQ(whole, tried);
}

}  // namespace
}  // namespace interlace
