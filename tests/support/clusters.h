// Interlace: clusters for tests: those of the papers, and a tests' plain ones as networks
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "interlace/network/cluster.h"
#include "interlace/network/switch_tree.h"
#include "support/plain_cluster.h"

namespace interlace::test {

inline Network network_of(const PlainCluster& plain) {
    ClusterPlan plan;
    plan.switches = plain.switches;
    for (const auto& [a, b] : plain.trunks) plan.trunks.emplace_back(a, b);
    plan.machines.assign(plain.machines.begin(), plain.machines.end());
    return make_cluster("plain", plan);
}

inline SwitchTree tree_of(const PlainCluster& plain) {
    return SwitchTree(network_of(plain));
}

/// A chain of switches with as many machines on each.
inline PlainCluster chain(unsigned switches, unsigned machines_each) {
    PlainCluster plain{switches, {}, {}};
    for (unsigned s = 1; s < switches; ++s) plain.trunks.emplace_back(s - 1, s);
    for (unsigned i = 0; i < switches * machines_each; ++i) plain.machines.push_back(i / machines_each);
    return plain;
}

/// Figure 1 of the all-to-all paper.
inline PlainCluster figure_1() {
    return {6, {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {3, 5}}, {0, 4, 3, 5, 5}};
}

inline std::vector<unsigned> plain_ring(const std::vector<NodeId>& ring) {
    return {ring.begin(), ring.end()};
}

}  // namespace interlace::test
