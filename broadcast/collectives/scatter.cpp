// Interlace: scatters and gathers in few steps over all links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interlace/broadcast/collectives/reducescatter.h"
#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/network/metrics.h"
#include "path_choice.h"
#include "path_trees.h"
#include "scatter_flow.h"

namespace interlace {
namespace {

constexpr std::uint32_t trees_of_root = 8;

std::vector<TimedSend> timed(const Network& network, const std::vector<RelativeSend>& sends) {
    std::vector<TimedSend> rows;
    rows.reserve(sends.size());
    for (const RelativeSend& send : sends)
        rows.push_back(
            {send.step, send.from, network.neighbours(send.from)[send.port], PacketId{send.chunk}});
    return rows;
}

ScatterBound bound_by_distance(const Network& network, NodeId root, std::uint32_t chunks) {
    std::vector<std::uint64_t> at;  // [distance]: nodes
    for (std::uint32_t v = 0; const std::uint32_t distance : distances_from(network, root)) {
        if (distance == unreachable)
            throw InputError(
                fmt::format("{}: node {} cannot be reached from node {}", network.name(), v, +root),
                "a network in which it can");
        ++v;
        if (distance >= at.size()) at.resize(distance + std::size_t{1}, 0);
        ++at[distance];
    }
    ScatterBound bound;
    bound.links = network.degree(root);
    std::uint64_t steps = 0, packets = 0;
    for (auto distance = static_cast<std::uint32_t>(at.size()); distance-- > 1;) {
        packets += at[distance] * chunks;
        const std::uint64_t needs = (packets + bound.links - 1) / bound.links + distance - 1;
        if (needs < steps) continue;
        steps = needs;
        bound.distance = distance;
        bound.packets = packets;
    }
    if (steps >= UINT32_MAX)
        throw InputError(fmt::format("cannot scatter {} packets a node on {}", chunks, network.name()),
                         "fewer than 2^32 steps");
    bound.steps = static_cast<std::uint32_t>(steps);
    return bound;
}

/// On shortest paths, in `enough` steps or as few as are found.
std::vector<RelativeSend> on_shortest_paths(const Network& network, NodeId root, std::uint32_t chunks,
                                            std::uint32_t enough, const ScatterOptions& options) {
    const std::vector<std::uint32_t> ones(network.link_count(), 1);
    LinkUses uses{std::vector<std::uint32_t>(network.link_count()), ones};
    std::iota(uses.of.begin(), uses.of.end(), 0);
    Draws draws(options.seed);
    std::vector<RelativeSend> best;
    std::uint64_t spent = 0;
    do {
        const PathTrees trees(network, {{root, {ones}}}, trees_of_root, draws);
        PathChoice choice(trees, uses, chunks, draws);
        choice.even(enough);
        std::vector<RelativeSend> sends = choice.schedule(false).front();
        if (best.empty() || sends.back().step < best.back().step) best = std::move(sends);
        spent += choice.work();
    } while (best.back().step > enough && spent < options.effort);
    return best;
}

}  // namespace

ScatterBound scatter_bound(const Network& network, NodeId root, std::uint32_t chunks, std::uint32_t enough) {
    ScatterBound bound = bound_by_distance(network, root, chunks);
    const FewestSteps fewest = fewest_steps(network, root, chunks, bound.steps, enough, 1);
    if (fewest.steps > bound.steps)
        bound = {ScatterBound::Kind::flow, fewest.steps, 0, 0, fewest.packets_before};
    return bound;
}

OptimalScatter optimal_scatter(const Network& network, NodeId root, std::uint32_t chunks,
                               const ScatterOptions& options) {
    check_routable(1, network.node_count(), chunks);
    const std::uint32_t enough = bound_by_distance(network, root, chunks).steps;
    const std::vector<RelativeSend> sends = on_shortest_paths(network, root, chunks, enough, options);
    const ScatterBound bound = scatter_bound(network, root, chunks, sends.back().step);
    if (sends.back().step > bound.steps && ScatterFlow::is_small(network, bound.steps))
        return {ScatterFlow(network, root, chunks, bound.steps).sends(), bound};
    return {timed(network, sends), bound};
}

OptimalScatter optimal_gather(const Network& network, NodeId root, std::uint32_t chunks,
                              const ScatterOptions& options) {
    OptimalScatter found = optimal_scatter(reversed_links(network), root, chunks, options);
    const std::uint32_t steps = found.sends.back().step;
    for (TimedSend& send : found.sends) send = {steps + 1 - send.step, send.to, send.from, send.packet};
    std::reverse(found.sends.begin(), found.sends.end());
    return found;
}

}  // namespace interlace
