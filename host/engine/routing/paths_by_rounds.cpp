// Interlace: next hops that go up and down in rounds, one round a virtual channel
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "paths_by_rounds.h"

#include <algorithm>
#include <numeric>

#include "interlace/network/metrics.h"

namespace interlace {
namespace {

/// Up in round 0 is stage 0, down in round 0 stage 1, up in round 1 stage 2, and so on: a path's stages never
/// fall, and within one its heights rise or fall. So channels have places that only rise along paths.
constexpr bool is_down(std::uint32_t stage) {
    return stage % 2 == 1;
}

/// The latest stage, no later than `stage`, in which a hop down, or up, may be taken; none if there is none.
std::uint32_t latest_stage(bool down, std::uint32_t stage) {
    return is_down(stage) == down ? stage : stage == 0 ? none : stage - 1;
}

/// [node]: hops to the nearest host.
std::vector<std::uint32_t> hops_to_hosts(const Network& network, const IncomingLinks& incoming) {
    std::vector<std::uint32_t> hops(network.node_count(), none);
    std::vector<NodeId> reached;
    for (std::uint32_t v = 0; v < network.endpoint_count(); ++v) {
        hops[v] = 0;
        reached.emplace_back(v);
    }
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (const NodeId sender : incoming.senders_to(reached[i]))
            if (hops[sender] == none) {
                hops[sender] = hops[reached[i]] + 1;
                reached.push_back(sender);
            }
    return hops;
}

/// [node]: by which up and down is told. With `levels` nodes are the higher, the farther they are from hosts,
/// and of those equally far as without. Without, above every node but the highest there is another to go to:
/// in a lattice the next one in each dimension; elsewhere one that is nearer to the node in the middle.
std::vector<std::uint32_t> heights(const Network& network, const IncomingLinks& incoming, bool levels) {
    const std::uint32_t nodes = network.node_count();
    std::vector<std::uint32_t> height(nodes);
    std::iota(height.begin(), height.end(), 0);
    if (network.lattice()) return height;
    std::vector<std::uint32_t> level(nodes, 0);
    if (levels) level = hops_to_hosts(network, incoming);
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
    std::stable_sort(nodes_down.begin(), nodes_down.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(level[a], nearest[b]) < std::pair(level[b], nearest[a]);
    });
    for (std::uint32_t i = 0; i < nodes; ++i) height[nodes_down[i]] = i;
    return height;
}

class Rounds {
  public:
    Rounds(const Network& network, std::uint32_t channels, const LinkLengths& lengths, bool levels)
        : network_(network),
          incoming_(network),
          channels_(channels),
          length_(lengths),
          queue_(highest_price(lengths)),
          height_(heights(network, incoming_, levels)),
          load_(network.link_count(), 0),
          channel_load_(std::size_t{network.link_count()} * channels, 0),
          latest_(network.node_count()),
          earliest_(network.node_count()),
          packets_(network.node_count()),
          senders_(network.node_count()),
          distance_(network.node_count()),
          paths_(network.endpoint_count()) {}

    std::optional<Paths> paths() {
        const int passes = length_.in_hops() ? 2 : 4;
        for (int pass = 0; pass < passes; ++pass)
            for (std::uint32_t to = 0; to < paths_.size(); ++to) {
                if (pass > 0) take_back(NodeId{to});
                mean_load_ = std::max(1.0, static_cast<double>(packet_hops_) / network_.link_count());
                if (!approach(NodeId{to})) return {};
                choose(NodeId{to});
            }
        return std::move(paths_);
    }

  private:
    /// Finds the distances to `to` by such paths, and the latest stages in which nodes may leave on them.
    /// False where a node has none.
    bool approach(NodeId to) {
        std::fill(distance_.begin(), distance_.end(), none);
        nodes_.clear();
        distance_[to] = 0;
        latest_[to] = 2 * channels_ - 1;
        queue_.push(to, 0);
        while (const auto nearest = queue_.pop()) {
            const auto [node, at] = *nearest;
            if (at > distance_[node]) continue;
            nodes_.push_back(node);
            for (std::uint32_t k = 0; k < incoming_.links_into(node).size(); ++k) {
                const NodeId sender = incoming_.senders_to(node)[k];
                const std::uint32_t distance = at + price(incoming_.links_into(node)[k]);
                const std::uint32_t stage = latest_stage(height_[node] < height_[sender], latest_[node]);
                if (stage == none || distance > distance_[sender]) continue;
                if (distance < distance_[sender]) {
                    queue_.push(sender, distance);
                    distance_[sender] = distance;
                    latest_[sender] = stage;
                }
                latest_[sender] = std::max(latest_[sender], stage);
            }
        }
        return nodes_.size() == network_.node_count();
    }

    /// Of every host one; of switches none.
    void count_own_packets() {
        std::fill(packets_.begin(), packets_.end(), 0);
        std::fill_n(packets_.begin(), network_.endpoint_count(), 1);
    }

    void take_back(NodeId to) {
        count_own_packets();
        std::fill(senders_.begin(), senders_.end(), 0);
        for (const std::uint32_t hop : paths_[to])
            if (hop != none) ++senders_[network_.target(LinkId{hop / channels_})];
        for (std::uint32_t v = 0; v < senders_.size(); ++v)
            for (NodeId node{v}; node != to && senders_[node] == 0;) {
                senders_[node] = none;
                node = add(node, paths_[to][node], -1);
                --senders_[node];
                if (node > v) break;
            }
    }

    /// From the farthest nodes on, so that all packets which come to a node are known where it chooses.
    void choose(NodeId to) {
        paths_[to].assign(network_.node_count(), none);
        count_own_packets();
        std::fill(earliest_.begin(), earliest_.end(), 0);
        for (std::size_t i = nodes_.size() - 1; i > 0; --i) {
            const NodeId node = nodes_[i];
            const std::uint32_t stage = choose_hop(node, paths_[to][node]);
            const NodeId next = add(node, paths_[to][node], 1);
            earliest_[next] = std::max(earliest_[next], stage);
        }
    }

    /// The hop of the least price, and then load, that leaves the rest of the path open: returns its stage.
    std::uint32_t choose_hop(NodeId node, std::uint32_t& hop) const {
        std::uint32_t best = none, least = none;
        const auto neighbours = network_.neighbours(node);
        for (std::uint32_t p = 0; p < neighbours.size(); ++p) {
            const NodeId next = neighbours[p];
            if (distance_[next] >= distance_[node]) continue;
            const std::uint32_t link = network_.first_link(node) + p;
            const std::uint32_t cost = distance_[next] + price(LinkId{link});
            if (cost > least) continue;
            for (std::uint32_t stage = latest_stage(height_[next] < height_[node], latest_[next]);
                 stage != none && stage >= earliest_[node]; stage = stage < 2 ? none : stage - 2) {
                const std::uint32_t other = link * channels_ + stage / 2;
                if (cost == least && !is_less(other, hop)) continue;
                hop = other;
                best = stage;
                least = cost;
            }
        }
        return best;
    }
    bool is_less(std::uint32_t hop, std::uint32_t other) const {
        const std::int64_t load = load_[hop / channels_], than = load_[other / channels_];
        return load != than ? load < than : channel_load_[hop] < channel_load_[other];
    }
    /// Its length; where these differ, the more, the fuller the link is: all links shall be alike full.
    std::uint32_t price(LinkId link) const {
        if (length_.in_hops()) return 1;
        const double fullness = std::min(max_fullness, static_cast<double>(load_[link]) / mean_load_);
        return length_.of(link) * static_cast<std::uint32_t>(8 + 32 * fullness * fullness);
    }
    static constexpr double max_fullness = 2;
    static std::uint32_t highest_price(const LinkLengths& lengths) {
        return lengths.in_hops()
                   ? 1
                   : lengths.longest() * static_cast<std::uint32_t>(8 + 32 * max_fullness * max_fullness);
    }

    /// The packets that leave `node` by `hop`, `times` 1 or -1; returns where they come.
    NodeId add(NodeId node, std::uint32_t hop, std::int64_t times) {
        load_[hop / channels_] += times * packets_[node];
        channel_load_[hop] += times * packets_[node];
        packet_hops_ += times * packets_[node];
        const NodeId next = network_.target(LinkId{hop / channels_});
        packets_[next] += packets_[node];
        return next;
    }

    const Network& network_;
    const IncomingLinks incoming_;
    const std::uint32_t channels_;
    const LinkLengths& length_;
    NearestFirst queue_;
    const std::vector<std::uint32_t> height_;  // [node]
    std::vector<std::int64_t> load_;           // [link]
    std::vector<std::int64_t> channel_load_;   // [channel]
    std::int64_t packet_hops_ = 0;             // the sum of load_
    double mean_load_ = 1;
    // Of the destination at hand:
    std::vector<NodeId> nodes_;                     // nearest first
    std::vector<std::uint32_t> latest_, earliest_;  // [node]: stages
    std::vector<std::int64_t> packets_;             // [node]: that leave it
    std::vector<std::uint32_t> senders_;            // [node]: whose packets come there
    std::vector<std::uint32_t> distance_;           // [node]
    Paths paths_;
};

}  // namespace

std::optional<Paths> paths_by_rounds(const Network& network, std::uint32_t channels,
                                     const LinkLengths& lengths, bool levels) {
    return Rounds(network, channels, lengths, levels).paths();
}

}  // namespace interlace
