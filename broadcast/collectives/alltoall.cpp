// Interlace: all-to-all exchanges on a torus in as few steps as any schedule can take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/alltoall.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "interlace/core/error.h"
#include "open_shop.h"

namespace interlace {
namespace {

const Lattice& torus_of(const Network& network) {
    if (!network.lattice() || network.lattice()->kind() != Lattice::Kind::torus ||
        !network.lattice()->has_rings())
        throw InputError("cannot exchange by offsets on " + network.name(),
                         "a torus with 3 nodes or more in each dimension");
    return *network.lattice();
}

/// Hops of offset v on a ring of n.
constexpr std::uint32_t hops(std::uint32_t v, std::uint32_t n) {
    return std::min(v, n - v);
}

/// What offsets do, one dimension after another, and how much each direction carries. Ports are 2 d upwards
/// and 2 d + 1 downwards.
class Directions {
  public:
    Directions(const Lattice& torus, std::uint32_t chunks)
        : torus_(torus),
          chunks_(chunks),
          load_(std::size_t{2} * torus.dimensions(), 0),
          halves_(torus.dimensions()) {
        for (std::uint32_t v = 1; v < torus.node_count(); ++v)
            for (std::uint32_t d = 0; d < torus.dimensions(); ++d) {
                const std::uint32_t n = torus.sizes()[d], x = torus.coordinate(NodeId{v}, d);
                if (2 * x != n) load_[2 * d + (2 * x > n ? 1 : 0)] += std::uint64_t{hops(x, n)} * chunks;
            }
        // Of the jobs that may go either way in a dimension half go up.
        for (std::uint32_t d = 0; d < torus.dimensions(); ++d) {
            const std::uint32_t n = torus.sizes()[d];
            if (n % 2 != 0) continue;
            const std::uint64_t jobs = std::uint64_t{torus.node_count() / n} * chunks;
            halves_[d] = (jobs + 1) / 2;
            if (jobs % 2 != 0) odd_ = d;
            load_[std::size_t{2} * d] += halves_[d] * (n / 2);
            load_[2 * d + 1] += (jobs - halves_[d]) * (n / 2);
        }
    }

    std::uint64_t most() const { return *std::max_element(load_.begin(), load_.end()); }

    /// The one dimension in which an odd number of jobs goes half of a ring, if there is one; of() is not
    /// called for one of them.
    std::uint32_t leave_one_out() {
        --halves_[odd_];
        return odd_;
    }

    /// Calls hop(port, times) for the job, a chunk of the offset. The jobs come in any order, each once.
    template <class Hop>
    void of(NodeId offset, const Hop& hop) {
        for (std::uint32_t d = 0; d < torus_.dimensions(); ++d) {
            const std::uint32_t n = torus_.sizes()[d], x = torus_.coordinate(offset, d);
            if (x == 0) continue;
            bool down = 2 * x > n;
            if (2 * x == n) {
                down = halves_[d] == 0;
                if (!down) --halves_[d];
            }
            hop(2 * d + (down ? 1 : 0), hops(x, n));
        }
    }

  private:
    const Lattice& torus_;
    std::uint32_t chunks_;
    std::vector<std::uint64_t> load_;    // [port]: hops
    std::vector<std::uint64_t> halves_;  // [dimension]: jobs of half a ring that are to go up
    std::uint32_t odd_ = 0;
};

/// Where an odd number of jobs goes half of a ring of n either way, the last one goes up from nodes with an
/// even coordinate and down from the others. Its packets hop in each of n / 2 steps, so they use a
/// direction's links of even and of odd nodes in turn. The links that they leave idle carry a job of n / 4
/// hops, rounded down, of which the packets of even and of odd nodes take turns, too. On each direction the
/// two together take n / 2 steps, whichever these are: one job of the open shop.
class SplitRing {
  public:
    SplitRing(const Lattice& torus, std::uint32_t chunks, std::uint32_t dimension)
        : dimension_(dimension), size_(torus.sizes()[dimension]), jobs_(torus.node_count() * chunks) {
        std::uint32_t stride = chunks;
        for (std::uint32_t d = 0; d < dimension; ++d) stride *= torus.sizes()[d];
        half_ = size_ / 2 * stride;
        filling_ = {size_ / 4 * stride, (size_ - size_ / 4) * stride};
    }

    bool has(std::uint32_t job) const { return job == half_ || job == filling_[0] || job == filling_[1]; }

    /// By the names of the jobs that share links with it.
    void add_to(OpenShop& shop) const {
        for (std::uint32_t down = 0; down < 2; ++down)
            for (std::uint32_t i = 0; i < size_ / 2; ++i) shop.add(filling_[down], 2 * dimension_ + down);
    }

    /// Of a schedule in which all nodes do the same.
    ExchangeSchedule split(const ExchangeSchedule& same) const {
        ExchangeSchedule schedule{same.ports, same.chunks, dimension_, {}};
        schedule.job.reserve(2 * same.job.size());
        std::vector<std::uint32_t> hops(jobs_, 0);  // so far, in the dimension; of filling_: of half_
        for (std::size_t i = 0; i < same.job.size(); i += same.ports)
            for (std::uint32_t of_node = 0; of_node < 2; ++of_node)
                for (std::uint32_t port = 0; port < same.ports; ++port) {
                    const std::uint32_t job = same.job[i + port];
                    if (job == ExchangeSchedule::none) {
                        schedule.job.push_back(job);
                        continue;
                    }
                    schedule.job.push_back(job == filling_[port % 2] ? shared(port % 2, hops[job], of_node)
                                                                     : of(job, hops[job], of_node));
                    if (of_node == 1 && port / 2 == dimension_) ++hops[job];
                }
        return schedule;
    }

  private:
    /// The job of the packets that have made so many hops in the dimension to nodes of a class.
    static std::uint32_t of(std::uint32_t job, std::uint32_t hops, std::uint32_t class_of_node) {
        return 2 * job + (class_of_node + hops) % 2;
    }
    std::uint32_t shared(std::uint32_t down, std::uint32_t hops, std::uint32_t class_of_node) const {
        if ((down + hops) % 2 == class_of_node) return of(half_, hops, class_of_node);
        return hops / 2 < size_ / 4 ? of(filling_[down], hops / 2, class_of_node) : ExchangeSchedule::none;
    }

    std::uint32_t dimension_, size_, jobs_;
    std::uint32_t half_ = 0;
    std::array<std::uint32_t, 2> filling_{};  // [down]
};

std::uint32_t diameter(const Lattice& torus) {
    std::uint32_t sum = 0;
    for (const std::uint32_t n : torus.sizes()) sum += n / 2;
    return sum;
}

}  // namespace

AllToAllBound alltoall_bound(const Network& network, std::uint32_t chunks) {
    const Lattice& torus = torus_of(network);
    AllToAllBound bound{AllToAllBound::Kind::diameter, diameter(torus), 0, 0};
    for (std::uint32_t d = 0; d < torus.dimensions(); ++d) {
        const std::uint64_t n = torus.sizes()[d];
        const std::uint64_t all = torus.node_count() / n * (n / 2 * ((n + 1) / 2)) * chunks;
        if ((all + 1) / 2 < bound.steps) continue;
        if ((all + 1) / 2 >= UINT32_MAX)
            throw InputError(fmt::format("cannot exchange {} packets a pair on {}", chunks, network.name()),
                             "fewer than 2^32 steps");
        bound = {AllToAllBound::Kind::links, static_cast<std::uint32_t>((all + 1) / 2), d, all};
    }
    return bound;
}

OptimalAllToAll optimal_alltoall(const Network& network, std::uint32_t chunks,
                                 const std::function<void(double)>& progress) {
    const Lattice& torus = torus_of(network);
    OptimalAllToAll found{{}, alltoall_bound(network, chunks)};
    Directions directions(torus, chunks);
    std::optional<SplitRing> ring;
    if (directions.most() > found.bound.steps) ring.emplace(torus, chunks, directions.leave_one_out());
    const std::uint32_t ports = 2 * torus.dimensions(), jobs = torus.node_count() * chunks;
    const std::size_t size = std::size_t{found.bound.steps} * ports * (ring ? 2 : 1);
    constexpr std::uint64_t most = std::uint64_t{1} << 30U;  // 4 bytes each
    if (size > most)
        throw InputError(fmt::format("cannot schedule {} steps of {} links a node", found.bound.steps, ports),
                         fmt::format("a product of {} at most: fewer chunks or nodes", most));
    OpenShop shop(ports, found.bound.steps);
    if (ring) ring->add_to(shop);
    for (std::uint32_t job = chunks; job < jobs; ++job) {
        if (ring && ring->has(job)) continue;
        directions.of(NodeId{job / chunks}, [&](std::uint32_t port, std::uint32_t times) {
            for (std::uint32_t i = 0; i < times; ++i) shop.add(job, port);
        });
        if (progress && job % 4096 == 0) progress(static_cast<double>(job) / jobs);
    }
    found.schedule = {ports, chunks, ExchangeSchedule::none, shop.take()};
    if (ring) found.schedule = ring->split(found.schedule);
    return found;
}

}  // namespace interlace
