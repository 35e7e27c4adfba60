// Interlace: broadcast trees of least latency
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "arrival.h"
#include "interlace/broadcast/cluster/trees.h"
#include "interlace/core/error.h"

namespace interlace {
namespace {

/// A set of destinations: bit i is the i-th fastest.
using Set = std::uint32_t;

/// The recurrence L(i, A) = t_i + min max(L(i, B), L(j, C)) over a first receiver j of A and a split of the
/// others. By Lemma 2, j and all of C are no faster than a sender i that is not the source; so in the order
/// of speed the sets of a sender have only destinations after it, and C only those after j.
class LeastLatency {
  public:
    LeastLatency(std::uint64_t source_cost, std::vector<std::uint64_t> costs)
        : source_cost_(source_cost), costs_(std::move(costs)), least_(costs_.size() + 1) {
        const auto count = static_cast<std::uint32_t>(costs_.size());
        for (std::uint32_t i = count; i-- > 0;) fill(i, costs_[i], count - 1 - i);
        fill(count, source_cost_, count);
    }

    struct Choice {
        std::uint32_t first;
        Set its, rest;  ///< what the first receiver serves, and what the sender goes on to serve
    };
    /// The best first step of destination `sender`, or of the source (the number of destinations), to serve a
    /// set.
    Choice choice(std::uint32_t sender, Set set) const {
        Choice best{};
        best_of(sender, set, &best);
        return best;
    }
    std::uint64_t cost(std::uint32_t sender) const {
        return sender == costs_.size() ? source_cost_ : costs_[sender];
    }

  private:
    std::uint32_t shift(std::uint32_t sender) const { return sender == costs_.size() ? 0 : sender + 1; }

    void fill(std::uint32_t sender, std::uint64_t cost, std::uint32_t others) {
        least_[sender].assign(std::size_t{1} << others, 0);
        for (Set set = 1; set < least_[sender].size(); ++set)
            least_[sender][set] = cost + best_of(sender, set << shift(sender), nullptr);
    }

    std::uint64_t best_of(std::uint32_t sender, Set set, Choice* choice) const {
        std::uint64_t best = UINT64_MAX;
        const std::uint64_t* of_sender = least_[sender].data();
        for (Set left = set; left != 0; left &= left - 1) {
            const auto first = static_cast<std::uint32_t>(std::countr_zero(left));
            const Set others = set & ~(Set{1} << first);
            const Set slower = left & (left - 1);
            const std::uint64_t* of_first = least_[first].data();
            for (Set its = slower;; its = (its - 1) & slower) {
                const std::uint64_t latency =
                    std::max(of_sender[(others & ~its) >> shift(sender)], of_first[its >> shift(first)]);
                if (latency < best) {
                    best = latency;
                    if (choice != nullptr) *choice = {first, its, others & ~its};
                }
                if (its == 0) break;
            }
        }
        return best;
    }

    std::uint64_t source_cost_;
    std::vector<std::uint64_t> costs_;
    std::vector<std::vector<std::uint64_t>> least_;  // of each destination, then of the source
};

}  // namespace

TreePlan optimal_tree(const std::vector<std::uint64_t>& start, const Multicast& multicast) {
    std::vector<NodeId> nodes = multicast.destinations;
    if (nodes.size() > max_optimal_destinations)
        throw InputError(fmt::format("cannot find an optimal tree for {} destinations", nodes.size()),
                         fmt::format("at most {}, or fnf", max_optimal_destinations));
    std::stable_sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) { return start[a] < start[b]; });
    std::vector<std::uint64_t> costs;
    costs.reserve(nodes.size());
    for (const NodeId node : nodes) costs.push_back(start[node]);
    const LeastLatency search(start[multicast.source], costs);
    nodes.push_back(multicast.source);
    struct Sender {
        std::uint32_t number;
        Set set;
        std::uint64_t time;
    };
    TreePlan plan;
    std::vector<Sender> open = {{static_cast<std::uint32_t>(costs.size()),
                                 static_cast<Set>((std::uint64_t{1} << costs.size()) - 1), 0}};
    while (!open.empty()) {
        const Sender sender = open.back();
        open.pop_back();
        if (sender.set == 0) continue;
        const auto choice = search.choice(sender.number, sender.set);
        const std::uint64_t received = sender.time + search.cost(sender.number);
        plan.push_back({nodes[sender.number], nodes[choice.first], sender.time, received});
        open.push_back({sender.number, choice.rest, received});
        open.push_back({choice.first, choice.its, received});
    }
    sort_by_arrival(plan);
    return plan;
}

}  // namespace interlace
