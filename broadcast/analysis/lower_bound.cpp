// Interlace: how few steps a broadcast can take at all
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/analysis/lower_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "interlace/broadcast/analysis/exact.h"
#include "interlace/core/error.h"
#include "interlace/network/metrics.h"

namespace interlace {
namespace {

/// The least T for which paths that deliver from step `first[i]` on, one packet a step each, have delivered
/// `packets`.
std::uint32_t min_time(std::vector<std::uint32_t> first, std::uint32_t packets) {
    std::sort(first.begin(), first.end());
    std::uint64_t least = UINT32_MAX;
    std::uint64_t sum = 0;
    for (std::size_t used = 1; used <= first.size(); ++used) {
        sum += first[used - 1];
        // With the `used` soonest: used * (T + 1) - sum >= packets.
        const std::uint64_t time = (packets + sum + used - 1) / used - 1;
        least = std::min(least, time);
    }
    return static_cast<std::uint32_t>(least);
}

struct NodeBounds {
    std::vector<std::uint32_t> steps;     // per node, 0 where not a member
    std::vector<std::uint32_t> distance;  // from the source
};

NodeBounds neighbourhood_bounds(const Network& network, const Group& group, NodeId source,
                                std::uint32_t packets) {
    NodeBounds bounds{std::vector<std::uint32_t>(network.node_count(), 0),
                      distances_from(network, source, group.carriers())};
    const IncomingLinks incoming(network);
    std::vector<std::uint32_t> first;
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        if (!group.member[v] || v == source) continue;
        if (bounds.distance[v] == unreachable)
            throw InputError(fmt::format("node {} cannot be reached from the source, node {}", v, +source),
                             "a group whose members can all be reached");
        first.clear();
        for (const NodeId u : incoming.senders_to(NodeId{v}))
            if (group.may_carry(u) && bounds.distance[u] != unreachable)
                first.push_back(bounds.distance[u] + 1);
        bounds.steps[v] = min_time(first, packets);
    }
    return bounds;
}

/// Successive shortest paths of unit-capacity, unit-length links from `source` to `target`.
class ShortestPaths {
  public:
    ShortestPaths(const Network& network, const IncomingLinks& incoming, const Group& group, NodeId source,
                  NodeId target)
        : network_(network),
          group_(group),
          source_(source),
          target_(target),
          incoming_(incoming),
          used_(network.link_count(), false) {}

    /// The lengths of augmenting paths, in order, until none is left.
    std::vector<std::uint32_t> lengths() {
        std::vector<std::uint32_t> lengths;
        while (const auto length = augment()) lengths.push_back(length);
        return lengths;
    }

  private:
    /// The length of the shortest augmenting path, which is then taken; 0 when there is none.
    /// Label-correcting, because a link given back counts -1.
    std::uint32_t augment() {
        constexpr std::int32_t far = INT32_MAX;
        std::vector<std::int32_t> length(network_.node_count(), far);
        std::vector<std::uint32_t> by_link(network_.node_count());
        std::vector<bool> queued(network_.node_count(), false);
        std::deque<NodeId> queue{source_};
        length[source_] = 0;
        const auto relax = [&](NodeId to, std::int32_t candidate, LinkId link) {
            if (!group_.may_carry(to) || candidate >= length[to]) return;
            length[to] = candidate;
            by_link[to] = link;
            if (!queued[to]) queue.push_back(to);
            queued[to] = true;
        };
        while (!queue.empty()) {
            const NodeId here = queue.front();
            queue.pop_front();
            queued[here] = false;
            if (here == target_) continue;
            std::uint32_t link = network_.first_link(here);
            for (const NodeId to : network_.neighbours(here)) {
                if (!used_[link]) relax(to, length[here] + 1, LinkId{link});
                ++link;
            }
            const auto back = incoming_.links_into(here);
            for (std::size_t i = 0; i < back.size(); ++i)
                if (used_[back[i]]) relax(incoming_.senders_to(here)[i], length[here] - 1, back[i]);
        }
        if (length[target_] == far) return 0;
        for (NodeId node = target_; node != source_;) {
            const LinkId link{by_link[node]};
            const bool forward = network_.target(link) == node && !used_[link];
            used_[link] = forward;
            node = forward ? network_.origin(link) : network_.target(link);
        }
        return static_cast<std::uint32_t>(length[target_]);
    }

    const Network& network_;
    const Group& group_;
    NodeId source_, target_;
    const IncomingLinks& incoming_;
    std::vector<bool> used_;
};

}  // namespace

LowerBound neighbourhood_bound(const Network& network, const Group& group, NodeId source,
                               std::uint32_t packets) {
    const NodeBounds bounds = neighbourhood_bounds(network, group, source, packets);
    const auto largest = std::max_element(bounds.steps.begin(), bounds.steps.end());
    return {*largest, "neighbourhood", NodeId{static_cast<std::uint32_t>(largest - bounds.steps.begin())}};
}

std::uint32_t flow_bound(const Network& network, const Group& group, NodeId source, NodeId target,
                         std::uint32_t packets) {
    if (source == target) return 0;
    const IncomingLinks incoming(network);
    return min_time(ShortestPaths(network, incoming, group, source, target).lengths(), packets);
}

LowerBound lower_bound(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
                       std::uint32_t enough, std::uint64_t work_limit) {
    const NodeBounds bounds = neighbourhood_bounds(network, group, source, packets);
    std::vector<NodeId> members;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        if (group.member[v] && v != source) members.emplace_back(v);
    LowerBound best{0, "neighbourhood", source};
    if (members.empty()) return best;
    std::stable_sort(members.begin(), members.end(), [&](NodeId a, NodeId b) {
        return std::pair(bounds.steps[a], bounds.distance[a]) >
               std::pair(bounds.steps[b], bounds.distance[b]);
    });
    best = {bounds.steps[members.front()], "neighbourhood", members.front()};
    const IncomingLinks incoming(network);
    const std::uint64_t visits = std::uint64_t{network.link_count()} * 16;
    const std::uint64_t tries =
        std::min<std::uint64_t>(std::max<std::uint64_t>(work_limit / visits, 2), members.size());
    for (std::uint64_t i = 0; i < tries && best.steps < enough; ++i) {
        const std::uint32_t steps =
            min_time(ShortestPaths(network, incoming, group, source, members[i]).lengths(), packets);
        if (steps > best.steps) best = {steps, "flow", members[i]};
    }
    while (best.steps < enough && tail_refutes(network, group, source, packets, best.steps))
        best = {best.steps + 1, "tail", std::nullopt};
    return best;
}

}  // namespace interlace
