// Interlace: whether a broadcast can end within a number of steps, decided exactly
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/analysis/exact.h"

#include <algorithm>
#include <cadical.hpp>
#include <vector>

#include "interlace/network/metrics.h"

namespace interlace {
namespace {

std::uint32_t source_links(const Network& network, const Group& group, NodeId source) {
    const auto targets = network.neighbours(source);
    return static_cast<std::uint32_t>(
        std::count_if(targets.begin(), targets.end(), [&](NodeId to) { return group.may_carry(to); }));
}

/// Steps are numbered from 1; a node at distance d can hold packet i from the end of step release(i) + d on.
class Formula {
  public:
    Formula(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
            std::uint32_t steps)
        : network_(network),
          group_(group),
          source_(source),
          packets_(packets),
          steps_(steps),
          source_links_(source_links(network, group, source)),
          distance_(distances_from(network, source, group.carriers())) {}

    bool reaches_every_member() const {
        for (std::uint32_t v = 0; v < network_.node_count(); ++v)
            if (group_.member[v] && earliest(v, packets_ - 1) > steps_) return false;
        return true;
    }

    std::uint64_t possible_sends() const {
        std::uint64_t sends = 0;
        for_each_link([&](NodeId from, NodeId to) {
            for (std::uint32_t p = 0; p < packets_; ++p)
                if (const auto first = first_send(from, to, p); first <= steps_) sends += steps_ - first + 1;
        });
        return sends;
    }

    Feasibility decide(std::uint32_t conflicts) {
        CaDiCaL::Solver solver;
        solver.set("quiet", 1);
        state_what_nodes_hold(solver);
        state_what_links_carry(solver);
        solver.limit("conflicts", static_cast<int>(conflicts));
        switch (solver.solve()) {
            case 10:
                return Feasibility::possible;
            case 20:
                return Feasibility::impossible;
            default:
                return Feasibility::unknown;
        }
    }

  private:
    std::uint64_t earliest(std::uint32_t node, std::uint32_t packet) const {
        return std::uint64_t{distance_[node]} + packet / source_links_;
    }
    /// A send is possible once the sender can hold the packet, and only worth it once the receiver can too.
    std::uint64_t first_send(NodeId from, NodeId to, std::uint32_t packet) const {
        return std::max(earliest(from, packet) + 1, earliest(to, packet));
    }

    template <typename Visit>
    void for_each_link(const Visit& visit) const {
        for (std::uint32_t v = 0; v < network_.node_count(); ++v) {
            const NodeId from{v};
            if (!group_.may_carry(from) || distance_[v] == unreachable) continue;
            for (const NodeId to : network_.neighbours(from))
                if (group_.may_carry(to) && to != source_) visit(from, to);
        }
    }

    /// The variable "node holds packet at the end of step t"; 0 where it cannot.
    int holds(std::uint32_t node, std::uint32_t packet, std::uint64_t t) const {
        const std::uint64_t from = earliest(node, packet);
        return t < from ? 0
                        : first_holds_[std::size_t{node} * packets_ + packet] + static_cast<int>(t - from);
    }

    void state_what_nodes_hold(CaDiCaL::Solver& solver) {
        first_holds_.assign(std::size_t{network_.node_count()} * packets_, 0);
        received_.assign(first_holds_.size(), {});
        for (std::uint32_t v = 0; v < network_.node_count(); ++v) {
            if (!group_.may_carry(NodeId{v}) || NodeId{v} == source_) continue;
            for (std::uint32_t p = 0; p < packets_; ++p) {
                if (earliest(v, p) > steps_) continue;
                const auto duration = static_cast<int>(steps_ - earliest(v, p)) + 1;
                first_holds_[std::size_t{v} * packets_ + p] = variables_ + 1;
                received_[std::size_t{v} * packets_ + p].resize(static_cast<std::size_t>(duration));
                for (int i = 1; i < duration; ++i) clause(solver, {-(variables_ + i), variables_ + i + 1});
                variables_ += duration;
                if (group_.member[v]) clause(solver, {variables_});
            }
        }
    }

    void state_what_links_carry(CaDiCaL::Solver& solver) {
        for_each_link([&](NodeId from, NodeId to) {
            std::vector<std::vector<int>> in_step(steps_ + 1);
            for (std::uint32_t p = 0; p < packets_; ++p)
                for (std::uint64_t t = first_send(from, to, p); t <= steps_; ++t) {
                    const int send = ++variables_;
                    if (from != source_) clause(solver, {-send, holds(from, p, t - 1)});
                    for (const int other : in_step[t]) clause(solver, {-send, -other});
                    in_step[t].push_back(send);
                    received_[std::size_t{to} * packets_ + p][t - earliest(to, p)].push_back(send);
                }
        });
        for (std::uint32_t v = 0; v < network_.node_count(); ++v)
            for (std::uint32_t p = 0; p < packets_; ++p) {
                auto& by_step = received_[std::size_t{v} * packets_ + p];
                for (std::size_t i = 0; i < by_step.size(); ++i) {
                    const std::uint64_t t = earliest(v, p) + i;
                    by_step[i].push_back(-holds(v, p, t));
                    if (i > 0) by_step[i].push_back(holds(v, p, t - 1));
                    clause(solver, by_step[i]);
                }
            }
    }

    static void clause(CaDiCaL::Solver& solver, const std::vector<int>& literals) {
        for (const int literal : literals) solver.add(literal);
        solver.add(0);
    }

    const Network& network_;
    const Group& group_;
    NodeId source_;
    std::uint32_t packets_, steps_, source_links_;
    std::vector<std::uint32_t> distance_;
    int variables_ = 0;
    std::vector<int> first_holds_;  // per (node, packet); 0 where there is none
    std::vector<std::vector<std::vector<int>>>
        received_;  // per (node, packet), per step: sends that bring it
};

}  // namespace

Feasibility broadcast_within(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
                             std::uint32_t steps, const ExactLimits& limits) {
    if (packets == 0 || group.size <= 1) return Feasibility::possible;
    if (source_links(network, group, source) == 0) return Feasibility::impossible;
    // Each member receives each packet in at least one of the possible sends.
    if (std::uint64_t{group.size - 1} * packets > limits.sends) return Feasibility::unknown;
    Formula formula(network, group, source, packets, steps);
    if (!formula.reaches_every_member()) return Feasibility::impossible;
    if (formula.possible_sends() > limits.sends) return Feasibility::unknown;
    return formula.decide(limits.conflicts);
}

bool tail_refutes(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
                  std::uint32_t steps, const ExactLimits& limits) {
    const std::uint32_t links = std::max(1U, source_links(network, group, source));
    for (std::uint32_t q = (packets + links - 1) / links; q-- > 0;) {
        if (q >= steps) return group.size > 1;
        const auto answer = broadcast_within(network, group, source, packets - q * links, steps - q, limits);
        if (answer == Feasibility::impossible) return true;
        if (answer == Feasibility::unknown) return false;
    }
    return false;
}

}  // namespace interlace
