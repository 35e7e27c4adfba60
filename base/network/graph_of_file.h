// Interlace: a user's network, as it is read from a file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/core/ids.h"
#include "interlace/core/text.h"
#include "interlace/network/network.h"

namespace interlace {

/// The cycles that a file gives a link.
inline constexpr std::uint32_t most_latency = 10'000;
inline std::uint32_t parse_latency(std::string_view text) {
    return static_cast<std::uint32_t>(parse_integer(text, "latency", 1, most_latency));
}

/// Directed links, none of them twice: a network has no parallel links, and to take a second one for the
/// first would halve the bandwidth that its author may have meant. And which nodes are switches.
class GraphOfFile {
  public:
    /// `from_name` and `to_name` are the nodes' names in the file; `latency`: in cycles, 0 for that of all
    /// links. Throws InputError for a link that leads to where it begins and for one that is there.
    void add(NodeId from, NodeId to, const std::string& from_name, const std::string& to_name,
             std::uint32_t latency = 0) {
        if (from == to)
            throw InputError(fmt::format("a link leads from node {} to itself", from_name),
                             "two different nodes");
        if (!seen_.insert(std::uint64_t{from} << 32U | to).second)
            throw InputError(
                fmt::format("there is a second link from node {} to node {}", from_name, to_name),
                "each link once: a network has no parallel links");
        links_.push_back({from, to, {}, latency});
    }
    void add_switch(NodeId node) { switches_.push_back(node); }

    /// The highest node that a link has been added of.
    NodeId highest() const {
        NodeId highest{0};
        for (const ClusterLink& link : links_) highest = std::max({highest, link.from, link.to});
        return highest;
    }
    /// The lowest that none has been added of.
    NodeId first_unlinked() const {
        std::vector<bool> linked(2 * links_.size() + 1, false);  // a link has two ends
        for (const ClusterLink& link : links_)
            for (const NodeId node : {link.from, link.to})
                if (node < linked.size()) linked[node] = true;
        return NodeId{
            static_cast<std::uint32_t>(std::find(linked.begin(), linked.end(), false) - linked.begin())};
    }

    bool empty() const { return links_.empty(); }

    /// Of so many nodes: in their order, those with hosts first and then the switches. Throws InputError for
    /// fewer than two hosts beside switches.
    Network network(const std::string& name, std::uint32_t nodes) {
        std::vector<bool> is_switch(nodes, false);
        for (const NodeId node : switches_) is_switch[node] = true;
        const auto hosts = static_cast<std::uint32_t>(std::count(is_switch.begin(), is_switch.end(), false));
        if (hosts < 2 && hosts < nodes)
            throw InputError(fmt::format("{} of {} nodes is no switch", hosts, nodes),
                             "two nodes with hosts");
        std::vector<NodeId> number;
        std::uint32_t next_host = 0, next_switch = hosts;
        for (std::uint32_t v = 0; v < nodes; ++v)
            number.emplace_back(is_switch[v] ? next_switch++ : next_host++);
        for (ClusterLink& link : links_)
            link = {number[link.from], number[link.to], link.speed, link.latency};
        return {name, std::move(links_), hosts, nodes};
    }

  private:
    std::vector<ClusterLink> links_;
    std::vector<NodeId> switches_;
    std::unordered_set<std::uint64_t> seen_;
};

/// What `read` returns; its errors are in the file.
template <class Read>
auto in_file(const std::string& path, const Read& read) {
    try {
        return read();
    } catch (const InputError& error) {
        throw error.at(path);
    }
}

}  // namespace interlace
