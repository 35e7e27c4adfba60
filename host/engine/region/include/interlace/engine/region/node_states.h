// Interlace: what each node remembers, as bytes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/core/ids.h"

namespace interlace {

/// The states of some nodes: of each what its region, its links and its hosts have to say in turn. So a
/// network that is cut otherwise, or run by other ranks, can go on from them.
class NodeStates {
  public:
    /// Of these nodes, ascending; nothing has been saved.
    explicit NodeStates(std::vector<NodeId> nodes) : nodes_(std::move(nodes)), saved_(nodes_.size()) {}
    /// Loads what take() gave of each of these nodes.
    NodeStates(std::vector<NodeId> nodes, std::vector<Bytes> states)
        : nodes_(std::move(nodes)), bytes_(std::move(states)) {
        for (const Bytes& bytes : bytes_) loaded_.emplace_back(bytes);
    }
    NodeStates(const NodeStates&) = delete;
    NodeStates& operator=(const NodeStates&) = delete;

    bool loads() const { return !loaded_.empty(); }
    const std::vector<NodeId>& nodes() const { return nodes_; }
    Archive of(NodeId node) {
        const auto i =
            static_cast<std::size_t>(std::lower_bound(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
        return loads() ? Archive(loaded_[i]) : Archive(saved_[i]);
    }
    /// All that there was has been loaded.
    bool at_end() const {
        return std::all_of(loaded_.begin(), loaded_.end(), [](const ByteReader& r) { return r.at_end(); });
    }
    /// Of what was saved, [place in nodes()].
    std::vector<Bytes> take() {
        std::vector<Bytes> states;
        for (ByteWriter& saved : saved_) states.push_back(saved.take());
        return states;
    }

  private:
    std::vector<NodeId> nodes_;
    std::vector<ByteWriter> saved_;
    std::vector<Bytes> bytes_;
    std::vector<ByteReader> loaded_;
};

}  // namespace interlace
