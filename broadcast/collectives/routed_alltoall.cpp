// Interlace: all-to-all exchanges on any network, on paths of the best use of its links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/routed_alltoall.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>

#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/network/metrics.h"
#include "path_trees.h"

namespace interlace {
namespace {

constexpr std::uint64_t max_jobs = std::uint64_t{1} << 22U;
constexpr std::uint64_t max_hops = std::uint64_t{1} << 27U;
constexpr std::uint32_t draws_of_each_lengths = 4;

/// The packets of the first origin of each class; each takes one of its class's trees.
class PathChoice {
  public:
    struct Job {
        std::uint32_t of_class;
        NodeId to;
        std::uint32_t chunk, tree;
    };

    PathChoice(const Translations& translations, const PathTrees& trees, std::uint32_t nodes,
               std::uint32_t chunks, Draws& draws)
        : trees_(trees), draws_(draws), load_(trees.uses(), 0) {
        for (std::uint32_t c = 0; c < translations.classes(); ++c)
            for (std::uint32_t to = 0; to < nodes; ++to) {
                if (to == translations.firsts()[c]) continue;
                for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
                    jobs_.push_back({c, NodeId{to}, chunk, draws.below(trees.count(c))});
            }
        for (const Job& job : jobs_) count(job, 1);
        order_.resize(jobs_.size());
        std::iota(order_.begin(), order_.end(), 0);
    }

    const std::vector<Job>& jobs() const { return jobs_; }
    std::uint32_t load() const { return *std::max_element(load_.begin(), load_.end()); }
    std::uint64_t hops() const { return std::accumulate(load_.begin(), load_.end(), std::uint64_t{0}); }
    std::uint64_t work() const { return work_; }  ///< so far, in links looked at

    /// Lowers the loads until none is above the target, or for so long.
    void even(std::uint64_t target) {
        // Least squares by the lengths of the bound: where paths are tight by these, even loads.
        constexpr std::uint32_t squares = 3;
        for (std::uint32_t i = 0; i < squares && load() > target; ++i)
            improve(
                [&](std::uint32_t use, std::uint64_t load) { return trees_.weight()[use] * (2 * load + 1); });
        // Then what is above the target, while the rest moves freely.
        constexpr std::uint32_t walks = 20;
        for (std::uint32_t i = 0; i < walks && load() > target; ++i)
            improve([&](std::uint32_t, std::uint64_t load) {
                return load < target ? 0 : 2 * (load - target) + 1;
            });
    }

  private:
    void count(const Job& job, std::int32_t by) {
        trees_.path(job.of_class, job.tree, job.to, [&](LinkId link) {
            load_[trees_.use(link)] += static_cast<std::uint32_t>(by);
            ++work_;
        });
    }
    /// Lets each packet once, in any order, take a path that costs least, by what one packet more costs
    /// on a use with so many: price(use, load).
    template <class Price>
    void improve(const Price& price) {
        for (std::size_t i = order_.size(); i > 1; --i)
            std::swap(order_[i - 1], order_[draws_.below(static_cast<std::uint32_t>(i))]);
        for (const std::uint32_t i : order_) {
            Job& job = jobs_[i];
            count(job, -1);
            job.tree = cheapest(job, price);
            count(job, 1);
        }
    }
    template <class Price>
    std::uint32_t cheapest(Job job, const Price& price) {
        auto least = std::numeric_limits<std::uint64_t>::max();
        std::uint32_t best = 0, ties = 0;
        for (job.tree = 0; job.tree < trees_.count(job.of_class); ++job.tree) {
            std::uint64_t sum = 0;
            trees_.path(job.of_class, job.tree, job.to, [&](LinkId link) {  // which may use a use twice
                sum += price(trees_.use(link), load_[trees_.use(link)]++);
            });
            count(job, -1);
            if (sum < least) ties = 0;
            if (sum <= least && draws_.below(++ties) == 0) best = job.tree;
            least = std::min(least, sum);
        }
        return best;
    }

    const PathTrees& trees_;
    Draws& draws_;
    std::vector<Job> jobs_;
    std::vector<std::uint32_t> load_;   // [use]
    std::vector<std::uint32_t> order_;  // of jobs
    std::uint64_t work_ = 0;
};

/// Sends along the chosen paths: each use, in each step, a packet with most hops to go, of several any.
std::vector<std::vector<RelativeSend>> list_schedule(const Network& network, const PathTrees& trees,
                                                     const PathChoice& choice, std::uint32_t classes,
                                                     std::uint32_t chunks, Draws& draws) {
    struct Waiting {
        std::uint32_t to_go, random, job;
        bool operator<(const Waiting& other) const {
            return std::tie(to_go, random) < std::tie(other.to_go, other.random);
        }
    };
    std::vector<std::priority_queue<Waiting>> queues(trees.uses());
    std::vector<std::uint32_t> first(choice.jobs().size() + 1, 0);
    std::vector<LinkId> path;  // of all jobs, each backwards
    path.reserve(choice.hops());
    const auto wait = [&](std::uint32_t job, std::uint32_t to_go) {
        queues[trees.use(path[first[job] + to_go - 1])].push({to_go, draws.below(UINT32_MAX), job});
    };
    for (std::uint32_t job = 0; job < choice.jobs().size(); ++job) {
        const PathChoice::Job& of = choice.jobs()[job];
        trees.path(of.of_class, of.tree, of.to, [&](LinkId link) { path.push_back(link); });
        first[job + 1] = static_cast<std::uint32_t>(path.size());
        wait(job, first[job + 1] - first[job]);
    }
    std::vector<std::vector<RelativeSend>> sends(classes);
    std::vector<Waiting> moved;
    for (std::uint32_t step = 1; step == 1 || !moved.empty(); ++step) {
        moved.clear();
        for (auto& queue : queues) {
            if (queue.empty()) continue;
            moved.push_back(queue.top());
            queue.pop();
        }
        for (const Waiting& packet : moved) {
            const PathChoice::Job& job = choice.jobs()[packet.job];
            const LinkId link = path[first[packet.job] + packet.to_go - 1];
            const NodeId from = trees.from(link);
            sends[job.of_class].push_back(
                {step, from, link - network.first_link(from), job.to * chunks + job.chunk});
            if (packet.to_go > 1) wait(packet.job, packet.to_go - 1);
        }
    }
    return sends;
}

std::uint32_t diameter(const Network& network, const Translations& translations) {
    std::uint32_t most = 0;
    for (const NodeId first : translations.firsts())
        for (const std::uint32_t distance : distances_from(network, first)) most = std::max(most, distance);
    return most;
}

}  // namespace

RoutedBound routed_alltoall_bound(const Network& network, const LengthBound& lengths, std::uint32_t chunks) {
    const std::uint64_t all = lengths.all_lengths, whole = lengths.distances / all * chunks;
    const std::uint64_t steps = whole + (lengths.distances % all * chunks + all - 1) / all;
    if (steps >= UINT32_MAX)
        throw InputError(fmt::format("cannot exchange {} packets a pair on {}", chunks, network.name()),
                         "fewer than 2^32 steps");
    const std::uint32_t farthest = diameter(network, Translations(network));
    return {std::max(static_cast<std::uint32_t>(steps), farthest), farthest > steps};
}

RoutedAllToAll routed_alltoall(const Network& network, const LinkClasses& classes, const Capacity& capacity,
                               std::uint32_t chunks, const RoutedOptions& options) {
    const Translations translations(network);
    const std::uint64_t jobs = std::uint64_t{translations.classes()} * network.node_count() * chunks;
    if (jobs > max_jobs)
        throw InputError(
            fmt::format("cannot route {} packets of {} classes of nodes", jobs, translations.classes()),
            fmt::format("{} at most: fewer chunks or nodes", max_jobs));
    RoutedAllToAll found{{chunks, true, {}}, routed_alltoall_bound(network, capacity.bound, chunks)};
    Draws draws(options.seed);
    const PathTrees trees(network, translations, classes, capacity, draws_of_each_lengths, draws);
    const std::uint32_t target = found.bound.steps;
    std::uint32_t least = UINT32_MAX;
    for (std::uint64_t spent = 0; least > target && spent < options.effort;) {
        PathChoice choice(translations, trees, network.node_count(), chunks, draws);
        if (choice.hops() > max_hops)
            throw InputError(fmt::format("cannot schedule {} hops", choice.hops()),
                             fmt::format("{} at most: fewer chunks or nodes", max_hops));
        choice.even(target);
        SymmetricSchedule schedule{
            chunks, true, list_schedule(network, trees, choice, translations.classes(), chunks, draws)};
        if (const std::uint32_t steps = schedule.steps(); steps < least) {
            least = steps;
            found.schedule = std::move(schedule);
        }
        spent += choice.work();
    }
    return found;
}

}  // namespace interlace
