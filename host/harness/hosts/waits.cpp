// Interlace: who waits for whom in a run that is stuck
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/waits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "interlace/network/dependency_graph.h"

namespace interlace {
namespace {

constexpr std::size_t most = 8;  // that are named

std::string list(const std::vector<std::string>& names) {
    const std::vector<std::string> told(names.begin(), names.begin() + std::min(names.size(), most));
    return fmt::format("{}{}", fmt::join(told, ", "), names.size() > most ? ", ..." : "");
}

/// A sink that has packets and cannot send them on.
struct Stalled {
    std::uint32_t node, sink;
    std::uint32_t next;  ///< the node behind a link
};

/// Of all ranks, in the order of nodes.
std::vector<Stalled> stalled_sinks(const Fabric& fabric, const Machine& machine) {
    std::vector<Stalled> stalled;
    for (const NodeId node : machine.nodes())
        for (std::uint64_t left = machine.stalled(node); left != 0; left &= left - 1) {
            const auto sink = static_cast<std::uint32_t>(std::countr_zero(left));
            const FarPort next = sink < fabric.ports ? fabric.to(node, sink) : FarPort{};
            stalled.push_back({node, sink, next.node});
        }
    return machine.ranks().gather_values(stalled);
}

}  // namespace

std::string who_waits(const Fabric& fabric, const Machine& machine) {
    const std::vector<Stalled> stalled = stalled_sinks(fabric, machine);
    std::vector<Dependency> waits;
    std::vector<std::string> queues;
    const auto link = [](const Stalled& sink) { return fmt::format("{}->{}", sink.node, sink.next); };
    const auto comes_before = [](const Stalled& sink, std::uint32_t node) { return sink.node < node; };
    for (const Stalled& sink : stalled) {
        if (sink.sink >= fabric.ports) {
            queues.push_back(fmt::format("reception queue {} of {}", sink.sink - fabric.ports, sink.node));
            continue;
        }
        queues.push_back("link " + link(sink));
        for (auto next = std::lower_bound(stalled.begin(), stalled.end(), sink.next, comes_before);
             next != stalled.end() && next->node == sink.next && next->sink < fabric.ports; ++next)
            waits.emplace_back(&sink - stalled.data(), next - stalled.begin());
    }
    std::vector<std::string> cycle;
    for (const std::uint32_t i : DependencyGraph(static_cast<std::uint32_t>(stalled.size())).add(waits))
        cycle.push_back(link(stalled[i]));
    if (!cycle.empty()) return fmt::format("; {} links wait in a cycle: {}", cycle.size(), list(cycle));
    return queues.empty() ? "" : "; packets wait for " + list(queues);
}

}  // namespace interlace
