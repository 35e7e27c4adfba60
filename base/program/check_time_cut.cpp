// Interlace: cuts of networks over time, which prove that steps are too few
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/check_time_cut.h"

#include <fmt/format.h>

#include "interlace/core/error.h"

namespace interlace {
namespace {

void check_form(const Network& network, const TimeCut& cut) {
    const std::uint32_t nodes = network.node_count();
    for (const NodeId node : {cut.node, cut.only.value_or(cut.node)})
        if (node >= nodes)
            throw InputError(fmt::format("node {} is not in {}", +node, network.name()),
                             fmt::format("nodes are 0 to {}", nodes - 1));
    if (cut.times.size() != nodes)
        throw InputError(fmt::format("there are {} times", cut.times.size()),
                         fmt::format("{}, one of each node of {}", nodes, network.name()));
    for (std::uint32_t v = 0; v < nodes; ++v)
        if (cut.times[v] > std::uint64_t{cut.steps} + 1)
            throw InputError(
                fmt::format("the time of node {} is {}", v, cut.times[v]),
                fmt::format("0 to {}, a step more than there are", std::uint64_t{cut.steps} + 1));
    if (cut.times[cut.node] != 0)
        throw InputError(fmt::format("the time of node {} is {}", +cut.node, cut.times[cut.node]),
                         "0, as its packets are there from the beginning");
}

}  // namespace

CheckedCut check_time_cut(const Network& network, const TimeCut& cut) {
    check_form(network, cut);
    CheckedCut checked;
    for (std::uint32_t u = 0; u < network.node_count(); ++u) {
        const bool has_packets = cut.only ? *cut.only == u : cut.node != u;
        if (has_packets && cut.times[u] > cut.steps) checked.needed += cut.packets;
        for (const NodeId w : network.neighbours(NodeId{u})) {
            const bool forwards = cut.go == PacketsGo::from;
            const std::uint64_t out = cut.times[forwards ? u : +w], in = cut.times[forwards ? +w : u];
            if (in > out + 1) checked.crossing += in - 1 - out;
        }
    }
    return checked;
}

}  // namespace interlace
