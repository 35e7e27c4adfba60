// Interlace: an example: a network family of one's own, hypercubes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "expect.h"
#include "interlace/broadcast/torus/optimal.h"
#include "interlace/engine/step/step.h"
#include "interlace/experiment/nodes/cycles.h"
#include "interlace/network/metrics.h"
#include "interlace/program/group.h"

namespace {

interlace::Network hypercube(std::uint32_t dimensions) {
    std::vector<std::pair<interlace::NodeId, interlace::NodeId>> links;
    for (std::uint32_t v = 0; v < 1U << dimensions; ++v)
        for (std::uint32_t d = 0; d < dimensions; ++d)
            links.emplace_back(interlace::NodeId{v}, interlace::NodeId{v ^ 1U << d});
    return {"hypercube:" + std::to_string(dimensions), links};
}

}  // namespace

int main() {
    using namespace interlace;
    constexpr std::uint32_t d = 4;
    constexpr std::uint32_t packets = 8;
    const Network network = hypercube(d);
    const Metrics metrics = measure_network(network);
    int wrong = expect("diameter", metrics.diameter, d);
    wrong += expect("mean distance", metrics.mean_distance, d / 2.0, 1e-12);
    const NodeId source{0};
    const OptimalBroadcast broadcast = optimal_broadcast(network, global_group(network), source, packets);
    const Program program(network, source, packets, broadcast.sends);
    const StepRun run = run_steps(network, global_group(network), program);
    // The last packets leave the source over d links at once: packets / d steps, then d - 1 more hops at
    // least.
    wrong += expect("steps", run.steps, broadcast.steps);
    wrong += run.steps < packets / d + d - 1;
    const CycleResult cycles = run_cycles(network, program, "native", {}, 1);
    wrong += expect("cycles", cycles.cycles.mean, static_cast<double>(cycles.max_plus_cycles));
    return wrong;
}
