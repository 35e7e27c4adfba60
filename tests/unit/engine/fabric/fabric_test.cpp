// Interlace: what a fabric says of some of its nodes alone
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/fabric/fabric.h"

#include <gmock/gmock.h>

#include <numeric>

#include "interlace/core/error.h"
#include "interlace/engine/fabric/default_routing.h"
#include "support/random_graph.h"

namespace interlace {
namespace {

constexpr FarPort no_link = {};

/// By the rule of Fabric, from the network's links alone: [node * ports + input port], where it comes from.
std::vector<FarPort> inputs_of(const Network& network, std::uint32_t ports) {
    std::vector<FarPort> inputs(std::size_t{network.node_count()} * ports, no_link);
    std::vector<std::pair<NodeId, NodeId>> one_way;
    for (std::uint32_t u = 0; u < network.node_count(); ++u)
        for (const NodeId v : network.neighbours(NodeId{u}))
            if (const auto back = network.link(v, NodeId{u}))
                inputs[std::size_t{v} * ports + (*back - network.first_link(v))] = {
                    u,
                    static_cast<std::uint8_t>(*network.link(NodeId{u}, v) - network.first_link(NodeId{u}))};
            else
                one_way.emplace_back(u, v);
    for (const auto& [u, v] : one_way) {
        std::size_t port = std::size_t{v} * ports;
        while (inputs[port].linked()) ++port;
        inputs[port] = {u, static_cast<std::uint8_t>(*network.link(u, v) - network.first_link(u))};
    }
    return inputs;
}

/// What `part` knows of its nodes is what the network says.
void expect_links(const Fabric& part, const Network& network) {
    const std::vector<FarPort> inputs = inputs_of(network, part.ports);
    for (std::uint32_t v = part.own.first; v < part.own.end(); ++v) {
        ASSERT_EQ(part.port_mask(NodeId{v}), (1U << network.degree(NodeId{v})) - 1);
        for (std::uint32_t p = 0; p < part.ports; ++p) {
            const FarPort from = part.from(v, p), to = part.to(v, p);
            ASSERT_EQ(from, inputs[std::size_t{v} * part.ports + p]) << "node " << v << ", input " << p;
            ASSERT_EQ(to.linked(), p < network.degree(NodeId{v}));
            if (!to.linked()) continue;
            const FarPort here{v, static_cast<std::uint8_t>(p)};
            ASSERT_EQ(to.node, network.neighbours(NodeId{v})[p]);
            ASSERT_EQ(inputs[std::size_t{to.node} * part.ports + to.port], here);
        }
    }
}

/// Cycles that a link takes beyond one, docs/node.md section 10.
std::uint32_t delay_of(const Network& network, const LinkParameters& links, NodeId node, std::uint32_t port) {
    std::uint32_t latency = links.latency;
    if (!links.latencies.empty())
        latency = links.latencies[network.first_link(node) + port];
    else if (network.lattice())
        latency += links.latency_per_hop *
                   static_cast<std::uint32_t>(std::abs(network.lattice()->hops(node)[port].offset) - 1);
    return latency + links.cycles_per_flit - 2;
}

void expect_delays(const Fabric& part, const Network& network) {
    std::uint32_t longest = 0;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (std::uint32_t p = 0; p < network.degree(NodeId{v}); ++p)
            longest = std::max(longest, delay_of(network, part.links, NodeId{v}, p));
    ASSERT_EQ(part.longest_delay, longest);
    for (std::uint32_t v = part.own.first; v < part.own.end(); ++v)
        for (std::uint32_t p = 0; p < part.ports; ++p) {
            if (p < network.degree(NodeId{v})) {
                ASSERT_EQ(part.flit_delay(v, p), delay_of(network, part.links, NodeId{v}, p));
            }
            if (const FarPort from = part.from(v, p); from.linked()) {
                ASSERT_EQ(part.credit_delay(v, p),
                          delay_of(network, part.links, NodeId{from.node}, from.port));
            }
        }
}

void expect_coordinates(const Fabric& part, const Network& network) {
    if (!network.lattice()) return;
    const Lattice& lattice = *network.lattice();
    ASSERT_EQ(part.dimensions, lattice.dimensions());
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        std::uint32_t field = 0;
        for (std::uint32_t d = 0; d < part.dimensions; ++d) {
            field |= lattice.coordinate(NodeId{v}, d) << d * part.field_bits();
            if (!part.own.contains(v)) continue;
            ASSERT_EQ(part.coordinate(v, d), lattice.coordinate(NodeId{v}, d));
        }
        ASSERT_EQ(part.destination(NodeId{v}), field);
        if (!part.own.contains(v)) continue;
        const std::vector<Hop> hops = lattice.hops(NodeId{v});
        for (std::uint32_t p = 0; p < hops.size(); ++p) {
            const PortHop hop = part.hop(NodeId{v}, p);
            ASSERT_EQ(hop.dimension, hops[p].dimension);
            const auto size = static_cast<std::int32_t>(lattice.sizes()[hop.dimension]);
            const std::int32_t offset = hop.minus ? -hop.length : hop.length;
            ASSERT_EQ((offset - hops[p].offset) % size, 0);  // the same way, and the shorter one round
            ASSERT_LE(2 * std::abs(offset), lattice.wraps() ? size : 2 * size);
        }
    }
    bool steps_alone = true;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (const Hop& hop : lattice.hops(NodeId{v})) steps_alone = steps_alone && std::abs(hop.offset) == 1;
    ASSERT_EQ(part.has_steps_alone(), steps_alone);
}

// All nodes, and each third of them, on lattices with and without links that coincide, links of unequal
// times, and graphs whose links go one way.
TEST(Fabric, OfSomeNodesSaysOfThemWhatTheNetworkDoes) {
    std::vector<Network> networks = {random_graph(20, 40, 1), random_graph(12, 5, 2), dense_graph(9, 3)};
    for (const char* name : {"torus:4x3x5", "mesh:3x4x5", "mesh:6", "ibt:12x12:b=4", "ibt:16x16:b=4,8",
                             "ibt:8x16:b=4,12", "ibt:9:b=8", "cluster:routers"})
        networks.push_back(make_network(name));
    for (const Network& network : networks) {
        SCOPED_TRACE(network.name());
        std::vector<LinkParameters> timings = {
            {}, {.latency = 4}, {.cycles_per_flit = 2, .latency = 2, .latency_per_hop = 1}};
        LinkParameters each{.latencies = std::vector<std::uint32_t>(network.link_count())};
        std::iota(each.latencies.begin(), each.latencies.end(), 1U);
        timings.push_back(each);
        const std::uint32_t nodes = network.node_count();
        for (const LinkParameters& links : timings)
            for (const auto& [first, end] : {std::pair{0U, nodes},
                                             {0U, nodes / 3},
                                             {nodes / 3, nodes * 2 / 3},
                                             {nodes * 2 / 3, nodes},
                                             {1U, 2U}}) {
                const Fabric part(network, NodeParameters{}, links, NodeRange{first, end - first});
                expect_links(part, network);
                expect_delays(part, network);
                expect_coordinates(part, network);
            }
    }
}

// 134 million nodes and 805 million links, of which nobody has to know: they would take 4 GB.
TEST(Fabric, OfSomeNodesOfALatticeTakesNothingForTheOthers) {
    const Network network = make_network("torus:512x512x512");
    EXPECT_EQ(network.link_count(), 6U << 27U);
    const std::uint32_t first = 77 * 512 * 512;
    const Fabric part(network, NodeParameters{}, {}, NodeRange{first, 512});
    for (std::uint32_t x = 0; x < 512; ++x) {
        const std::uint32_t right = first + (x + 1) % 512, up = first + x + 512 * 512;
        EXPECT_EQ(part.to(first + x, 0).node, right);
        EXPECT_EQ(part.to(first + x, 0).port, 1);
        EXPECT_EQ(part.to(first + x, 4).node, up);
        EXPECT_EQ(part.from(first + x, 4).port, 5);
    }
    EXPECT_EQ(part.destination(NodeId{first + 3}), 3U | 77U << 20U);
}

// A twisted torus and a graph have no coordinates of their own: neither routes adaptively, nor by the
// dimension order that other networks may fall back to.
TEST(Fabric, RecommendsDimensionOrderOnlyWherePacketsHaveCoordinates) {
    NodeParameters adaptive;
    adaptive.routing = Routing::adaptive_bubble;
    const auto refusal = [&](const Network& network) -> std::string {
        try {
            const Fabric fabric(network, adaptive, {});
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    for (const Network& network : {make_network("torus:8x4:twist=4"), dense_graph(9, 1)}) {
        EXPECT_THAT(refusal(network), testing::HasSubstr("or routing: table")) << network.name();
        EXPECT_FALSE(has_dimension_order(network));
    }
    EXPECT_THAT(refusal(make_network("mesh:70000x3")),
                testing::HasSubstr("or routing: dimension_order or table"));
}

}  // namespace
}  // namespace interlace
