// Interlace: an example: a routing table of one's own, on a mesh first up and down, then left and right
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include "expect.h"
#include "interlace/experiment/kinds/traffic.h"

namespace {

/// The port of `node` that leads to `next`.
std::uint32_t port_to(const interlace::Network& network, interlace::NodeId node, interlace::NodeId next) {
    std::uint32_t port = 0;
    for (const interlace::NodeId neighbour : network.neighbours(node)) {
        if (neighbour == next) return port;
        ++port;
    }
    return port;
}

}  // namespace

int main() {
    using namespace interlace;
    const Network network = make_network("mesh:4x4");
    const char* file = "example_routing.csv";
    std::ofstream table(file);
    table << "node,destination,port\n";
    for (std::uint32_t node = 0; node < 16; ++node)
        for (std::uint32_t to = 0; to < 16; ++to) {
            if (node == to) continue;
            const bool same_row = node / 4 == to / 4;
            const std::uint32_t next = same_row ? node + (to > node ? 1 : -1) : node + (to > node ? 4 : -4);
            table << node << ',' << to << ',' << port_to(network, NodeId{node}, NodeId{next}) << '\n';
        }
    table.close();
    // Packets that turn right or left once only never wait for one another in a cycle: the table is taken.
    TrafficExperiment experiment;
    experiment.network = "mesh:4x4";
    experiment.nodes.node = node_parameters("wide");
    experiment.nodes.node.routing = Routing::table;
    experiment.nodes.node.routing_table = file;
    experiment.traffic.load = 0.1;
    const TrafficRun run = run_traffic(experiment);
    // Of shortest ways: 2 (k^2 - 1) / (3 k) hops in the mean for each of two dimensions, over pairs with a
    // node and itself; of different nodes 16/15 of that.
    int wrong = expect("mean distance", run.mean_distance, 2 * (16 - 1) / (3.0 * 4) * 16 / 15, 1e-9);
    wrong += expect("hops", run.results.front().mean_hops, run.mean_distance, 0.1);
    wrong += expect("carried", run.carried(), true);
    return wrong;
}
