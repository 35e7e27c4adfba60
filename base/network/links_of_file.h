// Interlace: the links of a user's network, as they are read from a file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/core/ids.h"

namespace interlace {

/// Directed links, none of them twice: a network has no parallel links, and to take a second one for the
/// first would halve the bandwidth that its author may have meant.
class LinksOfFile {
  public:
    /// `from_name` and `to_name` are what the file calls the nodes. Throws InputError for a link that leads
    /// to where it begins and for one that is there.
    void add(NodeId from, NodeId to, const std::string& from_name, const std::string& to_name) {
        if (from == to)
            throw InputError(fmt::format("a link leads from node {} to itself", from_name),
                             "two different nodes");
        if (!seen_.insert(std::uint64_t{from} << 32U | to).second)
            throw InputError(
                fmt::format("there is a second link from node {} to node {}", from_name, to_name),
                "each link once: a network has no parallel links");
        links_.emplace_back(from, to);
    }

    /// The highest node that a link has been added of.
    NodeId highest() const {
        NodeId highest{0};
        for (const auto& [from, to] : links_) highest = std::max({highest, from, to});
        return highest;
    }
    /// The lowest that none has been added of.
    NodeId first_unlinked() const {
        std::vector<bool> linked(2 * links_.size() + 1, false);  // a link has two ends
        for (const auto& [from, to] : links_)
            for (const NodeId node : {from, to})
                if (node < linked.size()) linked[node] = true;
        return NodeId{
            static_cast<std::uint32_t>(std::find(linked.begin(), linked.end(), false) - linked.begin())};
    }

    bool empty() const { return links_.empty(); }
    std::vector<std::pair<NodeId, NodeId>> take() { return std::move(links_); }

  private:
    std::vector<std::pair<NodeId, NodeId>> links_;
    std::unordered_set<std::uint64_t> seen_;
};

}  // namespace interlace
