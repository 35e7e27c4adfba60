// Interlace: named networks of machines behind switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/switched.h"

#include <fmt/format.h>

#include <numeric>

#include "galois_field.h"
#include "interlace/core/error.h"

namespace interlace {
namespace {

constexpr std::uint64_t most_switched = 1'000'000;  // machines, switches

/// base^exponent, of which there may be `most_switched`.
std::uint32_t power(std::uint32_t base, std::uint32_t exponent, const char* what) {
    std::uint64_t result = 1;
    for (std::uint32_t i = 0; i < exponent; ++i)
        if ((result *= base) > most_switched)
            throw InputError(fmt::format("there are too many {}: {}^{}", what, base, exponent),
                             fmt::format("at most {}", most_switched));
    return static_cast<std::uint32_t>(result);
}

void check_number(std::uint64_t number, const char* what) {
    if (number > most_switched)
        throw InputError(fmt::format("there are too many {}: {}", what, number),
                         fmt::format("at most {}", most_switched));
}

void check_least(std::uint32_t number, std::uint32_t least, const char* what) {
    if (number < least)
        throw InputError(fmt::format("cannot use {} {}", number, what), fmt::format("{} or more", least));
}

}  // namespace

Network network_of_machines(const std::string& name, const SwitchPlan& plan) {
    const std::uint64_t machines =
        std::accumulate(plan.machines.begin(), plan.machines.end(), std::uint64_t{0});
    check_number(machines, "machines");
    if (machines < 2) throw InputError(fmt::format("there is {} machine", machines), "two or more");
    ClusterPlan cluster;
    cluster.switches = plan.switches;
    cluster.trunks = plan.links;
    for (std::uint32_t s = 0; s < plan.switches; ++s)
        cluster.machines.insert(cluster.machines.end(), plan.machines[s], s);
    return make_cluster(name, cluster);
}

Network network_of_routers(const std::string& name, const SwitchPlan& plan) {
    std::vector<ClusterLink> links;
    for (const auto& [a, b] : plan.links) {
        links.push_back({NodeId{a}, NodeId{b}, {}});
        links.push_back({NodeId{b}, NodeId{a}, {}});
    }
    return {name, std::move(links), plan.switches, plan.switches};
}

SwitchPlan fat_tree(std::uint32_t ports) {
    if (ports < 2 || ports > 100 || ports % 2 != 0)
        throw InputError(fmt::format("cannot build a fat tree of switches with {} ports", ports),
                         "an even number from 2 to 100");
    const std::uint32_t half = ports / 2, edges = ports * half;
    SwitchPlan plan{.switches = 2 * edges + half * half, .links = {}, .machines = {}};
    plan.machines.assign(plan.switches, 0);
    std::fill_n(plan.machines.begin(), edges, half);
    for (std::uint32_t pod = 0; pod < ports; ++pod)
        for (std::uint32_t i = 0; i < half; ++i) {
            const std::uint32_t aggregation = edges + pod * half + i;
            for (std::uint32_t j = 0; j < half; ++j) {
                plan.links.emplace_back(pod * half + j, aggregation);
                plan.links.emplace_back(aggregation, 2 * edges + i * half + j);
            }
        }
    return plan;
}

SwitchPlan k_ary_n_tree(std::uint32_t k, std::uint32_t n) {
    check_least(k, 2, "machines a switch");
    check_least(n, 1, "levels");
    const std::uint32_t a_level = power(k, n, "machines") / k;
    check_number(std::uint64_t{a_level} * n, "switches");
    SwitchPlan plan{.switches = a_level * n, .links = {}, .machines = {}};
    plan.machines.assign(plan.switches, 0);
    std::fill_n(plan.machines.begin(), a_level, k);
    // Up from a level to the next, switches differ in the digit of that level at most.
    for (std::uint32_t level = 0, unit = 1; level + 1 < n; ++level, unit *= k)
        for (std::uint32_t s = 0; s < a_level; ++s)
            for (std::uint32_t digit = 0; digit < k; ++digit)
                plan.links.emplace_back(level * a_level + s,
                                        (level + 1) * a_level + s - s / unit % k * unit + digit * unit);
    return plan;
}

SwitchPlan dragonfly(std::uint32_t a, std::uint32_t h, std::uint32_t p) {
    check_least(a, 1, "switches a group");
    check_least(h, 1, "links from a switch to other groups");
    check_least(p, 1, "machines a switch");
    const std::uint64_t ends = std::uint64_t{a} * h;  // of a group's links to others
    check_number(ends, "links from a group to others");
    check_number((ends + 1) * a, "switches");
    check_number((ends + 1) * a * (a - 1) / 2, "links within groups");
    const auto groups = static_cast<std::uint32_t>(ends + 1);
    SwitchPlan plan{.switches = groups * a, .links = {}, .machines = {}};
    plan.machines.assign(plan.switches, p);
    for (std::uint32_t g = 0; g < groups; ++g) {
        for (std::uint32_t i = 0; i < a; ++i)
            for (std::uint32_t j = i + 1; j < a; ++j) plan.links.emplace_back(g * a + i, g * a + j);
        // Of the group g its link other - 1 leads to `other` above it, whose link g leads back.
        for (std::uint32_t other = g + 1; other < groups; ++other)
            plan.links.emplace_back(g * a + (other - 1) / h, other * a + g / h);
    }
    return plan;
}

SwitchPlan hyperx(const std::vector<std::uint32_t>& sizes, std::uint32_t machines) {
    std::uint64_t switches = 1, links = 0;
    for (const std::uint32_t size : sizes) {
        check_least(size, 1, "switches along a dimension");
        check_number(switches *= size, "switches");
        links += size - 1;
    }
    check_least(static_cast<std::uint32_t>(switches), 2, "switches");
    check_number(switches * links / 2, "links");
    SwitchPlan plan{.switches = static_cast<std::uint32_t>(switches), .links = {}, .machines = {}};
    plan.machines.assign(plan.switches, machines);
    std::uint32_t stride = 1;
    for (const std::uint32_t size : sizes) {
        for (std::uint32_t s = 0; s < plan.switches; ++s)
            for (std::uint32_t on = 1; s / stride % size + on < size; ++on)
                plan.links.emplace_back(s, s + on * stride);
        stride *= size;
    }
    return plan;
}

SwitchPlan slim_fly(std::uint32_t q, std::uint32_t machines) {
    if (q < 3 || q > 128)
        throw InputError(fmt::format("cannot build a slim fly of {}", q), "a prime power from 3 to 128");
    const GaloisField field(q);
    // Differences of neighbours within a group: of one half of the groups, and of the other. Powers of the
    // generator, such that with each its negative is there.
    std::vector<std::uint32_t> even, odd;
    if (q % 4 == 3) {
        const std::uint32_t w = (q + 1) / 4;
        for (std::uint32_t i = 0; i < w; ++i) {
            even.insert(even.end(), {2 * i, 2 * w - 1 + 2 * i});
            odd.insert(odd.end(), {2 * i + 1, 2 * w + 2 * i});
        }
    } else {
        for (std::uint32_t i = 0; i + 1 < q; i += 2) {
            even.push_back(i);
            odd.push_back(i + 1);
        }
    }
    SwitchPlan plan{.switches = 2 * q * q, .links = {}, .machines = {}};
    plan.machines.assign(plan.switches, machines);
    for (std::uint32_t x = 0; x < q; ++x)
        for (std::uint32_t y = 0; y < q; ++y) {
            const std::uint32_t first = x * q + y, second = q * q + first;
            const auto join_group = [&](std::uint32_t at, const std::vector<std::uint32_t>& differences) {
                for (const std::uint32_t exponent : differences) {
                    const std::uint32_t other = field.sum(y, field.power(exponent));
                    if (other > y) plan.links.emplace_back(at, at - y + other);
                }
            };
            join_group(first, even);
            join_group(second, odd);
            // (0, x, m x + c) and (1, m, c), with c called y here.
            for (std::uint32_t m = 0; m < q; ++m)
                plan.links.emplace_back(x * q + field.sum(field.product(m, x), y), q * q + m * q + y);
        }
    return plan;
}

SwitchPlan crossbar(std::uint32_t machines) {
    return {.switches = 1, .links = {}, .machines = {machines}};
}

}  // namespace interlace
