// Interlace: unicast traffic against the contract's latencies, and routing that cannot lock up
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic/traffic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "interlace/core/error.h"
#include "interlace/engine/native/native.h"
#include "interlace/engine/routing/routing_tables.h"
#include "interlace/network/metrics.h"
#include "support/random_graph.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

NodeParameters traffic_node(Switching switching, std::uint32_t vcs, std::uint32_t depth) {
    NodeParameters node;
    node.switching = switching;
    node.vcs = vcs;
    node.vc_depth = node.reception_depth = node.injection_depth = depth;
    return node;
}

TrafficResult run(const Network& network, const NodeParameters& node, const TrafficOptions& options,
                  const TrafficHostOptions& hosts = {}, const LinkParameters& links = {}) {
    const Fabric fabric(network, node, links);
    std::vector<NodeId> nodes;
    for (std::uint32_t v = 0; v < network.node_count(); ++v) nodes.emplace_back(v);
    std::vector<Machine::Part> parts;
    const RoutingTables tables = routing_tables(network, fabric);
    parts.push_back({nodes, native_region(fabric, nodes, &tables.ports)});
    Machine machine(fabric, std::move(parts));
    return run_synthetic_traffic(fabric, machine, options, hosts);
}

// docs/node.md, section 7: 2 H + F + 1 cycles over H links, H (F + 1) + 2 under store and forward. With next
// to no load nothing waits, so the largest latency is that of the diameter.
TEST(Traffic, TakesTheZeroLoadLatency) {
    const Network torus = make_network("torus:5x5");  // diameter 4
    const std::uint64_t f = 6;
    const TrafficOptions quiet{
        .load = 0.0001, .packet_flits = 6, .warmup = 0, .cycles = 1'000'000, .seed = 3};
    for (const Switching switching : {Switching::virtual_cut_through, Switching::wormhole})
        EXPECT_EQ(run(torus, traffic_node(switching, 2, 16), quiet).latency_max, 2 * 4 + f + 1);
    EXPECT_EQ(run(torus, traffic_node(Switching::store_and_forward, 2, 16), quiet).latency_max,
              4 * (f + 1) + 2);
}

// Lengths are drawn for each packet: latencies are 2 H + F + 1 with the means of both, H over the other nodes
// of a torus whose coordinates are 0, 1, 1, 2, 2 hops away, F of 3 lengths; at most those of the diameter and
// the longest.
TEST(Traffic, PacketsOfSeveralLengthsHaveTheirShares) {
    const Network torus = make_network("torus:5x5");
    TrafficOptions quiet{.load = 0.001,
                         .packet_flits = 12,
                         .sizes = {{2, 0.2}, {4, 0.3}, {12, 0.5}},
                         .warmup = 0,
                         .cycles = 1'000'000};
    const double flits = 0.2 * 2 + 0.3 * 4 + 0.5 * 12;
    EXPECT_DOUBLE_EQ(quiet.mean_flits(), flits);
    const double hops = 2 * (0 + 1 + 1 + 2 + 2) / 5.0 * 25 / 24;
    const TrafficResult result = run(torus, traffic_node(Switching::virtual_cut_through, 2, 16), quiet);
    const auto packets = static_cast<double>(result.packets);
    EXPECT_NEAR(packets, quiet.load / flits * 25 * 1e6, 4 * std::sqrt(packets));
    // Of lengths from 2 to 12 and distances from 1 to 4 no standard deviation is above 5 and 1.5.
    EXPECT_NEAR(result.latency_mean, 2 * hops + flits + 1, 4 * (5 + 3) / std::sqrt(packets) + 0.1);
    EXPECT_NEAR(result.generated_load, quiet.load, 4 * 0.1 * quiet.load);
    EXPECT_GE(result.latency_max, 2 * 4 + 12 + 1U);
    // All of one length are what packets without shares are.
    quiet.sizes = {{12, 1}};
    const TrafficResult same = run(torus, traffic_node(Switching::virtual_cut_through, 2, 16), quiet);
    quiet.sizes = {};
    const TrafficResult plain = run(torus, traffic_node(Switching::virtual_cut_through, 2, 16), quiet);
    EXPECT_EQ(same.latency_mean, plain.latency_mean);
    EXPECT_EQ(same.packets, plain.packets);
}

TEST(Traffic, RefusesSeveralLengthsWhereHostsWaitForWholePackets) {
    TrafficHostOptions hosts;
    hosts.host = host_parameters("bgl");
    const TrafficOptions mixed{.load = 0.1, .packet_flits = 8, .sizes = {{4, 0.5}, {8, 0.5}}};
    EXPECT_THROW(
        run(make_network("torus:4x4"), traffic_node(Switching::virtual_cut_through, 2, 16), mixed, hosts),
        InputError);
}

// Section 14: 8 H + F + 8, and H (F + 7) + 9.
TEST(Traffic, TakesTheZeroLoadLatencyOfPipelinedNodes) {
    const Network torus = make_network("torus:5x5");
    const std::uint64_t f = 6;
    const TrafficOptions quiet{
        .load = 0.0001, .packet_flits = 6, .warmup = 0, .cycles = 1'000'000, .seed = 3};
    NodeParameters node = traffic_node(Switching::virtual_cut_through, 2, 16);
    node.pipeline = 7;
    EXPECT_EQ(run(torus, node, quiet).latency_max, 8 * 4 + f + 8);
    node.switching = Switching::store_and_forward;
    EXPECT_EQ(run(torus, node, quiet).latency_max, 4 * (f + 7) + 9);
}

// Section 14: adaptive packets take a cycle more to choose at each link that they leave by.
TEST(Traffic, TakesTheZeroLoadLatencyOfAdaptivePacketsOfPipelinedNodes) {
    const TrafficOptions quiet{
        .load = 0.0001, .packet_flits = 6, .warmup = 0, .cycles = 1'000'000, .seed = 3};
    NodeParameters node = traffic_node(Switching::virtual_cut_through, 2, 16);
    node.routing = Routing::adaptive_bubble;
    node.pipeline = 7;
    EXPECT_EQ(run(make_network("torus:5x5"), node, quiet).latency_max, 9 * 4 + 6 + 8);
}

// Section 14: flits pay again for a start 4 cycles after they have moved, of a pipelined node 14; there a
// start asks for a slot, two cycles before. So F + 3 flits keep a link busy, or slot + 13, and one less does
// not.
TEST(Traffic, AChannelOfARoundTripKeepsItsLinkBusy) {
    const TemporaryFile rows("from,to\n0,2\n");
    const Network mesh = make_network("mesh:3");
    for (const auto& [pipeline, depth] : {std::pair{1U, 5U + 3}, {7U, 8U + 13}}) {
        NodeParameters node = traffic_node(Switching::virtual_cut_through, 1, 64);
        node.pipeline = pipeline;
        const TrafficOptions full{.load = 2,
                                  .packet_flits = 5,
                                  .warmup = 500,
                                  .cycles = 5'000,
                                  .pattern = traffic_pattern("permutation:" + rows.path(), mesh)};
        node.vc_depth = depth;
        EXPECT_DOUBLE_EQ(run(mesh, node, full).accepted_load, 1.0 / 3) << pipeline;
        node.vc_depth = depth - 1;
        EXPECT_LT(run(mesh, node, full).accepted_load, 0.99 / 3) << pipeline;
    }
}

// A table of native nodes has a slot for each of 1156 nodes, where hardware has 1024.
TEST(Traffic, GoesByTablesLargerThanThoseOfHardware) {
    NodeParameters node = traffic_node(Switching::virtual_cut_through, 4, 32);
    node.routing = Routing::adaptive_bubble;
    const TrafficResult result = run(make_network("ibt:34x34:b=2"), node,
                                     {.load = 0.02, .packet_flits = 8, .warmup = 10, .cycles = 100});
    EXPECT_GT(result.packets, 0U);
    EXPECT_EQ(result.packets_missing, 0U);
}

// Section 1: the port that a packet came by is known by its number, which is the link's that leads back.
TEST(Traffic, NodesWhosePacketsDoNotTurnBackNeedLinksThatLeadBack) {
    NodeParameters node = traffic_node(Switching::virtual_cut_through, 2, 16);
    node.turn_back = false;
    const TrafficOptions some{.load = 0.1, .packet_flits = 4, .warmup = 10, .cycles = 100};
    EXPECT_EQ(run(make_network("torus:5x5"), node, some).packets_missing, 0U);
    const TemporaryFile ring("from,to\n0,1\n1,2\n2,3\n3,0\n");
    EXPECT_THROW(Fabric(make_network("graph:" + ring.path()), node, {}), InputError);
    node.routing = Routing::adaptive_bubble;
    node.vc_depth = 32;
    EXPECT_EQ(run(make_network("torus:5x5"), node, some).packets_missing, 0U);
    EXPECT_THROW(Fabric(make_network("ibt:8:b=2"), node, {}), InputError);
}

// Section 14: there is no wormhole, and every packet fits the slot and the queues.
TEST(Traffic, PipelinedNodesRefuseWhatTheyCannotCarry) {
    const Network torus = make_network("torus:4x4");
    NodeParameters node = traffic_node(Switching::virtual_cut_through, 2, 16);
    node.pipeline = 7;
    EXPECT_THROW(run(torus, node, {.packet_flits = 9}), InputError);
    node.packet_flits = 17;
    EXPECT_THROW(run(torus, node, {.packet_flits = 8}), InputError);
    node.packet_flits = 8;
    node.switching = Switching::wormhole;
    EXPECT_THROW(run(torus, node, {.packet_flits = 8}), InputError);
}

TEST(Traffic, AcceptsWhatIsOfferedBelowSaturation) {
    const TrafficOptions half{.load = 0.25, .packet_flits = 4, .warmup = 1'000, .cycles = 20'000, .seed = 1};
    const TrafficResult result =
        run(make_network("torus:4x4"), traffic_node(Switching::virtual_cut_through, 2, 16), half);
    // 16 hosts x 20,000 cycles, a packet with probability 1/16: 20,000 +- 137 (one standard deviation).
    EXPECT_NEAR(static_cast<double>(result.packets), 20'000, 4 * 137);
    EXPECT_NEAR(result.accepted_load, 0.25, 0.25 * 4 * 137 / 20'000);
}

// All packets have half the ring to go, 4 links of 8 in a direction: were all to go upwards, no load above
// 1/4 would be carried; half of them each way, up to 1/2 is.
TEST(Traffic, PacketsWithHalfARingToGoTakeBothWays) {
    NodeParameters node = traffic_node(Switching::virtual_cut_through, 4, 64);
    node.injection_queues = 1;
    TrafficOptions options{.load = 0.35, .packet_flits = 4, .warmup = 2'000, .cycles = 10'000, .seed = 1};
    for (std::uint32_t v = 0; v < 8; ++v) options.pattern.fixed.push_back((v + 4) % 8);
    EXPECT_TRUE(run(make_network("torus:8"), node, options).carried());
}

TEST(Traffic, LongRunsBeyondSaturationKeepMoving) {
    const TrafficOptions flood{.load = 1, .packet_flits = 4, .warmup = 500, .cycles = 500, .seed = 5};
    for (const char* name : {"torus:4x4x4", "torus:9", "ibt:8x8:b=4", "ibt:6x6x6:b=3", "mesh:5x5"})
        for (const Switching switching :
             {Switching::store_and_forward, Switching::virtual_cut_through, Switching::wormhole}) {
            const Network network = make_network(name);
            const std::uint32_t depth = switching == Switching::wormhole ? 2 : 4;
            NodeParameters node = traffic_node(switching, 2, depth);
            node.injection_queues = 1;  // more of them crowd out what is on its way
            const TrafficResult result = run(network, node, flood);
            EXPECT_GT(result.accepted_load, 0.05) << name;
            EXPECT_LT(result.accepted_load, 1) << name;
        }
}

// Every rule is live: floods far beyond saturation, with the shallowest queues, go on arriving. Packets
// shorter than a slot are what deadlocks an escape ring that counts actual lengths.
TEST(Traffic, AdaptivePacketsKeepMovingBeyondSaturation) {
    for (const char* name : {"torus:4x4x4", "torus:9", "ibt:8x8:b=4", "ibt:6x6x6:b=3", "mesh:5x5"})
        for (const std::uint32_t flits : {1U, 3U, 4U})
            for (const Switching switching : {Switching::store_and_forward, Switching::virtual_cut_through}) {
                NodeParameters node = traffic_node(switching, 2, 8);
                node.routing = Routing::adaptive_bubble;
                node.packet_flits = 4;
                node.injection_queues = 1;
                const TrafficOptions flood{
                    .load = 1, .packet_flits = flits, .warmup = 2'000, .cycles = 4'000, .seed = 5};
                const TrafficResult result = run(make_network(name), node, flood);
                EXPECT_GT(result.accepted_load, 0.03) << name << " " << flits;
            }
}

// The roles of Blue Gene/L's channels: packets that may choose, those that may not and those of high
// priority.
TEST(Traffic, DeterministicAndPriorityPacketsKeepMovingBeyondSaturationToo) {
    for (const char* name : {"torus:4x4x4", "torus:9", "mesh:5x5"})
        for (const PacketMix mix : {PacketMix{0.5, 0.2}, PacketMix{1, 0}, PacketMix{0, 1}}) {
            NodeParameters node = traffic_node(Switching::virtual_cut_through, 4, 8);
            node.routing = Routing::adaptive_bubble;
            node.priority_channel = true;
            node.packet_flits = 4;
            node.injection_queues = 1;
            TrafficOptions flood{.load = 1, .packet_flits = 3, .warmup = 2'000, .cycles = 4'000, .seed = 5};
            flood.mix = mix;
            const TrafficResult result = run(make_network(name), node, flood);
            EXPECT_GT(result.accepted_load, 0.03) << name << " " << mix.deterministic;
        }
}

// Choices spread what is on one link otherwise: transpose on 8 x 8, where dimension order sends all packets
// of a row round the same corner.
TEST(Traffic, DeterministicPacketsAreNotSpread) {
    NodeParameters node = traffic_node(Switching::virtual_cut_through, 4, 16);
    node.routing = Routing::adaptive_bubble;
    node.packet_flits = 4;
    const Network torus = make_network("torus:8x8");
    TrafficOptions flood{.load = 1, .packet_flits = 4, .warmup = 2'000, .cycles = 4'000, .seed = 1};
    flood.pattern = traffic_pattern("transpose", torus);
    const double spread = run(torus, node, flood).accepted_load;
    flood.mix.deterministic = 1;
    EXPECT_LT(run(torus, node, flood).accepted_load, 0.7 * spread);
}

TEST(Traffic, TablesLeadAlongShortestPathsOnAnyNetwork) {
    const TrafficOptions light{.load = 0.02, .packet_flits = 4, .warmup = 0, .cycles = 200'000, .seed = 2};
    for (const Network& network :
         {make_network("ibt:8x8:b=4"), make_network("mesh:4x3"), random_graph(12, 20, 7)}) {
        NodeParameters node = traffic_node(Switching::virtual_cut_through, 4, 8);
        node.routing = Routing::table;
        const TrafficResult result = run(network, node, light);
        const double mean = measure_network(network).mean_distance_distinct;
        // Of some 12,000 packets or more, each with a random distance: well within 3%.
        EXPECT_NEAR(result.mean_hops, mean, 0.03 * mean) << network.name();
    }
}

// A ring of 5 in one direction and one channel: paths of two hops form a cycle of waits. In both directions
// packets can go round by one side and never through the link between two of the nodes.
TEST(Traffic, TablesNeedEnoughChannels) {
    NodeParameters node = traffic_node(Switching::virtual_cut_through, 1, 8);
    node.routing = Routing::table;
    const TrafficOptions flood{.load = 1, .packet_flits = 4, .warmup = 10, .cycles = 1'000};
    const Network one_way = random_graph(5, 0, 1);
    EXPECT_THROW(run(one_way, node, flood), InputError);
    EXPECT_GT(run(make_network("torus:5"), node, flood).accepted_load, 0.05);
    node.vcs = 2;
    EXPECT_GT(run(one_way, node, flood).accepted_load, 0.05);
    EXPECT_GT(run(make_network("torus:5"), node, flood).accepted_load, 0.05);
}

// An 8 x 8 torus under other names of its nodes, beyond saturation: its ways are as short and as even as
// those by dimension order, so tables carry what that does but for a tenth, and so do they as a graph.
TEST(Traffic, TablesCarryWhatDimensionOrderDoes) {
    const Network torus = make_network("torus:8x8");
    std::vector<std::pair<NodeId, NodeId>> links;
    for (std::uint32_t v = 0; v < 64; ++v)
        for (const NodeId next : torus.neighbours(NodeId{v})) links.emplace_back(v * 37 % 64, next * 37 % 64);
    NodeParameters node = traffic_node(Switching::wormhole, 4, 16);
    node.injection_queues = 1;
    const TrafficOptions most{.load = 0.7, .packet_flits = 16, .warmup = 3'000, .cycles = 5'000, .seed = 1};
    const double by_dimension_order = run(torus, node, most).accepted_load;
    node.routing = Routing::table;
    const double by_table = run(torus, node, most).accepted_load;
    EXPECT_GE(by_table, 0.9 * by_dimension_order);
    EXPECT_GE(run({"renamed", links}, node, most).accepted_load, 0.9 * by_table);
}

TEST(Traffic, RepeatsForTheSameSeed) {
    const TrafficOptions options{.load = 0.4, .packet_flits = 3, .warmup = 100, .cycles = 1'000, .seed = 9};
    const Network network = make_network("ibt:8x8:b=4");
    const TrafficResult once = run(network, traffic_node(Switching::wormhole, 2, 4), options);
    const TrafficResult again = run(network, traffic_node(Switching::wormhole, 2, 4), options);
    EXPECT_EQ(once.latency_mean, again.latency_mean);
    EXPECT_EQ(once.packets, again.packets);
}

// Bursts of B cycles in the mean, on for a share p of the time: the time on in T cycles has the mean p T and,
// of a two-state chain, the variance 2 p (1 - p)^2 B T.
TEST(Traffic, BurstsKeepTheLoad) {
    TrafficOptions bursts{.load = 0.2, .packet_flits = 4, .warmup = 1'000, .cycles = 50'000, .seed = 4};
    const Network network = make_network("torus:4x4");
    const NodeParameters node = traffic_node(Switching::virtual_cut_through, 2, 16);
    const TrafficResult smooth = run(network, node, bursts);
    bursts.burst_cycles = 200;
    bursts.burst_load = 0.8;
    const TrafficResult result = run(network, node, bursts);
    const double p = 0.2 / 0.8;
    const double deviation = std::sqrt(2 * p * (1 - p) * (1 - p) * 200 / (16 * 50'000.0)) * 0.8;
    EXPECT_NEAR(result.generated_load, 0.2, 4 * deviation);
    EXPECT_GT(result.latency_mean, smooth.latency_mean);
    bursts.burst_load = 0.1;
    EXPECT_THROW(run(network, node, bursts), InputError);
}

TEST(Traffic, WarmUpEndsWhenPacketsUnderWayHaveSettled) {
    const Network network = make_network("torus:4x4");
    const NodeParameters node = traffic_node(Switching::virtual_cut_through, 2, 16);
    TrafficOptions options{
        .load = 0.2, .packet_flits = 4, .warmup = detect_warmup, .cycles = 1'000, .seed = 4};
    const TrafficResult light = run(network, node, options);
    EXPECT_TRUE(light.settled);
    EXPECT_GE(light.warmup, 1'000U);
    EXPECT_LE(light.warmup, 4'000U);
    EXPECT_TRUE(light.carried());
    options.load = 3;  // each node takes one flit a cycle of each of its four links at most
    const TrafficResult flood = run(network, node, options);
    EXPECT_FALSE(flood.settled);
    EXPECT_EQ(flood.warmup, 64'000U);
    EXPECT_FALSE(flood.carried());
}

TrafficResult run_trace_on(const std::string& specification, const NodeParameters& node,
                           const std::vector<TracePacket>& trace, const TrafficHostOptions& hosts = {},
                           std::vector<TraceDependences::Pair> pairs = {}) {
    const Network network = make_network(specification);
    const Fabric fabric(network, node);
    const RoutingTables tables = routing_tables(network, fabric);
    std::vector<NodeId> nodes;
    for (std::uint32_t v = 0; v < network.node_count(); ++v) nodes.emplace_back(v);
    std::vector<Machine::Part> parts;
    parts.push_back({nodes, native_region(fabric, nodes, &tables.ports)});
    Machine machine(fabric, std::move(parts));
    return run_trace(fabric, machine, trace, hosts, TraceDependences(trace, std::move(pairs)));
}

/// Of a trace on a mesh of three nodes, whose packets have 8 flits and hosts one server.
TrafficResult run_served(const std::string& trace_csv, TrafficHostOptions hosts) {
    hosts.host.servers = 1;
    const TemporaryFile file("cycle,from,to,flits\n" + trace_csv);
    return run_trace_on("mesh:3", traffic_node(Switching::store_and_forward, 2, 64),
                        read_trace(file.path(), 3), hosts);
}

// A packet's tail is in the reception queue F + 3 cycles after its first flit was written (docs/node.md,
// section 7), and read F - 1 cycles after the server began. The sender begins the second packet 30 cycles
// after the first, the receiver is done with the first one in cycle F + 3 + 50.
TEST(Traffic, ServedHostsTakeTheirTime) {
    TrafficHostOptions hosts;
    hosts.host.send_cycles = 30;
    hosts.host.receive_cycles = 50;
    const TrafficResult result = run_served("0,0,1,8\n0,0,1,8\n", hosts);
    EXPECT_EQ(result.latency_max, (8 + 3) + 50 + 7U);
    EXPECT_DOUBLE_EQ(result.latency_mean, ((8 + 3 + 7) + (8 + 3 + 50 + 7)) / 2.0);
    EXPECT_THROW(run_served("0,0,1,8\n0,0,1,4\n", hosts), InputError);
}

// Both hosts begin at a random cycle U of 0 to 1000: the tail is read at the later of U_0 + F + 3 and U_1, in
// the mean at 2/3 of 1000 (and some 5), with a standard deviation of 1000 / sqrt(18), and F - 1 later taken.
TEST(Traffic, HostsBeginWithinTheSkew) {
    double sum = 0;
    TrafficHostOptions hosts;
    hosts.host.start_skew_cycles = 1'000;
    for (hosts.seed = 1; hosts.seed <= 400; ++hosts.seed) {
        const std::uint64_t latency = run_served("0,0,1,8\n", hosts).latency_max;
        EXPECT_GE(latency, 18U);
        EXPECT_LE(latency, 1'018U);
        sum += static_cast<double>(latency);
    }
    EXPECT_NEAR(sum / 400, 666.7 + 5.5 + 7, 4 * 235.7 / 20);
}

// A host's one server takes 10 cycles to send a packet of 4 flits and 4 to receive one: 4 flits in 14 cycles
// are all that is carried, whatever the network could.
TEST(Traffic, IsBoundedByWhatHostsSend) {
    const Network network = make_network("torus:8");
    const Fabric fabric(network, traffic_node(Switching::virtual_cut_through, 2, 16));
    const RoutingTables tables = routing_tables(network, fabric);
    std::vector<NodeId> nodes;
    for (std::uint32_t v = 0; v < 8; ++v) nodes.emplace_back(v);
    for (const double load : {0.24, 0.32}) {
        std::vector<Machine::Part> parts;
        parts.push_back({nodes, native_region(fabric, nodes, &tables.ports)});
        Machine machine(fabric, std::move(parts));
        TrafficOptions options{.load = load, .packet_flits = 4, .warmup = 2'000, .cycles = 10'000};
        for (std::uint32_t v = 0; v < 8; ++v) options.pattern.fixed.push_back((v + 1) % 8);
        TrafficHostOptions hosts;
        hosts.host.servers = 1;
        hosts.host.send_cycles = 10;
        const TrafficResult result = run_synthetic_traffic(fabric, machine, options, hosts);
        EXPECT_EQ(result.carried(), load < 4 / 14.0) << load;
    }
}

// The same hosts, which nobody waits for but they. M/D/1 queues 110% busy are saturated: in
// 10,000 cycles 7% of the 6,300 packets that 8 hosts make are left over, 570, where their number varies by
// sqrt(6300) = 79: no seed hides it. Of queues 30% busy, with hardly a packet in them, none errs. 90% busy
// they are near enough to a random walk to seem growing 1 time in 100; of 30, more than 3 by a chance of 1 in
// 3,000.
TEST(Traffic, IsCarriedBelowWhatHostsSendUnderEverySeed) {
    const Network network = make_network("torus:8");
    const auto carried = [&](double busy) {
        int runs = 0;
        TrafficOptions options{.load = busy * 4 / 14, .packet_flits = 4, .warmup = detect_warmup};
        for (std::uint32_t v = 0; v < 8; ++v) options.pattern.fixed.push_back((v + 1) % 8);
        TrafficHostOptions hosts;
        hosts.host.servers = 1;
        hosts.host.send_cycles = 10;
        const NodeParameters node = traffic_node(Switching::virtual_cut_through, 2, 16);
        for (options.seed = 1; options.seed <= 30; ++options.seed)
            runs += run(network, node, options, hosts).carried() ? 1 : 0;
        return runs;
    };
    EXPECT_EQ(carried(0.3), 30);
    EXPECT_GE(carried(0.9), 27);
    EXPECT_EQ(carried(1.1), 0);
}

// Beyond saturation the longer the run, the higher the latency: whatever its length, none says that it is
// carried.
TEST(Traffic, BeyondSaturationIsNotCarriedHoweverLongItRuns) {
    const Network network = make_network("torus:8x8");
    LinkParameters links;
    links.latency = 12;
    double latency = 0;
    for (const std::uint64_t cycles : {5'000U, 20'000U}) {
        const TrafficOptions options{.load = 0.35, .warmup = 2'000, .cycles = cycles};
        const TrafficResult result = run(network, node_parameters("wide"), options, {}, links);
        EXPECT_FALSE(result.settled) << cycles;
        EXPECT_FALSE(result.carried()) << cycles;
        EXPECT_GT(result.latency_mean, 1.5 * latency) << "or it would be carried";
        latency = result.latency_mean;
    }
}

// A packet that no queue has room to pass means saturation, not a latency of 0.
TEST(Traffic, WhatNeverArrivesIsNotCarried) {
    TrafficResult result;
    result.packets = 10;
    result.packets_missing = 10;
    EXPECT_FALSE(result.carried());
    result.packets_missing = 0;
    result.settled = false;
    EXPECT_FALSE(result.carried());
    EXPECT_TRUE(TrafficResult{}.carried());
}

// docs/node.md, section 7: 2 H + F + 1 cycles: 2 links and 4 flits, 1 and 8, 1 and 1. The last is made in
// cycle 100.
TEST(Traffic, ATraceIsRunToItsEnd) {
    const TemporaryFile file("cycle,from,to,flits\n100,3,2,8\n0,0,5,4\n7,1,0,1\n");
    const auto trace = read_trace(file.path(), 16);
    ASSERT_EQ(trace.size(), 3U);
    EXPECT_EQ(trace[2].from, 3U);
    const TrafficResult result =
        run_trace_on("torus:4x4", traffic_node(Switching::virtual_cut_through, 2, 16), trace);
    EXPECT_EQ(result.packets, 3U);
    EXPECT_EQ(result.latency_median, 9U);
    EXPECT_EQ(result.latency_max, 11U);
    EXPECT_DOUBLE_EQ(result.latency_mean, (9 + 11 + 4) / 3.0);
    EXPECT_EQ(result.cycles, 100U + 11 + 1);
    EXPECT_DOUBLE_EQ(result.mean_hops, 4 / 3.0);
    for (const char* wrong : {"cycle,from,to\n", "cycle,from,to,flits\n", "cycle,from,to,flits\n0,1,1,4\n",
                              "cycle,from,to,flits\n0,1,16,4\n", "cycle,from,to,flits\n0,1,2,65\n",
                              "cycle,from,to,flits\n1000000000001,1,2,4\n"}) {
        const TemporaryFile bad(wrong);
        EXPECT_THROW(read_trace(bad.path(), 16), InputError) << wrong;
    }
}

/// A trace on torus:4x4, whose hosts send packets after others.
TrafficResult run_after(const std::vector<TracePacket>& trace,
                        const std::vector<TraceDependences::Pair>& pairs,
                        const TrafficHostOptions& hosts = {}) {
    return run_trace_on("torus:4x4", traffic_node(Switching::virtual_cut_through, 2, 16), trace, hosts,
                        pairs);
}

// A packet of 8 flits takes 11 cycles over one link (docs/node.md, section 7), and its host has it in the
// twelfth. The third waits for the later of two, the last for its own cycle.
TEST(Traffic, PacketsOfATraceWaitForOthers) {
    EXPECT_EQ(run_after({{0, 0, 1, 8}, {0, 1, 2, 8}}, {{0, 1}}).cycles, 24U);
    EXPECT_EQ(run_after({{0, 0, 1, 8}, {0, 1, 2, 8}, {0, 2, 3, 8}}, {{0, 1}, {1, 2}}).cycles, 36U);
    EXPECT_EQ(run_after({{0, 0, 1, 8}, {20, 5, 1, 8}, {20, 1, 2, 8}}, {{0, 2}, {1, 2}}).cycles, 44U);
    EXPECT_EQ(run_after({{0, 0, 1, 8}, {100, 1, 2, 8}}, {{0, 1}}).cycles, 112U);
}

// A server that needs 100 cycles a packet, of which it reads 8, hands it on 92 cycles later than one that
// is as fast as the pins.
TEST(Traffic, PacketsWaitUntilAServerIsDone) {
    TrafficHostOptions hosts;
    hosts.host.servers = 1;
    const auto cycles = [&] { return run_after({{0, 0, 1, 8}, {0, 1, 2, 8}}, {{0, 1}}, hosts).cycles; };
    const std::uint64_t fast = cycles();
    hosts.host.receive_cycles = 100;
    EXPECT_EQ(cycles(), fast + 92);
    // Nothing is added to anything; and then a sum takes 50 cycles more, and nobody waits for the last.
    hosts.host.combine_cycles = 50;
    EXPECT_EQ(cycles(), fast + 92);
    EXPECT_EQ(run_after({{0, 0, 1, 8, true}, {0, 1, 2, 8, true}}, {{0, 1}}, hosts).cycles, fast + 92 + 50);
}

TEST(Traffic, RefusesPacketsThatWaitForWhatDoesNotCome) {
    EXPECT_THROW(run_after({{0, 0, 1, 8}, {0, 2, 3, 8}}, {{0, 1}}), InputError);
    try {
        run_after({{0, 0, 1, 8}, {0, 1, 0, 8}}, {{0, 1}, {1, 0}});
        FAIL();
    } catch (const FellShort& error) {
        EXPECT_NE(std::string(error.what()).find("2 wait for others"), std::string::npos) << error.what();
    }
}

TEST(Traffic, RefusesWhatCouldLockUp) {
    const TrafficOptions options;
    EXPECT_THROW(run(make_network("torus:4x4"), traffic_node(Switching::wormhole, 1, 16), options),
                 InputError);
    EXPECT_THROW(run(make_network("torus:4x4"), traffic_node(Switching::virtual_cut_through, 2, 8), options),
                 InputError);
    EXPECT_THROW(run(Network("pair", {{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{0}}}),
                     traffic_node(Switching::wormhole, 2, 8), options),
                 InputError);
}

/// A channel: a node, its output hop, and whether that is to the lower half of its ring.
using Channel = std::tuple<std::uint32_t, std::uint32_t, std::int32_t, bool>;

/// The channels from `from` to `to` by the rule of docs/node.md, section 4, written from its words alone.
/// `downwards`: a bit for each dimension, for where both ways round are equal.
std::vector<Channel> dimension_order(const Lattice& lattice, NodeId from, NodeId to,
                                     std::uint32_t downwards) {
    std::vector<Channel> path;
    for (std::uint32_t d = 0; d < lattice.dimensions(); ++d) {
        const auto size = static_cast<std::int32_t>(lattice.sizes()[d]);
        while (lattice.coordinate(from, d) != lattice.coordinate(to, d)) {
            const auto here = static_cast<std::int32_t>(lattice.coordinate(from, d));
            std::int32_t way = static_cast<std::int32_t>(lattice.coordinate(to, d)) - here;
            const bool down = (downwards >> d & 1U) != 0;
            if (lattice.wraps() && (2 * way > size || (2 * way == size && down))) way -= size;
            if (lattice.wraps() && (2 * way < -size || (2 * way == -size && !down))) way += size;
            Hop best;
            std::int32_t longest = 0;
            for (const Hop& hop : lattice.hops(from)) {
                std::int32_t offset = lattice.wraps() ? hop.offset % size : hop.offset;
                if (lattice.wraps() && 2 * std::abs(offset) > size) offset -= offset > 0 ? size : -size;
                const bool half = lattice.wraps() && 2 * std::abs(offset) == size;
                if (hop.dimension != d || (!half && (offset > 0) != (way > 0)) ||
                    std::abs(offset) > std::abs(way) || std::abs(offset) <= longest)
                    continue;
                best = hop;
                longest = std::abs(offset);
            }
            path.emplace_back(from, d, best.offset, lattice.coordinate(to, d) < lattice.sizes()[d] / 2);
            from = lattice.neighbour(from, best);
        }
    }
    return path;
}

TEST(DimensionOrder, ChannelsDependOnOneAnotherWithoutACycle) {
    for (const char* name : {"torus:5x4", "torus:4x3x3", "torus:6x9", "ibt:8x8:b=4", "ibt:12x8:b=4",
                             "ibt:8x8:b=6", "ibt:8x8:b=12", "ibt:16x16:b=4,8", "mesh:4x4"}) {
        const Network network = make_network(name);
        std::map<Channel, std::set<Channel>> after;
        for (std::uint32_t from = 0; from < network.node_count(); ++from)
            for (std::uint32_t to = 0; to < network.node_count() << network.lattice()->dimensions(); ++to) {
                const auto path =
                    dimension_order(*network.lattice(), NodeId{from}, NodeId{to % network.node_count()},
                                    to / network.node_count());
                for (std::size_t i = 1; i < path.size(); ++i) after[path[i - 1]].insert(path[i]);
            }
        std::map<Channel, int> state;  // 1: being visited, 2: done
        const std::function<bool(const Channel&)> cyclic = [&](const Channel& channel) {
            if (state[channel] != 0) return state[channel] == 1;
            state[channel] = 1;
            for (const Channel& next : after[channel])
                if (cyclic(next)) return true;
            state[channel] = 2;
            return false;
        };
        for (const auto& [channel, _] : std::map(after)) EXPECT_FALSE(cyclic(channel)) << name;
    }
}

}  // namespace
}  // namespace interlace
