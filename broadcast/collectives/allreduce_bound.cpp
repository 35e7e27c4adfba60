// Interlace: what no all-reduce can do without
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <lemon/connectivity.h>
#include <lemon/kruskal.h>
#include <lemon/smart_graph.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "interlace/broadcast/collectives/allgather.h"
#include "interlace/broadcast/collectives/allreduce.h"
#include "interlace/network/metrics.h"
#include "interlace/program/symmetric_schedule.h"
#include "scatter_flow.h"

namespace interlace {
namespace {

std::uint32_t rounded_up(std::uint64_t packets, std::uint64_t links) {
    return static_cast<std::uint32_t>((packets + links - 1) / links);
}

/// The links of a network, whichever way they go, and how often spanning trees have used each. A tree takes
/// the links that were used least. As trees become many, a set of links that are all used more often than
/// others divides the network where it is weakest (Thorup, "Fully-dynamic min-cut", 2007).
class WeakParts {
  public:
    explicit WeakParts(const Network& network) : used_(graph_, 0) {
        for (std::uint32_t v = 0; v < network.node_count(); ++v) graph_.addNode();
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            for (const NodeId to : network.neighbours(NodeId{v}))
                graph_.addEdge(graph_.nodeFromId(static_cast<int>(v)),
                               graph_.nodeFromId(static_cast<int>(+to)));
    }

    /// Calls visit(part of each node) for the parts that links used less than so often hold together.
    template <class Visit>
    void each(const Visit& visit) {
        grow_trees();
        std::vector<std::uint32_t> counts;
        for (lemon::SmartGraph::EdgeIt edge(graph_); edge != lemon::INVALID; ++edge)
            counts.push_back(used_[edge]);
        std::sort(counts.begin(), counts.end());
        counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
        for (const std::uint32_t count : counts) visit(parts_below(count));
    }

  private:
    void grow_trees() {
        constexpr int trees = 64;
        std::vector<lemon::SmartGraph::Edge> tree;
        for (int i = 0; i < trees; ++i) {
            tree.clear();
            lemon::kruskal(graph_, used_, std::back_inserter(tree));
            for (const auto edge : tree) ++used_[edge];
        }
    }
    std::vector<std::uint32_t> parts_below(std::uint32_t count) {
        lemon::SmartGraph::EdgeMap<bool> kept(graph_);
        for (lemon::SmartGraph::EdgeIt edge(graph_); edge != lemon::INVALID; ++edge)
            kept[edge] = used_[edge] < count;
        lemon::SmartGraph::NodeMap<int> part(graph_);
        lemon::connectedComponents(lemon::filterEdges(graph_, kept), part);
        std::vector<std::uint32_t> parts;
        parts.reserve(static_cast<std::size_t>(graph_.nodeNum()));
        for (int v = 0; v < graph_.nodeNum(); ++v)
            parts.push_back(static_cast<std::uint32_t>(part[graph_.nodeFromId(v)]));
        return parts;
    }

    lemon::SmartGraph graph_;
    lemon::SmartGraph::EdgeMap<std::uint32_t> used_;
};

class BoundSearch {
  public:
    BoundSearch(const Network& network, std::uint32_t chunks)
        : network_(network), packets_(std::uint64_t{network.node_count()} * chunks), translations_(network) {}

    void by_parts() {
        std::vector<std::uint32_t> alone(network_.node_count());
        std::iota(alone.begin(), alone.end(), 0);
        take_parts(std::move(alone));
        if (translations_.classes() > 1)
            WeakParts(network_).each([&](std::vector<std::uint32_t> parts) { take_parts(std::move(parts)); });
        link_steps_ = best_.steps;
    }

    /// The last of all packets from a node leaves it by its links, and has the distance before it.
    void by_distance() {
        each_pair([&](NodeId from, NodeId to, std::uint32_t distance) {
            const std::uint64_t links = std::min(network_.degree(from), into_[to]);
            const std::uint32_t steps = distance - 1 + rounded_up(packets_, links);
            if (steps > best_.steps)
                best_ = {AllReduceBound::Kind::distance, steps, packets_, links, 0, from, to, {}, 0};
        });
    }

    /// Where all nodes are alike, they have about as many ways to one another as links.
    void by_flow() {
        constexpr std::uint64_t tries = 10;
        const std::uint64_t pairs = translations_.classes() * std::uint64_t{network_.node_count()};
        if (translations_.classes() == 1 || !ScatterFlow::is_small(network_, best_.steps, tries * pairs))
            return;
        each_pair([&](NodeId from, NodeId to, std::uint32_t) {
            for (;;) {
                const ScatterFlow flow(network_, from, static_cast<std::uint32_t>(packets_), best_.steps, to);
                if (flow.most() == packets_) return;
                best_ = {AllReduceBound::Kind::flow, best_.steps + 1, flow.most(), 0, 0, from, to, {}, 0};
            }
        });
    }

    AllReduceBound take() {
        best_.link_steps = link_steps_;
        return std::move(best_);
    }

  private:
    void take_parts(std::vector<std::uint32_t> part) {
        const CheckedCut cut = check_parts_cut(network_, {1, packets_, part});
        if (cut.crossing == 0) return;
        const std::uint32_t steps = rounded_up(cut.needed, cut.crossing);
        if (steps <= best_.steps) return;
        const auto parts = static_cast<std::uint32_t>(cut.needed / (2 * packets_) + 1);
        best_ = {AllReduceBound::Kind::sends,
                 steps,
                 cut.needed,
                 cut.crossing,
                 parts,
                 {},
                 {},
                 {steps - 1, packets_, std::move(part)},
                 0};
    }

    template <class Visit>
    void each_pair(const Visit& visit) {
        for (const NodeId from : translations_.firsts()) {
            const std::vector<std::uint32_t> distances = distances_from(network_, from);
            for (std::uint32_t to = 0; to < distances.size(); ++to)
                if (to != from) visit(from, NodeId{to}, distances[to]);
        }
    }

    const Network& network_;
    const std::uint64_t packets_;
    const Translations translations_;
    const std::vector<std::uint32_t> into_ = [this] {
        std::vector<std::uint32_t> links(network_.node_count(), 0);
        for (std::uint32_t v = 0; v < network_.node_count(); ++v)
            for (const NodeId to : network_.neighbours(NodeId{v})) ++links[to];
        return links;
    }();
    AllReduceBound best_;
    std::uint32_t link_steps_ = 0;
};

}  // namespace

AllReduceBound allreduce_bound(const Network& network, std::uint32_t chunks) {
    allgather_bound(network, 1);  // throws where a node does not reach another
    BoundSearch search(network, chunks);
    search.by_parts();
    search.by_distance();
    search.by_flow();
    return search.take();
}

}  // namespace interlace
