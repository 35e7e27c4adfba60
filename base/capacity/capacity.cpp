// Interlace: what a network can carry at most, whatever its routing, with a certificate
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/capacity/capacity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "interlace/core/error.h"
#include "linear_program.h"
#include "shortest_flow.h"

namespace interlace {
namespace {

using Lengths = std::vector<std::uint32_t>;

/// Real lengths as integers, the longest of them `longest`.
Lengths rounded(const std::vector<double>& lengths, std::uint32_t longest) {
    const double most = *std::max_element(lengths.begin(), lengths.end());
    Lengths result;
    for (const double length : lengths)
        result.push_back(static_cast<std::uint32_t>(std::lround(std::max(0.0, length) / most * longest)));
    return result;
}

/// Whether lengths are close to integers where the longest is `longest`.
bool nearly_integers(const std::vector<double>& lengths, std::uint32_t longest) {
    constexpr double close = 0.1;
    const double unit = *std::max_element(lengths.begin(), lengths.end()) / longest;
    return std::all_of(lengths.begin(), lengths.end(), [&](double length) {
        return std::abs(length / unit - std::round(length / unit)) <= close;
    });
}

/// The mean length of all links of rings that lead equally far along a dimension, in place of each; elsewhere
/// the lengths themselves.
std::vector<double> alike_by_offset(const Network& network, const LinkClasses& classes,
                                    std::vector<double> lengths) {
    if (!classes.by_species()) return lengths;
    const Lattice& lattice = *network.lattice();
    const auto each = [&](const auto& visit) {
        for (std::uint32_t s = 0; s < lattice.species_count(); ++s) {
            const std::vector<Hop> hops = lattice.hops(NodeId{s});
            for (std::uint32_t p = 0; p < hops.size(); ++p)
                visit(std::abs(hops[p].offset), classes.of(NodeId{s}, p));
        }
    };
    std::map<std::int32_t, std::pair<double, double>> sums;  // by offset: lengths, links
    each([&](std::int32_t offset, std::uint32_t c) {
        sums[offset].first += lengths[c];
        sums[offset].second += 1;
    });
    std::vector<double> mean(lengths.size());
    each([&](std::int32_t offset, std::uint32_t c) { mean[c] = sums[offset].first / sums[offset].second; });
    return mean;
}

/// The least z such that shares of flows, 1 together for each origin, put at most z packets on any link.
class BestShares {
  public:
    explicit BestShares(const LinkClasses& classes) : classes_(classes), program_(rows(classes)) {
        LinearProgram::Variable fullest{1, {}};
        for (std::uint32_t c = 0; c < classes.count(); ++c)
            fullest.terms.push_back({static_cast<int>(c), -1});
        program_.add({fullest});
    }

    /// A flow of one origin on shortest paths by these lengths.
    struct Flow {
        std::uint32_t origin;
        Lengths lengths;
        OriginFlow flow;
    };
    void add(const std::vector<Flow>& flows) {
        std::vector<LinearProgram::Variable> variables;
        for (const Flow& flow : flows) {
            const auto nodes = static_cast<double>(classes_.origins()[flow.origin].nodes);
            LinearProgram::Variable share{0, {}};
            for (std::uint32_t c = 0; c < classes_.count(); ++c)
                if (const auto halves = static_cast<double>(flow.flow.loads[c]); halves > 0)
                    share.terms.push_back(
                        {static_cast<int>(c), halves / 2 * nodes / static_cast<double>(classes_.links()[c])});
            share.terms.push_back({static_cast<int>(classes_.count() + flow.origin), 1});
            variables.push_back(share);
            flows_.push_back({flow.origin, 0, flow.lengths});
        }
        program_.add(variables);
    }

    void solve() { program_.solve(); }
    double link_load() const { return program_.cost(); }
    /// Of the classes, such that flows by them would lower the load.
    std::vector<double> lengths() const {
        const std::vector<double> prices = program_.prices();
        std::vector<double> result;
        for (std::uint32_t c = 0; c < classes_.count(); ++c)
            result.push_back(std::max(0.0, -prices[c]) / static_cast<double>(classes_.links()[c]));
        return result;
    }
    std::vector<FlowShare> routing() const {
        const std::vector<double> values = program_.values();
        std::vector<FlowShare> used;
        for (std::size_t i = 0; i < flows_.size(); ++i)
            if (values[i + 1] > 0) {
                used.push_back(flows_[i]);
                used.back().share = values[i + 1];
            }
        return used;
    }

  private:
    static std::vector<LinearProgram::Row> rows(const LinkClasses& classes) {
        std::vector<LinearProgram::Row> rows(classes.count(), {-std::numeric_limits<double>::max(), 0});
        rows.resize(rows.size() + classes.origins().size(), {1, 1});
        return rows;
    }

    const LinkClasses& classes_;
    LinearProgram program_;
    std::vector<FlowShare> flows_;
};

/// Lengths to begin with: all links alike, which is the bound by hops; on a mesh also its middles, one
/// dimension after another.
std::vector<Lengths> first_lengths(const Network& network, const LinkClasses& classes) {
    std::vector<Lengths> first = {Lengths(classes.count(), 1)};
    const auto& lattice = network.lattice();
    if (!lattice || lattice->wraps()) return first;
    LatticeHops hops(*lattice);
    for (std::uint32_t d = 0; d < lattice->dimensions(); ++d) {
        first.emplace_back(classes.count(), 0);
        const std::uint32_t middle = lattice->sizes()[d] / 2;
        for (std::uint32_t v = 0; v < network.node_count(); ++v) {
            const std::uint32_t at = lattice->coordinate(NodeId{v}, d);
            const std::vector<Hop>& outputs = hops.of(NodeId{v});
            for (std::uint32_t p = 0; p < outputs.size(); ++p)
                if (outputs[p].dimension == d && (outputs[p].offset > 0 ? at + 1 : at) == middle)
                    first.back()[classes.of(NodeId{v}, p)] = 1;
        }
    }
    return first;
}

class Search {
  public:
    Search(const Network& network, const LinkClasses& classes, const Demands& demands, AllowedPaths paths)
        : network_(network), classes_(classes), flow_(network, classes, demands, paths) {}

    Capacity run(double tolerance, const std::function<void(double)>& progress) {
        for (const Lengths& lengths : first_lengths(network_, classes_)) try_lengths(lengths);
        while (gap() >= tolerance) {
            if (progress) progress(gap());
            if (!improve()) break;
        }
        simplify(tolerance);
        return {load_, bound_, routing_, rounds_};
    }

  private:
    static constexpr std::uint32_t finest = 1U << 21U;  // for which buckets are still few

    double gap() const { return load_ / bound_.link_load() - 1; }

    struct Round {
        LengthBound bound;
        std::vector<OriginFlow> flows;  // [origin]
        double load = 0;                // of the fullest link where all origins take these
    };
    Round round(const Lengths& lengths) {
        Round round{{lengths, 0, 0}, {}};
        std::vector<double> loads(classes_.count(), 0);
        for (const LinkClasses::Origin& origin : classes_.origins()) {
            round.flows.push_back(flow_.from(origin.node, lengths));
            add_distances(round.bound, origin.nodes, round.flows.back().distances);
            for (std::uint32_t c = 0; c < classes_.count(); ++c)
                loads[c] += static_cast<double>(origin.nodes * round.flows.back().loads[c]);
        }
        for (std::uint32_t c = 0; c < classes_.count(); ++c) {
            round.bound.all_lengths += classes_.links()[c] * lengths[c];
            round.load = std::max(round.load, loads[c] / 2 / static_cast<double>(classes_.links()[c]));
        }
        if (round.bound.link_load() > bound_.link_load()) bound_ = round.bound;
        ++rounds_;
        return round;
    }

    void add_distances(LengthBound& bound, std::uint64_t nodes, std::uint64_t distances) const {
        std::uint64_t all = 0;
        if (__builtin_mul_overflow(nodes, distances, &all) ||
            __builtin_add_overflow(bound.distances, all, &bound.distances))
            throw InputError(fmt::format("the distances of {} sum to more than 2^64", network_.name()),
                             "a smaller network");
    }

    /// Keeps the flows for the linear program, or alone if they are the best so far.
    void try_lengths(const Lengths& lengths) {
        const Round all = round(lengths);
        for (std::uint32_t o = 0; o < all.flows.size(); ++o) waiting_.push_back({o, lengths, all.flows[o]});
        if (all.load >= load_) return;
        load_ = all.load;
        routing_.clear();
        for (std::uint32_t o = 0; o < all.flows.size(); ++o) routing_.push_back({o, 1, lengths});
    }

    /// False where no other lengths are left to try.
    bool improve() {
        if (!shares_) shares_.emplace(classes_);
        shares_->add(waiting_);
        waiting_.clear();
        shares_->solve();
        load_ = shares_->link_load();
        routing_ = shares_->routing();
        for (; resolution_ <= finest; resolution_ *= 8)
            for (const double share : {0.5, 1.0})
                if (const Lengths lengths = rounded(next_lengths(share), resolution_);
                    tried_.insert(lengths).second) {
                    try_lengths(lengths);
                    return true;
                }
        return false;
    }

    /// From the best lengths so far this share of the way to those of the linear program, which alone would
    /// swing about the optimum.
    std::vector<double> next_lengths(double share) const {
        std::vector<double> lengths = shares_->lengths();
        for (std::uint32_t c = 0; c < classes_.count(); ++c)
            lengths[c] = share * lengths[c] +
                         (1 - share) * bound_.lengths[c] / static_cast<double>(bound_.all_lengths);
        return lengths;
    }

    static constexpr std::uint32_t small = 64;
    /// Looks for integers up to `small` that bound the load nearly as well as the best lengths.
    void simplify(double tolerance);

    const Network& network_;
    const LinkClasses& classes_;
    ShortestFlow flow_;
    std::optional<BestShares> shares_;
    std::vector<BestShares::Flow> waiting_;  // flows that the program does not have
    LengthBound bound_;
    double load_ = std::numeric_limits<double>::infinity();
    std::vector<FlowShare> routing_;
    std::set<Lengths> tried_;
    std::uint32_t resolution_ = 4096;  // of the longest length; finer where links differ more
    std::uint32_t rounds_ = 0;
};

void Search::simplify(double tolerance) {
    if (!shares_) return;
    const std::vector<double> program = shares_->lengths(),
                              best(bound_.lengths.begin(), bound_.lengths.end());
    const std::vector<double> alike = alike_by_offset(network_, classes_, program);
    const LengthBound fine = bound_;
    const double wanted = std::min(fine.link_load() * (1 - tolerance / 10), load_ * (1 - 1e-9));
    for (std::uint32_t longest = 1; longest <= small; ++longest)
        for (const std::vector<double>& lengths : {alike, program, best}) {
            if (!nearly_integers(lengths, longest)) continue;
            const LengthBound bound = round(rounded(lengths, longest)).bound;
            if (bound.link_load() < wanted) continue;
            bound_ = bound;
            return;
        }
    bound_ = fine;
}

}  // namespace

Capacity find_capacity(const Network& network, const LinkClasses& classes, const Demands& demands,
                       AllowedPaths paths, double tolerance,
                       const std::function<void(double gap)>& progress) {
    return Search(network, classes, demands, paths).run(tolerance, progress);
}

}  // namespace interlace
