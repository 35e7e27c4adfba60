// Interlace: paths of packets such that no link carries more than others must
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "path_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>

#include "interlace/core/error.h"

namespace interlace {

void check_routable(std::uint32_t origins, std::uint32_t nodes, std::uint32_t chunks) {
    constexpr std::uint64_t most = std::uint64_t{1} << 22U;
    const std::uint64_t packets = std::uint64_t{origins} * nodes * chunks;
    if (packets > most)
        throw InputError(
            fmt::format("cannot route {} packets of {} origin{}", packets, origins, origins == 1 ? "" : "s"),
            fmt::format("{} at most: fewer chunks or nodes", most));
}

PathChoice::PathChoice(const PathTrees& trees, const LinkUses& uses, std::uint32_t chunks, Draws& draws)
    : trees_(trees), uses_(uses), chunks_(chunks), draws_(draws), load_(uses.weight.size(), 0) {
    for (std::uint32_t origin = 0; origin < trees.origins(); ++origin)
        for (std::uint32_t to = 0; to < trees.network().node_count(); ++to) {
            if (to == trees.origin(origin)) continue;
            for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
                packets_.push_back({origin, NodeId{to}, chunk, draws.below(trees.count(origin))});
        }
    constexpr std::uint64_t most = std::uint64_t{1} << 27U;
    for (const Packet& packet : packets_) {
        count(packet, 1);
        if (work_ > most)
            throw InputError("cannot schedule paths of so many links together",
                             fmt::format("{} at most: fewer chunks or nodes", most));
    }
    order_.resize(packets_.size());
    std::iota(order_.begin(), order_.end(), 0);
}

std::uint32_t PathChoice::load() const {
    return *std::max_element(load_.begin(), load_.end());
}

std::uint64_t PathChoice::hops() const {
    return std::accumulate(load_.begin(), load_.end(), std::uint64_t{0});
}

void PathChoice::count(const Packet& packet, std::int32_t by) {
    trees_.path(packet.origin, packet.tree, packet.to, [&](LinkId link) {
        load_[uses_.of[link]] += static_cast<std::uint32_t>(by);
        ++work_;
    });
}

template <class Price>
std::uint32_t PathChoice::cheapest(Packet packet, const Price& price) {
    auto least = std::numeric_limits<std::uint64_t>::max();
    std::uint32_t best = 0, ties = 0;
    for (packet.tree = 0; packet.tree < trees_.count(packet.origin); ++packet.tree) {
        std::uint64_t sum = 0;
        trees_.path(packet.origin, packet.tree, packet.to, [&](LinkId link) {  // which may have a use twice
            sum += price(uses_.of[link], load_[uses_.of[link]]++);
        });
        count(packet, -1);
        if (sum < least) ties = 0;
        if (sum <= least && draws_.below(++ties) == 0) best = packet.tree;
        least = std::min(least, sum);
    }
    return best;
}

template <class Price>
void PathChoice::improve(const Price& price) {
    for (std::size_t i = order_.size(); i > 1; --i)
        std::swap(order_[i - 1], order_[draws_.below(static_cast<std::uint32_t>(i))]);
    for (const std::uint32_t i : order_) {
        count(packets_[i], -1);
        packets_[i].tree = cheapest(packets_[i], price);
        count(packets_[i], 1);
    }
}

void PathChoice::even(std::uint64_t target) {
    // Least squares by the weights first: where paths are tight, even loads.
    constexpr std::uint32_t squares = 3;
    for (std::uint32_t i = 0; i < squares && load() > target; ++i)
        improve([&](std::uint32_t use, std::uint64_t load) { return uses_.weight[use] * (2 * load + 1); });
    // Then what is above the target, while the rest moves freely.
    constexpr std::uint32_t walks = 20;
    for (std::uint32_t i = 0; i < walks && load() > target; ++i)
        improve(
            [&](std::uint32_t, std::uint64_t load) { return load < target ? 0 : 2 * (load - target) + 1; });
}

std::vector<std::vector<RelativeSend>> PathChoice::schedule(bool staggered) {
    constexpr std::uint32_t work_of_turn = 20;
    work_ += hops() * work_of_turn;
    const std::uint32_t nodes = trees_.network().node_count();
    struct Waiting {
        std::uint32_t to_go, rank, packet;
        bool operator<(const Waiting& other) const {
            return std::tie(to_go, rank) < std::tie(other.to_go, other.rank);
        }
    };
    std::vector<std::priority_queue<Waiting>> queues(load_.size());
    std::vector<std::uint32_t> first(packets_.size() + 1, 0);
    std::vector<LinkId> path;  // of all packets, each backwards
    path.reserve(hops());
    const auto wait = [&](std::uint32_t i, std::uint32_t to_go) {
        const Packet& packet = packets_[i];
        const std::uint32_t rank =
            staggered ? (trees_.origin(packet.origin) + nodes - packet.to) % nodes : draws_.below(UINT32_MAX);
        queues[uses_.of[path[first[i] + to_go - 1]]].push({to_go, rank, i});
    };
    for (std::uint32_t i = 0; i < packets_.size(); ++i) {
        const Packet& packet = packets_[i];
        trees_.path(packet.origin, packet.tree, packet.to, [&](LinkId link) { path.push_back(link); });
        first[i + 1] = static_cast<std::uint32_t>(path.size());
        wait(i, first[i + 1] - first[i]);
    }
    std::vector<std::vector<RelativeSend>> sends(trees_.origins());
    std::vector<Waiting> moved;
    for (std::uint32_t step = 1; step == 1 || !moved.empty(); ++step) {
        moved.clear();
        for (auto& queue : queues) {
            if (queue.empty()) continue;
            moved.push_back(queue.top());
            queue.pop();
        }
        for (const Waiting& turn : moved) {
            const Packet& packet = packets_[turn.packet];
            const LinkId link = path[first[turn.packet] + turn.to_go - 1];
            const NodeId from = trees_.from(link);
            sends[packet.origin].push_back(
                {step, from, link - trees_.network().first_link(from), packet.to * chunks_ + packet.chunk});
            if (turn.to_go > 1) wait(turn.packet, turn.to_go - 1);
        }
    }
    return sends;
}

}  // namespace interlace
