// Interlace: who waits for whom in a run that is stuck
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/waits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "interlace/network/dependency_graph.h"

namespace interlace {
namespace {

constexpr std::size_t most = 8;  // that are named

std::string list(const std::vector<std::string>& names) {
    const std::vector<std::string> told(names.begin(), names.begin() + std::min(names.size(), most));
    return fmt::format("{}{}", fmt::join(told, ", "), names.size() > most ? ", ..." : "");
}

}  // namespace

std::string who_waits(const Fabric& fabric, const Machine& machine) {
    const std::vector<std::uint64_t> stalled = machine.stalled();
    std::vector<Dependency> waits;
    std::vector<std::string> queues;
    const auto link = [&](std::uint32_t node, std::uint32_t port) {
        return fmt::format("{}->{}", node, fabric.to[std::size_t{node} * fabric.ports + port].node);
    };
    for (std::uint32_t node = 0; node < fabric.nodes; ++node) {
        const std::uint64_t sinks = stalled[node];
        for (std::uint32_t port = 0; port < fabric.ports; ++port) {
            if ((sinks >> port & 1U) == 0) continue;
            queues.push_back("link " + link(node, port));
            const std::uint32_t next = fabric.to[std::size_t{node} * fabric.ports + port].node;
            const std::uint64_t there = stalled[next];
            for (std::uint32_t onwards = 0; onwards < fabric.ports; ++onwards)
                if ((there >> onwards & 1U) != 0)
                    waits.emplace_back(node * fabric.ports + port, next * fabric.ports + onwards);
        }
        for (std::uint32_t r = 0; r < fabric.receptions; ++r)
            if ((sinks >> (fabric.ports + r) & 1U) != 0)
                queues.push_back(fmt::format("reception queue {} of {}", r, node));
    }
    std::vector<std::string> circle;
    for (const std::uint32_t i : DependencyGraph(fabric.nodes * fabric.ports).add(waits))
        circle.push_back(link(i / fabric.ports, i % fabric.ports));
    if (!circle.empty()) return fmt::format("; {} links wait in a circle: {}", circle.size(), list(circle));
    return queues.empty() ? "" : "; packets wait for " + list(queues);
}

}  // namespace interlace
