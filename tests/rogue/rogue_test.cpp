// Interlace: nodes that do what docs/node.md forbids are named, whatever they do
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "Vil_node_2.h"
#include "interlace/engine/checking/lockstep.h"
#include "interlace/engine/native/native.h"
#include "interlace/engine/systemc/systemc.h"
#include "interlace/harness/hosts/random_hosts.h"
#include "rogue/misbehaviours.h"
#include "support/real_nodes.h"

namespace interlace {
namespace {

using rogue::Misbehaviour, rogue::Scene;

/// Random traffic on a small network, of which one node is not native.
class Stage {
  public:
    explicit Stage(const Scene& scene)
        : network_(make_network(scene.network)),
          fabric_(network_, parameters(scene), links(scene)),
          tables_(fabric_.nodes),
          hosts_(fabric_, traffic(scene), tables_),
          node_(scene.node) {}

    const Fabric& fabric() const { return fabric_; }
    const PortTables& tables() const { return tables_; }
    NodeId node() const { return NodeId{node_}; }

    /// Runs with `region` as that node. Throws what the machine throws. Returns packets that arrived.
    std::uint64_t run(std::unique_ptr<Region> region, std::uint64_t cycles) {
        std::vector<NodeId> others;
        for (std::uint32_t v = 0; v < fabric_.nodes; ++v)
            if (v != node_) others.emplace_back(v);
        std::vector<Machine::Part> parts;
        parts.push_back({{node()}, std::move(region)});
        auto native = native_region(fabric_, others, &tables_);
        parts.push_back({std::move(others), std::move(native)});
        Machine machine(fabric_, std::move(parts));
        return run_hosts(machine, hosts_, cycles);
    }

  private:
    static NodeParameters parameters(const Scene& scene) {
        NodeParameters node = node_parameters("minimal");
        node.switching = scene.switching;
        node.vcs = 2;
        node.packet_flits = 8;
        node.vc_depth = node.injection_depth = node.reception_depth = 16;
        node.injection_queues = 0;
        node.reception_queues = 0;
        return node;
    }
    static LinkParameters links(const Scene& scene) { return {scene.cycles_per_flit, 1, 0}; }
    static RandomTraffic traffic(const Scene& scene) {
        const std::uint32_t branches = scene.switching == Switching::wormhole ? 1 : 2;
        return {.seed = 5, .load = 0.2, .stall = 0.02, .longest = 8, .replication = branches, .slots = 0};
    }

    Network network_;
    Fabric fabric_;
    PortTables tables_;
    RandomHosts hosts_;
    std::uint32_t node_;
};

constexpr std::uint64_t long_enough = 6000;

template <class Real>
std::unique_ptr<Region> rogue_region(const Stage& stage, const Misbehaviour& misbehaviour) {
    return std::make_unique<rogue::RogueRegion<Real>>(stage.fabric(), stage.node(), &stage.tables(),
                                                      misbehaviour.tampering);
}

template <class Real>
class Rogues : public testing::Test {};
using Nodes = testing::Types<RtlNode<Vil_node_2>, SystemCNode<systemc::Node<2>>>;
TYPED_TEST_SUITE(Rogues, Nodes);

TYPED_TEST(Rogues, AreNamed) {
    systemc_reserve(2, 1);
    EXPECT_GE(rogue::misbehaviours().size(), 40U);
    for (std::size_t i = 0; i < rogue::misbehaviours().size(); ++i) {
        const Misbehaviour misbehaviour = rogue::misbehaviours()[i];
        SCOPED_TRACE(misbehaviour.name);
        Stage stage(misbehaviour.scene);
        try {
            const std::uint64_t packets =
                stage.run(rogue_region<TypeParam>(stage, misbehaviour), long_enough);
            // What is late by a cycle is a node all the same, of another microarchitecture.
            EXPECT_EQ(misbehaviour.sentence, "") << "nothing was found";
            EXPECT_GT(packets, 200U);
        } catch (const NodeFault& fault) {
            std::printf("%s: %s\n", misbehaviour.name.c_str(), fault.what());
            const std::string where =
                fmt::format("^node {}, cycle [0-9]+: ", stage.fabric().nodes == 3 ? 0 : 2);
            EXPECT_THAT(fault.what(), testing::ContainsRegex(where));
            EXPECT_NE(misbehaviour.sentence, "");
            EXPECT_THAT(fault.what(), testing::ContainsRegex(misbehaviour.sentence));
        }
    }
}

TYPED_TEST(Rogues, DifferFromANativeNode) {
    systemc_reserve(2, 1);
    for (std::size_t i = 0; i < rogue::misbehaviours().size(); ++i) {
        const Misbehaviour misbehaviour = rogue::misbehaviours()[i];
        SCOPED_TRACE(misbehaviour.name);
        Stage stage(misbehaviour.scene);
        std::vector<NamedRegion> both;
        both.push_back({"native", native_region(stage.fabric(), {stage.node()}, &stage.tables())});
        both.push_back({"rogue", rogue_region<TypeParam>(stage, misbehaviour)});
        EXPECT_THROW(stage.run(lockstep_region(stage.fabric(), {stage.node()}, std::move(both)), long_enough),
                     LockstepError);
    }
}

// The test of the test: a node that is not tampered with is found to do nothing wrong, in every scene.
TYPED_TEST(Rogues, AreNotThoseThatDoAsTheyShould) {
    systemc_reserve(2, 1);
    for (const Scene& scene :
         {Scene{}, Scene{.network = "mesh:3", .node = 0}, Scene{.cycles_per_flit = 2},
          Scene{.switching = Switching::store_and_forward}, Scene{.switching = Switching::wormhole}}) {
        Stage stage(scene);
        EXPECT_GT(stage.run(rogue_region<TypeParam>(stage, {}), 3 * long_enough), 500U) << scene.network;
    }
}

}  // namespace
}  // namespace interlace
