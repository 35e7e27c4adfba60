// Interlace: a routing table as a file of the user's
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routing/routing_file.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <bit>
#include <ostream>
#include <set>
#include <utility>

#include "interlace/core/csv.h"
#include "interlace/core/error.h"
#include "interlace/network/dependency_graph.h"
#include "tables_of_paths.h"

namespace interlace {
namespace {

constexpr std::size_t max_hops_shown = 8;

class TableReader {
  public:
    TableReader(const std::string& path, const Network& network, const Fabric& fabric)
        : path_(path),
          network_(network),
          fabric_(fabric),
          paths_(fabric.endpoints, std::vector<std::uint32_t>(fabric.nodes, none)),
          line_(fabric.endpoints, std::vector<std::uint32_t>(fabric.nodes, 0)) {}

    RoutingTables read() {
        read_csv(
            path_, "node,destination,port[,channel]", [&](const CsvRow& row) { add(row); }, &problems_);
        for (std::uint32_t node = 0; node < fabric_.nodes; ++node)
            for (std::uint32_t to = 0; to < fabric_.endpoints; ++to)
                if (node != to && line_[to][node] == 0)
                    problems_.add(fmt::format("no row for node {} and destination {}", node, to));
        for (std::uint32_t to = 0; to < fabric_.endpoints; ++to) find_rounds(NodeId{to});
        if (problems_.count() == 0) find_cycles();
        problems_.refuse(path_,
                         "a path from every node to every other, and no cycle of channels that wait for one "
                         "another");
        return tables_of_paths(network_, fabric_, paths_, any_channel_);
    }

  private:
    void add(const CsvRow& row) {
        const auto node = static_cast<std::uint32_t>(row.number(0, 0, fabric_.nodes - 1));
        const auto to = static_cast<std::uint32_t>(row.number(1, 0, fabric_.endpoints - 1));
        if (node == to) throw InputError(fmt::format("node {} has a row for itself", node), "another node");
        if (const auto before = std::exchange(line_[to][node], static_cast<std::uint32_t>(row.line())))
            throw InputError(
                fmt::format("there is a second row for node {} and destination {}, after line {}", node, to,
                            before),
                "one row");
        const std::uint32_t degree = network_.degree(NodeId{node});
        if (degree == 0) throw InputError(fmt::format("node {} has no outputs", node), "another node");
        const auto port = static_cast<std::uint32_t>(row.number(2, 0, UINT32_MAX));
        if (port >= degree)
            throw InputError(fmt::format("node {} has no port {}", node, port), ports_of(NodeId{node}));
        any_channel_ = row.columns() == 3;
        const auto channel = any_channel_ ? 0 : static_cast<std::uint32_t>(row.number(3, 0, fabric_.vcs - 1));
        paths_[to][node] = (network_.first_link(NodeId{node}) + port) * fabric_.vcs + channel;
    }

    /// "0 (to node 4), 1 (to node 7)".
    std::string ports_of(NodeId node) const {
        std::vector<std::string> ports;
        for (const NodeId to : network_.neighbours(node))
            ports.push_back(fmt::format("{} (to node {})", ports.size(), +to));
        return fmt::format("{}", fmt::join(ports, ", "));
    }

    NodeId after(std::uint32_t hop) const { return network_.target(LinkId{hop / fabric_.vcs}); }

    /// Paths to `to` that come back to where they have been.
    void find_rounds(NodeId to) {
        std::vector<std::uint32_t> walk_of(fabric_.nodes, none);  // the node that a walk through it began at
        for (std::uint32_t begin = 0; begin < fabric_.nodes; ++begin) {
            NodeId node{begin}, before = node;
            while (node != to && walk_of[node] == none && paths_[to][node] != none) {
                walk_of[node] = begin;
                before = std::exchange(node, after(paths_[to][node]));
            }
            if (node == to || walk_of[node] != begin || paths_[to][node] == none) continue;
            std::string round = fmt::format("{}", +node);
            std::size_t hops = 0;
            for (NodeId next = after(paths_[to][node]);; next = after(paths_[to][next])) {
                round += ++hops > max_hops_shown ? " -> ..." : fmt::format(" -> {}", +next);
                if (next == node || hops > max_hops_shown) break;
            }
            problems_.add(fmt::format("packets for node {} go round: {}", +to, round), line_[to][before]);
        }
    }

    /// A channel's number among those that wait; of packets that may use any, a link's.
    std::uint32_t number(std::uint32_t hop) const { return any_channel_ ? hop / fabric_.vcs : hop; }

    void find_cycles() {
        DependencyGraph waits(network_.link_count() * (any_channel_ ? 1 : fabric_.vcs));
        std::set<Dependency> refused;
        for (std::uint32_t to = 0; to < fabric_.endpoints; ++to)
            for (std::uint32_t node = 0; node < fabric_.nodes; ++node) {
                if (node == to || after(paths_[to][node]) == to) continue;
                const NodeId next = after(paths_[to][node]);
                const Dependency wait{number(paths_[to][node]), number(paths_[to][next])};
                if (refused.contains(wait)) continue;
                const auto cycle = waits.add(std::vector<Dependency>{wait});
                if (cycle.empty()) continue;
                refused.insert(wait);
                problems_.add(fmt::format("with line {} it closes a cycle of waits: {}", line_[to][node],
                                          cycle_text(cycle)),
                              line_[to][next]);
            }
    }

    std::string cycle_text(const std::vector<std::uint32_t>& cycle) const {
        std::string text;
        for (std::size_t i = 0; i < cycle.size(); ++i) {
            if (i == max_hops_shown) return text + ", ...";
            const LinkId link{any_channel_ ? cycle[i] : cycle[i] / fabric_.vcs};
            text +=
                fmt::format("{}{} -> {}", i == 0 ? "" : ", ", +network_.origin(link), +network_.target(link));
            if (!any_channel_) text += fmt::format(" on channel {}", cycle[i] % fabric_.vcs);
        }
        return text;
    }

    const std::string& path_;
    const Network& network_;
    const Fabric& fabric_;
    Paths paths_;                                   // the channel is 0 where it may be any
    std::vector<std::vector<std::uint32_t>> line_;  // [destination][node]; 0: none
    Problems problems_;
    bool any_channel_ = false;
};

}  // namespace

RoutingTables read_routing_table(const std::string& path, const Network& network, const Fabric& fabric) {
    return TableReader(path, network, fabric).read();
}

void write_routing_table(std::ostream& out, const RoutingTables& tables, const Fabric& fabric) {
    const bool any_channel = fabric.endpoints > 1 && channels_of_entry(tables.ports[0][1]) == 0;
    out << "node,destination,port" << (any_channel ? "\n" : ",channel\n");
    for (std::uint32_t node = 0; node < fabric.nodes; ++node)
        for (std::uint32_t to = 0; to < fabric.endpoints; ++to) {
            if (node == to) continue;
            const std::uint32_t entry = tables.ports[node][to];
            fmt::print(out, "{},{},{}", node, to, std::countr_zero(entry));
            if (!any_channel) fmt::print(out, ",{}", std::countr_zero(channels_of_entry(entry)));
            out << '\n';
        }
}

}  // namespace interlace
