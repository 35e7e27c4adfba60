// Interlace: native and RTL nodes side by side: every output pin of every node in every cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "interlace/engine/lockstep.h"
#include "interlace/engine/native.h"
#include "interlace/engine/systemc.h"
#include "interlace/engine/verilated.h"
#include "lockstep/random_hosts.h"
#include "support/random_graph.h"

#include "Vil_node_defect.h"
#include "verilated_region.h"

namespace interlace {
namespace {

std::vector<NodeId> all_nodes(const Fabric& fabric) {
    std::vector<NodeId> nodes;
    for (std::uint32_t v = 0; v < fabric.nodes; ++v) nodes.emplace_back(v);
    return nodes;
}

struct Configuration {
    Network network;
    NodeParameters node;
    RandomTraffic traffic;
    std::string text;
};

Configuration random_configuration(std::uint64_t seed) {
    const auto pick = [&](std::uint64_t index, std::uint32_t choices) {
        return static_cast<std::uint32_t>(random_bits(seed, 77, index) % choices);
    };
    constexpr std::array lattices = {"torus:4",     "torus:3x3",   "mesh:3x3",   "ibt:8:b=2",
                                     "ibt:4x4:b=2", "torus:3x3x3", "ibt:6x6:b=2"};
    const std::uint32_t which = pick(0, 2 * lattices.size());
    Network network = which < lattices.size() ? make_network(lattices[which])
                                              : random_graph(3 + pick(1, 6), pick(2, 40), seed);
    NodeParameters node;
    node.switching = static_cast<Switching>(pick(3, 3));
    node.vcs = 1 + pick(4, 4);
    node.packet_flits = 1 + pick(5, 12);
    const bool wormhole = node.switching == Switching::wormhole;
    const auto depth = [&](std::uint64_t index) {
        const std::uint32_t least = wormhole ? 1 : node.packet_flits;
        return std::min(512U, least + (pick(index, 4) == 0 ? 0 : pick(index + 20, 40)));
    };
    node.vc_depth = depth(6);
    node.injection_depth = 1 + pick(7, 40);
    node.reception_depth = depth(8);
    RandomTraffic traffic;
    traffic.seed = seed;
    traffic.load = (1 + pick(9, 10)) / 20.0;
    traffic.stall = pick(10, 3) / 10.0;
    traffic.longest = node.packet_flits;
    traffic.replication = wormhole ? 1 : 1 + pick(11, 4);
    traffic.slots = pick(12, 2) * 16;
    std::string text = fmt::format(
        "seed {}: {}, {} nodes, switching {}, vcs {}, flits {}, depths {} {} {}, load {}, stall {}", seed,
        network.name(), network.node_count(), pick(3, 3), node.vcs, node.packet_flits, node.vc_depth,
        node.injection_depth, node.reception_depth, traffic.load, traffic.stall);
    return {std::move(network), node, traffic, std::move(text)};
}

/// Every SystemC node that the tests of this process will need: SystemC elaborates once.
void reserve_systemc() {
    for (const std::uint32_t ports : built_ports) systemc_reserve(ports, 36);
}

/// Runs native nodes beside `rtl` nodes, and SystemC nodes if asked for; the number of packets that arrived.
template <class MakeRtl>
std::uint64_t lockstep(const Configuration& c, std::uint64_t cycles, const MakeRtl& rtl, bool systemc) {
    const Fabric fabric(c.network, c.node);
    const PortTables tables = random_tables(fabric, c.traffic);
    std::vector<NamedRegion> regions;
    regions.push_back({"native", native_region(fabric, all_nodes(fabric), &tables, true)});
    regions.push_back({"rtl", rtl(fabric, all_nodes(fabric), &tables)});
    if (systemc) regions.push_back({"systemc", systemc_region(fabric, all_nodes(fabric), &tables)});
    const auto both = lockstep_region(fabric, all_nodes(fabric), std::move(regions));
    RandomHosts hosts(fabric, c.traffic, tables);
    RegionOutputs outputs;
    std::uint64_t packets = 0;
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        RegionInputs inputs;
        hosts.drive(cycle, outputs.injection_credits, inputs);
        outputs.clear();
        both->tick(inputs, outputs);
        packets += outputs.receptions.size();
        for (const NodeId node : all_nodes(fabric))
            EXPECT_EQ(both->pins(node).back(), 0U) << "an error bit under legal traffic";
    }
    return packets;
}

TEST(Lockstep, NativeRtlAndSystemCAgreeInEveryPinOnRandomConfigurations) {
    reserve_systemc();
    std::uint64_t packets = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Configuration configuration = random_configuration(seed);
        SCOPED_TRACE(configuration.text);
        ASSERT_NO_THROW(packets += lockstep(configuration, 2000, verilated_region, true));
    }
    EXPECT_GT(packets, 100'000U);
}

// The test of the test: each defect (rtl, IL_DEFECTS) is found by some configuration, and none without a
// defect.
TEST(Lockstep, FindsEveryDefect) {
    for (std::uint32_t defect = 0; defect <= 5; ++defect) {
        const auto broken = [&](const Fabric& fabric, const std::vector<NodeId>& nodes,
                                const PortTables* tables) {
            return std::make_unique<detail::VerilatedRegion<Vil_node_defect>>(fabric, nodes, tables, defect);
        };
        std::uint32_t found = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const Configuration configuration = random_configuration(seed);
            if (Fabric(configuration.network, configuration.node).ports != 4) continue;
            try {
                lockstep(configuration, 500, broken, false);
            } catch (const LockstepError& error) {
                if (found++ == 0) std::printf("defect %u: %s\n", defect, error.what());
            }
        }
        EXPECT_EQ(found > 0, defect > 0) << "defect " << defect;
    }
}

}  // namespace
}  // namespace interlace
