// Interlace: the packets of one origin on shortest paths
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "shortest_flow.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/error.h"

namespace interlace {
namespace {

constexpr std::uint64_t far = UINT64_MAX;

}  // namespace

ShortestFlow::ShortestFlow(const Network& network, const LinkClasses& classes, const Demands& demands,
                           AllowedPaths paths)
    : network_(network),
      classes_(classes),
      demands_(demands),
      paths_(paths),
      first_(network.node_count(), {NodeId{0}, 0}),
      last_(first_),
      packets_(network.node_count()) {}

OriginFlow ShortestFlow::from(NodeId origin, const std::vector<std::uint32_t>& lengths) {
    distance_.assign(network_.node_count(), far);
    distance_[origin] = 0;
    order_.clear();
    if (paths_ == AllowedPaths::any) {
        search_any(origin, lengths);
    } else {
        search_shortest(origin, lengths);
    }
    return collect(origin);
}

/// A path to `next` goes over an output of `node`, unless a shorter one is known.
void ShortestFlow::reach(NodeId node, std::uint32_t link_class, NodeId next, std::uint32_t length) {
    const std::uint64_t there = distance_[node] + length;
    if (there < distance_[next]) {
        distance_[next] = there;
        first_[next] = last_[next] = {node, link_class};
    } else if (there == distance_[next] && length > 0) {  // a link of length 0 might lead back
        last_[next] = {node, link_class};
    }
}

/// Dial's algorithm: nodes in buckets by their distance, as many as the longest link is long.
void ShortestFlow::search_any(NodeId origin, const std::vector<std::uint32_t>& lengths) {
    const std::size_t count = std::size_t{*std::max_element(lengths.begin(), lengths.end())} + 1;
    buckets_.resize(std::max(buckets_.size(), count));
    buckets_[0].push_back(origin);
    std::size_t waiting = 1;
    for (std::uint64_t here = 0; waiting > 0; ++here) {
        std::vector<NodeId>& bucket = buckets_[here % count];
        for (std::size_t i = 0; i < bucket.size(); ++i) {  // grows by links of length 0
            const NodeId node = bucket[i];
            --waiting;
            if (distance_[node] != here) continue;
            order_.push_back(node);
            const auto neighbours = network_.neighbours(node);
            for (std::uint32_t p = 0; p < neighbours.size(); ++p) {
                const NodeId next = neighbours[p];
                const std::uint64_t before = distance_[next];
                const std::uint32_t link_class = classes_.of(node, p);
                reach(node, link_class, next, lengths[link_class]);
                if (distance_[next] == before) continue;
                buckets_[distance_[next] % count].push_back(next);
                ++waiting;
            }
        }
        bucket.clear();
    }
}

/// Breadth first; a node's distance is the least over the nodes before it, whose own are final by then.
void ShortestFlow::search_shortest(NodeId origin, const std::vector<std::uint32_t>& lengths) {
    hops_.assign(network_.node_count(), UINT32_MAX);
    hops_[origin] = 0;
    order_.push_back(origin);
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const NodeId node = order_[i];
        const auto neighbours = network_.neighbours(node);
        for (std::uint32_t p = 0; p < neighbours.size(); ++p) {
            const NodeId next = neighbours[p];
            if (hops_[next] == UINT32_MAX) {
                hops_[next] = hops_[node] + 1;
                order_.push_back(next);
            }
            if (hops_[next] != hops_[node] + 1) continue;
            const std::uint32_t link_class = classes_.of(node, p);
            reach(node, link_class, next, lengths[link_class]);
        }
    }
}

OriginFlow ShortestFlow::collect(NodeId origin) {
    OriginFlow flow{0, std::vector<std::uint64_t>(classes_.count(), 0)};
    const std::vector<std::uint32_t> sent = packets_of(origin);
    for (std::uint32_t v = 0; v < sent.size(); ++v) {
        if (sent[v] == 0) continue;
        if (distance_[v] == far)
            throw InputError(fmt::format("{}: node {} cannot be reached from node {}", network_.name(), v,
                                         static_cast<std::uint32_t>(origin)),
                             "a strongly connected network (a row from,to is one directed link)");
        flow.distances += sent[v] * distance_[v];
    }
    for (const std::vector<Entry>* const entries : {&first_, &last_}) {
        std::fill(packets_.begin(), packets_.end(), 0);
        std::copy(sent.begin(), sent.end(), packets_.begin());
        for (std::size_t i = order_.size(); i-- > 1;) {
            const NodeId node = order_[i];
            const Entry& entry = (*entries)[node];
            flow.loads[entry.link_class] += packets_[node];
            packets_[entry.from] += packets_[node];
        }
    }
    return flow;
}

/// By destination.
std::vector<std::uint32_t> ShortestFlow::packets_of(NodeId origin) const {
    std::vector<std::uint32_t> sent(network_.endpoint_count(), demands_.each);
    sent[origin] = 0;
    if (!demands_.uniform())
        for (const auto& [to, packets] : demands_.more[origin]) sent[to] += packets;
    return sent;
}

}  // namespace interlace
