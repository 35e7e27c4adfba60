// Interlace: clusters drawn at random
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "interlace/core/error.h"
#include "interlace/core/parts.h"
#include "interlace/core/random.h"
#include "interlace/network/cluster.h"

namespace interlace {
namespace {

/// Switches joined at random, each at most `max_trunks` times.
class Joining {
  public:
    Joining(std::uint32_t switches, std::uint32_t max_trunks, std::uint64_t seed)
        : draws_(seed, 1), parts_(switches), count_(switches), free_(switches, max_trunks) {}

    /// Trunks until `wanted` are there or no two switches with a free port are left to be joined.
    void add(std::uint64_t wanted) {
        for (std::uint64_t vain = 0; trunks_.size() < wanted && vain < 64 * std::uint64_t{count_};)
            vain = join(draws_.below(count_), draws_.below(count_)) ? 0 : vain + 1;
    }
    /// A tree first, so that few ports per switch cannot leave parts apart.
    void add_tree() {
        for (std::uint32_t s = 1; s < count_; ++s) {
            std::uint32_t to = draws_.below(s);
            while (free_[to] == 0) to = (to + 1) % s;
            join(s, to);
        }
    }
    void join_parts() {
        for (std::uint32_t s = 1; s < count_; ++s)
            while (parts_.of(s) != parts_.of(0)) join(s, draws_.below(count_));
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> trunks() const {
        return {trunks_.begin(), trunks_.end()};
    }

  private:
    bool join(std::uint32_t a, std::uint32_t b) {
        if (a == b || free_[a] == 0 || free_[b] == 0 || !trunks_.insert(std::minmax({a, b})).second)
            return false;
        --free_[a];
        --free_[b];
        parts_.join(a, b);
        return true;
    }

    Draws draws_;
    Parts parts_;
    std::uint32_t count_;
    std::vector<std::uint32_t> free_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> trunks_;
};

}  // namespace

ClusterPlan random_cluster(std::uint32_t switches, std::uint32_t machines, double degree,
                           std::uint64_t seed) {
    const double pairs = 0.5 * switches * (switches - 1.0);
    if (!(degree >= 0 && 0.5 * degree * switches <= pairs))
        throw InputError(fmt::format("cannot use degree {}", degree),
                         fmt::format("at most {} between {} switches", switches - 1, switches));
    Joining joining(switches, switches, seed);
    joining.add(static_cast<std::uint64_t>(std::llround(0.5 * degree * switches)));
    joining.join_parts();
    ClusterPlan plan;
    plan.switches = switches;
    plan.trunks = joining.trunks();
    Draws draws(seed, 2);
    for (std::uint32_t i = 0; i < machines; ++i) plan.machines.push_back(draws.below(switches));
    return plan;
}

ClusterPlan irregular_cluster(std::uint32_t switches, std::uint32_t ports, double connectivity,
                              std::uint32_t machines, std::uint64_t seed) {
    if (!(connectivity >= 0 && connectivity <= 1))
        throw InputError(fmt::format("cannot use connectivity {}", connectivity), "a share from 0 to 1");
    const auto outward = static_cast<std::uint32_t>(std::lround(connectivity * ports));
    const std::uint64_t room = std::uint64_t{switches} * (ports - outward);
    if (machines > room || (switches > 1 && outward < 2 && !(switches == 2 && outward == 1)))
        throw InputError(fmt::format("cannot use {} switches of {} ports, {} of them for trunks", switches,
                                     ports, outward),
                         fmt::format("room for {} machines and at least two trunks a switch", machines));
    Joining joining(switches, outward, seed);
    joining.add_tree();
    joining.add(std::uint64_t{switches} * outward / 2);
    ClusterPlan plan;
    plan.switches = switches;
    plan.trunks = joining.trunks();
    for (std::uint32_t i = 0; i < machines; ++i) plan.machines.push_back(i % switches);
    // Which machine hangs where is drawn too: a number says nothing of a place.
    Draws draws(seed, 2);
    for (std::uint32_t i = machines; i > 1; --i)
        std::swap(plan.machines[i - 1], plan.machines[draws.below(i)]);
    return plan;
}

}  // namespace interlace
