// Interlace: next hops that go up and down in rounds, one round a virtual channel
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "paths_by_rounds.h"

#include <algorithm>
#include <numeric>

#include "interlace/network/metrics.h"

namespace interlace {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

/// Up in round 0 is stage 0, down in round 0 stage 1, up in round 1 stage 2, and so on: a path's stages never
/// fall, and within one its heights rise or fall. So channels have places that only rise along paths.
constexpr bool is_down(std::uint32_t stage) {
    return stage % 2 == 1;
}

/// The latest stage, no later than `stage`, in which a hop down, or up, may be taken; none if there is none.
std::uint32_t latest_stage(bool down, std::uint32_t stage) {
    return is_down(stage) == down ? stage : stage == 0 ? none : stage - 1;
}

/// [node]: by which up and down is told. Above every node but the highest there is another to go to: in a
/// lattice the next one in each dimension; elsewhere one that is nearer to the node in the middle.
std::vector<std::uint32_t> heights(const Network& network) {
    const std::uint32_t nodes = network.node_count();
    std::vector<std::uint32_t> height(nodes);
    std::iota(height.begin(), height.end(), 0);
    if (network.lattice()) return height;
    std::uint64_t least = UINT64_MAX;
    std::vector<std::uint32_t> nearest;  // to the node in the middle
    for (std::uint32_t v = 0; v < nodes; ++v) {
        std::vector<std::uint32_t> distance = distances_from(network, NodeId{v});
        const std::uint64_t sum = std::accumulate(distance.begin(), distance.end(), std::uint64_t{0});
        if (sum >= least) continue;
        least = sum;
        nearest = std::move(distance);
    }
    std::vector<std::uint32_t> nodes_down = height;
    std::stable_sort(nodes_down.begin(), nodes_down.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return nearest[a] > nearest[b]; });
    for (std::uint32_t i = 0; i < nodes; ++i) height[nodes_down[i]] = i;
    return height;
}

class Rounds {
  public:
    Rounds(const Network& network, std::uint32_t channels)
        : network_(network),
          incoming_(network),
          channels_(channels),
          height_(heights(network)),
          load_(network.link_count(), 0),
          channel_load_(std::size_t{network.link_count()} * channels, 0),
          latest_(network.node_count()),
          earliest_(network.node_count()),
          packets_(network.node_count()),
          distance_(network.node_count()),
          paths_(network.node_count()) {}

    std::optional<Paths> paths() {
        constexpr int passes = 2;
        for (int pass = 0; pass < passes; ++pass)
            for (std::uint32_t to = 0; to < paths_.size(); ++to) {
                if (!approach(NodeId{to})) return {};
                if (pass > 0) take_back(NodeId{to});
                choose(NodeId{to});
            }
        return std::move(paths_);
    }

  private:
    /// Finds the distances to `to` by such paths, and the latest stages in which nodes may leave on them.
    /// False where a node has none.
    bool approach(NodeId to) {
        std::fill(distance_.begin(), distance_.end(), none);
        nodes_.assign(1, to);
        distance_[to] = 0;
        latest_[to] = 2 * channels_ - 1;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const NodeId node = nodes_[i];
            for (const NodeId sender : incoming_.senders_to(node)) {
                const std::uint32_t stage = latest_stage(height_[node] < height_[sender], latest_[node]);
                if (stage == none || distance_[sender] <= distance_[node]) continue;
                if (distance_[sender] == none) {
                    nodes_.push_back(sender);
                    distance_[sender] = distance_[node] + 1;
                    latest_[sender] = stage;
                }
                latest_[sender] = std::max(latest_[sender], stage);
            }
        }
        return nodes_.size() == network_.node_count();
    }

    void take_back(NodeId to) {
        std::fill(packets_.begin(), packets_.end(), 1);
        for (std::size_t i = nodes_.size() - 1; i > 0; --i) add(nodes_[i], paths_[to][nodes_[i]], -1);
    }

    /// From the farthest nodes on, so that all packets which come to a node are known where it chooses.
    void choose(NodeId to) {
        paths_[to].assign(network_.node_count(), none);
        std::fill(packets_.begin(), packets_.end(), 1);
        std::fill(earliest_.begin(), earliest_.end(), 0);
        for (std::size_t i = nodes_.size() - 1; i > 0; --i) {
            const NodeId node = nodes_[i];
            const std::uint32_t stage = choose_hop(node, paths_[to][node]);
            const NodeId next = add(node, paths_[to][node], 1);
            earliest_[next] = std::max(earliest_[next], stage);
        }
    }

    /// The hop of the least load that is no detour and leaves the rest of the path open: returns its stage.
    std::uint32_t choose_hop(NodeId node, std::uint32_t& hop) const {
        std::uint32_t best = none;
        const auto neighbours = network_.neighbours(node);
        for (std::uint32_t p = 0; p < neighbours.size(); ++p) {
            const NodeId next = neighbours[p];
            if (distance_[next] + 1 != distance_[node]) continue;
            const std::uint32_t link = network_.first_link(node) + p;
            for (std::uint32_t stage = latest_stage(height_[next] < height_[node], latest_[next]);
                 stage != none && stage >= earliest_[node]; stage = stage < 2 ? none : stage - 2) {
                const std::uint32_t other = link * channels_ + stage / 2;
                if (best != none && !is_less(other, hop)) continue;
                hop = other;
                best = stage;
            }
        }
        return best;
    }
    bool is_less(std::uint32_t hop, std::uint32_t other) const {
        const std::int64_t load = load_[hop / channels_], than = load_[other / channels_];
        return load != than ? load < than : channel_load_[hop] < channel_load_[other];
    }

    /// The packets that leave `node` by `hop`, `times` 1 or -1; returns where they come.
    NodeId add(NodeId node, std::uint32_t hop, std::int64_t times) {
        load_[hop / channels_] += times * packets_[node];
        channel_load_[hop] += times * packets_[node];
        const NodeId next = network_.target(LinkId{hop / channels_});
        packets_[next] += packets_[node];
        return next;
    }

    const Network& network_;
    const IncomingLinks incoming_;
    const std::uint32_t channels_;
    const std::vector<std::uint32_t> height_;  // [node]
    std::vector<std::int64_t> load_;           // [link]
    std::vector<std::int64_t> channel_load_;   // [channel]
    // Of the destination at hand:
    std::vector<NodeId> nodes_;                     // nearest first
    std::vector<std::uint32_t> latest_, earliest_;  // [node]: stages
    std::vector<std::int64_t> packets_;             // [node]: that leave it
    std::vector<std::uint32_t> distance_;           // [node]: hops
    Paths paths_;
};

}  // namespace

std::optional<Paths> paths_by_rounds(const Network& network, std::uint32_t channels) {
    return Rounds(network, channels).paths();
}

}  // namespace interlace
