// Interlace: tori, twisted tori, meshes and interlaced bypass tori as coordinates
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/lattice.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interlace/core/error.h"

namespace interlace {

Lattice::Lattice(Kind kind, std::vector<std::uint32_t> sizes, std::vector<std::uint32_t> bypass)
    : kind_(kind), sizes_(std::move(sizes)), bypass_(std::move(bypass)) {
    std::uint64_t count = 1;
    for (const std::uint32_t size : sizes_) {
        const bool may_be_short = kind_ == Kind::torus || kind_ == Kind::mesh;
        if (size < (may_be_short ? 1 : 3))
            throw InputError(fmt::format("cannot use a dimension of {} nodes", size),
                             may_be_short ? "at least 1 in each dimension" : "at least 3 in each dimension");
        strides_.push_back(static_cast<std::uint32_t>(count));
        count *= size;
        if (count > max_nodes)
            throw InputError("there are too many nodes", fmt::format("at most 2^27 = {}", max_nodes));
    }
    if (sizes_.empty() || sizes_.size() > 16)
        throw InputError(fmt::format("cannot use {} dimensions", sizes_.size()), "1 to 16 dimensions");
    if (count < 2) throw InputError("there is 1 node", "2 or more");
    node_count_ = static_cast<std::uint32_t>(count);
    if (kind_ == Kind::ibt) {
        species_count_ = dimensions() * static_cast<std::uint32_t>(bypass_.size());
        check_bypass();
    }
}

Lattice Lattice::twisted(std::vector<std::uint32_t> sizes, std::vector<std::uint32_t> twist) {
    Lattice lattice(Kind::twisted_torus, std::move(sizes));
    const std::uint32_t x = lattice.sizes_.front();
    if (twist.size() + 1 != lattice.dimensions())
        throw InputError(
            fmt::format("cannot twist {} dimension{} by {} number{}", lattice.dimensions(),
                        lattice.dimensions() == 1 ? "" : "s", twist.size(), twist.size() == 1 ? "" : "s"),
            "one number for each dimension but x, and two dimensions or more");
    for (const std::uint32_t by : twist)
        if (by >= x)
            throw InputError(fmt::format("cannot twist rings of {} nodes by {}", x, by),
                             fmt::format("0 to {}", x - 1));
    if (std::all_of(twist.begin(), twist.end(), [](std::uint32_t by) { return by == 0; }))
        throw InputError("cannot twist by 0 in every dimension", "a torus without a twist");
    lattice.twist_ = std::move(twist);
    return lattice;
}

namespace {

/// The quotient rounded down, and what is left, 0 or more.
std::pair<std::int64_t, std::int64_t> divided(std::int64_t number, std::int64_t by) {
    const std::int64_t left = (number % by + by) % by;
    return {(number - left) / by, left};
}

}  // namespace

bool Lattice::closes(const std::vector<std::int64_t>& hops) const {
    std::int64_t x = hops[0];
    for (std::uint32_t d = 1; d < dimensions(); ++d) {
        const auto [turns, left] = divided(hops[d], sizes_[d]);
        if (left != 0) return false;
        x += twisted_by(d, turns);
    }
    return x % sizes_[0] == 0;
}

void Lattice::check_bypass() const {
    if (bypass_.empty()) throw InputError("an iBT has no bypass lengths", "b=LENGTH or b=LENGTH,LENGTH,...");
    const auto divisor = fmt::format("d k = {} x {} = {}", dimensions(), bypass_.size(), species_count_);
    for (const std::uint32_t size : sizes_)
        if (size % species_count_ != 0)
            throw InputError(fmt::format("size {}: the bypass rings do not close", size),
                             fmt::format("sizes and bypass lengths that are multiples of {}", divisor));
    for (const std::uint32_t length : bypass_) {
        if (length == 0 || length % species_count_ != 0)
            throw InputError(fmt::format("bypass length {}: the bypass rings do not close", length),
                             fmt::format("sizes and bypass lengths that are multiples of {}", divisor));
        for (const std::uint32_t size : sizes_)
            if (length % size == 0)
                throw InputError(
                    fmt::format("bypass length {} leads from a node to itself on a ring of {}", length, size),
                    fmt::format("a length that is not a multiple of {}", size));
    }
}

std::uint32_t Lattice::species(NodeId node) const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < dimensions(); ++i) sum += coordinate(node, i);
    return static_cast<std::uint32_t>(sum % species_count_);
}

NodeId Lattice::node(const std::vector<std::uint32_t>& coordinates) const {
    std::uint32_t id = 0;
    for (std::uint32_t i = 0; i < dimensions(); ++i) id += coordinates[i] * strides_[i];
    return NodeId{id};
}

NodeId Lattice::neighbour(NodeId node, Hop hop) const {
    const auto here = static_cast<std::int64_t>(coordinate(node, hop.dimension));
    const auto [turns, there] = divided(here + hop.offset, sizes_[hop.dimension]);
    const NodeId next{static_cast<std::uint32_t>(node + (there - here) * strides_[hop.dimension])};
    const std::int64_t twist = twisted_by(hop.dimension, turns);
    if (twist == 0) return next;
    const auto x = static_cast<std::int64_t>(coordinate(node, 0));
    return NodeId{static_cast<std::uint32_t>(next + divided(x + twist, sizes_[0]).second - x)};
}

std::vector<Hop> Lattice::hops(NodeId node) const {
    std::vector<Hop> candidates;
    for (std::uint32_t i = 0; i < dimensions(); ++i) {
        const std::uint32_t here = coordinate(node, i);
        if (sizes_[i] == 1) continue;
        if (wraps() || here + 1 < sizes_[i]) candidates.push_back({i, +1});
        if (wraps() || here > 0) candidates.push_back({i, -1});
    }
    if (kind_ == Kind::ibt) {
        const std::uint32_t s = species(node);
        const auto length = static_cast<std::int32_t>(bypass_[s / dimensions()]);
        candidates.push_back({s % dimensions(), +length});
        candidates.push_back({s % dimensions(), -length});
    }
    std::vector<Hop> distinct;
    for (const Hop& hop : candidates)
        if (std::none_of(distinct.begin(), distinct.end(),
                         [&](const Hop& other) { return neighbour(node, other) == neighbour(node, hop); }))
            distinct.push_back(hop);
    return distinct;
}

LatticeHops::LatticeHops(const Lattice& lattice) : lattice_(lattice) {
    constexpr std::uint32_t most_dimensions = 8;
    std::size_t kinds = lattice.species_count();
    for (std::uint32_t d = 0; !lattice.wraps() && d < lattice.dimensions(); ++d) kinds *= 3;
    of_kind_.resize(!lattice.wraps() && lattice.dimensions() > most_dimensions ? 1 : kinds);
}

std::size_t LatticeHops::kind(NodeId node) const {
    if (lattice_.wraps()) return lattice_.species(node);
    std::size_t kind = 0;
    for (std::uint32_t d = 0; d < lattice_.dimensions(); ++d) {
        const std::uint32_t here = lattice_.coordinate(node, d);
        kind = 3 * kind + (here == 0 ? 1 : here + 1 == lattice_.sizes()[d] ? 2 : 0);
    }
    return kind;
}

const std::vector<Hop>& LatticeHops::of(NodeId node) {
    const bool again = !lattice_.wraps() && of_kind_.size() == 1;
    std::vector<Hop>& hops = of_kind_[again ? 0 : kind(node)];
    if (hops.empty() || again) hops = lattice_.hops(node);
    return hops;
}

std::uint32_t LatticeHops::port_back(NodeId far, Hop hop) {
    const auto size = static_cast<std::int64_t>(lattice_.sizes()[hop.dimension]);
    const std::vector<Hop>& hops = of(far);
    const auto back = std::find_if(hops.begin(), hops.end(), [&](const Hop& other) {
        return other.dimension == hop.dimension && (std::int64_t{other.offset} + hop.offset) % size == 0;
    });
    return static_cast<std::uint32_t>(back - hops.begin());
}

NodeId Lattice::translate(NodeId node, NodeId from, NodeId to) const {
    std::int64_t id = 0, twist = 0;
    for (std::uint32_t i = dimensions(); i-- > 0;) {
        const std::int64_t there = std::int64_t{coordinate(node, i)} + coordinate(to, i) -
                                   coordinate(from, i) + (i == 0 ? twist : 0);
        const auto [turns, left] = divided(there, sizes_[i]);
        twist += twisted_by(i, turns);
        id += left * strides_[i];
    }
    return NodeId{static_cast<std::uint32_t>(id)};
}

}  // namespace interlace
