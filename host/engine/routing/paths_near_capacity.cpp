// Interlace: next hops whose paths come near the capacity of a network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "paths_near_capacity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interlace/capacity/capacity.h"

namespace interlace {
namespace {

/// In whole numbers, 1 up to 16; whole ones that are small keep their proportions.
LinkLengths whole_lengths(const std::vector<double>& length) {
    constexpr double most = 16;
    const double fits = most / *std::max_element(length.begin(), length.end());
    const double scale = fits > 1 ? std::floor(fits) : fits;
    std::vector<std::uint32_t> whole;
    whole.reserve(length.size());
    for (const double l : length)
        whole.push_back(std::max(1U, static_cast<std::uint32_t>(std::lround(scale * l))));
    return LinkLengths(std::move(whole));
}

/// Lengths that prove the network's uniform capacity: in a routing that comes near it packets take shortest
/// paths by these.
LinkLengths capacity_lengths(const Network& network) {
    const Demands uniform;
    const LinkClasses classes(network, uniform);
    const Capacity capacity = find_capacity(network, classes, uniform, AllowedPaths::any);
    std::vector<double> length;
    length.reserve(network.link_count());
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (std::uint32_t p = 0; p < network.degree(NodeId{v}); ++p)
            length.push_back(capacity.bound.lengths[classes.of(NodeId{v}, p)]);
    return whole_lengths(length);
}

/// Where no symmetry makes links alike the proof of a capacity does without most of their lengths, and says
/// little of the paths. There lengths are learnt: links that come out full get longer.
Paths learnt_paths(const Network& network, std::uint32_t channels) {
    const int lessons = network.node_count() > 512 ? 4 : 8;
    std::vector<double> length(network.link_count(), 1);
    Paths best;
    std::uint32_t least = UINT32_MAX;
    for (int lesson = 0; lesson < lessons; ++lesson) {
        Paths paths = balanced_paths(network, channels, whole_lengths(length));
        const std::vector<std::uint32_t> load =
            crossings(network, channels, paths, hops_of(network, channels, paths));
        const double mean = std::accumulate(load.begin(), load.end(), 0.0) / network.link_count();
        for (std::uint32_t link = 0; link < load.size(); ++link)
            length[link] *= std::clamp(load[link] / mean, 0.5, 2.0);
        const std::uint32_t most = *std::max_element(load.begin(), load.end());
        if (most >= least) continue;
        least = most;
        best = std::move(paths);
    }
    return best;
}

}  // namespace

Paths paths_near_capacity(const Network& network, std::uint32_t channels) {
    if (!network.lattice()) return learnt_paths(network, channels);
    return balanced_paths(network, channels, capacity_lengths(network));
}

}  // namespace interlace
