// Interlace: links that symmetries of a network map onto one another
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/capacity/link_classes.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace interlace {
namespace {

/// Sets of numbers that are joined.
class Sets {
  public:
    explicit Sets(std::uint32_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
    void join(std::uint32_t a, std::uint32_t b) {
        a = least(a);
        b = least(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }
    std::uint32_t least(std::uint32_t a) {
        while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
        return a;
    }

  private:
    std::vector<std::uint32_t> parent_;
};

/// A map of rings onto themselves: a node x goes to the node whose coordinate to[i] is sign[i] x_i, moved by
/// any distances that add up to `shift`.
struct RingMap {
    std::vector<std::uint32_t> to;
    std::vector<std::int32_t> sign;
    std::uint32_t shift = 0;
};

/// The hops of each species of a lattice of rings, as the port of each.
class SpeciesHops {
  public:
    explicit SpeciesHops(const Lattice& lattice) : lattice_(lattice) {
        for (std::uint32_t s = 0; s < lattice.species_count(); ++s) hops_.push_back(lattice.hops(NodeId{s}));
    }
    const std::vector<Hop>& of(std::uint32_t species) const { return hops_[species]; }

    /// The species that `map` takes nodes of a species to. Where the map reflects, all signs are equal unless
    /// there is one species.
    std::uint32_t image(std::uint32_t species, const RingMap& map) const {
        const std::uint32_t count = lattice_.species_count();
        const std::uint32_t reflected = map.sign.front() < 0 ? count - species : species;
        return (reflected + map.shift) % count;
    }
    /// The port by which the image of a node of `species` makes the image of its hop by `port`, if it does.
    std::optional<std::uint32_t> image_of_port(std::uint32_t species, std::uint32_t port,
                                               const RingMap& map) const {
        const Hop& hop = hops_[species][port];
        const std::uint32_t dimension = map.to[hop.dimension];
        const std::int64_t size = lattice_.sizes()[dimension];
        const std::vector<Hop>& there = hops_[image(species, map)];
        for (std::uint32_t p = 0; p < there.size(); ++p)
            if (there[p].dimension == dimension &&
                (there[p].offset - std::int64_t{hop.offset} * map.sign[hop.dimension]) % size == 0)
                return p;
        return std::nullopt;
    }
    bool is_symmetry(const RingMap& map) const {
        if (!keeps_rings(map)) return false;
        for (std::uint32_t s = 0; s < hops_.size(); ++s) {
            if (hops_[s].size() != hops_[image(s, map)].size()) return false;
            for (std::uint32_t p = 0; p < hops_[s].size(); ++p)
                if (!image_of_port(s, p, map)) return false;
        }
        return true;
    }

  private:
    /// Whether the map takes rings to rings of their size; or in a twisted torus, where who goes round a
    /// dimension is back after as many hops against the twist, every such way to one that closes, too.
    bool keeps_rings(const RingMap& map) const {
        for (std::uint32_t i = 0; i < map.to.size(); ++i)
            if (lattice_.has_rows() ? lattice_.sizes()[i] != lattice_.sizes()[map.to[i]]
                                    : !lattice_.closes(image_of_turn(i, map)))
                return false;
        return true;
    }
    std::vector<std::int64_t> image_of_turn(std::uint32_t dimension, const RingMap& map) const {
        std::vector<std::int64_t> image(map.to.size(), 0);
        image[map.to[dimension]] = map.sign[dimension] * std::int64_t{lattice_.sizes()[dimension]};
        if (dimension > 0) image[map.to[0]] -= map.sign[0] * std::int64_t{lattice_.twist()[dimension - 1]};
        return image;
    }

    const Lattice& lattice_;
    std::vector<std::vector<Hop>> hops_;
};

/// Maps from which many symmetries of a lattice are composed: reflections, exchanges and turns of its
/// dimensions, with every shift of the species. Not all of them are symmetries.
std::vector<RingMap> candidate_maps(const Lattice& lattice) {
    const std::uint32_t d = lattice.dimensions();
    RingMap identity{std::vector<std::uint32_t>(d), std::vector<std::int32_t>(d, 1)};
    std::iota(identity.to.begin(), identity.to.end(), 0);
    std::vector<RingMap> maps = {identity};
    for (std::uint32_t i = 0; i < d; ++i)
        for (std::uint32_t j = i + 1; j < d; ++j) {
            maps.push_back(identity);
            std::swap(maps.back().to[i], maps.back().to[j]);
        }
    for (std::uint32_t turn = 1; turn < d; ++turn) {
        maps.push_back(identity);
        std::rotate(maps.back().to.begin(), maps.back().to.begin() + turn, maps.back().to.end());
    }
    const std::size_t plain = maps.size();
    for (std::size_t m = 0; m < plain; ++m) {
        maps.push_back(maps[m]);
        std::fill(maps.back().sign.begin(), maps.back().sign.end(), -1);
    }
    if (lattice.species_count() == 1) {
        for (std::uint32_t i = 0; i < d; ++i) {
            maps.push_back(identity);
            maps.back().sign[i] = -1;
        }
        return maps;
    }
    std::vector<RingMap> shifted;
    for (const RingMap& map : maps)
        for (std::uint32_t shift = 0; shift < lattice.species_count(); ++shift) {
            shifted.push_back(map);
            shifted.back().shift = shift;
        }
    return shifted;
}

/// A map of a lattice's nodes, as the image of each.
using NodeMap = std::vector<NodeId>;

/// Maps from which many symmetries of traffic on a lattice are composed: reflections and exchanges of
/// dimensions, on rings moved by one node in a dimension or in two, or half way round. Not all of them are
/// symmetries.
class CandidateMaps {
  public:
    explicit CandidateMaps(const Lattice& lattice) : lattice_(lattice), sizes_(lattice.sizes()) {}

    /// visit(map).
    template <class Visit>
    void each(const Visit& visit) const {
        const auto turns =
            lattice_.wraps() ? moves() : std::vector<Coordinates>{Coordinates(sizes_.size(), 0)};
        for (const auto& [exchanged, reflected] : bases())
            for (const Coordinates& move : turns) visit(map(exchanged, reflected, move));
    }

  private:
    using Coordinates = std::vector<std::uint32_t>;

    /// For each dimension, the one that takes its place; and whether it is reflected.
    std::vector<std::pair<Coordinates, std::vector<bool>>> bases() const {
        const std::size_t d = sizes_.size();
        Coordinates same(d);
        std::iota(same.begin(), same.end(), 0);
        const std::vector<bool> none(d, false), all(d, true);
        std::vector<std::pair<Coordinates, std::vector<bool>>> bases = {{same, none}, {same, all}};
        for (std::uint32_t i = 0; i < d; ++i) {
            bases.emplace_back(same, none);
            bases.back().second[i] = true;
            for (std::uint32_t j = i + 1; j < d; ++j) {
                if (sizes_[i] != sizes_[j]) continue;
                Coordinates exchanged = same;
                std::swap(exchanged[i], exchanged[j]);
                bases.emplace_back(exchanged, none);
                bases.emplace_back(exchanged, all);
            }
        }
        return bases;
    }
    std::vector<Coordinates> moves() const {
        const std::size_t d = sizes_.size();
        std::vector<Coordinates> moves(2, Coordinates(d, 0));
        for (std::uint32_t i = 0; i < d; ++i) moves[1][i] = sizes_[i] / 2;
        const auto add = [&](std::uint32_t i, std::uint32_t by_i, std::uint32_t j, std::uint32_t by_j) {
            moves.emplace_back(d, 0);
            moves.back()[i] = by_i;
            moves.back()[j] = by_j;
        };
        for (std::uint32_t i = 0; i < d; ++i) {
            add(i, 1, i, 1);
            add(i, sizes_[i] / 2, i, sizes_[i] / 2);
            for (std::uint32_t j = i + 1; j < d; ++j) {
                add(i, 1, j, 1);
                add(i, 1, j, sizes_[j] - 1);
            }
        }
        return moves;
    }
    NodeMap map(const Coordinates& exchanged, const std::vector<bool>& reflected,
                const Coordinates& move) const {
        NodeMap image;
        image.reserve(lattice_.node_count());
        Coordinates at(sizes_.size());
        for (std::uint32_t v = 0; v < lattice_.node_count(); ++v) {
            for (std::uint32_t i = 0; i < at.size(); ++i) {
                const std::uint32_t x = lattice_.coordinate(NodeId{v}, exchanged[i]);
                at[i] = ((reflected[i] ? sizes_[i] - 1 - x : x) + move[i]) % sizes_[i];
            }
            image.push_back(lattice_.node(at));
        }
        return image;
    }

    const Lattice& lattice_;
    const Coordinates& sizes_;
};

/// Whether the map takes the packets of each node to those of its image.
bool keeps(const Demands& demands, const NodeMap& map) {
    std::vector<std::pair<NodeId, std::uint32_t>> mapped, there;
    for (std::uint32_t v = 0; v < demands.more.size(); ++v) {
        mapped = demands.more[v];
        for (auto& [to, packets] : mapped) to = map[to];
        there = demands.more[map[v]];
        std::sort(mapped.begin(), mapped.end());
        std::sort(there.begin(), there.end());
        if (mapped != there) return false;
    }
    return true;
}

/// The image of each link, if the map takes links to links.
std::optional<std::vector<std::uint32_t>> image_of_links(const Network& network, const NodeMap& map) {
    std::vector<std::uint32_t> image;
    image.reserve(network.link_count());
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (const NodeId next : network.neighbours(NodeId{v})) {
            const auto link = network.link(map[v], map[next]);
            if (!link) return std::nullopt;
            image.push_back(*link);
        }
    return image;
}

/// The sets as numbers from 0, by their least members; `sizes` of each.
std::vector<std::uint32_t> numbered(Sets& sets, std::uint32_t members, std::vector<std::uint64_t>& sizes) {
    std::vector<std::uint32_t> number(members);
    for (std::uint32_t m = 0; m < members; ++m) {
        const std::uint32_t least = sets.least(m);
        if (least == m) {
            number[m] = static_cast<std::uint32_t>(sizes.size());
            sizes.push_back(0);
        }
        number[m] = number[least];
        ++sizes[number[m]];
    }
    return number;
}

}  // namespace

LinkClasses::LinkClasses(const Network& network, const Demands& demands) {
    const auto& lattice = network.lattice();
    if (lattice && lattice->wraps() && demands.uniform()) {
        join_on_rings(*lattice);
        return;
    }
    for (std::uint32_t v = 0; v < network.node_count(); ++v) first_.push_back(network.first_link(NodeId{v}));
    join_by_maps(network, demands);
}

void LinkClasses::join_by_maps(const Network& network, const Demands& demands) {
    Sets nodes(network.node_count()), links(network.link_count());
    if (network.lattice())
        CandidateMaps(*network.lattice()).each([&](const NodeMap& map) {
            if (!keeps(demands, map)) return;
            const auto image = image_of_links(network, map);
            if (!image) return;
            for (std::uint32_t v = 0; v < network.node_count(); ++v) nodes.join(v, map[v]);
            for (std::uint32_t link = 0; link < network.link_count(); ++link)
                links.join(link, (*image)[link]);
        });
    class_ = numbered(links, network.link_count(), links_);
    std::vector<std::uint64_t> sizes;
    origin_of_ = numbered(nodes, network.endpoint_count(), sizes);
    for (std::uint32_t v = 0; v < network.endpoint_count(); ++v)
        if (origin_of_[v] == origins_.size()) origins_.push_back({NodeId{v}, sizes[origin_of_[v]]});
}

void LinkClasses::join_on_rings(const Lattice& lattice) {
    const SpeciesHops hops(lattice);
    const std::uint32_t count = lattice.species_count();
    for (std::uint32_t s = 0; s < count; ++s)
        ports_ = std::max(ports_, static_cast<std::uint32_t>(hops.of(s).size()));
    Sets links(count * ports_), species(count);
    for (const RingMap& map : candidate_maps(lattice)) {
        if (!hops.is_symmetry(map)) continue;
        for (std::uint32_t s = 0; s < count; ++s) {
            const std::uint32_t image = hops.image(s, map);
            species.join(s, image);
            for (std::uint32_t p = 0; p < hops.of(s).size(); ++p)
                links.join(s * ports_ + p, image * ports_ + *hops.image_of_port(s, p, map));
        }
    }
    const std::uint64_t of_each =
        lattice.node_count() / count;  // along x the species takes every value in turn
    class_.assign(std::size_t{count} * ports_, UINT32_MAX);
    for (std::uint32_t s = 0; s < count; ++s) {
        const bool first = species.least(s) == s;
        if (first) origins_.push_back({NodeId{s}, 0});
        origin_of_.push_back(first ? static_cast<std::uint32_t>(origins_.size() - 1)
                                   : origin_of_[species.least(s)]);
        origins_[origin_of_[s]].nodes += of_each;
        for (std::uint32_t p = 0; p < hops.of(s).size(); ++p) {
            const std::uint32_t least = links.least(s * ports_ + p);
            if (least == s * ports_ + p) {
                class_[least] = this->count();
                links_.push_back(0);
            }
            class_[s * ports_ + p] = class_[least];
            links_[class_[least]] += of_each;
        }
    }
    kind_.reserve(lattice.node_count());
    for (std::uint32_t v = 0; v < lattice.node_count(); ++v)
        kind_.push_back(static_cast<std::uint16_t>(lattice.species(NodeId{v})));
}

}  // namespace interlace
