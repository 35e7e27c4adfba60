// Interlace: an example: traffic of one's own pattern, every node to the one across the torus
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "expect.h"
#include "interlace/engine/native/native.h"
#include "interlace/harness/traffic/traffic.h"

int main() {
    using namespace interlace;
    const Network network = make_network("torus:8x8");
    const Lattice& lattice = *network.lattice();
    TrafficOptions traffic;
    traffic.load = 0.1;  // flits/node/cycle
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        traffic.pattern.fixed.push_back(lattice.node(
            {(lattice.coordinate(NodeId{v}, 0) + 4) % 8, (lattice.coordinate(NodeId{v}, 1) + 4) % 8}));
    NodeParameters node = node_parameters("wide");
    const Fabric fabric(network, node);
    std::vector<NodeId> all;
    for (std::uint32_t v = 0; v < network.node_count(); ++v) all.emplace_back(v);
    std::vector<Machine::Part> parts;
    parts.push_back({all, native_region(fabric, all)});
    Machine machine(fabric, std::move(parts));
    const TrafficResult result = run_synthetic_traffic(fabric, machine, traffic);
    // Half way round both dimensions; packets on their way at the ends of the measurement have some of theirs
    // outside.
    int wrong = expect("hops", result.mean_hops, 4 + 4, 0.01);
    wrong += expect("carried", result.carried(), true);
    wrong += expect("accepted load", result.accepted_load, 0.1, 0.01);
    return wrong;
}
