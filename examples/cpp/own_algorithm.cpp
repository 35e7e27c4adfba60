// Interlace: an example: a broadcast algorithm of one's own, a pipeline along a breadth-first tree
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <deque>

#include "expect.h"
#include "interlace/experiment/kinds/broadcast.h"

namespace {

/// All packets along one tree. In whatever order nodes are visited, each link gets its packets in theirs;
/// when they leave follows from that.
interlace::BroadcastPlan plan_tree(const interlace::BroadcastRequest& request) {
    const interlace::Network& network = request.network;
    interlace::BroadcastPlan plan;
    std::vector<bool> seen(network.node_count(), false);
    std::deque<interlace::NodeId> left = {request.source};
    seen[request.source] = true;
    for (; !left.empty(); left.pop_front()) {
        const interlace::NodeId node = left.front();
        std::uint32_t port = 0;
        for (const interlace::NodeId next : network.neighbours(node)) {
            const interlace::LinkId link{network.first_link(node) + port++};
            if (seen[next]) continue;
            seen[next] = true;
            left.push_back(next);
            for (std::uint32_t p = 0; p < request.packets; ++p)
                plan.sends.push_back({link, interlace::PacketId{p}});
        }
    }
    return plan;
}

}  // namespace

int main() {
    interlace::BroadcastExperiment experiment;
    experiment.network = "mesh:8";
    experiment.packets = 5;
    experiment.algorithm = "tree";
    experiment.planner = plan_tree;
    // The independent checker has replayed every send before a number is there. A path of 7 links is a
    // pipeline.
    int wrong = expect("steps on a path", interlace::run_broadcast(experiment).run.steps, 7 + 5 - 1);
    experiment.engine = "native";
    const interlace::BroadcastResult cycles = interlace::run_broadcast(experiment);
    wrong +=
        expect("cycles", cycles.cycles->cycles.mean, static_cast<double>(cycles.cycles->max_plus_cycles));
    // One tree on a torus: its diameter, then a packet a step.
    experiment.network = "torus:4x4";
    experiment.engine = "step";
    wrong += expect("steps on a torus", interlace::run_broadcast(experiment).run.steps, 4 + 5 - 1);
    return wrong;
}
