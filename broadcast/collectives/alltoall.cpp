// Interlace: all-to-all exchanges on a torus in as few steps as any schedule can take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/alltoall.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/error.h"
#include "open_shop.h"

namespace interlace {
namespace {

const Lattice& torus_of(const Network& network) {
    if (!network.lattice() || network.lattice()->kind() != Lattice::Kind::torus)
        throw InputError("cannot exchange by offsets on " + network.name(), "a torus");
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
            load_[std::size_t{2} * d] += halves_[d] * (n / 2);
            load_[2 * d + 1] += (jobs - halves_[d]) * (n / 2);
        }
    }

    std::uint64_t most() const { return *std::max_element(load_.begin(), load_.end()); }

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
        if ((all + 1) / 2 <= bound.steps) continue;
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
    const std::uint64_t steps = std::max<std::uint64_t>(directions.most(), diameter(torus));
    constexpr std::uint64_t most = std::uint64_t{1} << 30U;  // 4 bytes each
    if (steps * 2 * torus.dimensions() > most)
        throw InputError(
            fmt::format("cannot schedule {} steps of {} links a node", steps, 2 * torus.dimensions()),
            fmt::format("a product of {} at most: fewer chunks or nodes", most));
    OpenShop shop(2 * torus.dimensions(), static_cast<std::uint32_t>(steps));
    const std::uint32_t jobs = torus.node_count() * chunks;
    for (std::uint32_t job = chunks; job < jobs; ++job) {
        directions.of(NodeId{job / chunks}, [&](std::uint32_t port, std::uint32_t times) {
            for (std::uint32_t i = 0; i < times; ++i) shop.add(job, port);
        });
        if (progress && job % 4096 == 0) progress(static_cast<double>(job) / jobs);
    }
    found.schedule = {2 * torus.dimensions(), chunks, shop.take()};
    return found;
}

}  // namespace interlace
