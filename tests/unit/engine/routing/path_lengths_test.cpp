// Interlace: the links that packets cross, by their paths and counted
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routing/path_lengths.h"

#include <gtest/gtest.h>

#include "interlace/core/random.h"
#include "interlace/engine/native/native.h"
#include "interlace/harness/traffic/traffic.h"
#include "interlace/harness/traffic/traffic_packets.h"
#include "interlace/network/specification.h"

namespace interlace {
namespace {

NodeParameters routed(Routing routing) {
    NodeParameters node = node_parameters("bgl");
    node.routing = routing;
    return node;
}

/// The links that a trace's packets cross, counted by the nodes.
double counted(const Network& network, const Fabric& fabric, const RoutingTables& tables,
               const std::vector<TracePacket>& trace) {
    std::vector<NodeId> nodes;
    for (std::uint32_t v = 0; v < network.node_count(); ++v) nodes.emplace_back(v);
    std::vector<Machine::Part> parts;
    parts.push_back({nodes, native_region(fabric, nodes, &tables.ports)});
    Machine machine(fabric, std::move(parts));
    return run_trace(fabric, machine, trace).mean_hops * static_cast<double>(trace.size());
}

// A run to the last arrival counts every link that any packet crosses: nodes follow their own tables and
// coordinates, hop by hop. Numbers of packets are those of the trace, on which the way round a ring depends.
TEST(PathLengths, AreWhatNodesCount) {
    for (const char* name : {"torus:6x5", "mesh:4x3", "ibt:8x8:b=4", "ibt:12x8:b=4", "ibt:16x16:b=4,8"})
        for (const Routing routing : {Routing::dimension_order, Routing::table, Routing::adaptive_bubble}) {
            const Network network = make_network(name);
            const Fabric fabric(network, routed(routing));
            const RoutingTables tables = routing_tables(network, fabric);
            const std::optional<PathLengths> paths = PathLengths::of(network, fabric, tables);
            const bool may_escape =
                routing == Routing::adaptive_bubble && std::string(name).starts_with("ibt");
            ASSERT_EQ(paths.has_value(), !may_escape) << name;
            if (!paths) continue;
            std::vector<TracePacket> trace;
            TrafficPackets packets(0, true);
            for (std::uint32_t i = 0; i < 2'000; ++i) {
                const auto from = static_cast<std::uint32_t>(random_bits(1, 0, i) % network.node_count());
                const auto to = static_cast<std::uint32_t>(random_bits(1, 1, i) % network.node_count());
                if (from == to) continue;
                const auto number = static_cast<std::uint32_t>(trace.size());
                trace.push_back({std::uint64_t{i} * 2, from, to, 8});
                packets.add({{number, from, to}});
                packets.take(make_packet({.source = from, .sequence = number}), to, 0);
            }
            const TrafficPackets::Crossed crossed = packets.crossed(0, trace.size(), *paths);
            EXPECT_EQ(crossed.packets, trace.size());
            EXPECT_DOUBLE_EQ(static_cast<double>(crossed.links), counted(network, fabric, tables, trace))
                << name << ' ' << routing_name(routing);
        }
}

// In each dimension of torus:4x4 the distances to the four coordinates are 0, 1, 2, 1:
// 1 on average, so two dimensions make 2 over all 16 destinations, and 2 x 16 / 15 over the other 15.
TEST(PathLengths, OfATorusAreItsDistances) {
    const Network network = make_network("torus:4x4");
    const Fabric fabric(network, routed(Routing::dimension_order));
    const RoutingTables none;
    EXPECT_DOUBLE_EQ(PathLengths::of(network, fabric, none)->mean(), 32 / 15.0);
}

}  // namespace
}  // namespace interlace
