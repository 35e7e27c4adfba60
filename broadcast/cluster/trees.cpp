// Interlace: broadcast and multicast trees: binomial, SPOC, FNF
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/cluster/trees.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "arrival.h"

namespace interlace {
namespace {

using Costs = std::vector<std::uint64_t>;

/// The binomial tree whose place r is chain[r]: in round after round, each place that has the message sends
/// it half as far as in the round before.
TreePlan binomial_over(const Costs& start, const std::vector<NodeId>& chain) {
    TreePlan plan;
    std::vector<std::uint64_t> free(chain.size());
    for (std::size_t distance = std::bit_ceil(chain.size()) / 2; distance > 0; distance /= 2)
        for (std::size_t r = 0; r + distance < chain.size(); r += 2 * distance) {
            const std::uint64_t sent = free[r];
            free[r] += start[chain[r]];
            free[r + distance] = free[r];
            plan.push_back({chain[r], chain[r + distance], sent, free[r]});
        }
    sort_by_arrival(plan);
    return plan;
}

std::vector<NodeId> fastest_first(const Costs& start, std::vector<NodeId> nodes) {
    std::stable_sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) { return start[a] < start[b]; });
    return nodes;
}

/// Descendants of place r of a binomial tree of `size`: it is the first of a part as long as its lowest bit,
/// as far as there are places.
std::size_t descendants(std::size_t r, std::size_t size) {
    const std::size_t part = r == 0 ? size : r & (~r + 1);
    return std::min(part, size - r) - 1;
}

}  // namespace

std::uint64_t latency(const TreePlan& plan) {
    return plan.empty() ? 0 : plan.back().received;
}

TreePlan binomial_tree(const Costs& start, const Multicast& multicast) {
    std::vector<NodeId> chain = {multicast.source};
    chain.insert(chain.end(), multicast.destinations.begin(), multicast.destinations.end());
    return binomial_over(start, chain);
}

TreePlan spoc_tree(const Costs& start, const Multicast& multicast) {
    const std::size_t size = multicast.destinations.size() + 1;
    std::vector<std::size_t> places(size - 1);
    std::iota(places.begin(), places.end(), std::size_t{1});
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        return descendants(a, size) > descendants(b, size);
    });
    std::vector<NodeId> chain(size, multicast.source);
    const std::vector<NodeId> nodes = fastest_first(start, multicast.destinations);
    for (std::size_t i = 0; i < places.size(); ++i) chain[places[i]] = nodes[i];
    return binomial_over(start, chain);
}

std::uint64_t spoc_bound(const Costs& start, const Multicast& multicast) {
    const std::vector<NodeId> nodes = fastest_first(start, multicast.destinations);
    std::uint64_t bound = 0;
    // t_0 is the source's own; W_1, W_2, ... are the others, the fastest first.
    for (std::size_t i = 1; i <= nodes.size(); i *= 2)
        bound += std::max(start[multicast.source], i == 1 ? 0 : start[nodes[i - 2]]);
    return bound;
}

TreePlan fnf_tree(const Costs& start, const Multicast& multicast) {
    TreePlan plan;
    std::vector<std::pair<std::uint64_t, NodeId>> senders = {{0, multicast.source}};  // free from
    for (const NodeId receiver : fastest_first(start, multicast.destinations)) {
        const auto sender =
            std::min_element(senders.begin(), senders.end(), [&](const auto& a, const auto& b) {
                return a.first + start[a.second] < b.first + start[b.second];
            });
        const std::uint64_t sent = sender->first;
        sender->first += start[sender->second];
        plan.push_back({sender->second, receiver, sent, sender->first});
        senders.emplace_back(sender->first, receiver);
    }
    sort_by_arrival(plan);
    return plan;
}

MessageProgram tree_program(const std::vector<TreePlan>& plans, std::uint32_t machines, std::uint64_t bytes) {
    MessageProgram program;
    program.machines = machines;
    for (std::uint32_t i = 0; i < plans.size(); ++i) {
        std::map<std::uint32_t, OperationId> last;  // of each machine in this plan
        for (const TreeSend& s : plans[i]) {
            const OperationId send = program.send({s.from, s.to, bytes, {i}});
            if (last.contains(s.from)) program.require(send, last.at(s.from));
            last[s.from] = send;
            last[s.to] = program.receive(program.message_of(send));
        }
    }
    return program;
}

}  // namespace interlace
