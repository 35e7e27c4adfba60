// Interlace: all-reduces along spanning trees
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/allreduce.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sum_timing.h"
#include "sum_trees.h"

namespace interlace {
namespace {

/// Packets at nodes that are looked at, some 150 bytes each.
constexpr std::uint64_t most_of_trees = std::uint64_t{1} << 22U;

/// Links for which a packet counts that starts one packet later, as shares of what the fullest link takes of
/// a packet: about as fast as links can take them. Which is best depends on the network.
constexpr std::array<double, 4> paces = {0.5, 1, 0.2, 0};

class TreeSearch {
  public:
    TreeSearch(const Network& network, std::uint32_t packets, const TreeOptions& options)
        : nodes_(network.node_count()),
          packets_(packets),
          one_(std::uint64_t{2} * packets * (nodes_ - 1)),
          options_(options),
          links_(network),
          draws_(options.seed),
          fewest_(options.fewer_than) {}

    std::optional<std::vector<ReducingSend>> run() {
        if (!links_.connected() || done()) return {};
        try_roots();
        exchange_trees();
        return std::move(best_);
    }

  private:
    /// Steps, and packets in the last of them.
    using Length = std::pair<std::uint32_t, std::uint64_t>;

    bool done() const { return fewest_ <= options_.enough || spent_ > options_.effort; }

    void try_roots() {
        std::vector<SumTree> of_shortest;
        for (const std::uint32_t roots : {(nodes_ + 1) / 2, 1U, nodes_})
            for (const std::uint32_t detour : {2U, 0U})
                for (std::size_t pace = 0; pace < paces.size() && !done(); ++pace) {
                    if (pace == 0) grow(roots, detour);
                    const Length length = timed(pace, UINT32_MAX);
                    if (length >= length_) continue;
                    length_ = length;
                    of_shortest = trees_;
                }
        for (std::uint32_t packet = 0; packet < packets_; ++packet) replace(packet, of_shortest[packet]);
    }

    /// Trees around so many of the most central nodes, each grown again when all others are there.
    void grow(std::uint32_t roots, std::uint32_t detour) {
        constexpr int rounds = 3;
        for (const SumTree& tree : trees_) links_.drop(tree);
        trees_.clear();
        const auto root = [&](std::uint32_t packet) { return links_.central()[packet % roots]; };
        for (std::uint32_t packet = 0; packet < packets_; ++packet) {
            trees_.push_back(links_.grow(root(packet), detour, draws_));
            links_.use(trees_.back());
        }
        for (int round = 1; round < rounds; ++round)
            for (std::uint32_t packet = 0; packet < packets_; ++packet)
                grow_again(packet, root(packet), detour);
        spent_ += rounds * one_;
    }

    /// Returns the tree before.
    SumTree grow_again(std::uint32_t packet, NodeId root, std::uint32_t detour) {
        links_.drop(trees_[packet]);
        SumTree before = std::exchange(trees_[packet], links_.grow(root, detour, draws_));
        links_.use(trees_[packet]);
        return before;
    }
    void replace(std::uint32_t packet, const SumTree& tree) {
        links_.drop(trees_[packet]);
        links_.use(tree);
        trees_[packet] = tree;
    }

    Length timed(std::size_t pace, std::uint32_t limit) {
        spent_ += one_;
        if (options_.progress)
            options_.progress(
                std::min(1.0, static_cast<double>(spent_) / static_cast<double>(options_.effort)));
        SumTiming timing(links_, trees_);
        if (!timing.run(paces[pace] * links_.most_used() / packets_, limit, draws_)) return none;
        if (timing.steps() < fewest_) {
            fewest_ = timing.steps();
            best_ = timing.sends();
        }
        return {timing.steps(), timing.in_last_step()};
    }

    /// Some packets get other trees. What is not longer stays, and now and then what is a step longer.
    void exchange_trees() {
        constexpr std::uint32_t patience = 5000, often = 50;
        for (std::uint32_t in_vain = 0; in_vain < patience && !done(); ++in_vain) {
            std::vector<std::pair<std::uint32_t, SumTree>> before;
            for (std::uint32_t trees = 1 + draws_.below(3); trees > 0; --trees) {
                const std::uint32_t packet = draws_.below(packets_), detour = draws_.below(3);
                before.emplace_back(packet, grow_again(packet, NodeId{draws_.below(nodes_)}, detour));
            }
            const Length length =
                timed(draws_.below(static_cast<std::uint32_t>(paces.size())), length_.first + 1);
            if (length < length_) in_vain = 0;
            if (length <= length_ || (length != none && draws_.below(often) == 0)) {
                length_ = length;
                continue;
            }
            for (; !before.empty(); before.pop_back()) replace(before.back().first, before.back().second);
        }
    }

    static constexpr Length none = {UINT32_MAX, 0};
    const std::uint32_t nodes_, packets_;
    const std::uint64_t one_;  ///< sends of a schedule
    const TreeOptions& options_;
    SumTrees links_;
    Draws draws_;
    std::vector<SumTree> trees_;  ///< [packet]
    Length length_ = none;        ///< of these
    std::uint32_t fewest_;        ///< steps
    std::optional<std::vector<ReducingSend>> best_;
    std::uint64_t spent_ = 0;
};

}  // namespace

std::optional<std::vector<ReducingSend>> allreduce_on_trees(const Network& network, std::uint32_t chunks,
                                                            const TreeOptions& options) {
    const std::uint64_t packets = std::uint64_t{network.node_count()} * chunks;
    if (packets * network.node_count() > most_of_trees) return {};
    return TreeSearch(network, static_cast<std::uint32_t>(packets), options).run();
}

}  // namespace interlace
