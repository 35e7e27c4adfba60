// Interlace: random broadcasts and traffic on small queues and slow hosts, to hunt for lock-ups
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "interlace/broadcast/torus/optimal.h"
#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/experiment/kinds/traffic.h"
#include "interlace/experiment/nodes/cycles.h"
#include "support/draw.h"
#include "support/random_graph.h"
#include "support/temporary_file.h"

namespace interlace {

/// Every packet along a tree that grows at random, all trees at once. `again`: sends of packets that their
/// receivers have already, at the end.
inline std::vector<Send> random_sends(const Network& network, NodeId source, std::uint32_t packets,
                                      std::uint32_t again, Draw& draw) {
    std::vector<std::vector<NodeId>> holders(packets, {source});
    std::vector<std::vector<bool>> held(packets, std::vector<bool>(network.node_count(), false));
    for (auto& nodes : held) nodes[source] = true;
    std::vector<Send> sends;
    const std::size_t all = std::size_t{packets} * (network.node_count() - 1);
    while (sends.size() < all) {
        const PacketId packet{draw(packets)};
        const NodeId from = holders[packet][draw(static_cast<std::uint32_t>(holders[packet].size()))];
        const LinkId link{network.first_link(from) + draw(network.degree(from))};
        const NodeId to = network.target(link);
        if (held[packet][to]) continue;
        held[packet][to] = true;
        holders[packet].push_back(to);
        sends.push_back({link, packet});
    }
    for (std::uint32_t i = 0; i < again; ++i) {
        const LinkId link{draw(network.link_count())};
        if (network.target(link) != source) sends.push_back({link, PacketId{draw(packets)}});
    }
    return sends;
}

/// A node with queues of little more than what it needs, or less: injection queues may hold a flit, and those
/// under wormhole switching, too.
inline NodeParameters random_small_node(Draw& draw, const Network& network, bool forwards) {
    NodeParameters node;
    node.switching = static_cast<Switching>(draw(forwards ? 2 : 3));
    node.packet_flits = 1 + draw(8);
    node.vcs = 1 + draw(3);
    const std::uint32_t least = node.switching == Switching::wormhole ? 1 : node.packet_flits;
    node.vc_depth = least + draw(3) * draw(6);
    node.reception_depth = least + draw(3) * draw(6);
    node.injection_depth = 1 + draw(draw.one_in(2) ? node.packet_flits : 20);
    const std::uint32_t ports = Fabric(network, NodeParameters{}).ports;
    node.injection_queues = draw.one_in(2) ? 1 + draw(3) : 0;
    node.reception_queues = draw.one_in(2) ? 1 : draw.one_in(2) ? ports : 0;
    return node;
}

inline HostParameters random_slow_host(Draw& draw) {
    HostParameters host;
    if (draw.one_in(8)) return host;
    host.servers = draw(4);
    host.polling = static_cast<Polling>(draw(3));
    host.send_cycles = draw(2) * draw(20);
    host.receive_cycles = draw(2) * draw(20);
    host.copy_cycles = draw.one_in(4) ? draw(20) : 0;
    host.reserve_flits = draw.one_in(2) ? draw(12) : 0;
    host.start_skew_cycles = draw.one_in(4) ? draw(300) : 0;
    host.jitter_cycles = draw.one_in(4) ? draw(30) : 0;
    return host;
}

inline Network random_small_network(Draw& draw, std::uint64_t seed) {
    constexpr std::array lattices = {"torus:4",  "torus:3x3", "torus:4x4",   "mesh:3",  "mesh:4",
                                     "mesh:3x3", "ibt:8:b=2", "ibt:4x4:b=2", "mesh:3x4"};
    const std::uint32_t which = draw(lattices.size() + 4);
    if (which < lattices.size()) return make_network(lattices[which]);
    return which % 2 == 0 ? random_graph(3 + draw(6), draw(20), seed) : dense_graph(3 + draw(4), seed);
}

/// Unicast dimension order, and with it a background, where the network has coordinates; tables elsewhere.
inline void choose_routing(NodeParameters& node, const Network& network, Draw& draw) {
    const bool wraps = network.lattice() && network.lattice()->wraps();
    const bool wormhole = node.switching == Switching::wormhole;
    if (!network.lattice() || draw.one_in(4)) {
        node.routing = Routing::table;
        node.vcs = 4;
    } else if (!wormhole && draw.one_in(3)) {
        node.routing = Routing::adaptive_bubble;
        node.vcs = std::max(node.vcs, 2U);
        node.vc_depth = std::max(node.vc_depth, 2 * node.packet_flits);
    } else if (wraps) {
        node.vcs = std::max(node.vcs, 2U);
    }
}

struct LockUpCase {
    Network network;
    Program program;
    CycleOptions options;
    std::string text;
};

inline LockUpCase random_broadcast(std::uint64_t seed) {
    Draw draw(seed);
    Network network = random_small_network(draw, seed);
    const NodeId source{draw(network.node_count())};
    CycleOptions options;
    const std::uint32_t forwarding = draw(network.lattice() ? 4 : 3);
    options.forwarding = forwarding < 2 ? "host" : forwarding == 2 ? "table" : "deposit";
    const bool by_host = options.forwarding == "host";
    options.node = random_small_node(draw, network, !by_host);
    options.host = random_slow_host(draw);
    if (draw.one_in(6)) options.host.memory_packets = 1 + draw(4);
    if (draw.one_in(3)) options.links = {1 + draw(3), 1 + draw(10), 0};
    if (by_host && draw.one_in(3)) {
        choose_routing(options.node, network, draw);
        // A tenth of what a host with one server takes, at most; less where credits are long under way.
        const HostParameters& host = options.host;
        const std::uint32_t work = 2 * options.node.packet_flits + host.send_cycles + host.receive_cycles +
                                   host.copy_cycles + host.jitter_cycles;
        options.background.traffic.load =
            0.1 * options.node.packet_flits / work / options.links.cycles_per_flit / options.links.latency;
    }
    options.seeds = 1;
    options.occupancy = false;
    const std::uint32_t packets = 1 + draw(16);
    const std::uint32_t again = by_host && draw.one_in(4) ? 5 : 0;
    const bool optimal = draw.one_in(3);
    const std::vector<Send> sends =
        optimal ? optimal_broadcast(network, global_group(network), source, packets).sends
                : random_sends(network, source, packets, again, draw);
    const NodeParameters& n = options.node;
    const HostParameters& h = options.host;
    std::string text = fmt::format(
        "broadcast {}: {} from {}, {} packets of {} flits{}, by {}, {}, {}, vcs {} of {}, injection {} of "
        "{}, "
        "reception {} of {}, host {} {}, {} {} {}, memory {}, reserve {}, skew {}, jitter {}, links {} {}, "
        "background {:.4f}",
        seed, network.name(), +source, packets, n.packet_flits, optimal ? ", optimal" : "",
        options.forwarding, switching_name(n.switching), routing_name(n.routing), n.vcs, n.vc_depth,
        n.injection_queues, n.injection_depth, n.reception_queues, n.reception_depth, h.servers,
        polling_name(h.polling), h.send_cycles, h.receive_cycles, h.copy_cycles, h.memory_packets,
        h.reserve_flits, h.start_skew_cycles, h.jitter_cycles, options.links.cycles_per_flit,
        options.links.latency, options.background.traffic.load);
    Program program(network, source, packets, sends);
    return {std::move(network), std::move(program), std::move(options), std::move(text)};
}

/// What became of a run. Background that the network does not carry is not begun on, and no lock-up.
struct LockUpOutcome {
    std::string note;   ///< what was said before it began that it might lock up; empty: nothing
    std::string stuck;  ///< how it locked up; empty: it did not
};

inline LockUpOutcome run_case(const LockUpCase& c, const std::string& engine, std::uint64_t seed) {
    LockUpOutcome outcome;
    RunListener listener;
    listener.warn = [&](const std::string& text) { outcome.note = text; };
    try {
        run_cycles(c.network, c.program, engine, c.options, seed, listener);
    } catch (const FellShort& error) {
        outcome.stuck = error.what();
        if (outcome.stuck.starts_with("the network does not carry")) outcome.stuck.clear();
    }
    return outcome;
}

/// Packets at random times between random nodes, more than the network carries, run until all have arrived.
struct TrafficCase {
    std::string trace;  ///< CSV
    TrafficExperiment experiment;
    std::string text;
};

inline TrafficCase random_trace(std::uint64_t seed) {
    Draw draw(seed);
    constexpr std::array networks = {"torus:4", "torus:3x3", "mesh:3", "mesh:3x3", "ibt:4x4:b=2", "mesh:3x4"};
    TrafficCase c;
    TrafficExperiment& e = c.experiment;
    e.network = draw.of(networks);
    const Network network = make_network(e.network);
    e.nodes.node = random_small_node(draw, network, false);
    choose_routing(e.nodes.node, network, draw);
    e.nodes.host = random_slow_host(draw);
    if (draw.one_in(4)) e.nodes.host.memory_packets = 1 + draw(2);
    if (draw.one_in(3)) e.nodes.links = {1 + draw(3), 1 + draw(10), 0};
    e.nodes.occupancy = false;
    e.nodes.seeds = 1;
    e.traffic.seed = seed;
    c.trace = "cycle,from,to,flits\n";
    const std::uint32_t nodes = network.node_count();
    for (int i = 0; i < 150; ++i) {
        const std::uint32_t from = draw(nodes);
        c.trace += fmt::format("{},{},{},{}\n", draw(600), from, (from + 1 + draw(nodes - 1)) % nodes,
                               e.nodes.node.packet_flits);
    }
    const NodeParameters& n = e.nodes.node;
    const HostParameters& h = e.nodes.host;
    c.text = fmt::format(
        "traffic {}: {}, packets of {} flits, {}, {}, vcs {} of {}, injection {} of {}, reception {} of {}, "
        "host {} "
        "{}, {} {} {}, memory {}, reserve {}, skew {}, jitter {}, links {} {}",
        seed, e.network, n.packet_flits, switching_name(n.switching), routing_name(n.routing), n.vcs,
        n.vc_depth, n.injection_queues, n.injection_depth, n.reception_queues, n.reception_depth, h.servers,
        polling_name(h.polling), h.send_cycles, h.receive_cycles, h.copy_cycles, h.memory_packets,
        h.reserve_flits, h.start_skew_cycles, h.jitter_cycles, e.nodes.links.cycles_per_flit,
        e.nodes.links.latency);
    return c;
}

/// Nothing is said of traffic before a run: none may lock up.
inline LockUpOutcome run_case(TrafficCase c, const std::string& engine) {
    const TemporaryFile file(c.trace);
    c.experiment.pattern = "trace:" + file.path();
    c.experiment.engine = engine;
    try {
        run_traffic(c.experiment);
    } catch (const FellShort& error) {
        return {"", error.what()};
    }
    return {};
}

}  // namespace interlace
