// Interlace: when the packets of an all-reduce go over the links of their trees
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "sum_timing.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

namespace interlace {
namespace {

/// A packet that a link can send.
struct Candidate {
    double urgency;
    std::uint32_t rank;  // of its packet; no two in a queue are the same
    std::uint32_t place;
    bool operator<(const Candidate& other) const {
        return urgency != other.urgency ? urgency < other.urgency : rank > other.rank;
    }
};

std::vector<std::uint32_t> shuffled(std::uint32_t count, Draws& draws) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    for (std::uint32_t i = count; i > 1; --i) std::swap(numbers[i - 1], numbers[draws.below(i)]);
    return numbers;
}

}  // namespace

SumTiming::SumTiming(const SumTrees& links, const std::vector<SumTree>& trees)
    : links_(links),
      trees_(trees),
      nodes_(static_cast<std::uint32_t>(trees.front().up.size())),
      way_(trees.size() * nodes_ * 2) {
    for (std::uint32_t packet = 0; packet < trees.size(); ++packet) measure(packet);
}

LinkId SumTiming::link(Place place) const {
    const LinkId up = trees_[packet(place)].up[place / 2 % nodes_];
    return place % 2 == 0 ? up : links_.back(up);
}

template <class Visit>
void SumTiming::each_sent(std::uint32_t packet, NodeId node, const Visit& visit) const {
    const SumTree& tree = trees_[packet];
    if (node != tree.root) visit(up(packet, node));
    const std::uint32_t first = links_.first_link(node);
    for (std::uint32_t i = 0; i < links_.degree(node); ++i) {
        const LinkId link{first + i};
        const NodeId next = links_.target(link);
        if (next != tree.root && tree.up[next] == links_.back(link)) visit(back(up(packet, next)));
    }
}

/// The longest way of a send goes on by that of another send of the node where it arrives.
void SumTiming::measure(std::uint32_t packet) {
    const SumTree& tree = trees_[packet];
    for (auto node = tree.order.rbegin(); node != tree.order.rend(); ++node) {
        std::uint32_t longest = 0;
        each_sent(packet, *node, [&](Place sent) {
            if (sent != up(packet, *node)) longest = std::max(longest, way_[sent]);
        });
        if (*node != tree.root) way_[back(up(packet, *node))] = longest + 1;
    }
    for (const NodeId node : tree.order) {
        std::uint32_t first = 0, second = 0;
        each_sent(packet, node, [&](Place sent) {
            second = std::max(second, std::min(first, way_[sent]));
            first = std::max(first, way_[sent]);
        });
        each_sent(packet, node, [&](Place sent) {
            if (node == tree.root || sent != up(packet, node))
                way_[back(sent)] = (way_[sent] == first ? second : first) + 1;
        });
    }
}

bool SumTiming::run(double pace, std::uint32_t limit, Draws& draws) {
    const auto packets = static_cast<std::uint32_t>(trees_.size());
    const std::vector<std::uint32_t> rank = shuffled(packets, draws);
    std::vector<std::priority_queue<Candidate>> queue(links_.link_count());
    to_come_.assign(std::size_t{packets} * nodes_, 0);
    step_.assign(way_.size(), 0);
    arrived_.assign(way_.size(), false);
    ready_.clear();
    for (std::uint32_t packet = 0; packet < packets; ++packet)
        for (std::uint32_t v = 0; v < nodes_; ++v) {
            std::uint32_t& to_come = to_come_[packet * nodes_ + v];
            each_sent(packet, NodeId{v}, [&](Place) { ++to_come; });
            if (to_come == 1) each_sent(packet, NodeId{v}, [&](Place sent) { ready_.push_back(sent); });
        }
    std::vector<Place> sent;
    for (steps_ = 0;;) {
        for (const Place place : ready_)
            queue[link(place)].push({way_[place] - pace * rank[packet(place)], rank[packet(place)], place});
        ready_.clear();
        sent.clear();
        for (auto& of_link : queue) {
            if (of_link.empty()) continue;
            sent.push_back(of_link.top().place);
            of_link.pop();
        }
        if (sent.empty()) return true;
        if (++steps_ > limit) return false;
        in_last_step_ = sent.size();
        for (const Place place : sent) step_[place] = steps_;
        for (const Place place : sent) arrive(place);
    }
}

/// When one packet is still to come, the node can send there; when that has come, to all others.
void SumTiming::arrive(Place place) {
    const NodeId node = links_.target(link(place));
    arrived_[place] = true;
    std::uint32_t& to_come = to_come_[packet(place) * nodes_ + node];
    if (--to_come > 1) return;
    each_sent(packet(place), node, [&](Place sent) {
        if (to_come == 1 ? !arrived_[back(sent)] : sent != back(place)) ready_.push_back(sent);
    });
}

/// What a node sends before it gets the packet over the same link is a part of the sum, which the other adds;
/// what it sends later is the sum.
std::vector<ReducingSend> SumTiming::sends() const {
    std::vector<std::size_t> first(steps_ + 2, 0);
    for (const std::uint32_t step : step_) ++first[step];
    std::size_t next = 0;
    for (std::uint32_t step = 1; step <= steps_; ++step) next += std::exchange(first[step], next);
    std::vector<ReducingSend> rows(next);
    for (Place place = 0; place < step_.size(); ++place) {
        if (step_[place] == 0) continue;
        const LinkId by = link(place);
        rows[first[step_[place]]++] = {
            {step_[place], links_.origin(by), links_.target(by), PacketId{packet(place)}},
            step_[place] <= step_[back(place)]};
    }
    return rows;
}

}  // namespace interlace
