// Interlace: a tree of switches and machines, its paths by plain search, its best ring by trying all
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace interlace::test {

/// A directed edge of a cluster: the node numbers of its tail and its head.
using PlainEdge = std::pair<unsigned, unsigned>;

/// A message: the numbers of the machine that sends it and of the one that receives it.
using PlainMessage = std::pair<unsigned, unsigned>;

/// A cluster G = (S + M, E) whose switches form a tree and whose machines are leaves (Faraj, Patarasuk, Yuan,
/// "Bandwidth Efficient All-to-All Broadcast on Switched Clusters", section 3). Its nodes are the M machines,
/// 0 to M - 1, and then the S switches, M to M + S - 1; each link is two directed edges. A switch may be
/// without a machine of its own.
struct PlainCluster {
    unsigned switches;                                  ///< S, at least 1
    std::vector<std::pair<unsigned, unsigned>> trunks;  ///< S - 1 links between switches, numbered from 0
    std::vector<unsigned> machines;                     ///< machine i hangs off this switch, 0 to S - 1
};

/// The number of machines, M.
inline unsigned machine_count(const PlainCluster& cluster) {
    return static_cast<unsigned>(cluster.machines.size());
}

/// The nodes one link away from each node. Throws std::invalid_argument on a number out of range and when
/// the trunks are not one fewer than the switches.
inline std::vector<std::vector<unsigned>> neighbours(const PlainCluster& cluster) {
    const unsigned machines = machine_count(cluster);
    if (cluster.trunks.size() + 1 != cluster.switches) throw std::invalid_argument("trunks of no tree");
    std::vector<std::vector<unsigned>> result(machines + cluster.switches);
    const auto link = [&](unsigned a, unsigned b) {
        result.at(a).push_back(b);
        result.at(b).push_back(a);
    };
    for (const auto& [a, b] : cluster.trunks) {
        if (std::max(a, b) >= cluster.switches) throw std::invalid_argument("trunk to no switch");
        link(machines + a, machines + b);
    }
    for (unsigned i = 0; i < machines; ++i) {
        if (cluster.machines[i] >= cluster.switches) throw std::invalid_argument("machine on no switch");
        link(i, machines + cluster.machines[i]);
    }
    return result;
}

/// For each node the one from which a breadth first search from `start` reaches it (`start` for `start`).
/// Throws std::invalid_argument when it does not reach every node: the cluster is then no tree.
inline std::vector<unsigned> search_from(const PlainCluster& cluster, unsigned start) {
    const std::vector<std::vector<unsigned>> beside = neighbours(cluster);
    const auto unreached = static_cast<unsigned>(beside.size());
    std::vector<unsigned> reached_from(beside.size(), unreached);
    reached_from.at(start) = start;
    std::deque<unsigned> waiting{start};
    while (!waiting.empty()) {
        const unsigned node = waiting.front();
        waiting.pop_front();
        for (const unsigned next : beside[node])
            if (reached_from[next] == unreached) {
                reached_from[next] = node;
                waiting.push_back(next);
            }
    }
    if (std::ranges::count(reached_from, unreached) != 0) throw std::invalid_argument("not one tree");
    return reached_from;
}

/// path(a, b): the directed edges from machine `a` to machine `b` in their order; none when they are the same
/// machine. Throws std::invalid_argument when there is no such machine or the cluster is no tree.
inline std::vector<PlainEdge> path(const PlainCluster& cluster, unsigned a, unsigned b) {
    if (std::max(a, b) >= machine_count(cluster)) throw std::invalid_argument("no such machine");
    const std::vector<unsigned> reached_from = search_from(cluster, a);
    std::vector<PlainEdge> result;
    for (unsigned node = b; node != a; node = reached_from[node])
        result.emplace_back(reached_from[node], node);
    std::ranges::reverse(result);
    return result;
}

/// The number of switches that a message from machine `a` to machine `b` travels through (section 3): 1 on a
/// common switch, and 0 from a machine to itself.
inline unsigned path_length(const PlainCluster& cluster, unsigned a, unsigned b) {
    unsigned switches = 0;
    for (const PlainEdge& edge : path(cluster, a, b))
        if (edge.second >= machine_count(cluster)) ++switches;
    return switches;
}

/// Whether no two of the messages share a directed edge (section 3).
inline bool contention_free(const PlainCluster& cluster, const std::vector<PlainMessage>& messages) {
    std::set<PlainEdge> used;
    for (const auto& [from, to] : messages)
        for (const PlainEdge& edge : path(cluster, from, to))
            if (!used.insert(edge).second) return false;
    return true;
}

/// The messages of the logical ring pattern (section 3.1): each machine of `ring` sends to the next one and
/// the last to the first. Throws std::invalid_argument unless `ring` holds every machine exactly once.
inline std::vector<PlainMessage> ring_messages(const PlainCluster& cluster,
                                               const std::vector<unsigned>& ring) {
    std::vector<bool> met(machine_count(cluster), false);
    for (const unsigned machine : ring) {
        if (machine >= met.size() || met[machine]) throw std::invalid_argument("not a ring of the machines");
        met[machine] = true;
    }
    if (ring.size() != met.size()) throw std::invalid_argument("the ring leaves machines out");
    std::vector<PlainMessage> result;
    for (std::size_t i = 0; i < ring.size(); ++i) result.emplace_back(ring[i], ring[(i + 1) % ring.size()]);
    return result;
}

/// The longest path length in the logical ring, in switches (section 3.2); 0 when there is but one machine.
inline unsigned longest(const PlainCluster& cluster, const std::vector<unsigned>& ring) {
    unsigned result = 0;
    for (const auto& [from, to] : ring_messages(cluster, ring))
        result = std::max(result, path_length(cluster, from, to));
    return result;
}

/// Whether the logical ring pattern is contention free (section 3.2, problem 1).
inline bool ring_contention_free(const PlainCluster& cluster, const std::vector<unsigned>& ring) {
    return contention_free(cluster, ring_messages(cluster, ring));
}

/// Search over all cyclic orders of the machines, machine 0 first. It leaves an order as soon as two of its
/// messages share a directed edge, or one of them is as long as the longest of a ring already found.
class BestRingSearch {
  public:
    explicit BestRingSearch(const PlainCluster& cluster) : paths_(machine_count(cluster)) {
        for (unsigned a = 0; a < paths_.size(); ++a)
            for (unsigned b = 0; b < paths_.size(); ++b) paths_[a].push_back(path(cluster, a, b));
    }

    /// The smallest longest path length, in switches.
    unsigned run() {
        placed_.assign(paths_.size(), false);
        placed_.at(0) = true;
        extend(0, 1, 0);
        return best_;
    }

  private:
    /// Tries every machine after the first `count` ones, which end in machine `last`, use the edges in
    /// `used_` and have no message longer than `length` switches; after all machines the ring closes at
    /// machine 0.
    void extend(unsigned last, unsigned count, unsigned length) {
        const bool closing = count == paths_.size();
        for (unsigned next = 0; next < paths_.size(); ++next) {
            if (closing ? next != 0 : placed_[next]) continue;
            const std::vector<PlainEdge>& edges = paths_[last][next];
            const auto hops = static_cast<unsigned>(edges.empty() ? 0 : edges.size() - 1);
            const unsigned longer = std::max(length, hops);
            const auto taken = [&](const PlainEdge& edge) { return used_.contains(edge); };
            if (longer >= best_ || std::ranges::any_of(edges, taken)) continue;
            if (closing) {
                best_ = longer;
                return;
            }
            placed_[next] = true;
            used_.insert(edges.begin(), edges.end());
            extend(next, count + 1, longer);
            for (const PlainEdge& edge : edges) used_.erase(edge);
            placed_[next] = false;
        }
    }

    std::vector<std::vector<std::vector<PlainEdge>>> paths_;  ///< path(a, b) at [a][b]
    std::vector<bool> placed_;
    std::set<PlainEdge> used_;
    unsigned best_ = std::numeric_limits<unsigned>::max();
};

/// The smallest maximum path length, in switches, of all contention free logical rings (section 3.2, problem
/// 2), by trying all orders: for up to about 9 machines. 0 when there is but one machine. Throws
/// std::invalid_argument when there is none, and std::logic_error when no ring is contention free, which
/// theorem 1 rules out.
inline unsigned best_ring(const PlainCluster& cluster) {
    if (cluster.machines.empty()) throw std::invalid_argument("a ring of no machines");
    const unsigned best = BestRingSearch(cluster).run();
    if (best == std::numeric_limits<unsigned>::max()) throw std::logic_error("no contention free ring");
    return best;
}

/// Random numbers for `random_cluster`: splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
struct PlainRandom {
    std::uint64_t state;  ///< the seed at first

    std::uint64_t next() {
        state += 0x9e3779b97f4a7c15U;
        std::uint64_t x = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31U);
    }

    /// A number from 0 to `count` - 1; `count` is at least 1.
    unsigned below(unsigned count) { return static_cast<unsigned>(next() % count); }

    void shuffle(std::vector<unsigned>& values) {
        for (auto i = static_cast<unsigned>(values.size()); i > 1; --i)
            std::swap(values[i - 1], values[below(i)]);
    }
};

/// The switches with at most one trunk, in ascending order; a switch alone is one of them.
inline std::vector<unsigned> leaf_switches(const PlainCluster& cluster) {
    std::vector<unsigned> trunks(cluster.switches, 0);
    for (const auto& [a, b] : cluster.trunks) {
        ++trunks.at(a);
        ++trunks.at(b);
    }
    std::vector<unsigned> result;
    for (unsigned s = 0; s < cluster.switches; ++s)
        if (trunks[s] <= 1) result.push_back(s);
    return result;
}

/// A random cluster: each of `switches` switches (at least 1) but the first is joined to a random earlier
/// one, and all are then renumbered at random. Every leaf switch has a machine; the others of `machines`
/// machines are on random switches. When there are more leaf switches than `machines`, there are as many
/// machines as leaf switches. The same arguments always give the same cluster.
inline PlainCluster random_cluster(std::uint64_t seed, unsigned switches, unsigned machines) {
    if (switches == 0) throw std::invalid_argument("a cluster without a switch");
    PlainRandom random{seed};
    std::vector<unsigned> number(switches);
    for (unsigned s = 0; s < switches; ++s) number[s] = s;
    random.shuffle(number);
    PlainCluster cluster{switches, {}, {}};
    for (unsigned s = 1; s < switches; ++s) {
        std::pair<unsigned, unsigned> trunk{number[random.below(s)], number[s]};
        if (random.below(2) == 0) std::swap(trunk.first, trunk.second);
        cluster.trunks.push_back(trunk);
    }
    cluster.machines = leaf_switches(cluster);
    while (cluster.machines.size() < machines) cluster.machines.push_back(random.below(switches));
    random.shuffle(cluster.machines);
    return cluster;
}

}  // namespace interlace::test
