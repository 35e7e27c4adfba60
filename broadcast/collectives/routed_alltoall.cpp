// Interlace: all-to-all exchanges on any network, on paths of the best use of its links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/routed_alltoall.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/network/metrics.h"
#include "path_choice.h"
#include "path_trees.h"

namespace interlace {
namespace {

constexpr std::uint32_t trees_of_each = 4;

/// Classes of nodes, and an output of theirs.
LinkUses uses_of(const Network& network, const Translations& translations,
                 const std::vector<std::uint32_t>& lengths) {
    LinkUses uses{{},
                  std::vector<std::uint32_t>(std::size_t{translations.classes()} * network.max_degree(), 0)};
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (std::uint32_t port = 0; port < network.degree(NodeId{v}); ++port) {
            uses.of.push_back(translations.class_of(NodeId{v}) * network.max_degree() + port);
            uses.weight[uses.of.back()] = lengths[uses.of.size() - 1];
        }
    return uses;
}

/// The first node of each class, with the lengths of the bound and of its shares.
std::vector<PathTrees::Origin> origins_of(const Network& network, const Translations& translations,
                                          const LinkClasses& classes, const Capacity& capacity) {
    std::vector<PathTrees::Origin> origins;
    for (const NodeId first : translations.firsts()) {
        std::set<std::vector<std::uint32_t>> lengths = {capacity.bound.lengths};
        for (const FlowShare& share : capacity.routing)
            if (share.origin == classes.origin_of(first)) lengths.insert(share.lengths);
        origins.push_back({first, {}});
        for (const auto& by_class : lengths)
            origins.back().lengths.push_back(classes.by_link(network, by_class));
    }
    return origins;
}

}  // namespace

void check_routed_alltoall(const Network& network, std::uint32_t chunks) {
    check_routable(Translations(network).classes(), network.node_count(), chunks);
}

RoutedBound routed_alltoall_bound(const Network& network, const LengthBound& lengths, std::uint32_t chunks) {
    const std::uint64_t all = lengths.all_lengths, whole = lengths.distances / all * chunks;
    const std::uint64_t steps = whole + (lengths.distances % all * chunks + all - 1) / all;
    if (steps >= UINT32_MAX)
        throw InputError(fmt::format("cannot exchange {} packets a pair on {}", chunks, network.name()),
                         "fewer than 2^32 steps");
    const std::uint32_t farthest = measure_network(network).diameter;
    return {std::max(static_cast<std::uint32_t>(steps), farthest), farthest > steps};
}

RoutedAllToAll routed_alltoall(const Network& network, const LinkClasses& classes, const Capacity& capacity,
                               std::uint32_t chunks, const RoutedOptions& options) {
    const Translations translations(network);
    check_routed_alltoall(network, chunks);
    RoutedAllToAll found{{chunks, true, {}}, routed_alltoall_bound(network, capacity.bound, chunks)};
    Draws draws(options.seed);
    const LinkUses uses = uses_of(network, translations, classes.by_link(network, capacity.bound.lengths));
    const std::vector<PathTrees::Origin> origins = origins_of(network, translations, classes, capacity);
    const std::uint32_t target = found.bound.steps;
    std::uint32_t least = UINT32_MAX;
    bool staggered = false;
    for (std::uint64_t spent = 0; least > target && spent < options.effort; staggered = !staggered) {
        const PathTrees trees(network, origins, trees_of_each, draws);
        PathChoice choice(trees, uses, chunks, draws);
        choice.even(target);
        SymmetricSchedule schedule{chunks, true, choice.schedule(staggered)};
        if (const std::uint32_t steps = schedule.steps(); steps < least) {
            least = steps;
            found.schedule = std::move(schedule);
        }
        spent += choice.work();
    }
    return found;
}

}  // namespace interlace
