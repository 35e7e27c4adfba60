// Interlace: the independent checker of phases of messages on a tree
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/check_phases.h"

#include <fmt/format.h>

#include <map>

namespace interlace {
namespace {

/// The directed links from one machine to all others: who is before whom on the way, by a flood over machines
/// (0 ..) and switches (machines ..).
std::vector<std::uint32_t> flood(const SwitchTree& tree, NodeId from) {
    const std::uint32_t machines = tree.machine_count();
    std::vector<std::uint32_t> before(machines + tree.size(), UINT32_MAX);
    std::vector<std::uint32_t> open = {tree.home(from)};
    before[machines + open.front()] = from;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const std::uint32_t s = open[i];
        for (const std::uint32_t to : tree.neighbours(s))
            if (before[machines + to] == UINT32_MAX) {
                before[machines + to] = machines + s;
                open.push_back(to);
            }
        for (const NodeId machine : tree.machines(s))
            if (machine != from) before[machine] = machines + s;
    }
    return before;
}

std::string node_name(const SwitchTree& tree, std::uint32_t node) {
    const std::uint32_t machines = tree.machine_count();
    return node < machines ? fmt::format("n{}", node) : fmt::format("s{}", tree.id(node - machines));
}

}  // namespace

std::string contention_of(const SwitchTree& tree, const std::vector<Phase>& phases) {
    const bool few = tree.machine_count() <= 1024;  // whose floods can be kept
    std::vector<std::vector<std::uint32_t>> floods(few ? tree.machine_count() : 1);
    for (std::size_t p = 0; p < phases.size(); ++p) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> used;  // link -> message
        for (std::size_t m = 0; m < phases[p].size(); ++m) {
            const auto& [from, to] = phases[p][m];
            std::vector<std::uint32_t>& before = floods[few ? +from : 0];
            if (before.empty() || !few) before = flood(tree, from);
            for (std::uint32_t node = to; node != from; node = before[node]) {
                const auto [known, fresh] = used.try_emplace({before[node], node}, m);
                if (fresh) continue;
                const auto& [other_from, other_to] = phases[p][known->second];
                return fmt::format("phase {}: n{} to n{} and n{} to n{} share the link from {} to {}", p,
                                   +other_from, +other_to, +from, +to, node_name(tree, before[node]),
                                   node_name(tree, node));
            }
        }
    }
    return {};
}

std::string fault_of_exchange(std::uint32_t machines, const std::vector<Phase>& phases) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> phase_of;
    for (std::size_t p = 0; p < phases.size(); ++p)
        for (const auto& [from, to] : phases[p]) {
            if (from == to || from >= machines || to >= machines)
                return fmt::format("phase {}: n{} to n{} is not a message of the exchange", p, +from, +to);
            const auto [known, fresh] = phase_of.try_emplace({from, to}, p);
            if (!fresh)
                return fmt::format("n{} to n{} is in phase {} and in phase {}", +from, +to, known->second, p);
        }
    for (std::uint32_t i = 0; i < machines; ++i)
        for (std::uint32_t j = 0; j < machines; ++j)
            if (i != j && !phase_of.contains({i, j})) return fmt::format("n{} to n{} is in no phase", i, j);
    return {};
}

}  // namespace interlace
