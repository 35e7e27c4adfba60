// Interlace: distances in a network, and what follows from them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/network/network.h"

namespace interlace {

inline constexpr std::uint32_t unreachable = UINT32_MAX;

/// Hops from `source` to every node; `unreachable` where there is no way. With a non-empty `allowed` (one
/// entry a node) only nodes that it marks are entered.
std::vector<std::uint32_t> distances_from(const Network& network, NodeId source,
                                          const std::vector<bool>& allowed = {});

/// What a network is measured by (Zhang and Deng 2012, section 3.2). Distances are in hops.
struct Metrics {
    std::uint32_t nodes = 0, hosts = 0;        ///< hosts: nodes that have one, which switches do not
    std::uint64_t links = 0;                   ///< directed
    std::uint32_t degree = 0, degree_min = 0;  ///< largest and smallest number of outputs of a node
    std::uint32_t diameter = 0;                ///< lambda
    double mean_distance = 0;  ///< mu, the paper's: over all ordered pairs, a node with itself included
    double mean_distance_distinct = 0;  ///< over ordered pairs of two different nodes
    double mean_distance_hosts = 0;     ///< over those of nodes with a host; the same where all have one
    std::uint32_t diameter_hosts = 0;   ///< of these pairs
    std::vector<double> histogram;      ///< [h]: the share of all ordered pairs that are h hops apart
    std::vector<std::uint32_t>
        eccentricity;           ///< [s]: of a node of species s; empty where nodes are not equivalent
    std::uint32_t radius = 0;   ///< smallest eccentricity
    std::uint32_t sources = 0;  ///< breadth-first searches done
    bool sampled = false;       ///< true: from a sample of sources, so diameter is a lower bound
};

/// Exact by symmetry on a torus or iBT (one search a species); over all pairs on a mesh or a user's graph,
/// unless that takes more than `work_limit` link visits: then over a sample of sources, chosen by `seed`.
/// Throws InputError when some node cannot reach another.
Metrics measure_network(const Network& network, std::uint64_t seed = 1,
                        std::uint64_t work_limit = 4'000'000'000);

}  // namespace interlace
