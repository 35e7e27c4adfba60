// Interlace: the heaviest matching of a bipartite graph
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "heaviest_matching.h"

#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

#include <stdexcept>

namespace interlace {

/// As a circulation of the least cost: from a root to a source, over a pair to its destination, and back.
HeaviestMatching heaviest_matching(std::uint32_t nodes, const std::vector<WeightedPair>& pairs) {
    using Graph = lemon::SmartDigraph;
    Graph graph;
    graph.reserveNode(static_cast<int>(2 * nodes + 1));
    graph.reserveArc(static_cast<int>(nodes + nodes + pairs.size()));
    for (std::uint32_t i = 0; i < 2 * nodes + 1; ++i) graph.addNode();
    const auto node = [](std::uint32_t number) { return Graph::nodeFromId(static_cast<int>(number)); };
    const Graph::Node root = node(2 * nodes);
    Graph::ArcMap<std::int64_t> cost(graph, 0);
    for (const WeightedPair& pair : pairs)
        cost[graph.addArc(node(pair.source), node(nodes + pair.destination))] = -pair.weight;
    for (std::uint32_t i = 0; i < nodes; ++i) {
        graph.addArc(root, node(i));
        graph.addArc(node(nodes + i), root);
    }
    const Graph::ArcMap<int> once(graph, 1);
    using Simplex = lemon::NetworkSimplex<Graph, int, std::int64_t>;
    Simplex simplex(graph);
    if (simplex.upperMap(once).costMap(cost).run() != Simplex::OPTIMAL)
        throw std::logic_error("LEMON found no heaviest matching");
    HeaviestMatching matching{-simplex.totalCost<std::int64_t>(), {}};
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (simplex.flow(Graph::arcFromId(static_cast<int>(i))) == 1)
            matching.pairs.emplace_back(pairs[i].source, pairs[i].destination);
    return matching;
}

}  // namespace interlace
