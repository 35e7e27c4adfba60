// Interlace: next hops of all packets, balanced over links and free from deadlock
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "balanced_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/network/dependency_graph.h"
#include "paths_by_rounds.h"
#include "twisted_order.h"

namespace interlace {
namespace {

/// Whether there is time to look at the paths to so many nodes again and again.
constexpr bool is_small(std::size_t nodes) {
    return nodes <= 128;
}

/// Nodes in the order of their distances to one.
struct Approach {
    std::vector<NodeId> nodes;            ///< nearest first, from the destination itself on
    std::vector<std::uint32_t> distance;  ///< [node]
};

/// Over the links that `used` marks, all where it is empty.
Approach approach(const IncomingLinks& incoming, const LinkLengths& lengths, NodeId to,
                  const std::vector<bool>& used = {}) {
    Approach found{{}, std::vector<std::uint32_t>(incoming.first.size() - 1, none)};
    NearestFirst queue(lengths.longest());
    found.distance[to] = 0;
    queue.push(to, 0);
    while (const auto nearest = queue.pop()) {
        const auto [node, at] = *nearest;
        if (at > found.distance[node]) continue;
        found.nodes.push_back(node);
        for (std::size_t k = 0; k < incoming.links_into(node).size(); ++k) {
            const NodeId sender = incoming.senders_to(node)[k];
            const LinkId link = incoming.links_into(node)[k];
            const std::uint32_t distance = at + lengths.of(link);
            if (distance >= found.distance[sender] || (!used.empty() && !used[link])) continue;
            found.distance[sender] = distance;
            queue.push(sender, distance);
        }
    }
    return found;
}

/// A network's links with the nodes at their ends, and numbers for their channels.
class Channels {
  public:
    Channels(const Network& of, std::uint32_t channels, const LinkLengths& link_lengths)
        : network(of), incoming(of), count(channels), lengths(link_lengths), origin_(of.link_count()) {
        for (std::uint32_t v = 0, link = 0; v < network.node_count(); ++v)
            for (std::uint32_t p = 0; p < network.degree(NodeId{v}); ++p) origin_[link++] = NodeId{v};
    }
    std::uint32_t size() const { return network.link_count() * count; }
    NodeId origin(std::uint32_t channel) const { return origin_[channel / count]; }
    NodeId target(std::uint32_t channel) const { return network.target(LinkId{channel / count}); }

    const Network& network;
    const IncomingLinks incoming;
    const std::uint32_t count;  ///< of a link
    const LinkLengths& lengths;

  private:
    std::vector<NodeId> origin_;
};

/// A spanning tree of the links that go both ways, both directions of each marked; none if there is none.
std::vector<bool> spanning_tree(const Network& network) {
    const auto joined = [&](NodeId from) {
        std::vector<bool> tree(network.link_count(), false);
        std::vector<bool> reached(network.node_count(), false);
        std::vector<NodeId> nodes = {from};
        reached[from] = true;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            for (const NodeId next : network.neighbours(nodes[i])) {
                const auto back = network.link(next, nodes[i]);
                if (reached[next] || !back) continue;
                reached[next] = tree[*back] = tree[*network.link(nodes[i], next)] = true;
                nodes.push_back(next);
            }
        return std::pair{nodes, tree};
    };
    // The middle of a longest path of the first tree: near the centre of the network.
    const NodeId end = joined(joined(NodeId{0}).first.back()).first.back();
    const auto [nodes, tree] = joined(end);
    if (nodes.size() < network.node_count()) return {};
    return joined(nodes[nodes.size() / 2]).second;
}

/// Finds paths that wait for one another in no cycle.
class Search {
  public:
    /// With a `tree` (spanning_tree()) it always succeeds.
    Search(const Channels& channels, std::vector<bool> tree)
        : c_(channels),
          tree_(std::move(tree)),
          waits_(channels.size()),
          load_(channels.network.link_count(), 0),
          paths_(channels.network.endpoint_count()) {
        if (!tree_.empty()) keep_tree();
    }

    /// Paths to `to` from all nodes; false where the cycles cannot be avoided.
    bool route(NodeId to) {
        const Approach near = approach(c_.incoming, c_.lengths, to);
        for (std::uint32_t v = 0; v < near.distance.size(); ++v)
            if (near.distance[v] == none)
                throw InputError(
                    fmt::format("there is no path from node {} to node {} of {}", v, +to, c_.network.name()),
                    "a network whose nodes all reach one another");
        std::vector<std::uint32_t>& path = paths_[to];
        path.assign(near.distance.size(), none);
        std::vector<NodeId> stuck;
        for (const NodeId node : near.nodes)
            if (node != to &&
                !join(node, to, [&](NodeId next) { return near.distance[next] < near.distance[node]; }))
                stuck.push_back(node);
        if (!stuck.empty() && (tree_.empty() || !detour(std::move(stuck), to))) {
            if (tree_.empty()) return false;
            by_tree(to);
        }
        for (const NodeId node : near.nodes)
            if (node != to) ++load_[path[node] / c_.count];
        return true;
    }
    Paths take() { return std::move(paths_); }

  private:
    /// Of the hops from `node` to an `allowed` neighbour that has a path, takes that on the channel of the
    /// path rather than on another, that which waits as others do already, and that of the least load.
    template <class Allowed>
    bool join(NodeId node, NodeId to, const Allowed& allowed) {
        std::vector<std::tuple<bool, bool, std::uint32_t, std::uint32_t>> hops;
        const std::vector<std::uint32_t>& path = paths_[to];
        const auto neighbours = c_.network.neighbours(node);
        for (std::uint32_t p = 0; p < neighbours.size(); ++p) {
            const NodeId next = neighbours[p];
            if ((next != to && path[next] == none) || !allowed(next)) continue;
            const std::uint32_t link = c_.network.first_link(node) + p;
            for (std::uint32_t hop = link * c_.count; hop < (link + 1) * c_.count; ++hop)
                hops.emplace_back(next != to && hop % c_.count != path[next] % c_.count,
                                  next != to && !waits_.has({hop, path[next]}), load_[link], hop);
        }
        std::sort(hops.begin(), hops.end());
        for (const auto& [changes, adds, load, hop] : hops) {
            const NodeId next = c_.target(hop);
            if (next != to && !waits_.add(Dependency{hop, path[next]})) continue;
            paths_[to][node] = hop;
            return true;
        }
        return false;
    }

    /// Longer paths, from those that have none.
    bool detour(std::vector<NodeId> stuck, NodeId to) {
        for (std::size_t before = 0; stuck.size() != before && !stuck.empty();) {
            before = stuck.size();
            stuck.erase(
                std::remove_if(stuck.begin(), stuck.end(),
                               [&](NodeId node) { return join(node, to, [](NodeId) { return true; }); }),
                stuck.end());
        }
        return stuck.empty();
    }

    std::uint32_t last_channel(std::uint32_t link) const { return (link + 1) * c_.count - 1; }

    /// Whatever packets for any node wait for on their paths in the tree.
    void keep_tree() {
        for (std::uint32_t v = 0; v < c_.network.node_count(); ++v)
            for (const LinkId in : c_.incoming.links_into(NodeId{v}))
                for (std::uint32_t p = 0; p < c_.network.degree(NodeId{v}); ++p) {
                    const std::uint32_t out = c_.network.first_link(NodeId{v}) + p;
                    if (!tree_[in] || !tree_[out]) continue;
                    if (c_.origin(last_channel(in)) != c_.network.target(LinkId{out}))
                        waits_.add(Dependency{last_channel(in), last_channel(out)});
                }
    }

    void by_tree(NodeId to) {
        const Approach near = approach(c_.incoming, c_.lengths, to, tree_);
        for (std::uint32_t link = 0; link < tree_.size(); ++link) {
            const std::uint32_t hop = last_channel(link);
            if (tree_[link] && near.distance[c_.target(hop)] < near.distance[c_.origin(hop)])
                paths_[to][c_.origin(hop)] = hop;
        }
    }

    const Channels& c_;
    const std::vector<bool> tree_;
    DependencyGraph waits_;
    std::vector<std::uint32_t> load_;  // [link]
    Paths paths_;
};

/// Exchanges hops so that loads even out: in hops without longer paths; with lengths the squares
/// count as often as links are long. In a flow with the least such sum paths are shortest by length times
/// load, as they are in one that reaches the capacity that the lengths prove. Channels have places, and
/// packets go on in channels of later places only: so nothing waits in a cycle, whatever is exchanged.
class Balance {
  public:
    Balance(const Channels& channels, Paths& paths)
        : c_(channels),
          paths_(paths),
          link_weight_(channels.lengths.in_hops() ? 4 : 16),
          load_(channels.network.link_count(), 0),
          channel_load_(channels.size(), 0),
          place_(channels.size()) {
        for (std::uint32_t to = 0; to < paths.size(); ++to) {
            weigh(NodeId{to});
            for (std::uint32_t v = 0; v < channels.network.node_count(); ++v) {
                if (v == to) continue;
                load_[paths[to][v] / c_.count] += weight_[v];
                channel_load_[paths[to][v]] += weight_[v];
            }
        }
    }

    /// As often as some seconds allow.
    void run() {
        const std::uint64_t few = std::uint64_t{paths_.size()} * paths_.size() / 2'000;
        for (std::uint64_t pass = 0; pass < passes(); ++pass) {
            give_places(pass % 2 == 0);
            std::uint64_t exchanged = 0;
            for (std::uint32_t to = 0; to < paths_.size(); ++to) {
                weigh(NodeId{to});
                for (std::uint32_t v = 0; v < c_.network.node_count(); ++v)
                    if (v != to && weight_[v] > 0 && exchange(NodeId{v}, NodeId{to})) ++exchanged;
            }
            if (exchanged <= few) return;
        }
    }

    /// The sum of the squares of the links' loads, each times the link's length.
    std::int64_t squares() const {
        std::int64_t sum = 0;
        for (std::uint32_t link = 0; link < load_.size(); ++link)
            sum += static_cast<std::int64_t>(c_.lengths.of(LinkId{link})) * load_[link] * load_[link];
        return sum;
    }

  private:
    /// A pass follows every pair's path once for each hop that it might begin with.
    std::uint64_t passes() const {
        const std::uint64_t most = is_small(paths_.size()) ? 24 : 8;
        const std::uint64_t steps = c_.lengths.in_hops() ? 2'000'000'000 : 6'000'000'000;
        const auto hops =
            static_cast<std::uint64_t>(std::accumulate(load_.begin(), load_.end(), std::int64_t{0}));
        const std::uint64_t pass = hops * c_.count * c_.network.link_count() / paths_.size() + 1;
        return pass > 2 * steps ? 0 : std::clamp<std::uint64_t>(steps / pass, 1, most);
    }

    /// Channels that wait for others, [channel]; turned round if not `onwards`.
    std::vector<std::vector<std::uint32_t>> waits(bool onwards) const {
        std::vector<std::vector<std::uint32_t>> waits(c_.size());
        for (std::uint32_t to = 0; to < paths_.size(); ++to)
            for (const std::uint32_t hop : paths_[to]) {
                if (hop == none || c_.target(hop) == to) continue;
                const std::uint32_t next = paths_[to][c_.target(hop)];
                std::vector<std::uint32_t>& list = waits[onwards ? hop : next];
                const std::uint32_t other = onwards ? next : hop;
                if (std::find(list.begin(), list.end(), other) == list.end()) list.push_back(other);
            }
        return waits;
    }

    /// Every channel the earliest place that the paths leave it, or the latest: each lets other hops in.
    void give_places(bool earliest) {
        const auto after = waits(earliest);
        std::vector<std::uint32_t> before(c_.size(), 0);
        for (const auto& list : after)
            for (const std::uint32_t channel : list) ++before[channel];
        std::vector<std::uint32_t> order;
        for (std::uint32_t channel = 0; channel < c_.size(); ++channel)
            if (before[channel] == 0) order.push_back(channel);
        for (std::size_t i = 0; i < order.size(); ++i) {
            place_[order[i]] = static_cast<std::uint32_t>(earliest ? i : c_.size() - 1 - i);
            for (const std::uint32_t channel : after[order[i]])
                if (--before[channel] == 0) order.push_back(channel);
        }
    }

    /// How many hosts' packets for `to` leave each node.
    void weigh(NodeId to) {
        weight_.assign(c_.network.node_count(), 0);
        for (std::uint32_t from = 0; from < paths_.size(); ++from)
            for (NodeId v{from}; v != to; v = c_.target(paths_[to][v])) ++weight_[v];
    }

    /// Gives `node` the hop, of those that fit, with the fewest hops behind it and the least growth of the
    /// squares.
    bool exchange(NodeId node, NodeId to) {
        std::uint32_t& hop = paths_[to][node];
        const std::uint32_t old = hop;
        const std::int64_t packets = weight_[node];
        move(node, to, -packets);
        Cost least = cost(node, to, packets, {none, 0});
        std::uint32_t best = old;
        const std::uint32_t came = latest_into(node, to);
        const std::uint32_t first = c_.network.first_link(node) * c_.count;
        for (std::uint32_t other = first; other < first + c_.network.degree(node) * c_.count; ++other) {
            if (other == old || !fits(other, to, came)) continue;
            hop = other;
            const Cost now = cost(node, to, packets, least);
            if (now >= least) continue;
            least = now;
            best = other;
        }
        hop = best;
        move(node, to, packets);
        return best != old;
    }

    /// The latest place, plus one, of the channels by which packets for `to` come to `node`.
    std::uint32_t latest_into(NodeId node, NodeId to) const {
        std::uint32_t latest = 0;
        for (const LinkId link : c_.incoming.links_into(node)) {
            const std::uint32_t hop = paths_[to][c_.origin(link * c_.count)];
            if (hop != none && hop / c_.count == link) latest = std::max(latest, place_[hop] + 1);
        }
        return latest;
    }

    bool fits(std::uint32_t hop, NodeId to, std::uint32_t came) const {
        const NodeId next = c_.target(hop);
        return place_[hop] >= came && (next == to || place_[hop] < place_[paths_[to][next]]);
    }

    /// In hops, their number; and by how much `packets` more on them let the squares grow. No less
    /// than `limit` where it is not known.
    using Cost = std::pair<std::uint32_t, std::int64_t>;
    Cost cost(NodeId node, NodeId to, std::int64_t packets, const Cost& limit) const {
        Cost cost{0, 0};
        while (node != to && cost < limit) {
            const std::uint32_t hop = paths_[to][node];
            const LinkId link{hop / c_.count};
            if (c_.lengths.in_hops()) ++cost.first;
            cost.second += packets * static_cast<std::int64_t>(c_.lengths.of(link)) *
                           (link_weight_ * (2 * load_[link] + packets) + 2 * channel_load_[hop] + packets);
            node = c_.target(hop);
        }
        return cost;
    }

    void move(NodeId node, NodeId to, std::int64_t packets) {
        while (node != to) {
            const std::uint32_t hop = paths_[to][node];
            load_[hop / c_.count] += packets;
            channel_load_[hop] += packets;
            node = c_.target(hop);
            weight_[node] += packets;
        }
    }

    const Channels& c_;
    Paths& paths_;
    const std::int64_t link_weight_;          // of a link's square beside those of its channels
    std::vector<std::int64_t> load_;          // [link]
    std::vector<std::int64_t> channel_load_;  // [channel]
    std::vector<std::uint32_t> place_;        // [channel]
    std::vector<std::int64_t> weight_;        // [node], of the destination at hand
};

/// Destinations in random order, for seed 0 in that of their numbers: neighbours, where nodes are numbered
/// along rows.
std::vector<NodeId> destinations(std::uint32_t nodes, std::uint64_t seed) {
    std::vector<NodeId> order;
    for (std::uint32_t v = 0; v < nodes; ++v) order.emplace_back(v);
    if (seed > 0)
        std::sort(order.begin(), order.end(),
                  [&](NodeId a, NodeId b) { return random_bits(seed, 0, a) < random_bits(seed, 0, b); });
    return order;
}

/// By dimension order on a mesh, or a torus with two channels: the low ones where the destination is in the
/// lower half of the ring (docs/node.md, section 4). None elsewhere.
std::optional<Paths> dimension_order(const Channels& channels) {
    const std::optional<Lattice>& lattice = channels.network.lattice();
    if (!lattice || !lattice->is_product() || (lattice->wraps() && channels.count < 2)) return {};
    const std::uint32_t nodes = channels.network.node_count();
    const auto hop = [&](NodeId from, NodeId to) {
        std::uint32_t d = 0;
        while (lattice->coordinate(from, d) == lattice->coordinate(to, d)) ++d;
        const std::uint32_t here = lattice->coordinate(from, d), there = lattice->coordinate(to, d);
        const std::uint32_t size = lattice->sizes()[d];
        const std::uint32_t right = (there + size - here) % size, left = size - right;
        const bool rightwards =
            lattice->wraps() ? right < left || (right == left && here % 2 == 0) : here < there;
        const NodeId next = lattice->neighbour(from, {d, rightwards ? 1 : -1});
        const std::uint32_t low = lattice->wraps() ? channels.count / 2 : channels.count;
        const bool high = lattice->wraps() && there >= size / 2;
        const auto any = static_cast<std::uint32_t>(random_bits(0, 0, to));
        const std::uint32_t channel = high ? low + any % (channels.count - low) : any % low;
        return *channels.network.link(from, next) * channels.count + channel;
    };
    Paths paths(nodes, std::vector<std::uint32_t>(nodes, none));
    for (std::uint32_t to = 0; to < nodes; ++to)
        for (std::uint32_t from = 0; from < nodes; ++from)
            if (from != to) paths[to][from] = hop(NodeId{from}, NodeId{to});
    return paths;
}

/// Shortest paths that wait in no cycle, searched in the `seed`-th order, or with a tree; none if there are
/// none.
std::optional<Paths> search(const Channels& channels, std::uint64_t seed, bool with_tree) {
    std::vector<bool> tree;
    if (with_tree) tree = spanning_tree(channels.network);
    Search search(channels, std::move(tree));
    const auto order = destinations(channels.network.endpoint_count(), seed);
    if (!std::all_of(order.begin(), order.end(), [&](NodeId to) { return search.route(to); })) return {};
    return search.take();
}

}  // namespace

PathHops hops_of(const Network& network, std::uint32_t channels, const Paths& paths) {
    constexpr std::uint16_t unknown = UINT16_MAX;
    const std::uint32_t nodes = network.node_count();
    PathHops hops(paths.size(), std::vector<std::uint16_t>(nodes, unknown));
    std::vector<NodeId> path;
    for (std::uint32_t to = 0; to < paths.size(); ++to) {
        hops[to][to] = 0;
        for (std::uint32_t from = 0; from < nodes; ++from) {
            NodeId v{from};
            for (; hops[to][v] == unknown; v = network.target(LinkId{paths[to][v] / channels}))
                path.push_back(v);
            for (std::uint16_t known = hops[to][v]; !path.empty(); path.pop_back())
                hops[to][path.back()] = ++known;
        }
    }
    return hops;
}

// A link carries what comes together at its beginning: nodes far from the destination are added first.
std::vector<std::uint32_t> crossings(const Network& network, std::uint32_t channels, const Paths& paths,
                                     const PathHops& hops) {
    std::vector<std::uint32_t> crossing(network.link_count(), 0);
    std::vector<std::uint32_t> order(network.node_count()), through(order.size());
    for (std::uint32_t to = 0; to < paths.size(); ++to) {
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return hops[to][a] > hops[to][b]; });
        std::fill(through.begin(), through.end(), 0);
        std::fill_n(through.begin(), network.endpoint_count(), 1);
        for (const std::uint32_t v : order) {
            if (v == to) continue;
            const LinkId link{paths[to][v] / channels};
            crossing[link] += through[v];
            through[network.target(link)] += through[v];
        }
    }
    return crossing;
}

Paths balanced_paths(const Network& network, std::uint32_t channels, const LinkLengths& lengths) {
    const Channels numbered(network, channels, lengths);
    const bool small = is_small(network.node_count());
    const std::uint64_t tries = network.node_count() > 512 ? 2 : 8;
    Paths best;
    std::int64_t least = INT64_MAX;
    const auto consider = [&](std::optional<Paths> paths) {
        if (!paths) return 0U;
        Balance balance(numbered, *paths);
        balance.run();
        if (balance.squares() < least) {
            least = balance.squares();
            best = std::move(*paths);
        }
        return 1U;
    };
    std::uint32_t found =
        consider(dimension_order(numbered)) + consider(twisted_dimension_order(network, channels));
    bool rounds = found == 0 && consider(paths_by_rounds(network, channels, lengths)) > 0;
    if (network.has_switches())
        rounds = consider(paths_by_rounds(network, channels, lengths, true)) > 0 || rounds;
    // A search takes long. In a graph with one channel, thus one round, it may find paths of more even loads.
    if (!rounds || small || (channels == 1 && !network.lattice())) {
        for (std::uint64_t seed = 0; seed < tries && found < (small ? 4 : 1); ++seed)
            found += consider(search(numbered, seed, false));
        if (found == 0) consider(search(numbered, tries, true));
    }
    if (best.empty())
        throw InputError(
            fmt::format("cannot route by table on {} with {} virtual channels", network.name(), channels),
            "more channels (vcs), or links in both directions between all nodes: packets would wait for one "
            "another in a cycle");
    return best;
}

}  // namespace interlace
