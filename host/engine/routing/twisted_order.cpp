// Interlace: dimension order on a twisted torus
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "twisted_order.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "interlace/core/random.h"
#include "interlace/network/dependency_graph.h"

namespace interlace {
namespace {

/// Hops in each dimension, up or down.
using Way = std::vector<std::int32_t>;

std::uint32_t length(const Way& way) {
    return std::accumulate(way.begin(), way.end(), 0U, [](std::uint32_t sum, std::int32_t hops) {
        return sum + static_cast<std::uint32_t>(std::abs(hops));
    });
}

/// All shortest ways between nodes of a twisted torus, by what one is away from the other: since its
/// translations are symmetries, of node 0.
class ShortestWays {
  public:
    explicit ShortestWays(const Lattice& lattice) : lattice_(lattice), ways_(lattice.node_count()) {
        Way way(lattice.dimensions(), 0);
        go_on(way, lattice.dimensions() - 1, NodeId{0});
    }
    const std::vector<Way>& between(NodeId from, NodeId to) const {
        return ways_[lattice_.translate(to, from, NodeId{0})];
    }

  private:
    /// The most hops that a shortest way takes in a dimension: half a ring in x. Whole turns round another
    /// dimension do nothing but move in x, which half a ring of x does too, so they have no more hops than
    /// that.
    std::int32_t most(std::uint32_t dimension) const {
        const auto x = static_cast<std::int32_t>(lattice_.sizes()[0]);
        const auto size = static_cast<std::int32_t>(lattice_.sizes()[dimension]);
        return dimension == 0 ? x / 2 : std::max(size, x / 2 + 1);
    }
    /// Every way of the dimensions up to this one, after those in `way`.
    void go_on(Way& way, std::uint32_t dimension, NodeId at) {
        for (const std::int32_t step : {+1, -1}) {
            NodeId there = at;
            for (std::int32_t hops = 0; hops <= most(dimension); ++hops) {
                way[dimension] = step * hops;
                if (hops > 0) there = lattice_.neighbour(there, {dimension, step});
                if (hops == 0 && step < 0) continue;
                if (dimension > 0)
                    go_on(way, dimension - 1, there);
                else
                    add(way, there);
            }
        }
        way[dimension] = 0;
    }
    void add(const Way& way, NodeId to) {
        std::vector<Way>& ways = ways_[to];
        if (!ways.empty() && length(way) > length(ways.front())) return;
        if (!ways.empty() && length(way) < length(ways.front())) ways.clear();
        ways.push_back(way);
    }

    const Lattice& lattice_;
    std::vector<std::vector<Way>> ways_;  // [node]
};

/// Whether a destination with these random bits prefers a way. What is left of it after its first hop is
/// preferred among what is left of those that begin with that hop, as all of them have lost as much.
bool is_preferred(const Way& way, const Way& to, std::uint64_t bits) {
    for (std::size_t d = 0; d < way.size(); ++d) {
        if (way[d] == to[d]) continue;
        const bool same_size = std::abs(way[d]) == std::abs(to[d]);
        const bool likes_more = (bits >> (2 * d) & 1U) != 0, likes_up = (bits >> (2 * d + 1) & 1U) != 0;
        return same_size ? (way[d] > to[d]) == likes_up : (std::abs(way[d]) > std::abs(to[d])) == likes_more;
    }
    return false;
}

class TwistedOrder {
  public:
    TwistedOrder(const Network& network, std::uint32_t channels)
        : network_(network), lattice_(*network.lattice()), channels_(channels), ways_(lattice_) {}

    std::uint32_t hop(NodeId from, NodeId to) const {
        const std::uint64_t bits = random_bits(0, 0, to);
        const std::vector<Way>& ways = ways_.between(from, to);
        const Way& way = *std::min_element(
            ways.begin(), ways.end(), [&](const Way& a, const Way& b) { return is_preferred(a, b, bits); });
        const auto d = static_cast<std::uint32_t>(
            std::find_if(way.begin(), way.end(), [](std::int32_t hops) { return hops != 0; }) - way.begin());
        const NodeId next = lattice_.neighbour(from, {d, way[d] > 0 ? 1 : -1});
        const auto size = static_cast<std::int32_t>(lattice_.sizes()[d]);
        const auto here = static_cast<std::int32_t>(lattice_.coordinate(from, d));
        const std::int32_t there = ((here + way[d]) % size + size) % size;
        const std::uint32_t low = channels_ / 2;
        const auto any = static_cast<std::uint32_t>(bits >> 32U);
        const std::uint32_t channel = there >= size / 2 ? low + any % (channels_ - low) : any % low;
        return *network_.link(from, next) * channels_ + channel;
    }

  private:
    const Network& network_;
    const Lattice& lattice_;
    std::uint32_t channels_;
    ShortestWays ways_;
};

bool wait_in_no_cycle(const Network& network, std::uint32_t channels, const Paths& paths) {
    DependencyGraph waits(network.link_count() * channels);
    for (std::uint32_t to = 0; to < paths.size(); ++to)
        for (std::uint32_t v = 0; v < paths.size(); ++v) {
            if (v == to) continue;
            const NodeId next = network.target(LinkId{paths[to][v] / channels});
            if (next != NodeId{to} && !waits.add({paths[to][v], paths[to][next]})) return false;
        }
    return true;
}

}  // namespace

std::optional<Paths> twisted_dimension_order(const Network& network, std::uint32_t channels) {
    if (!network.lattice() || network.lattice()->has_rows() || channels < 2) return {};
    const TwistedOrder order(network, channels);
    const std::uint32_t nodes = network.node_count();
    Paths paths(nodes, std::vector<std::uint32_t>(nodes, none));
    for (std::uint32_t to = 0; to < nodes; ++to)
        for (std::uint32_t from = 0; from < nodes; ++from)
            if (from != to) paths[to][from] = order.hop(NodeId{from}, NodeId{to});
    if (!wait_in_no_cycle(network, channels, paths)) return {};
    return paths;
}

}  // namespace interlace
