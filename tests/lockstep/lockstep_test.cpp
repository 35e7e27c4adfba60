// Interlace: native, RTL and SystemC nodes side by side: every output pin of every node in every cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "interlace/engine/checking/lockstep.h"
#include "interlace/engine/native/native.h"
#include "interlace/engine/systemc/systemc.h"
#include "interlace/engine/verilated/verilated.h"
#include "lockstep/random_configuration.h"
#include "support/temporary_file.h"

#include "Vil_node_defect.h"
#include "verilated_region.h"

namespace interlace {
namespace {

/// Every SystemC node that the tests of this process will need: SystemC elaborates once.
void reserve_systemc() {
    for (const std::uint32_t ports : built_ports)
        for (const std::uint32_t pipeline : {1U, 7U}) systemc_reserve(ports, 36, pipeline);
}

const EngineUnderTest native = {"native", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                    return native_region(fabric, nodes, &tables);
                                }};
const EngineUnderTest rtl = {"rtl", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                 return verilated_region(fabric, nodes, &tables);
                             }};
const EngineUnderTest systemc = {"systemc", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                     return systemc_region(fabric, nodes, &tables);
                                 }};

TEST(Lockstep, NativeRtlAndSystemCAgreeInEveryPinOnRandomConfigurations) {
    reserve_systemc();
    std::uint64_t packets = 0;
    std::set<std::uint32_t> ports;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Configuration configuration = random_configuration(seed, true);
        ports.insert(Fabric(configuration.network, configuration.node).ports);
        SCOPED_TRACE(configuration.text);
        ASSERT_NO_THROW(packets += run_lockstep(configuration, 2000, {native, rtl, systemc}));
    }
    EXPECT_GT(packets, 100'000U);
    EXPECT_EQ(ports, std::set<std::uint32_t>(std::begin(built_ports), std::end(built_ports)));
}

/// Packets that arrive where nodes are dealt out to engines in turn, each engine's in a region of its own.
std::uint64_t run_supervised(const Configuration& c, std::uint64_t cycles,
                             const std::vector<EngineUnderTest>& engines) {
    const Fabric fabric(c.network, c.node, c.links);
    RandomTraffic one_way = c.traffic;  // no packet meets itself again, which a scoreboard cannot tell apart
    one_way.replication = 1;
    const PortTables tables = random_tables(fabric, one_way, routing_tables(c.network, fabric).ports);
    std::vector<Machine::Part> parts;
    for (std::uint32_t e = 0; e < engines.size(); ++e) {
        std::vector<NodeId> nodes;
        for (std::uint32_t v = e; v < fabric.nodes; v += static_cast<std::uint32_t>(engines.size()))
            nodes.emplace_back(v);
        auto region = engines[e].make(fabric, nodes, tables);
        parts.push_back({std::move(nodes), std::move(region)});
    }
    Machine machine(fabric, std::move(parts));
    RandomHosts hosts(fabric, c.traffic, tables);
    return run_hosts(machine, hosts, cycles);
}

// The other half of Rogues.*: what supervision says of nodes that do as they should is nothing.
TEST(Supervision, FindsNothingOnRandomConfigurationsOfThreeEngines) {
    reserve_systemc();
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Configuration configuration = random_configuration(seed, true);
        SCOPED_TRACE(configuration.text);
        std::uint64_t packets = 0;
        ASSERT_NO_THROW(packets = run_supervised(configuration, 2000, {rtl, systemc, native}));
        EXPECT_EQ(packets, run_supervised(configuration, 2000, {native}));
    }
}

/// What is on the pins of a node, cycle by cycle, until its status_o shows `bit` (docs/node.md, section 8).
struct Mistake {
    std::string what;
    std::uint64_t bit;
    std::vector<RegionInputs> cycles;  // the mistake is in the last
    /// Of a node of another region, that is.
    bool is_a_neighbours() const { return !cycles.back().flits.empty() || !cycles.back().credits.empty(); }
};

RegionInputs injected(const Packet& packet) {
    RegionInputs inputs;
    inputs.injections.push_back({0, 0, 0, {packet, 0}});
    return inputs;
}

/// Node 0 of a ring of four, `minimal`: queues of 16 flits, two packets.
std::vector<Mistake> mistakes(const Fabric& fabric) {
    const Packet legal = make_packet({.length = 8, .slot = 1});
    const std::uint32_t here = fabric.destination(NodeId{0});
    std::vector<Mistake> all = {
        {"a wrong checksum", 2, {injected({legal.header ^ std::uint64_t{1} << 54U, 0})}},
        {"no port", 4, {injected(make_packet({.slot = 0}))}},
        {"a port without a link", 4, {injected(make_packet({.slot = 4}))}},
        {"unicast to its own node",
         4,
         {injected(make_packet({.kind = PacketKind::unicast, .destination = here}))}},
    };
    RegionInputs credit;
    credit.credits.push_back({0, 1, 0, 1});
    all.push_back({"a credit too many", 8, {credit}});
    // A host that takes nothing: two packets fill the reception queue, two the channel, and then one flit
    // more.
    Mistake overflow = {"a flit too many", 1, {}};
    for (std::uint8_t flit = 0; flit < 33; ++flit) {
        RegionInputs inputs;
        inputs.flits.push_back({0, 0, 0, {legal, static_cast<std::uint8_t>(flit % 8)}});
        if (flit == 0)
            for (std::uint8_t queue = 0; queue < fabric.receptions; ++queue)
                inputs.ready.push_back({0, queue, false});
        overflow.cycles.push_back(inputs);
    }
    all.push_back(overflow);
    return all;
}

TEST(Lockstep, EveryErrorShowsItsBitInTheNextCycleOnAllThree) {
    reserve_systemc();
    const Network network = make_network("torus:4");
    const Fabric fabric(network, node_parameters("minimal"));
    ASSERT_EQ(fabric.parameters.vc_depth, 16U);
    ASSERT_EQ(fabric.parameters.reception_depth, 16U);
    for (const Mistake& mistake : mistakes(fabric))
        for (const EngineUnderTest& engine : {native, rtl, systemc})
            for (const std::vector<NodeId>& nodes : {std::vector<NodeId>{NodeId{0}}, all_nodes(fabric)}) {
                if (mistake.is_a_neighbours() && nodes.size() == fabric.nodes) continue;
                SCOPED_TRACE(
                    fmt::format("{} on {}, in a region of {}", mistake.what, engine.name, nodes.size()));
                const auto region = engine.make(fabric, nodes, {});
                RegionOutputs outputs;
                for (std::size_t cycle = 0; cycle < mistake.cycles.size(); ++cycle) {
                    outputs.clear();
                    ASSERT_EQ(region->pins(NodeId{0}).back(), 0U) << "cycle " << cycle;
                    region->tick(mistake.cycles[cycle], outputs);
                }
                EXPECT_EQ(region->pins(NodeId{0}).back(), mistake.bit);
            }
}

// The test of the test: each defect (rtl, IL_DEFECTS) is found by some configuration, and none without a
// defect. A waveform shows the difference in its last cycle.
TEST(Lockstep, FindsEveryDefect) {
    const TemporaryFile waveform;
    for (std::uint32_t defect = 0; defect <= 5; ++defect) {
        const EngineUnderTest broken = {
            "rtl", [defect](const Fabric& fabric, const auto& nodes, const auto& tables) {
                return std::make_unique<detail::VerilatedRegion<Vil_node_defect>>(fabric, nodes, &tables,
                                                                                  defect);
            }};
        std::uint32_t found = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const Configuration configuration = random_configuration(seed);
            if (Fabric(configuration.network, configuration.node).ports != 4) continue;
            try {
                run_lockstep(configuration, 500, {native, broken}, waveform.path());
            } catch (const LockstepError& error) {
                if (found++ == 0) std::printf("defect %u: %s\n", defect, error.what());
            }
        }
        EXPECT_EQ(found > 0, defect > 0) << "defect " << defect;
    }
}

// Of which one device lives at a time.
TEST(Snapshot, OfOtherSystemCNodesIsRefused) {
    reserve_systemc();
    const auto snapshot_of = [](std::uint32_t ports, std::size_t nodes) {
        return systemc_device(ports, 1, nodes)->snapshot();
    };
    const std::vector<std::uint8_t> one = snapshot_of(4, 1), two = snapshot_of(4, 2),
                                    others = snapshot_of(6, 2);
    const auto device = systemc_device(4, 1, 2);
    device->restore(two);
    EXPECT_EQ(device->snapshot(), two);
    const std::vector<std::uint8_t> part(two.begin(), two.end() - 1);
    std::vector<std::uint8_t> more = two;
    more.push_back(0);
    for (const auto& refused : {one, others, part, more, {}})
        EXPECT_THROW(device->restore(refused), FellShort);
}

}  // namespace
}  // namespace interlace
