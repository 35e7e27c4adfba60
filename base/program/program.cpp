// Interlace: what every node sends, in which order
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/program.h"

#include <utility>

namespace interlace {

Program::Program(const Network& network, PacketOrigins origins, std::uint32_t packets,
                 const std::vector<Send>& sends)
    : origins_(std::move(origins)), packets_(packets), packet_(sends.size()) {
    std::vector<std::uint64_t> next(network.link_count() + std::size_t{1},
                                    0);  // counting sort by link, stable
    for (const Send& send : sends) ++next[send.link];
    std::uint64_t position = 0;
    for (std::uint32_t e = 0; e < network.link_count(); ++e) {
        const std::uint64_t count = next[e];
        next[e] = position;
        if (count == 0) continue;
        link_.emplace_back(e);
        first_.push_back(position);
        position += count;
    }
    first_.push_back(position);
    for (const Send& send : sends) packet_[next[send.link]++] = send.packet;
}

Program::Program(const Network& network, NodeId source, std::uint32_t packets, const std::vector<Send>& sends)
    : Program(network, PacketOrigins{source}, packets, sends) {}

std::vector<std::uint8_t> arrivals(const Network& network, const Program& program, NodeRange nodes) {
    const std::size_t packets = program.packet_count();
    std::vector<std::uint8_t> arrivals(nodes.count * packets);
    for (std::uint32_t list = 0; list < program.list_count(); ++list) {
        const std::uint32_t to = network.target(program.link(list));
        if (!nodes.contains(to)) continue;
        for (const PacketId packet : program.sends(list)) ++arrivals[(to - nodes.first) * packets + packet];
    }
    return arrivals;
}

SumParts::SumParts(PacketOrigins origins, std::uint32_t packets, NodeRange nodes,
                   std::vector<std::uint8_t> due)
    : origins_(std::move(origins)), packets_(packets), nodes_(nodes) {
    if (origins_.sums > 0) due_ = std::move(due);
}

SumParts sum_parts(const Network& network, const Program& program) {
    const NodeRange all{0, network.node_count()};
    return {program.origins(), program.packet_count(), all,
            program.origins().sums > 0 ? arrivals(network, program, all) : std::vector<std::uint8_t>{}};
}

std::vector<std::uint32_t> first_lists(const Network& network, const Program& program) {
    std::vector<std::uint32_t> first{0};
    first.reserve(network.node_count() + std::size_t{1});
    std::uint32_t list = 0;
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        const std::uint32_t end = network.first_link(NodeId{v}) + network.degree(NodeId{v});
        while (list < program.list_count() && program.link(list) < end) ++list;
        first.push_back(list);
    }
    return first;
}

}  // namespace interlace
