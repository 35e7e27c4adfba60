// Interlace: random networks, nodes and traffic for engines to agree on
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/engine/checking/lockstep.h"
#include "interlace/engine/routing/routing_tables.h"
#include "interlace/harness/hosts/random_hosts.h"
#include "support/random_graph.h"

namespace interlace {

inline std::vector<NodeId> all_nodes(const Fabric& fabric) {
    std::vector<NodeId> nodes;
    for (std::uint32_t v = 0; v < fabric.nodes; ++v) nodes.emplace_back(v);
    return nodes;
}

struct Configuration {
    Network network;
    NodeParameters node;
    LinkParameters links;
    RandomTraffic traffic;
    std::string text;
};

/// `pipelined`: half of those that can be are.
inline Configuration random_configuration(std::uint64_t seed, bool pipelined = false) {
    const auto pick = [&](std::uint64_t index, std::uint32_t choices) {
        return static_cast<std::uint32_t>(random_bits(seed, 77, index) % choices);
    };
    constexpr std::array lattices = {"torus:4",     "torus:3x3",   "mesh:3x3",   "ibt:8:b=2",
                                     "ibt:4x4:b=2", "torus:3x3x3", "ibt:6x6:b=2"};
    const std::uint32_t which = pick(0, 2 * lattices.size() + 3);
    Network network = which < lattices.size()       ? make_network(lattices[which])
                      : which < 2 * lattices.size() ? random_graph(3 + pick(1, 6), pick(2, 40), seed)
                                                    : dense_graph(8 + pick(1, 4), seed);
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
    if (which < lattices.size() && !wormhole && node.vcs > 1 && pick(13, 2) == 0) {
        node.routing = Routing::adaptive_bubble;
        node.vc_depth = std::max(node.vc_depth, 2 * node.packet_flits);
        node.priority_channel = node.vcs > 2 && pick(18, 2) == 0;
        node.selection = static_cast<Selection>(pick(19, 2));
        node.arbitration = static_cast<SinkArbitration>(pick(30, 3));
    } else if (pick(34, 3) == 0) {
        node.arbitration = SinkArbitration::most_hops;
    }
    if (node.arbitration != SinkArbitration::round_robin) node.round_robin_every = pick(31, 5);
    if (pipelined && !wormhole && pick(32, 2) == 0) node.pipeline = 7;
    LinkParameters links;
    if (pick(14, 2) == 0) links = {1 + pick(15, 3), 1 + pick(16, 4), pick(17, 2)};
    RandomTraffic traffic;
    traffic.seed = seed;
    traffic.load = (1 + pick(9, 10)) / 20.0;
    traffic.stall = pick(10, 3) / 10.0;
    traffic.longest = node.packet_flits;
    traffic.replication = wormhole ? 1 : 1 + pick(11, 4);
    traffic.slots = pick(12, 2) * 16;
    // Random tables turn back, and so do adaptive packets that choose by one; of random graphs links do not
    // lead back.
    const bool by_table =
        traffic.slots != 0 || (node.routing == Routing::adaptive_bubble && network.name().starts_with("ibt"));
    node.turn_back = by_table || which >= lattices.size() || pick(33, 3) != 0;
    std::string text = fmt::format(
        "seed {}: {}, {} nodes, {}, pipeline {}, {}{}{}, {}, {} {}, vcs {}, flits {}, depths {} {} {}, links "
        "{} {} {}, load "
        "{}, stall "
        "{}",
        seed, network.name(), network.node_count(), switching_name(node.switching), node.pipeline,
        routing_name(node.routing), node.priority_channel ? " with a priority channel" : "",
        node.turn_back ? "" : ", onward", selection_name(node.selection),
        sink_arbitration_name(node.arbitration), node.round_robin_every, node.vcs, node.packet_flits,
        node.vc_depth, node.injection_depth, node.reception_depth, links.cycles_per_flit, links.latency,
        links.latency_per_hop, traffic.load, traffic.stall);
    return {std::move(network), node, links, traffic, std::move(text)};
}

/// How an engine makes a region of all nodes of a fabric.
struct EngineUnderTest {
    std::string name;
    std::function<std::unique_ptr<Region>(const Fabric&, const std::vector<NodeId>&, const PortTables&)> make;
};

/// Runs a configuration on several engines at once. Throws LockstepError where they differ, or where an error
/// bit is set although the traffic is legal. Returns the number of packets that arrived.
inline std::uint64_t run_lockstep(const Configuration& c, std::uint64_t cycles,
                                  const std::vector<EngineUnderTest>& engines,
                                  const std::string& waveform = {}) {
    const Fabric fabric(c.network, c.node, c.links);
    const PortTables tables = random_tables(fabric, c.traffic, routing_tables(c.network, fabric).ports);
    std::vector<NamedRegion> regions;
    for (const EngineUnderTest& engine : engines)
        regions.push_back({engine.name, engine.make(fabric, all_nodes(fabric), tables)});
    const auto all = lockstep_region(fabric, all_nodes(fabric), std::move(regions), waveform);
    all->queue_watch()->watch({.occupancy = true, .each_queue = true});
    RandomHosts hosts(fabric, c.traffic, tables);
    RegionInputs inputs;
    RegionOutputs outputs;
    std::uint64_t packets = 0;
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        inputs.clear();
        hosts.drive(cycle, outputs.injection_credits, inputs);
        outputs.clear();
        all->tick(inputs, outputs);
        packets += outputs.receptions.size();
        if (cycle % 100 == 99) all->usage();  // agrees too
        for (const NodeId node : all_nodes(fabric)) {
            const Pins pins = all->pins(node);
            if (pins.back() != 0)
                throw LockstepError(fmt::format("cycle {}, node {}: status {} under legal traffic", cycle + 1,
                                                +node, pins.back()));
            if (all->stalled(node) != *(pins.end() - 2))
                throw LockstepError(
                    fmt::format("cycle {}, node {}: stalled() is not stall_o", cycle + 1, +node));
        }
    }
    return packets;
}

}  // namespace interlace
