// Interlace: random unicast traffic on random configurations, and all that is measured of it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "interlace/harness/traffic/traffic.h"
#include "lockstep/random_configuration.h"

namespace interlace {

struct Seen {
    TrafficResult traffic;
    Usage use;
    // Of the nodes of this rank, in their order.
    std::vector<std::vector<QueueUse>> queues = {};
    std::vector<std::vector<std::uint64_t>> stall_cycles = {};
    bool whole = false;  // hosts hand packets over
    std::size_t shares = 0;
};

/// Of `regions` in turn, `nodes` nodes in all, those of a rank: each has as many regions, nearly.
inline NodeRange own_in_turn(std::uint32_t nodes, std::uint32_t regions, const Communicator& ranks) {
    const std::uint64_t count = std::min(regions, nodes);
    NodeRange own;
    for (std::uint32_t v = 0; v < nodes; ++v) {
        const std::uint64_t rank = v * count / nodes * ranks.size() / count;
        own.first += rank < ranks.rank() ? 1 : 0;
        own.count += rank == ranks.rank() ? 1 : 0;
    }
    return own;
}

/// Regions of nodes that follow one another, `regions` of them, or one for each node; as many of each rank.
inline Machine cut_in_turn(const Fabric& fabric, const EngineUnderTest& engine, const PortTables& tables,
                           std::uint32_t regions, std::uint32_t threads,
                           Communicator& ranks = no_other_ranks()) {
    const NodeRange own = own_in_turn(fabric.nodes, regions, ranks);
    const std::uint64_t count = std::min(regions, fabric.nodes);
    std::vector<Machine::Part> parts;
    for (std::uint32_t v = own.first; v < own.end(); ++v) {
        if (v == own.first || v * count / fabric.nodes != (v - 1) * count / fabric.nodes)
            parts.emplace_back();
        parts.back().nodes.emplace_back(v);
    }
    for (Machine::Part& part : parts) part.region = engine.make(fabric, part.nodes, tables);
    return {fabric, std::move(parts), threads, {}, ranks};
}

inline Seen run_traffic(const Configuration& c, const TrafficOptions& options,
                        const TrafficHostOptions& hosts, const EngineUnderTest& engine,
                        std::uint32_t regions = 1, std::uint32_t threads = 1,
                        Communicator& ranks = no_other_ranks()) {
    const Fabric fabric(c.network, c.node, c.links, own_in_turn(c.network.node_count(), regions, ranks));
    const PortTables tables = routing_tables(c.network, fabric).ports;
    Machine machine = cut_in_turn(fabric, engine, tables, regions, threads, ranks);
    Seen seen;
    const auto nodes = machine.nodes();
    seen.whole =
        std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) { return machine.takes_packets(node); });
    seen.shares = machine.shares().size();
    machine.watch({.occupancy = true, .each_queue = true});
    seen.traffic = run_synthetic_traffic(fabric, machine, options, hosts);
    seen.traffic.injection_stalls = ranks.gather_values(seen.traffic.injection_stalls);
    seen.use = machine.usage();
    for (const NodeId node : all_nodes(fabric)) {
        if (!machine.owns(node)) continue;
        seen.queues.push_back(machine.queues(node));
        seen.stall_cycles.push_back(machine.stall_cycles(node));
    }
    return seen;
}

/// Random configurations that have unicast traffic, with `worms` or without.
template <class Visit>
void each_configuration(std::uint64_t seed, int count, bool worms, const Visit& visit) {
    for (int tried = 0; tried < count; ++seed) {
        const Configuration c = random_configuration(seed);
        if ((c.node.switching == Switching::wormhole) != worms || !c.network.lattice() || c.node.vcs < 2)
            continue;
        ++tried;
        SCOPED_TRACE(c.text);
        visit(c, seed);
    }
}

/// Random traffic for a configuration with coordinates.
inline TrafficOptions random_traffic_for(const Configuration& c, std::uint64_t seed) {
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

inline TrafficHostOptions random_hosts_for(const TrafficOptions& options, std::uint64_t seed) {
    TrafficHostOptions hosts;
    if (options.sizes.empty() && random_bits(seed, 88, 1) % 3 == 0)
        hosts.host = {.servers = 2, .send_cycles = 5, .receive_cycles = 7, .jitter_cycles = 3};
    return hosts;
}

/// All that the harness measures, and every count.
inline void expect_same(const Seen& one, const Seen& other) {
    EXPECT_EQ(one.use, other.use);
    EXPECT_EQ(one.queues, other.queues);
    EXPECT_EQ(one.stall_cycles, other.stall_cycles);
    EXPECT_EQ(one.traffic, other.traffic);
}

}  // namespace interlace
