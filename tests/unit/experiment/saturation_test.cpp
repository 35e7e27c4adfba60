// Interlace: what nodes carry in simulation, and what the links can carry by the routing and by any routing
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "interlace/core/random.h"
#include "interlace/experiment/kinds/capacity.h"
#include "interlace/experiment/kinds/traffic.h"
#include "support/random_graph.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

/// Random networks and patterns, from a seed.
struct Drawn {
    std::string network, pattern;
    Routing routing;
    std::unique_ptr<TemporaryFile> graph = nullptr, permutation = nullptr;
};

std::string csv_of(const Network& network) {
    std::string text = "from,to\n";
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (const NodeId to : network.neighbours(NodeId{v})) text += fmt::format("{},{}\n", v, +to);
    return text;
}

Drawn draw(std::uint64_t seed) {
    const auto choose = [&](std::uint64_t what, const auto& list) {
        return list[random_bits(seed, what, 0) % std::size(list)];
    };
    constexpr const char* lattices[] = {"torus:4x4",   "torus:5x4",  "torus:8x4", "torus:6x6",
                                        "torus:3x3x3", "mesh:4x4",   "mesh:5x3",  "ibt:8x8:b=4",
                                        "ibt:4x4:b=2", "ibt:8x4:b=2"};
    constexpr const char* patterns[] = {"uniform", "tornado", "neighbour", "hotspot:0.25:1,3", "permutation"};
    Drawn drawn{choose(0, lattices), choose(1, patterns),
                seed % 2 == 0 ? Routing::table : Routing::dimension_order};
    if (seed % 5 == 0) {
        drawn.graph = std::make_unique<TemporaryFile>(csv_of(random_graph(12, 24, seed)));
        drawn.network = "graph:" + drawn.graph->path();
        drawn.pattern = seed % 10 == 0 ? "uniform" : "permutation";
        drawn.routing = Routing::table;
    }
    if (drawn.pattern != "permutation") return drawn;
    const std::uint32_t nodes = make_network(drawn.network).node_count();
    const std::uint32_t by = 1 + static_cast<std::uint32_t>(random_bits(seed, 2, 0) % (nodes - 1));
    std::string text = "from,to\n";
    for (std::uint32_t v = 0; v < nodes; ++v) text += fmt::format("{},{}\n", v, (v + by) % nodes);
    drawn.permutation = std::make_unique<TemporaryFile>(text);
    drawn.pattern = "permutation:" + drawn.permutation->path();
    return drawn;
}

TrafficExperiment experiment_of(const Drawn& drawn, double load) {
    TrafficExperiment e;
    e.network = drawn.network;
    e.pattern = drawn.pattern;
    e.nodes.node = node_parameters("wide");
    e.nodes.node.vcs = 4;
    e.nodes.node.routing = drawn.routing;
    e.nodes.node.reception_queues = 0;  // one a port, so that links bind
    e.traffic.packet_flits = 4;
    e.traffic.load = load;
    e.traffic.warmup = 2'000;
    e.traffic.cycles = 20'000;
    return e;
}

CapacityRun capacity_of(const Drawn& drawn) {
    CapacityExperiment e;
    e.network = drawn.network;
    e.pattern = drawn.pattern;
    e.node = experiment_of(drawn, 0.1).nodes.node;
    return run_capacity(e);
}

// The expected shares of time in which links are busy, by the routing alone, against a simulation at half of
// its capacity: a mean of some 5,000 packets differs by a few hundredths of itself.
TEST(SimulatedTraffic, UsesLinksAsMuchAsTheRoutingSays) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const Drawn drawn = draw(seed);
        const CapacityRun links = capacity_of(drawn);
        const double load = links.capacity_at(links.routing->max) / 2;
        TrafficExperiment e = experiment_of(drawn, std::min(load, 0.4));
        e.nodes.records.details = true;
        const TrafficRun run = run_traffic(e);
        double most = 0;
        for (const Json& port : run.links["utilisation"])
            for (const Json& share : port)
                if (!share.is_null()) most = std::max(most, share.get<double>());
        EXPECT_NEAR(most, e.traffic.load / load / 2, 0.04) << drawn.network << " " << drawn.pattern;
        EXPECT_TRUE(run.carried()) << drawn.network << " " << drawn.pattern;
    }
}

// A quarter above what the fullest link of the routing, or of the best one, carries: packets in flight grow,
// and the simulation shows it by itself.
TEST(SimulatedTraffic, IsNeverCarriedAboveTheCapacity) {
    std::uint32_t compared = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Drawn drawn = draw(seed);
        const CapacityRun links = capacity_of(drawn);
        const double by_routing = links.capacity_at(links.routing->max);
        EXPECT_LE(by_routing, links.capacity_at(links.found->bound.link_load()) * (1 + 1e-9))
            << drawn.network;
        if (by_routing > 3) continue;  // a node makes at most a packet of 4 flits a cycle
        const TrafficRun run = run_traffic(experiment_of(drawn, 1.25 * by_routing));
        EXPECT_FALSE(run.results.front().carried())
            << drawn.network << " " << drawn.pattern << " " << by_routing;
        EXPECT_NEAR(*run.routing_capacity, by_routing, 1e-9);
        ++compared;
    }
    EXPECT_GT(compared, 40U);
}

}  // namespace
}  // namespace interlace
