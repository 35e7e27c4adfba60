// Interlace: regions of a part of a network that are run packet by packet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "flit_region.h"
#include "interlace/engine/checking/scoreboard.h"
#include "lockstep/native_engines.h"
#include "lockstep/random_traffic.h"
#include "packet_region.h"
#include "support/rank_threads.h"

namespace interlace {
namespace {

/// The nodes in `count` regions at random, some of which may have none.
std::vector<std::vector<NodeId>> cut(const Fabric& fabric, std::uint64_t seed, std::uint64_t count) {
    std::vector<std::vector<NodeId>> nodes(count);
    for (const NodeId node : all_nodes(fabric)) nodes[random_bits(seed, 55, node) % count].push_back(node);
    std::erase_if(nodes, [](const auto& region) { return region.empty(); });
    return nodes;
}

// One region shows its neighbours, which are run flit by flit, every flit and every credit in its cycle, and
// they show it theirs: all pins as if it were run flit by flit, too. 200 random configurations, in each of
// which about half of the nodes, drawn at random, are the region.
TEST(PacketCut, ShowsAndTakesFlitsAsTheFlitRegionDoes) {
    std::uint64_t tried = 0, arrived = 0;
    for (std::uint64_t seed = 2'000'000; tried < 200; ++seed) {
        const Configuration c = random_configuration(seed);
        if (c.node.switching == Switching::wormhole) continue;
        const Fabric fabric(c.network, c.node, c.links);
        const auto nodes = cut(fabric, seed, 2);
        if (nodes.size() < 2) continue;
        ++tried;
        SCOPED_TRACE(c.text);
        const PortTables tables = random_tables(fabric, c.traffic, routing_tables(c.network, fabric).ports);
        std::vector<NamedRegion> both;
        both.push_back({"packets", native::packet_region(fabric, nodes[0], &tables)});
        both.push_back({"flits", native::flit_region(fabric, nodes[0], &tables)});
        std::vector<Machine::Part> parts;
        parts.push_back({nodes[0], lockstep_region(fabric, nodes[0], std::move(both))});
        parts.push_back({nodes[1], native::flit_region(fabric, nodes[1], &tables)});
        Machine machine(fabric, std::move(parts));
        machine.watch({.occupancy = true, .each_queue = true});
        RandomHosts hosts(fabric, c.traffic, tables);
        ASSERT_NO_THROW(arrived += run_hosts(machine, hosts, 1500));
        ASSERT_NO_THROW(machine.usage());  // agrees too
    }
    EXPECT_GT(arrived, 300 * tried);
}

/// A machine beside another one, cycle by cycle: the pins of all nodes, and what hosts take.
void expect_same_cycles(Machine& one, Machine& other, const Configuration& c, const Fabric& fabric,
                        const PortTables& tables, std::uint64_t cycles, std::uint64_t& arrived) {
    RandomHosts hosts(fabric, c.traffic, tables), hosts_of_other(fabric, c.traffic, tables);
    RegionInputs inputs;
    RegionOutputs outputs, outputs_of_other;
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        inputs.clear();
        hosts.drive(cycle, outputs.injection_credits, inputs);
        one.tick(inputs, outputs);
        inputs.clear();
        hosts_of_other.drive(cycle, outputs_of_other.injection_credits, inputs);
        other.tick(inputs, outputs_of_other);
        ASSERT_EQ(outputs.receptions.size(), outputs_of_other.receptions.size()) << "cycle " << cycle;
        arrived += outputs.receptions.size();
        for (const NodeId node : all_nodes(fabric))
            ASSERT_EQ(one.pins(node), other.pins(node)) << "cycle " << cycle << ", node " << +node;
        if (cycle % 100 == 99) {
            ASSERT_EQ(one.usage(), other.usage());
        }
    }
}

// Regions that exchange packets, 2 to 5 of nodes drawn at random, are one region: every pin of every cycle,
// and every count, in 200 random configurations.
TEST(PacketCut, IsOneRegion) {
    std::uint64_t tried = 0, arrived = 0;
    for (std::uint64_t seed = 3'000'000; tried < 200; ++seed) {
        const Configuration c = random_configuration(seed);
        if (c.node.switching == Switching::wormhole) continue;
        ++tried;
        SCOPED_TRACE(c.text);
        const Fabric fabric(c.network, c.node, c.links);
        const PortTables tables = random_tables(fabric, c.traffic, routing_tables(c.network, fabric).ports);
        std::vector<Machine::Part> whole, parts;
        whole.push_back({all_nodes(fabric), native::packet_region(fabric, all_nodes(fabric), &tables)});
        for (const auto& nodes : cut(fabric, seed, 2 + seed % 4))
            parts.push_back({nodes, native::packet_region(fabric, nodes, &tables)});
        Machine one(fabric, std::move(whole)), other(fabric, std::move(parts));
        one.watch({.occupancy = true, .each_queue = true});
        other.watch({.occupancy = true, .each_queue = true});
        expect_same_cycles(one, other, c, fabric, tables, 1000, arrived);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(arrived, 200 * tried);
}

void expect_same_in_shares(const Configuration& c, std::uint64_t seed, const EngineUnderTest& engine) {
    const TrafficOptions options = random_traffic_for(c, seed);
    const TrafficHostOptions hosts = random_hosts_for(options, seed);
    const Seen one = run_traffic(c, options, hosts, engine);
    for (const auto& [regions, threads] : {std::pair{2U, 1U}, {2U, 2U}, {3U, 2U}, {8U, 3U}}) {
        SCOPED_TRACE(fmt::format("{} regions, {} threads", regions, threads));
        const Seen cut = run_traffic(c, options, hosts, engine, regions, threads);
        EXPECT_EQ(cut.shares, std::min(regions, c.network.node_count()));
        expect_same(cut, one);
    }
}

// Each region with hosts of its own, for as many cycles at a time as links allow: all that is measured is as
// in one region, on 2 to 8 regions and 1 to 3 threads, in 60 random configurations.
TEST(Shares, CarryTrafficAsOneRegionDoes) {
    each_configuration(4'000'000, 60, false,
                       [](const auto& c, std::uint64_t seed) { expect_same_in_shares(c, seed, packets); });
}

// ... and where flits and credits are told of, not packets: in 20 with worms, and in 10 without.
TEST(Shares, CarryFlitsAsOneRegionDoes) {
    const auto expect = [](const auto& c, std::uint64_t seed) { expect_same_in_shares(c, seed, flits); };
    each_configuration(6'000'000, 20, true, expect);
    each_configuration(6'100'000, 10, false, expect);
}

/// Packets in groups, with nothing between them for long.
std::vector<TracePacket> random_trace(const Configuration& c, std::uint64_t seed) {
    std::vector<TracePacket> trace;
    const std::uint32_t nodes = c.network.node_count();
    for (std::uint64_t i = 0; i < 300; ++i) {
        const std::uint64_t random = random_bits(seed, 99, i);
        const auto from = static_cast<std::uint32_t>(random % nodes);
        const auto step = static_cast<std::uint32_t>((random >> 16U) % (nodes - 1));
        trace.push_back({i / 60 * 3'000'000 + (random >> 32U) % 200, from, (from + 1 + step) % nodes,
                         c.node.packet_flits});
    }
    std::stable_sort(trace.begin(), trace.end(),
                     [](const TracePacket& a, const TracePacket& b) { return a.cycle < b.cycle; });
    return trace;
}

// A trace ends in the same cycle, too, which no region knows by itself, and nothing is counted beyond it.
TEST(Shares, ReplayTracesAsOneRegionDoes) {
    each_configuration(5'000'000, 40, false, [](const Configuration& c, std::uint64_t seed) {
        const Fabric fabric(c.network, c.node, c.links);
        const PortTables tables = routing_tables(c.network, fabric).ports;
        const auto run = [&](std::uint32_t regions, std::uint32_t threads) {
            Machine machine = cut_in_turn(fabric, packets, tables, regions, threads);
            machine.watch({.occupancy = true, .each_queue = true});
            const TrafficResult result = run_trace(fabric, machine, random_trace(c, seed));
            return std::pair(result, machine.usage());
        };
        const auto one = run(1, 1);
        EXPECT_GT(one.first.cycles, 12'000'000U);
        for (const auto& [regions, threads] : {std::pair{2U, 2U}, {3U, 1U}, {5U, 3U}})
            EXPECT_EQ(run(regions, threads), one) << regions << " regions, " << threads << " threads";
    });
}

/// Hosts that write packets for a table entry that is no way: that of node 9 in cycle 20, of node 2 later.
class Liar final : public PinHosts {
  public:
    explicit Liar(NodeRange nodes) : nodes_(nodes) {}
    void drive(std::uint64_t cycle, RegionInputs& inputs) override {
        for (const auto& [node, when] : {std::pair{9U, 20U}, {2U, 21U}})
            if (cycle == when && nodes_.contains(node))
                inputs.packets.push_back(
                    {node, 0, make_packet({.kind = PacketKind::table, .length = 4, .slot = 7})});
    }
    void receive(const RegionOutputs& /*outputs*/, std::uint64_t /*cycle*/) override {}

  private:
    NodeRange nodes_;
};

// A region whose node sees an error ends the run for all of them: the first error in time is told.
TEST(Shares, EndWithTheFirstFault) {
    const Network network = make_network("torus:4x4");
    NodeParameters node;
    node.packet_flits = 4;
    const Fabric fabric(network, node);
    const PortTables tables(fabric.nodes);
    std::string told;
    for (const auto& [regions, threads] : {std::pair{1U, 1U}, {2U, 2U}, {4U, 3U}, {16U, 2U}}) {
        Machine machine = cut_in_turn(fabric, packets, tables, regions, threads);
        std::vector<std::unique_ptr<Liar>> hosts;
        std::vector<PinHosts*> pins;
        for (const NodeRange& share : machine.shares()) {
            hosts.push_back(std::make_unique<Liar>(share));
            pins.push_back(hosts.back().get());
        }
        try {
            machine.run(1000, pins);
            ADD_FAILURE() << "no fault";
        } catch (const NodeFault& fault) {
            if (told.empty()) told = fault.what();
            EXPECT_EQ(fault.what(), told) << regions << " regions, " << threads << " threads";
        }
    }
    EXPECT_NE(told.find("node 9"), std::string::npos) << told;
}

/// Of the nodes that a rank has, what one region says of them.
void expect_same_on_rank(const Seen& cut, const Seen& one, std::size_t& nodes) {
    EXPECT_EQ(cut.use, one.use);
    EXPECT_EQ(cut.traffic, one.traffic);
    for (std::size_t i = 0; i < cut.queues.size(); ++i, ++nodes) {
        EXPECT_EQ(cut.queues[i], one.queues[nodes]);
        EXPECT_EQ(cut.stall_cycles[i], one.stall_cycles[nodes]);
    }
}

// Ranks that share no memory but messages, each with some of the regions: every rank measures the same as one
// region of all nodes, in 12 random configurations whose nodes exchange packets and 8 with worms, on 2 to 5
// ranks.
TEST(Ranks, CarryTrafficAsOneRegionDoes) {
    const auto expect = [](const Configuration& c, std::uint64_t seed, const EngineUnderTest& engine) {
        const TrafficOptions options = random_traffic_for(c, seed);
        const TrafficHostOptions hosts = random_hosts_for(options, seed);
        const Seen one = run_traffic(c, options, hosts, engine);
        const std::uint32_t nodes = c.network.node_count();
        for (const auto& [ranks, regions, threads] :
             {std::tuple{2U, 2U, 1U}, {3U, 7U, 2U}, {5U, 5U, 1U}, {2U, 5U, 3U}, {2U, 16U, 2U}}) {
            if (nodes < ranks) continue;
            std::vector<Seen> seen(ranks);
            run_on_ranks(ranks, [&, regions = regions, threads = threads](Communicator& rank) {
                seen[rank.rank()] = run_traffic(c, options, hosts, engine, regions, threads, rank);
            });
            SCOPED_TRACE(fmt::format("{} ranks, {} regions, {} threads", ranks, regions, threads));
            std::size_t known = 0;
            for (const Seen& cut : seen) expect_same_on_rank(cut, one, known);
            EXPECT_EQ(known, nodes);
        }
    };
    each_configuration(7'000'000, 12, false,
                       [&](const auto& c, std::uint64_t seed) { expect(c, seed, packets); });
    each_configuration(7'100'000, 8, true,
                       [&](const auto& c, std::uint64_t seed) { expect(c, seed, flits); });
}

// The end of a trace is the same cycle on all ranks.
TEST(Ranks, ReplayTracesAsOneRegionDoes) {
    each_configuration(8'000'000, 20, false, [](const Configuration& c, std::uint64_t seed) {
        const Fabric fabric(c.network, c.node, c.links);
        const PortTables tables = routing_tables(c.network, fabric).ports;
        const auto run = [&](Communicator& ranks) {
            Machine machine = cut_in_turn(fabric, packets, tables, ranks.size() + 1, 1, ranks);
            machine.watch({.occupancy = true, .each_queue = true});
            TrafficResult result = run_trace(fabric, machine, random_trace(c, seed));
            result.injection_stalls = ranks.gather_values(result.injection_stalls);
            return std::pair(result, machine.usage());
        };
        const auto one = run(no_other_ranks());
        run_on_ranks(3, [&](Communicator& ranks) { EXPECT_EQ(run(ranks), one); });
    });
}

/// Hosts that only count the cycles that they have seen.
class Counting final : public PinHosts {
  public:
    void drive(std::uint64_t /*cycle*/, RegionInputs& /*inputs*/) override { ++cycles; }
    void receive(const RegionOutputs& /*outputs*/, std::uint64_t /*cycle*/) override {}
    std::uint64_t cycles = 0;
};

/// A rank of which is seen when it sends.
class Watched final : public Communicator {
  public:
    Watched(Communicator& rank, std::function<void()> sends) : rank_(rank), sends_(std::move(sends)) {}
    std::uint32_t rank() const override { return rank_.rank(); }
    std::uint32_t size() const override { return rank_.size(); }
    void send(std::uint32_t to, Bytes message) override {
        sends_();
        rank_.send(to, std::move(message));
    }
    Bytes receive(std::uint32_t from) override { return rank_.receive(from); }
    void reduce(std::span<std::uint64_t> values, Reduction reduction) override {
        rank_.reduce(values, reduction);
    }
    std::vector<Bytes> gather(const Bytes& own) override { return rank_.gather(own); }

  private:
    Communicator& rank_;
    std::function<void()> sends_;
};

// What a rank tells others is on its way while it runs its inner regions: of a ring of 24 nodes in 12 regions
// on 2 ranks, the four of each rank that have links only to others of its own.
TEST(Ranks, TellOthersBeforeTheyRunInnerRegions) {
    const Network network = make_network("torus:24");
    NodeParameters node;
    node.packet_flits = 4;
    for (const EngineUnderTest& engine : {packets, flits}) {
        const Fabric fabric(network, node);
        const PortTables tables(fabric.nodes);
        run_on_ranks(2, [&](Communicator& rank) {
            std::vector<Counting> hosts(6);
            std::uint64_t sent = 0;
            Watched watched(rank, [&] {
                ++sent;
                for (std::size_t inner = 1; inner < 5; ++inner) {
                    EXPECT_LT(hosts[inner].cycles, hosts[0].cycles);
                    EXPECT_LT(hosts[inner].cycles, hosts[5].cycles);
                }
            });
            Machine machine = cut_in_turn(fabric, engine, tables, 12, 1, watched);
            std::vector<PinHosts*> pins;
            for (Counting& host : hosts) pins.push_back(&host);
            machine.run(100, pins);
            EXPECT_GT(sent, 0U);
            for (const Counting& host : hosts) EXPECT_EQ(host.cycles, 100U);
        });
    }
}

// A fault on one rank is told by all of them, that of the first cycle.
TEST(Ranks, EndWithTheFirstFault) {
    const Network network = make_network("torus:4x4");
    NodeParameters node;
    node.packet_flits = 4;
    const Fabric fabric(network, node);
    const PortTables tables(fabric.nodes);
    std::vector<std::string> told(4);
    run_on_ranks(4, [&](Communicator& ranks) {
        Machine machine = cut_in_turn(fabric, packets, tables, 4, 1, ranks);
        Liar hosts(machine.shares().front());
        try {
            machine.run(1000, {&hosts});
        } catch (const FellShort& error) {
            told[ranks.rank()] = error.what();
        }
    });
    EXPECT_THAT(told, testing::Each(testing::AllOf(testing::HasSubstr("node 9"), told[2])));
}

}  // namespace
}  // namespace interlace
