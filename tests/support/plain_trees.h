// Interlace: broadcast among unequal workstations, its least latency and its faults by definition
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace interlace::test {

/// The recurrence of Banikazemi, Moorthy, Panda, "Efficient Collective Communication on Heterogeneous
/// Networks of Workstations", section 5, as it stands there; a set of nodes is a bit mask.
class BestLatencySearch {
  public:
    explicit BestLatencySearch(const std::vector<std::uint64_t>& t) : t_(t) {}

    /// L(i, A): the least latency from node `i` to all nodes of the set `a`, in the unit of the costs: 0 for
    /// the empty set, else the least t(i) + max(L(i, B), L(j, C)) of all j in A and all B + C = A - {j}.
    std::uint64_t latency(std::size_t i, std::uint32_t a) {
        if (a == 0) return 0;
        const auto known = known_.find({i, a});
        if (known != known_.end()) return known->second;
        std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
        for (std::size_t j = 0; j < t_.size(); ++j) {
            const std::uint32_t node = std::uint32_t{1} << j;
            if ((a & node) == 0) continue;
            const std::uint32_t rest = a & ~node;
            for (std::uint32_t b = 0; b <= rest; ++b)
                if ((b & ~rest) == 0)
                    best = std::min(best, t_[i] + std::max(latency(i, b), latency(j, rest & ~b)));
        }
        known_[{i, a}] = best;
        return best;
    }

  private:
    const std::vector<std::uint64_t>& t_;
    std::map<std::pair<std::size_t, std::uint32_t>, std::uint64_t> known_;
};

/// The least time in which node 0 can broadcast to all others, where t[i] is the message initiation cost of
/// node i, in any unit: a send begun by node i at time x is received at x + t[i], and from then on both of
/// them may send. By trying all trees: for up to about 10 nodes, 12 at most. The costs times the nodes must
/// stay below 2^64. Throws std::invalid_argument when there is no node, or too many.
inline std::uint64_t best_latency(const std::vector<std::uint64_t>& t) {
    if (t.empty() || t.size() > 12) throw std::invalid_argument("1 to 12 nodes can be searched");
    const std::uint32_t all = (std::uint32_t{1} << t.size()) - 1;
    return BestLatencySearch(t).latency(0, all & ~std::uint32_t{1});
}

/// One send of a broadcast: it keeps node `from` busy from time `sent` until time `received`, when node `to`
/// has the message; in the unit of the message initiation costs, from time 0 on.
struct PlainSend {
    unsigned from, to;
    std::uint64_t sent, received;
};

/// A send in words.
inline std::string send_text(const PlainSend& send) {
    return "send " + std::to_string(send.from) + " -> " + std::to_string(send.to) + " from " +
           std::to_string(send.sent) + " to " + std::to_string(send.received);
}

/// What is wrong with `send` by itself, in words; empty when its nodes are two different ones of the t.size()
/// nodes, the receiver is not the source, and received = sent + t[from].
inline std::string fault_of_send(const std::vector<std::uint64_t>& t, const PlainSend& send) {
    if (std::max(send.from, send.to) >= t.size()) return send_text(send) + " names no node";
    if (send.from == send.to) return send_text(send) + " is from a node to itself";
    if (send.to == 0) return send_text(send) + " is to the source, which has the message at time 0";
    if (send.received < send.sent || send.received - send.sent != t[send.from])
        return send_text(send) + " does not take the " + std::to_string(t[send.from]) + " of its sender";
    return "";
}

/// The first node that receives more than once or, but for node 0, never, in words; empty when there is none.
inline std::string fault_of_receipts(std::size_t nodes, const std::vector<PlainSend>& sends) {
    for (unsigned node = 1; node < nodes; ++node) {
        const auto times = std::ranges::count(sends, node, &PlainSend::to);
        if (times != 1)
            return "node " + std::to_string(node) + " receives " + std::to_string(times) + " times, not once";
    }
    return "";
}

/// The first two sends of one node that overlap in time, in words; empty when there are none. A send may
/// begin at the time at which another one ends.
inline std::string overlap_of(const std::vector<PlainSend>& sends) {
    for (std::size_t i = 0; i < sends.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const PlainSend &a = sends[j], &b = sends[i];
            if (a.from == b.from && a.sent < b.received && b.sent < a.received)
                return send_text(b) + " overlaps " + send_text(a);
        }
    return "";
}

/// What keeps `sends`, in any order, from being a broadcast from node 0, which has the message at time 0, to
/// all of t.size() nodes: a sentence on a fault, or empty when every other node receives exactly once and
/// node 0 never, received = sent + t[from], no node sends before it has received, no node has two sends that
/// overlap in time, and every node's message comes, from sender to sender, from node 0 (which the times alone
/// do not show when costs are 0). That a sender idles is no fault.
inline std::string fault_of_tree(const std::vector<std::uint64_t>& t, const std::vector<PlainSend>& sends) {
    if (t.empty()) return "there is no node 0";
    for (const PlainSend& send : sends) {
        std::string problem = fault_of_send(t, send);
        if (!problem.empty()) return problem;
    }
    std::string fault = fault_of_receipts(t.size(), sends);
    if (!fault.empty()) return fault;
    std::map<unsigned, PlainSend> receipt;
    for (const PlainSend& send : sends) receipt[send.to] = send;
    for (const PlainSend& send : sends)
        if (send.from != 0 && send.sent < receipt.at(send.from).received)
            return send_text(send) + " begins before its sender has received at " +
                   std::to_string(receipt.at(send.from).received);
    for (unsigned node = 1; node < t.size(); ++node) {
        unsigned origin = node;
        for (std::size_t step = 0; step < t.size() && origin != 0; ++step) origin = receipt.at(origin).from;
        if (origin != 0) return "what node " + std::to_string(node) + " receives is not from node 0";
    }
    return overlap_of(sends);
}

/// The time at which the last node has received, in the unit of the costs; 0 when there is no send.
inline std::uint64_t latency(const std::vector<PlainSend>& sends) {
    std::uint64_t result = 0;
    for (const PlainSend& send : sends) result = std::max(result, send.received);
    return result;
}

}  // namespace interlace::test
